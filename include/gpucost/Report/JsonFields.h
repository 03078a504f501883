//===- JsonFields.h - What all JSON writers share ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_REPORT_JSONFIELDS_H
#define GPUCOST_REPORT_JSONFIELDS_H

#include "llvm/Support/JSON.h"
#include <string>

namespace gpucost {

/// Names in a model or a file need not be UTF-8; JSON must be.
std::string toUtf8(llvm::StringRef text);

/// A member with a number as NumberText.h prints it for programs; null where it
/// is not finite.
void writeNumber(llvm::json::OStream &json, llvm::StringRef key, double value);

} // namespace gpucost

#endif // GPUCOST_REPORT_JSONFIELDS_H
