//===- PersistentTensors.h - Tensors that outlive an iteration --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_ITERATION_PERSISTENTTENSORS_H
#define GPUCOST_COMPILER_ANALYSIS_ITERATION_PERSISTENTTENSORS_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"

namespace gpucost {

/// Whether `op` is a constant tensor of a linalg module, other than the initial
/// value of an accumulator: floats, and small integers of quantised weights.
bool isConstantWeight(mlir::Operation *op);

/// Whether `op` produces a weight, an optimizer state or a kept gradient.
bool isPersistent(mlir::Operation *op);

/// Whether the results of `op` have no separate memory: views, constants,
/// preprocessed weights.
bool isUnallocated(mlir::Operation *op);

/// The tensor that the result of an in-place kernel is written to; null if the
/// result has separate memory.
mlir::Value writtenInPlace(KernelOp kernel, unsigned result);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_ITERATION_PERSISTENTTENSORS_H
