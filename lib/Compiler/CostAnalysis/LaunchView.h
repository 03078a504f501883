//===- LaunchView.h - Launches as they stand in the IR ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel of an op of a function, read in place from a partition.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_COSTANALYSIS_LAUNCHVIEW_H
#define GPUCOST_LIB_COMPILER_COSTANALYSIS_LAUNCHVIEW_H

#include "gpucost/Compiler/Analysis/Kernels/KernelPartition.h"
#include "gpucost/Core/Model/Schedule.h"

namespace gpucost {

/// The kernel that one op launches.
struct LaunchView {
  /// nullopt: it launches nothing.
  std::optional<KernelWork> work;
  /// What is decided about it.
  Schedule schedule = {};
  int64_t count = 1;
  Coverage coverage = Coverage::Modelled;
  /// Why it is not modelled; or which kernel the op is part of.
  std::string reason;
};

/// The op of the body of its function, or of what is isolated from above, that
/// `op` is or stands in.
mlir::Operation *findTopLevelOp(mlir::Operation *op);

/// A loop, branch or nest of CTAs, or arithmetic on whole tensors, which is
/// read on a copy.
bool needsCopy(mlir::Operation *op);

/// Moves data, or not, as its users read it: a fill, a permutation, padding.
/// `shape` is its cost class.
bool dependsOnUsers(mlir::Operation *op, CostClass shape);

/// The pipeline rewrites the whole function that `op`, an op of its body,
/// stands in: ONNX and TOSA ops, calls of functions, on it or in it; sizes that
/// are not known, unless they are those of slices in a loop.
bool needsWholeFunction(mlir::Operation *op);

/// What a formed kernel says of itself; without work it is not modelled.
LaunchView viewKernel(KernelOp kernel);
/// The kernel of `members`; a bound or a reason where they are not understood.
LaunchView viewMembers(const KernelMembers &members, OpFacts &facts,
                       const UnitRules &rules);
/// The kernel that `op`, which `partition` has read, begins.
LaunchView viewLaunch(mlir::Operation *op, const KernelPartition &partition,
                      OpFacts &facts, const UnitRules &rules);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_COSTANALYSIS_LAUNCHVIEW_H
