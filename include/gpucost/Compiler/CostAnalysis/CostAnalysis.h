//===- CostAnalysis.h - What IR costs, without touching it ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost model for compiler passes: what an op, a region, a function or a
// module costs on the GPU that the module names, what it would cost fused or in
// another schedule. It never changes the IR. docs/Compilers.md shows passes
// that use it.
//
// By default the IR is priced as written: each op is one kernel with its
// epilogue. A stated runtime selects other kernels; every Cost names the
// runtime. Structured ops, moves and ops with WorkOpInterface are read in
// place. Loops and nests of CTAs are read on a private copy of the loop;
// functions that the pipeline rewrites as a whole (ONNX and TOSA ops, calls,
// dynamic sizes with a binding; loops in compiled execution) on one of the
// function.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_COSTANALYSIS_COSTANALYSIS_H
#define GPUCOST_COMPILER_COSTANALYSIS_COSTANALYSIS_H

#include "gpucost/Compiler/CostAnalysis/Cost.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/PatternMatch.h"
#include <memory>

namespace gpucost {

/// The time of some launches before and after a fusion.
struct FusionBenefit {
  /// Producer and consumers as kernels of their own.
  Cost unfused;
  /// The producer computed in the kernel of each consumer; and on its own, when
  /// others read it. Infeasible with the reason when that is not possible.
  Cost fused;
  /// How many times more the producer runs than before.
  int64_t recomputations = 0;

  /// Why the ops cannot be fused; "" when they can.
  const std::string &whyNot() const {
    static const std::string none;
    return fused.status == CostStatus::Infeasible ? fused.reason : none;
  }
  /// Fused code is faster, with a probability of at least `confidence`.
  bool isBetter(double confidence = 0.8) const {
    return fused.isFasterThan(unfused, confidence);
  }
};

/// Schedules to choose from.
struct ScheduleSpace {
  /// The candidates; empty: those that the model thinks of.
  std::vector<Schedule> schedules;
  /// Then: fields that are not 0 are the same in all of them.
  Schedule fixed = {};
};

/// One of the best schedules.
struct Candidate {
  Schedule schedule; ///< complete
  Cost cost;
};

/// `getAnalysis<CostAnalysis>()` in a pass on any op, or constructed. Const and
/// other methods are thread-safe as long as nobody changes IR that is asked
/// about; a function is asked about with those that it calls. A pass that uses
/// it calls `insertDialects` in its `getDependentDialects`. IR that changes
/// while the analysis lives must be reported, by `invalidate` or the listener.
class CostAnalysis {
public:
  /// For the GPU that `root` or what surrounds it names (findModuleTarget), and
  /// the settings of `gpucost.scenario`.
  explicit CostAnalysis(mlir::Operation *root);
  /// The same with what `stated` says besides: `target`, `bind`, `clock`,
  /// `powerLimit`, `runtime`, ... Tensors keep their formats (`as-is`) unless
  /// it says otherwise.
  CostAnalysis(mlir::Operation *root, const Scenario &stated);
  ~CostAnalysis();
  CostAnalysis(CostAnalysis &&);

  /// Dialects that queries may need; they cannot be loaded while passes run.
  static void insertDialects(mlir::DialectRegistry &registry);

  /// False without a GPU; every answer is Unknown then, with `whyNot`.
  bool isValid() const;
  llvm::StringRef whyNot() const;
  /// What was assumed to find the GPU, for people; "" for a named board.
  llvm::StringRef assumption() const;
  /// The model of the GPU; the analysis must be valid.
  const CostModel &model() const;

  /// The launches of `op` in one run of its function: an op in a loop times
  /// its trips; views, fills and constants 0; an op in the kernel of another
  /// one 0, with a reason. Each kernel has the board to itself
  /// (CostModel::estimate).
  ///
  /// A function or a module is the iteration that `gpucost-analyze` makes of
  /// it: kernels at one clock, gaps between them, the host, error bars, exactly
  /// as the report of the tool.
  Cost getCost(mlir::Operation *op);
  /// The ops of a region together, without gaps and host.
  Cost getCost(mlir::Region &region);

  /// Several ops, one after the other.
  Cost getCost(llvm::ArrayRef<mlir::Operation *> ops);

  /// What `ops`, of one block, would cost as one kernel; several ops are a
  /// compiled kernel. With a schedule that cannot run, Infeasible. Fields of it
  /// that are 0 are the model's choice: the library's when all are, else the
  /// fastest.
  Cost getCostAsKernel(llvm::ArrayRef<mlir::Operation *> ops,
                       const Schedule &schedule = {});

  /// Whether the consumers had better compute the producer themselves.
  /// `consumers` read a result of `producer`, directly or through views.
  FusionBenefit getFusionBenefit(mlir::Operation *producer,
                                 llvm::ArrayRef<mlir::Operation *> consumers);

  /// The best `count` schedules of `ops`, one op or several of a block, as one
  /// kernel, best first. Empty when there are none; `why` says why then.
  std::vector<Candidate> getTopSchedules(llvm::ArrayRef<mlir::Operation *> ops,
                                         const ScheduleSpace &space,
                                         size_t count,
                                         const ScheduleGoal &goal = {},
                                         std::string *why = nullptr);

  /// Forgets what depends on `op`, which has changed or is about to go.
  void invalidate(mlir::Operation *op);
  /// Does so for a rewriter.
  mlir::RewriterBase::Listener *getListener();

private:
  struct Impl;
  std::unique_ptr<Impl> impl;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_COSTANALYSIS_COSTANALYSIS_H
