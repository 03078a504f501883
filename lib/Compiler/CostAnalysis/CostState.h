//===- CostState.h - Cached state of CostAnalysis ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_COSTANALYSIS_COSTSTATE_H
#define GPUCOST_LIB_COMPILER_COSTANALYSIS_COSTSTATE_H

#include "CostSum.h"
#include "PrivateLowering.h"
#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"
#include "gpucost/Compiler/OpWork/TargetCost.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/PatternMatch.h"
#include <shared_mutex>
#include <unordered_map>

namespace gpucost {

/// One launch of some work.
struct PricedWork {
  KernelCost cost;
  ErrorClass kind = {};
  /// Why only the bytes are costed; "" if the cost is complete.
  std::string reason;
  /// Why there is no cost; "" if there is one.
  std::string error;
};

/// The launch of an op, with its price.
struct PricedLaunch {
  const PricedWork *price = nullptr; ///< null: no launch
  int64_t count = 1;
  CostStatus status = CostStatus::Exact;
  std::string reason;
};

struct CostAnalysis::Impl {
  Impl(mlir::Operation *root, const Scenario &stated);

  bool isValid() const { return costModel.has_value(); }
  std::string provenance() const;
  Cost unknown(std::string reason) const {
    return refuse(CostStatus::Unknown, std::move(reason));
  }
  Cost infeasible(std::string reason) const {
    return refuse(CostStatus::Infeasible, std::move(reason));
  }
  /// The cost of `ops` without a GPU: by `otherModel`, if there is one.
  Cost costElsewhere(llvm::ArrayRef<mlir::Operation *> ops);
  /// A cost without numbers.
  Cost refuse(CostStatus status, std::string reason) const;
  CostSum startSum(Runtime runtime) const;

  // Prices.

  /// The result is valid during the lifetime of the analysis.
  const PricedWork &price(const KernelWork &work,
                          const Schedule &schedule = {});
  PricedLaunch price(const LaunchView &view);
  static void add(CostSum &sum, const PricedLaunch &launch);

  // Launches.

  /// Whether `top`, a top-level op, is read as part of its function.
  bool isReadWithFunction(mlir::Operation *top);
  /// Whether `top` can be read without its function if this cannot be lowered.
  bool isReadable(mlir::Operation *top) const;
  /// Whether `top` requires reading its function as a whole.
  bool isReadWhole(mlir::Operation *top) const;
  std::shared_ptr<const Lowered> lowerFunction(mlir::Operation *function);
  std::shared_ptr<const Lowered> lowerModule(mlir::ModuleOp module);
  std::shared_ptr<const Lowered> lowerOp(mlir::Operation *top);
  /// Returns `lowered[key]`, computed on first use.
  std::shared_ptr<const Lowered> remember(mlir::Operation *key,
                                          llvm::function_ref<Lowered()> lower);
  /// The partition of a block read in place, valid until an op changes.
  const KernelPartition &partitionOf(mlir::Block &block);
  /// The launch of a top-level op that is read in place.
  PricedLaunch launchOf(mlir::Operation *top);
  /// Adds the launches of `op` and nested ops.
  void addOp(CostSum &sum, mlir::Operation *op);
  /// Why `op` launches nothing, if there is a specific reason.
  std::string reasonOf(mlir::Operation *op);
  void addRegion(CostSum &sum, mlir::Region &region);
  void addLowered(CostSum &sum, const Lowered &lowered,
                  llvm::function_ref<bool(mlir::Operation *)> contains,
                  bool all = false);
  Cost costOfIteration(const Lowered &lowered);
  /// The launch of `members` as one kernel. As written, of the op into which
  /// MLIR fuses them; else, and if it cannot, of a generated kernel.
  LaunchView viewGroup(const KernelMembers &members);
  /// A kernel of the IR: with its work, or as its ops in a hypothetical one.
  LaunchView viewFormed(KernelOp kernel);
  LaunchView viewUnscheduled(const KernelMembers &members);
  /// The cost of `ops` as one kernel; with `work`, which is set, without a
  /// schedule that the ops state.
  Cost costAsKernel(llvm::ArrayRef<mlir::Operation *> ops,
                    const Schedule &schedule, KernelWork *work = nullptr);

  void invalidate(mlir::Operation *op);
  /// Records that the launch or copy of `op` depends on `ops`. The caller holds
  /// the lock.
  void depend(mlir::Operation *op, llvm::ArrayRef<mlir::Operation *> ops);
  /// Drops `op` and all launches and copies that depend on it. The caller holds
  /// the lock.
  void forget(mlir::Operation *op);

  /// The model of a device that is not one of our GPUs; null without one.
  std::unique_ptr<opwork::TargetCostModel> otherModel;
  std::optional<CostModel> costModel;
  CoefficientsAttr coefficients; ///< of the target, before any adjustment
  std::string whyNot, assumption;
  Settings settings;
  UnitRules rules, generated; ///< those of compiled kernels second
  /// The rules for a kernel of `ops` ops; one of several is generated.
  const UnitRules &rulesOf(size_t ops) const {
    return ops > 1 ? generated : rules;
  }
  KernelQuery query;
  /// The settings do not require a rewrite of whole functions.
  bool isPlain = false;
  std::unique_ptr<PrivateLowering> lowering;

  using Problem = std::pair<KernelWork, Schedule>;
  struct HashWork {
    size_t operator()(const Problem &problem) const {
      return combineHashes(hash_value(problem.first),
                           hash_value(problem.second));
    }
  };
  std::shared_mutex priceMutex;
  std::unordered_map<Problem, PricedWork, HashWork> prices;

  /// Guards the members below.
  std::shared_mutex mutex;
  OpFacts facts;
  PartitionOptions partitionOptions;
  llvm::DenseMap<mlir::Block *, std::unique_ptr<KernelPartition>> partitions;
  /// For each parent of top-level ops queried so far: whether the pipeline
  /// rewrites it as a whole.
  llvm::DenseMap<mlir::Operation *, bool> whole;
  llvm::DenseMap<mlir::Operation *, PricedLaunch> launches;
  llvm::DenseMap<mlir::Operation *, std::shared_ptr<const Lowered>> lowered;
  /// The launches of ops as MLIR fuses them, by ops and results; nullopt if it
  /// cannot fuse them. Any change drops them.
  using Group = std::pair<std::vector<mlir::Operation *>, size_t>;
  struct HashGroup {
    size_t operator()(const Group &group) const {
      return llvm::hash_combine(llvm::hash_combine_range(group.first),
                                group.second);
    }
  };
  std::unordered_map<Group, std::optional<LaunchView>, HashGroup> fusedForms;
  /// For each op: the ops whose launch or copy depends on it.
  llvm::DenseMap<mlir::Operation *, llvm::SmallVector<mlir::Operation *, 2>>
      readers;

  /// Invalidates the ops that a rewriter changes.
  struct Listener : mlir::RewriterBase::Listener {
    explicit Listener(Impl &impl) : impl(impl) {}
    void notifyOperationInserted(mlir::Operation *op,
                                 mlir::OpBuilder::InsertPoint) override {
      impl.invalidate(op);
    }
    void notifyOperationModified(mlir::Operation *op) override {
      impl.invalidate(op);
    }
    void notifyOperationReplaced(mlir::Operation *op,
                                 mlir::ValueRange) override {
      impl.invalidate(op);
    }
    void notifyOperationErased(mlir::Operation *op) override {
      impl.invalidate(op);
    }
    Impl &impl;
  } listener{*this};
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_COSTANALYSIS_COSTSTATE_H
