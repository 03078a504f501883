//===- IterationAnalysis.h - One iteration from kernels ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Analyses of a module of kernels, for `getAnalysis<>` and for direct use. They
// read the attributes up to `tiling` and never change the IR; a pass that
// changes kernels invalidates them. Like the report and the attributes from
// `gpucost-predict`, their results come from PreparedModel and PlacedModel.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_ITERATION_ITERATIONANALYSIS_H
#define GPUCOST_COMPILER_ANALYSIS_ITERATION_ITERATIONANALYSIS_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/AnalysisManager.h"
#include "llvm/ADT/DenseMap.h"

namespace gpucost {

/// The cost model for `gpucost.target` and `gpucost.coefficients` of `module`;
/// a missing attribute is an error that names the pass to run.
mlir::FailureOr<CostModel> getCostModel(mlir::ModuleOp module);

/// Numeric format of `gpucost.target`.
mlir::FailureOr<NumericFormat> getTargetFormat(mlir::ModuleOp module);

/// `gpucost.schedule` of a modelled kernel; null if it has none. A kernel with
/// only a bandwidth bound has no schedule.
ScheduleAttr getSchedule(KernelOp kernel);

/// (K3) The caches in `scope` that keep only the tokens of a sliding window.
class CacheWindows {
public:
  explicit CacheWindows(mlir::Operation *scope);
  bool isLimited(mlir::Value holder) const { return windows.contains(holder); }
  /// Bytes that `holder` keeps of a cache of type `type`; nullopt if its size
  /// is unknown.
  std::optional<int64_t> heldBytes(mlir::Value holder, mlir::Type type) const;
  std::optional<int64_t> heldBytes(mlir::Value holder) const {
    return heldBytes(holder, holder.getType());
  }

private:
  struct Window {
    int64_t axis, tokens;
  };
  void add(mlir::Value cache, mlir::Type after, int64_t tokens);
  llvm::DenseMap<mlir::Value, Window> windows;
};

/// Peak memory of a module, from the liveness of its values.
class MemoryAnalysis {
public:
  explicit MemoryAnalysis(mlir::Operation *module);
  const MemoryUse &use() const { return memory; }
  /// Number of events in `use().trace` before `op` has run, including the
  /// allocation of its results and scratch memory; 0 if the trace lacks `op`.
  uint32_t eventsUntil(mlir::Operation *op) const;
  const CacheWindows &cacheWindows() const { return caches; }

private:
  CacheWindows caches;
  MemoryUse memory;
  llvm::DenseMap<mlir::Operation *, uint32_t> events;
};

/// Which ops are not fully modelled, and why.
class CoverageAnalysis {
public:
  explicit CoverageAnalysis(mlir::Operation *module);
  /// Ops with only a lower bound from their bytes.
  const std::vector<CoverageNote> &fallbacks() const { return bounded; }
  /// Ops without any cost, and loops that are counted once.
  const std::vector<CoverageNote> &unmodelled() const { return unknown; }
  /// Ops whose work depends on data and is counted at its maximum.
  const std::vector<CoverageNote> &assumed() const { return atMost; }
  /// Index of `kernel` in `fallbacks`; -1 when it is modelled.
  int32_t fallbackOf(KernelOp kernel) const;

private:
  std::vector<CoverageNote> bounded, unknown, atMost;
  llvm::DenseMap<mlir::Operation *, int32_t> entries;
};

/// The kernels of a module as a PreparedModel, and the KernelOp of each launch.
/// Requires `work` on every kernel that is not unmodelled.
class KernelListAnalysis {
public:
  KernelListAnalysis(mlir::Operation *module, mlir::AnalysisManager &analyses);

  /// False after a diagnostic.
  bool isValid() const { return prepared != nullptr; }
  const std::shared_ptr<const PreparedModel> &model() const { return prepared; }
  /// The KernelOp of each entry in `PreparedModel::launches`.
  llvm::ArrayRef<KernelOp> kernels() const { return ops; }

private:
  std::shared_ptr<const PreparedModel> prepared;
  std::vector<KernelOp> ops;
};

/// The iteration on the module's target, with the tilings in the IR. Requires
/// `work` and `tiling` on every kernel that is not unmodelled.
class IterationAnalysis {
public:
  IterationAnalysis(mlir::Operation *module, mlir::AnalysisManager &analyses);

  /// False after a diagnostic.
  bool isValid() const { return placed.has_value(); }
  const PlacedModel &model() const { return *placed; }
  llvm::ArrayRef<KernelOp> kernels() const { return list->kernels(); }
  /// Problem index of launch `i`, for `PlacedModel`.
  size_t workOf(size_t i) const { return model().prepared().launches[i].work; }

private:
  const KernelListAnalysis *list;
  std::optional<PlacedModel> placed;
};

/// Cost of each kernel in a module, at the operating point of a GPU that runs
/// only this kernel (CostModel::estimate). Requires `work` and the target.
class KernelCostAnalysis {
public:
  explicit KernelCostAnalysis(mlir::Operation *module);

  bool isValid() const { return costModel.has_value(); }
  /// nullopt for a kernel without `work` and for a kernel that the model cannot
  /// cost, such as one whose schedule cannot run.
  std::optional<KernelCost> cost(KernelOp kernel);

private:
  std::optional<CostModel> costModel;
  llvm::DenseMap<std::pair<mlir::Attribute, mlir::Attribute>,
                 std::optional<KernelCost>>
      known;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_ITERATION_ITERATIONANALYSIS_H
