//===- LoopNests.h - Loops that run kernels or are kernels ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-flatten-loops.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOOPNESTS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOOPNESTS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {

/// Replaces each loop whose sizes, inner trip counts or branches depend on its
/// counter with one loop for each group of equal iterations. Adds a note if
/// there are too many groups.
void splitLoops(mlir::func::FuncOp function);

/// Replaces the counters of a loop with the middle of their range.
void fixCounters(mlir::Operation *op);

/// Replaces `op` with constants if it computes integers that are known: bounds
/// of inner loops are computed from the counters of outer ones.
void foldInteger(mlir::Operation *op);

/// Whether `op` is scalar arithmetic, an access, or a loop of these.
bool isScalarNest(mlir::Operation *op);

/// (J1) Replaces each CTA-mapped loop nest in `function` with its kernel.
void raiseBlockNests(mlir::func::FuncOp function);

/// Replaces all loops with their bodies, and alternative branches with the most
/// expensive one. The ops carry their number of executions.
void flattenLoops(mlir::func::FuncOp function);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOOPNESTS_H
