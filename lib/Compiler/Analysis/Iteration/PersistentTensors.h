//===- PersistentTensors.h - What outlives an iteration ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_PERSISTENTTENSORS_H
#define GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_PERSISTENTTENSORS_H

#include "mlir/IR/Operation.h"

namespace gpucost {

/// A constant tensor of a linalg module that is not just the initial value of
/// an accumulator: floats, and the small integers of quantised weights.
bool isConstantWeight(mlir::Operation *op);

/// An op whose result is a weight, an optimizer state or a kept gradient.
bool isPersistent(mlir::Operation *op);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_PERSISTENTTENSORS_H
