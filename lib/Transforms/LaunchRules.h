//===- LaunchRules.h - What launches, and what joins a launch ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-form-kernels: questions about single ops.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TRANSFORMS_LAUNCHRULES_H
#define GPUCOST_LIB_TRANSFORMS_LAUNCHRULES_H

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

/// Whether an elementwise structured op only adds a vector, along the last
/// dimension, to `product`.
bool addsVector(mlir::Operation *op, mlir::OpOperand &product);

} // namespace gpucost

#endif // GPUCOST_LIB_TRANSFORMS_LAUNCHRULES_H
