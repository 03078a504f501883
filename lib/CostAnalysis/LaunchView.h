//===- LaunchView.h - Launches as they stand in the IR ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which kernel an op of a function is, read in place: what gpucost-form-kernels
// does in eager mode with ops of other dialects than onnx, one op at a time.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COSTANALYSIS_LAUNCHVIEW_H
#define GPUCOST_LIB_COSTANALYSIS_LAUNCHVIEW_H

#include "gpucost/Analysis/CountWork.h"
#include "gpucost/Model/Schedule.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include <array>
#include <mutex>

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

/// Ops that are computed once, before the first iteration, because they depend
/// on constants alone.
class ConstantOps {
public:
  void addBlock(mlir::Block &block);
  bool contains(mlir::Operation *op) const { return known.contains(op); }
  /// `op` has changed, or is new.
  void update(mlir::Operation *op);
  void erase(mlir::Operation *op) { known.erase(op); }

private:
  llvm::DenseSet<mlir::Operation *> known;
};

/// What ops say of themselves, asked once. Thread-safe.
class OpFacts {
public:
  struct Fact {
    OpWork own;
    bool launchesNothing = false;
  };
  Fact get(mlir::Operation *op);
  /// What is known already: an op that is being rewritten cannot be asked.
  std::optional<Fact> peek(mlir::Operation *op);
  void erase(mlir::Operation *op);
  CostClass classOf(mlir::Operation *op) { return get(op).own.shape; }

private:
  struct Shard {
    std::mutex mutex;
    llvm::DenseMap<mlir::Operation *, Fact> facts;
  };
  Shard &shardOf(mlir::Operation *op);
  std::array<Shard, 16> shards;
};

/// Reads launches in place.
class LaunchReader {
public:
  LaunchReader(const ConstantOps &constants, OpFacts &facts,
               const UnitRules &rules)
      : constants(constants), facts(facts), rules(rules) {}

  /// Whether `op` runs on the GPU in an iteration.
  bool launches(mlir::Operation *op) const;
  /// The product whose kernel `op` is the epilogue of; null without one.
  mlir::Operation *findProduct(mlir::Operation *op) const;
  /// The kernel of `op`, a top-level op that needs no copy, and of its
  /// epilogue.
  LaunchView viewLaunch(mlir::Operation *op) const;
  /// Ops of one kernel; a bound or a reason where they are not understood.
  LaunchView viewMembers(const KernelMembers &members) const;
  CostClass classOf(mlir::Operation *op) const { return facts.classOf(op); }

private:
  llvm::SmallVector<mlir::Operation *>
  withEpilogue(mlir::Operation *product) const;

  const ConstantOps &constants;
  OpFacts &facts;
  const UnitRules &rules;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COSTANALYSIS_LAUNCHVIEW_H
