//===- LiftJumps.h - Branches and loops instead of jumps --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LIFTJUMPS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LIFTJUMPS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {

/// Replaces the jumps between the blocks of `function` by `scf.if`,
/// `scf.index_switch` and `scf.while`; returns whether it did. Jumps of other
/// dialects remain. The result has branches that canonicalization removes.
bool liftJumps(mlir::func::FuncOp function);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_LIFTJUMPS_H
