//===- KernelPartition.h - Partition of ops into kernels --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that a runtime launches for the ops of a block. The partition
// never changes the IR: `gpucost-form-kernels` applies it; CostAnalysis only
// reads it.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_KERNELPARTITION_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_KERNELPARTITION_H

#include "gpucost/Compiler/Analysis/Kernels/EagerPlanner.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/Analysis/Kernels/OpFacts.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PointerUnion.h"

namespace gpucost {

/// A member of a kernel: an op of the model or a copy that the runtime adds.
using KernelMember = llvm::PointerUnion<mlir::Operation *, const PlannedCopy *>;

/// The ops and copies that one launch runs.
struct KernelGroup {
  /// In program order.
  llvm::SmallVector<KernelMember, 2> members;
  /// The members and the views through which they read each other.
  llvm::SmallVector<KernelMember, 4> body;
  CostClass shape = CostClass::Opaque; ///< of the first member
  std::optional<int64_t> elements;     ///< iteration domain of pointwise groups
  /// Results of a reduction in the group whose rows one CTA reads: the kernel
  /// continues with them, and with the rows.
  std::optional<int64_t> rows;
  bool insideLibraryCall = false; ///< layout conversion of a convolution
  bool loadsVectors = false;      ///< overrides the layout plans of its ops
};

struct PartitionOptions {
  /// Form a group only when it is queried, without layout plans.
  bool onDemand = true;
  /// Fuse ops as a compiler does.
  bool fuses = false;
  /// Layers run the fused kernels of serving stacks.
  bool fusesLayers = false;
  /// Norms and gated activations quantise their results.
  bool fusesQuantization = false;
  /// A matmul adds its result to the sum of a weight's gradients.
  bool fusesGradientSums = false;
  EagerPlanner::Options plans;
  /// For a partition with all groups of a block.
  static PartitionOptions of(const Settings &settings);
};

class KernelPartition {
public:
  /// Reads `block`, which must outlive the partition. `facts`, if given, caches
  /// the cost class and work of ops.
  KernelPartition(mlir::Block &block, const PartitionOptions &options,
                  OpFacts *facts = nullptr);

  /// The kernels, ordered by their first members; empty with `onDemand`.
  llvm::ArrayRef<KernelGroup> groups() const { return allGroups; }
  /// The first op of the kernel that contains `op`, which must be in this
  /// block; null if `op` launches nothing or if the kernel begins with a copy.
  mlir::Operation *firstOf(mlir::Operation *op) const;
  /// The kernel that begins with `first`.
  KernelGroup groupOf(mlir::Operation *first) const;

  // Hypothetical kernels.

  /// A kernel of `op` only, which must launch something.
  KernelGroup groupOfOne(mlir::Operation *op) const {
    return makeGroup(op, classOf(op));
  }
  /// Why `op`, which launches something, cannot join `group`; "" if it can.
  std::string whyNotJoined(const KernelGroup &group,
                           mlir::Operation *op) const {
    return whyNotJoined(group, op, classOf(op));
  }
  void extend(KernelGroup &group, mlir::Operation *op) const {
    join(group, op, classOf(op));
  }

  /// The plan for `op`; null if the runtime adds nothing around it.
  const OpPlan *planOf(mlir::Operation *op) const;
  /// Whether `op` depends only on constants and runs before the iterations.
  bool isConstant(mlir::Operation *op) const { return constants.contains(op); }
  /// Whether `op` runs on the GPU in an iteration.
  bool launches(mlir::Operation *op) const;
  CostClass classOf(mlir::Operation *op) const {
    return facts ? facts->classOf(op) : getCostClass(op);
  }

  /// With `onDemand`: `op` has changed or is new. Returns the ops that now
  /// depend only on constants, or no longer do. Without, every kernel depends
  /// on the whole block, which needs a new partition.
  llvm::SmallVector<mlir::Operation *> update(mlir::Operation *op);

private:
  /// Fills `constants`.
  void findConstants();
  /// Corrects `constants` for `worklist` and the ops that depend on it; returns
  /// the ops that changed.
  llvm::SmallVector<mlir::Operation *>
  spreadConstants(llvm::SmallVector<mlir::Operation *> worklist);
  /// Maximum number of ops without a launch moved for one operand of a kernel.
  static constexpr unsigned maxHoisted = 64;
  static KernelGroup makeGroup(KernelMember member, CostClass shape);
  static void join(KernelGroup &group, KernelMember member, CostClass shape);
  static std::string whyNotJoined(const KernelGroup &group, KernelMember member,
                                  CostClass shape);
  void visit(mlir::Operation *op);
  bool launchesNothing(mlir::Operation *op) const;
  bool isView(mlir::Operation *op) const {
    return classOf(op) == CostClass::View;
  }
  void addGroup(KernelMember member, CostClass shape);
  void addTo(unsigned group, KernelMember member, CostClass shape);
  void addViews(KernelGroup &group, llvm::DenseSet<mlir::Operation *> &taken);
  KernelMember makerOf(mlir::Value value) const;
  KernelMember makerOf(mlir::Operation *op, unsigned operand) const;
  llvm::SmallVector<KernelMember, 4> makersOf(KernelMember member) const;
  KernelMember sourceOf(KernelMember maker) const;
  unsigned positionOf(KernelMember member) const;
  bool isMade(KernelMember maker, unsigned start, unsigned &budget) const;
  bool isReadable(KernelMember maker, unsigned group, unsigned start) const;
  bool isFusedInLayers(mlir::Operation *op) const;
  bool joinProducer(KernelMember member, CostClass shape);
  bool isKernel(mlir::Operation *op) const;
  bool hasOneReader(mlir::Operation *op) const;
  mlir::Operation *findOnlyReadMaker(mlir::Value value) const;
  mlir::Operation *findProductOfVector(mlir::Operation *op) const;
  mlir::Operation *findProductOfCast(mlir::Operation *op) const;
  mlir::Operation *findProductOfSum(mlir::Operation *op) const;
  /// The matmul or convolution whose kernel includes `op` as its epilogue (a
  /// bias vector or a cast of the accumulators); null if there is none.
  mlir::Operation *findProduct(mlir::Operation *op) const;
  bool hasAdjacentElements(const KernelGroup &group) const;

  mlir::Block &block;
  PartitionOptions options;
  OpFacts *facts;
  EagerPlanner planner;
  llvm::DenseSet<mlir::Operation *> constants;
  llvm::DenseMap<mlir::Operation *, OpPlan> plans;
  /// Copies that all users of a value read.
  llvm::DenseMap<mlir::Value, const PlannedCopy *> copiesOf;
  std::vector<KernelGroup> allGroups;
  llvm::DenseMap<KernelMember, unsigned> groupIndex;
  llvm::DenseMap<mlir::Operation *, unsigned> position;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_KERNELPARTITION_H
