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

/// Replaces the counters of a loop by their value halfway: what depends on them
/// (the shape of the last tile, the length of an inner loop) is then near its
/// average.
void fixCounters(mlir::Operation *op);

/// Scalar arithmetic, loads and stores, and loops of them: one kernel.
bool isScalarNest(mlir::Operation *op);

/// (J1) Each nest of CTAs in `function` becomes the kernel that it is.
void raiseBlockNests(mlir::func::FuncOp function);

/// The bodies of all loops, and the dearest of alternative branches, take the
/// place of the op that they belong to. Their ops carry how often they run.
void flattenLoops(mlir::func::FuncOp function);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LOOPNESTS_H
