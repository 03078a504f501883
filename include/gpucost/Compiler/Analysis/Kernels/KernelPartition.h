//===- KernelPartition.h - Which ops share a kernel -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that a runtime launches for the ops of a block. The partition
// never changes the IR: `gpucost-form-kernels` applies it, CostAnalysis reads
// it in place.
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

/// What a kernel runs: an op of the model or a copy that the runtime adds.
using KernelMember = llvm::PointerUnion<mlir::Operation *, const PlannedCopy *>;

/// What one launch runs.
struct KernelGroup {
  /// In program order.
  llvm::SmallVector<KernelMember, 2> members;
  /// The members and the views that they read each other through.
  llvm::SmallVector<KernelMember, 4> body;
  CostClass shape = CostClass::Opaque; ///< of the first member
  std::optional<int64_t> elements;     ///< iteration domain of pointwise groups
  /// Results of a reduction in the group whose rows one CTA reads: the kernel
  /// continues with them, and with the rows.
  std::optional<int64_t> rows;
  bool insideLibraryCall = false; ///< layout conversion of a convolution
  bool loadsVectors = false;      ///< whatever the plans of its ops say
};

/// Whose kernels are priced: each op with its epilogue, or those of a runtime.
enum class PricingMode : uint8_t { AsWritten, Eager, Compiled };

struct PartitionOptions {
  PricingMode mode = PricingMode::AsWritten;
  /// Layers run the fused kernels of serving stacks.
  bool fusesLayers = false;
  EagerPlanner::Options plans;
  /// With the mode that the runtime means.
  static PartitionOptions of(const Settings &settings);
};

class KernelPartition {
public:
  /// Reads `block`, which outlives the partition. `facts`, if given, remembers
  /// what ops say of themselves.
  KernelPartition(mlir::Block &block, const PartitionOptions &options,
                  OpFacts *facts = nullptr);

  /// Of the eager and the compiled mode, in the order of their first members.
  llvm::ArrayRef<KernelGroup> groups() const { return allGroups; }
  /// The first op of the kernel that `op`, of this block, is part of; null: it
  /// launches nothing, or a copy begins the kernel.
  mlir::Operation *firstOf(mlir::Operation *op) const;
  /// The kernel that `first` begins. As written it is formed when asked for.
  KernelGroup groupOf(mlir::Operation *first) const;

  // Hypothetical kernels.

  /// `op`, which launches something, alone.
  KernelGroup groupOfOne(mlir::Operation *op) const {
    return makeGroup(op, classOf(op));
  }
  /// The reason for which `op`, which launches something, cannot continue
  /// `group`; "" when it can.
  std::string whyNotJoined(const KernelGroup &group,
                           mlir::Operation *op) const {
    return whyNotJoined(group, op, classOf(op));
  }
  void extend(KernelGroup &group, mlir::Operation *op) const {
    join(group, op, classOf(op));
  }

  /// What the runtime does around `op`; null: nothing.
  const OpPlan *planOf(mlir::Operation *op) const;
  /// Whether `op` depends on constants alone: it runs before the first
  /// iteration.
  bool isConstant(mlir::Operation *op) const { return constants.contains(op); }
  /// Whether `op` runs on the GPU in an iteration.
  bool launches(mlir::Operation *op) const;
  CostClass classOf(mlir::Operation *op) const {
    return facts ? facts->classOf(op) : getCostClass(op);
  }

  /// As written: `op` has changed or is new. Other modes depend on all of the
  /// block and need a new partition.
  void update(mlir::Operation *op);

private:
  /// Ops without a launch that move before a kernel for one of its operands.
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
  mlir::Operation *findOnlyReadMaker(mlir::Value value) const;
  mlir::Operation *findProductOfVector(mlir::Operation *op) const;
  mlir::Operation *findProductOfCast(mlir::Operation *op) const;
  /// The product whose kernel `op` continues as its epilogue: a bias vector, a
  /// cast of the accumulators. Null when there is none.
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
