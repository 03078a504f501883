//===- Json.h - Parses untrusted JSON ------------------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_SUPPORT_JSON_H
#define GPUCOST_COMPILER_SUPPORT_JSON_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace gpucost {

/// Parses `text`. Errors contain line and column. Text that is nested more than
/// `deepestNesting` deep and objects that have a member twice are errors.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text);

} // namespace gpucost

#endif // GPUCOST_COMPILER_SUPPORT_JSON_H
