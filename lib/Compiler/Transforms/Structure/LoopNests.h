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

/// Replaces the counters of a loop with the middle of their range, so that
/// values that depend on them (the shape of the last tile, the length of an
/// inner loop) are close to their average.
void fixCounters(mlir::Operation *op);

/// Whether `op` is scalar arithmetic, an access, or a loop of these.
bool isScalarNest(mlir::Operation *op);

/// (J1) Replaces each CTA-mapped loop nest in `function` with its kernel.
void raiseBlockNests(mlir::func::FuncOp function);

/// Replaces all loops with their bodies, and alternative branches with the most
/// expensive one. The ops carry their number of executions.
void flattenLoops(mlir::func::FuncOp function);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOOPNESTS_H
