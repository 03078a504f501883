//===- KernelPartition.h - Which ops share a kernel -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernels that a runtime launches for the ops of a block. The partition
// never changes the IR: `gpucost-form-kernels` applies it.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_ANALYSIS_KERNELS_KERNELPARTITION_H
#define GPUCOST_ANALYSIS_KERNELS_KERNELPARTITION_H

#include "gpucost/Analysis/Kernels/EagerPlanner.h"
#include "gpucost/Scenario/Scenario.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/PointerUnion.h"

namespace gpucost {

/// What a kernel runs: an op of the model or a copy that the runtime adds.
using KernelMember = llvm::PointerUnion<mlir::Operation *, const PlannedCopy *>;

/// What one launch runs, in program order.
struct KernelGroup {
  llvm::SmallVector<KernelMember, 2> members;
  CostClass shape = CostClass::Opaque; ///< of the first member
  std::optional<int64_t> elements;     ///< iteration domain of pointwise groups
  /// Results of a reduction in the group whose rows one CTA reads: the kernel
  /// continues with them, and with the rows.
  std::optional<int64_t> rows;
  bool insideLibraryCall = false; ///< layout conversion of a convolution
  bool loadsVectors = false;      ///< whatever the plans of its ops say
};

struct PartitionOptions {
  bool fuse = false;        ///< as a compiler does
  bool fusesLayers = false; ///< as the layers of serving stacks do
  EagerPlanner::Options plans;
  static PartitionOptions of(const Settings &settings);
};

class KernelPartition {
public:
  KernelPartition(mlir::Block &block, const PartitionOptions &options);

  /// In the order of their first members.
  llvm::ArrayRef<KernelGroup> groups() const { return allGroups; }
  /// What the runtime does around `op`; null: nothing.
  const OpPlan *planOf(mlir::Operation *op) const;
  /// Whether `op` depends on constants alone: it runs before the first
  /// iteration.
  bool isConstant(mlir::Operation *op) const { return constants.contains(op); }

private:
  void visit(mlir::Operation *op);
  bool launchesNothing(mlir::Operation *op) const;
  void addGroup(KernelMember member, CostClass shape);
  void addTo(unsigned group, KernelMember member);
  KernelMember makerOf(mlir::Value value) const;
  KernelMember makerOf(mlir::Operation *op, unsigned operand) const;
  KernelMember sourceOf(KernelMember maker) const;
  bool isMade(KernelMember maker, unsigned start, unsigned &budget) const;
  bool isReadable(KernelMember maker, unsigned group, unsigned start) const;
  bool isFusedInLayers(mlir::Operation *op) const;
  bool joinProducer(KernelMember member, CostClass shape);
  bool joinAsBias(mlir::Operation *op);
  bool joinProduct(mlir::Operation *product, mlir::Operation *op);
  bool hasAdjacentElements(const KernelGroup &group) const;

  mlir::Block &block;
  PartitionOptions options;
  EagerPlanner planner;
  llvm::DenseSet<mlir::Operation *> constants;
  llvm::DenseMap<mlir::Operation *, OpPlan> plans;
  /// Copies that all users of a value read.
  llvm::DenseMap<mlir::Value, const PlannedCopy *> copiesOf;
  std::vector<KernelGroup> allGroups;
  llvm::DenseMap<KernelMember, unsigned> groupOf;
  llvm::DenseMap<mlir::Operation *, unsigned> position;
};

} // namespace gpucost

#endif // GPUCOST_ANALYSIS_KERNELS_KERNELPARTITION_H
