//===- WeightCount.h - Weights of the model in one tensor -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many weights of the model a tensor of the file holds. Its type does not
// tell where weights are quantised: 4-bit weights are packed in bytes, scales
// and zero points are tensors of their own, but no weights.
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
