//===- CostAnalysis.h - Cost queries that never change the IR ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost model for compiler passes: the cost of an op, a region, a function
// or a module on the GPU that the module names, as is, fused or with another
// schedule. It never changes the IR. docs/Compilers.md shows passes that use
// it. Passes that state settings also include Core/Scenario/Scenario.h, those
// that query the model itself Core/Model/CostModel.h.
//
// By default the IR is priced as written: each op is one kernel with its
// epilogue. A stated runtime selects other kernels; every Cost names the
// runtime. Structured ops, moves and ops with WorkOpInterface are read in
// place. Loops and nests of workgroups (CTAs) are read on a private copy of the
// loop; functions that the pipeline rewrites as a whole (ONNX and TOSA ops,
// calls, dynamic sizes with a binding; loops in compiled execution) on one of
// the function.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_COSTANALYSIS_COSTANALYSIS_H
#define GPUCOST_COMPILER_COSTANALYSIS_COSTANALYSIS_H

#include "gpucost/Compiler/CostAnalysis/Cost.h"
#include "gpucost/Core/Model/Ranking.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <memory>
#include <string>
#include <vector>

namespace mlir {
class DialectRegistry;
class Operation;
class Region;
class RewriterBase;
} // namespace mlir

namespace gpucost {

class CostModel;
struct Scenario;

/// Predicted times before and after a fusion.
struct FusionBenefit {
  /// Producer and consumers as separate kernels.
  Cost unfused;
  /// The producer computed in the kernel of each consumer, and also in a
  /// separate kernel if other ops read it. Infeasible with a reason when the
  /// ops cannot be fused.
  Cost fused;
  /// Number of additional producer executions.
  int64_t recomputations = 0;

  /// Why the ops cannot be fused; "" if they can.
  const std::string &whyNot() const {
    static const std::string none;
    return fused.status == CostStatus::Infeasible ? fused.reason : none;
  }
  /// Whether fused code is faster with a probability of at least `confidence`.
  bool isBetter(double confidence = 0.8) const {
    return fused.isFasterThan(unfused, confidence);
  }
};

/// Schedules to choose from.
struct ScheduleSpace {
  /// The candidates; if empty, the model enumerates them.
  std::vector<Schedule> schedules;
  /// With enumerated candidates: fields that are not 0 are fixed to this value.
  Schedule fixed = {};
};

/// One of the best schedules.
struct Candidate {
  Schedule schedule; ///< complete
  Cost cost;
};

/// Created by `getAnalysis<CostAnalysis>()` in a pass on any op, or constructed
/// directly. Const and other methods are thread-safe as long as no thread
/// changes the queried IR; a query of a function includes its callees. A pass
/// that uses it calls `insertDialects` in its `getDependentDialects`. IR
/// changes during the lifetime of the analysis must be reported, by
/// `invalidate` or the listener.
class CostAnalysis {
public:
  /// For the GPU that `root` or an op around it names (findModuleTarget), with
  /// the settings of `gpucost.scenario`.
  explicit CostAnalysis(mlir::Operation *root);
  /// In addition applies the settings in `stated`: `target`, `bind`, `clock`,
  /// `powerLimit`, `runtime`, ... Tensors keep their formats (`as-is`) unless
  /// it sets another precision mode.
  CostAnalysis(mlir::Operation *root, const Scenario &stated);
  ~CostAnalysis();
  CostAnalysis(CostAnalysis &&);

  /// Dialects that queries may need; they cannot be loaded while passes run.
  static void insertDialects(mlir::DialectRegistry &registry);

  /// False without a GPU. Then `getCost` returns the estimate of another device
  /// with a cost model (opwork::findCostModel), such as a CPU, if the module
  /// has one; every other cost is Unknown, with the reason `whyNot`.
  bool isValid() const;
  llvm::StringRef whyNot() const;
  /// A readable note on how the GPU was found; "" for a named board.
  llvm::StringRef assumption() const;
  /// Version, GPU and hash of the coefficients: "gpucost 0.1.0, a100-sxm-80gb,
  /// coefficients @sha256:..."; the analysis must be valid.
  std::string provenance() const;
  /// The model of the GPU; the analysis must be valid.
  const CostModel &model() const;

  /// The launches of `op` when its function runs once. An op in a loop is
  /// multiplied by the trip count. Views, fills and constants cost 0; an op
  /// inside another op's kernel costs 0, with a reason. Each kernel is costed
  /// by itself (CostModel::estimate).
  ///
  /// A function or a module is costed as the iteration that `gpucost-analyze`
  /// derives from it: kernels at one clock, gaps between them, the host and
  /// intervals, identical to the tool's report.
  Cost getCost(mlir::Operation *op);
  /// The sum of all ops in a region, without gaps and host time.
  Cost getCost(mlir::Region &region);

  /// Several ops, executed sequentially.
  Cost getCost(llvm::ArrayRef<mlir::Operation *> ops);

  /// The cost of `ops`, of one block, as one kernel; several ops are a compiled
  /// kernel. Infeasible with a schedule that cannot run. The model chooses the
  /// fields that are 0: if all are 0, as the library does, or as
  /// `gpucost.schedule` of an op states; else the fastest of the values that
  /// libraries use ((V2) in docs/CostModel.md).
  Cost getCostAsKernel(llvm::ArrayRef<mlir::Operation *> ops,
                       const Schedule &schedule = {});

  /// Whether it is faster to recompute the producer in the consumers.
  /// `consumers` read a result of `producer`, directly or through views.
  FusionBenefit getFusionBenefit(mlir::Operation *producer,
                                 llvm::ArrayRef<mlir::Operation *> consumers);

  /// The best `count` schedules of `ops`, one op or several of a block, as one
  /// kernel, best first. If there are none, `why` contains the reason.
  std::vector<Candidate> getTopSchedules(llvm::ArrayRef<mlir::Operation *> ops,
                                         const ScheduleSpace &space,
                                         size_t count,
                                         const ScheduleGoal &goal = {},
                                         std::string *why = nullptr);

  /// (U6) The order of `candidates`, variants of one kernel, best first, in
  /// groups that the model cannot tell apart with the probability `confidence`,
  /// 0.5..1, and the number of them that are worth measuring. Candidates that
  /// are not Exact have no place in the order: a lower bound may be any time.
  Ranking rank(llvm::ArrayRef<Cost> candidates,
               double confidence = usualConfidence) const;

  /// Drops results that depend on `op`, which has changed or will be erased.
  void invalidate(mlir::Operation *op);
  /// A listener that calls `invalidate` for the changes of a rewriter. Callers
  /// include mlir/IR/PatternMatch.h, which this header does not need otherwise:
  /// the parameter only delays the lookup of the nested class.
  template <typename Rewriter = mlir::RewriterBase>
  typename Rewriter::Listener *getListener();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_COSTANALYSIS_COSTANALYSIS_H
