//===- LaunchRules.h - What launches, and what joins a launch ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to the passes: questions about single ops.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TRANSFORMS_LAUNCHRULES_H
#define GPUCOST_LIB_TRANSFORMS_LAUNCHRULES_H

#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "mlir/IR/Operation.h"

namespace gpucost {

/// Ops that never launch although they may say nothing about their work:
/// structure of other dialects and what depends on weights alone.
bool launchesNothing(mlir::Operation *op);

/// Marks the ops of other dialects that depend on constants alone: they are
/// computed once, before the first iteration.
void markConstantWork(mlir::Block &block);

/// Ops of different loops share no launch.
bool runTogether(mlir::Operation *a, mlir::Operation *b);

/// Operands of `op` and what its regions use from around it.
llvm::SmallVector<mlir::Value> valuesRead(mlir::Operation *op);

/// Whether an elementwise structured op only adds a vector, along the last
/// dimension, to `product`.
bool addsVector(mlir::Operation *op, mlir::OpOperand &product);

/// Whether a structured op on one tensor only rounds its floating-point
/// elements to fewer bits.
bool narrowsFloats(mlir::Operation *op);

/// Makes `kernel` one of which only is known, for `reason`, what it reads and
/// writes at least.
void bookBound(KernelOp kernel, int64_t read, int64_t written,
               llvm::StringRef reason);

} // namespace gpucost

#endif // GPUCOST_LIB_TRANSFORMS_LAUNCHRULES_H
