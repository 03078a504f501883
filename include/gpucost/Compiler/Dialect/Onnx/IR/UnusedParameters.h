//===- UnusedParameters.h - Parameters that only take memory ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_IR_UNUSEDPARAMETERS_H
#define GPUCOST_COMPILER_DIALECT_ONNX_IR_UNUSEDPARAMETERS_H

#include "llvm/ADT/StringRef.h"

namespace gpucost::onnx {

/// Ends the name of a parameter that a PyTorch module holds in memory, but does
/// not read: a mask token, a head that only pretraining uses. gpucost.export()
/// marks them; other initializers without a reader are left out.
inline constexpr llvm::StringLiteral unusedParameterSuffix = ".unused";

} // namespace gpucost::onnx

#endif // GPUCOST_COMPILER_DIALECT_ONNX_IR_UNUSEDPARAMETERS_H
