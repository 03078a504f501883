//===- PersistentTensors.h - Tensors that outlive an iteration --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_PERSISTENTTENSORS_H
#define GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_PERSISTENTTENSORS_H

#include "mlir/IR/Operation.h"

namespace gpucost {

/// Whether `op` is a constant tensor of a linalg module, other than the initial
/// value of an accumulator: floats, and small integers of quantised weights.
bool isConstantWeight(mlir::Operation *op);

/// Whether `op` produces a weight, an optimizer state or a kept gradient.
bool isPersistent(mlir::Operation *op);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_PERSISTENTTENSORS_H
