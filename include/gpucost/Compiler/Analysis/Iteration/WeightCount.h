//===- WeightCount.h - Weights of the model in one tensor -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Number of model weights in a tensor of the file. The type does not give it
// for quantised weights: 4-bit weights are packed in bytes, and scales and zero
// points are separate tensors that contain no weights.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_ITERATION_WEIGHTCOUNT_H
#define GPUCOST_COMPILER_ANALYSIS_ITERATION_WEIGHTCOUNT_H

#include "mlir/IR/Operation.h"

namespace gpucost {

/// Weights in the result of `parameter`: 0 for buffers, scales and zero points.
int64_t countWeights(mlir::Operation *parameter);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_ITERATION_WEIGHTCOUNT_H
