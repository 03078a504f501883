//===- LowerTransposedConv.h - Transposed convolutions ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOWERTRANSPOSEDCONV_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOWERTRANSPOSEDCONV_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Replaces `tosa.transpose_conv2d` of known sizes with `onnx.ConvTranspose`.
void lowerTransposedConvolutions(mlir::ModuleOp module);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOWERTRANSPOSEDCONV_H
