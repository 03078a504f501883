//===- LaunchView.h - Launches of existing IR -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel of an op in a function, read in place from a partition.
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
  /// Its stated schedule.
  Schedule schedule = {};
  int64_t count = 1;
  Coverage coverage = Coverage::Modelled;
  /// Why it is not modelled, or the kernel that the op is part of.
  std::string reason;
};

/// Whether `op` is a function, also of a dialect that is not registered.
bool isFunction(mlir::Operation *op);

/// `op` or its ancestor that is directly in the body of the enclosing function,
/// unknown op or IsolatedFromAbove op.
mlir::Operation *findTopLevelOp(mlir::Operation *op);

/// Whether `op` is read on a copy: a loop, branch or CTA-mapped loop nest, or
/// arithmetic on whole tensors.
bool needsCopy(mlir::Operation *op);

/// The outermost loop that is not mapped to CTAs, of `op` and the loops around
/// it; null if there is none. `op` is a kernel.
mlir::Operation *findLoopOfKernels(mlir::Operation *op);
/// How the kernels in such a loop, or the loop itself, run.
std::string describeLoop(mlir::Operation *loop, mlir::Operation *kernel);

/// Whether the users of `op` decide if it moves data: a fill, a permutation,
/// padding. `shape` is its cost class.
bool dependsOnUsers(mlir::Operation *op, CostClass shape);

/// Whether the pipeline rewrites the whole function around `op`, an op in its
/// body: because of ONNX or TOSA ops, calls, or unknown sizes (other than those
/// of slices in a loop) in `op`.
bool needsWholeFunction(mlir::Operation *op);

/// Whether the kernels of `op`, an op in a function body, are the same for all
/// sizes of other ops: it has no dynamic shapes and reads no unknown index.
bool hasKnownSizes(mlir::Operation *op);

/// The work and attributes of a formed kernel; without work it is not modelled.
LaunchView viewKernel(KernelOp kernel);
/// (J5) The schedule that the first of `members` with one states.
Schedule statedSchedule(llvm::ArrayRef<mlir::Operation *> members);
/// The kernel of `members`; a bound or a reason if they are not supported. It
/// has no stated schedule.
LaunchView viewMembers(const KernelMembers &members, OpFacts &facts,
                       const UnitRules &rules);
/// The kernel that begins with `op`, which must be in the block of `partition`
/// and not a formed kernel.
LaunchView viewLaunch(mlir::Operation *op, const KernelPartition &partition,
                      OpFacts &facts, const UnitRules &rules);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_COSTANALYSIS_LAUNCHVIEW_H
