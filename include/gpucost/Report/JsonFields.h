//===- JsonFields.h - Numbers of JSON writers of LLVM -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_REPORT_JSONFIELDS_H
#define GPUCOST_REPORT_JSONFIELDS_H

#include "gpucost/Support/JsonStream.h"
#include "llvm/Support/JSON.h"

namespace gpucost {

/// A member with a number as `JsonStream` writes it.
void writeNumber(llvm::json::OStream &json, llvm::StringRef key, double value);

} // namespace gpucost

#endif // GPUCOST_REPORT_JSONFIELDS_H
