//===- LowerFourier.h - Fourier transforms of TOSA --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOWERFOURIER_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOWERFOURIER_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Replaces `tosa.rfft2d` and `tosa.fft2d` of known sizes with `onnx.DFT`.
void lowerFourier(mlir::ModuleOp module);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOWERFOURIER_H
