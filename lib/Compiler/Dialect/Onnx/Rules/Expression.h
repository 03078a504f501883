//===- Expression.h - Arithmetic on sizes -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this folder: the expressions of op definitions, such as
// "rows*D*(4 + has.2)". Integers, names, + - * / (rounded down), parentheses
// and the functions
//
//   min(a, b)  max(a, b)  ceil(a, b): the quotient rounded up
//   visible(q, keys, r): groups of r keys that q causal queries, the last of
//                        which is at the last key, see completely
//
// utils/onnx_rules.py checks their syntax and names when the project is built.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_RULES_EXPRESSION_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_RULES_EXPRESSION_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace gpucost::onnx {

/// The value of `text`. `valueOf` gives the value of a name, `unknownDim` if it
/// has none. `unknownDim` and `badDim` (overflow, division by 0) propagate.
int64_t evaluate(llvm::StringRef text,
                 llvm::function_ref<int64_t(llvm::StringRef)> valueOf);

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_RULES_EXPRESSION_H
