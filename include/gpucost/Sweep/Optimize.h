//===- Optimize.h - The best point of a space -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exact: every point that fits is evaluated. Points whose memory does not fit
// are recognised by their block, before any clock or power limit is tried.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_SWEEP_OPTIMIZE_H
#define GPUCOST_SWEEP_OPTIMIZE_H

#include "gpucost/Report/IterationReport.h"
#include "gpucost/Sweep/Goal.h"
#include "gpucost/Sweep/Sweep.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {

/// Points that the results of `optimize` may hold.
inline constexpr int64_t mostOptimizedPoints = 2'000'000;

/// Points that no other one beats in two metrics.
struct Front {
  Metric a, b;
  std::vector<size_t> points; ///< indices into the results
};

struct Optimum {
  Goal goal;
  std::vector<PointResult> results; ///< by point
  Choice choice;
  /// The chosen point at the board's own clock and power limit; nullopt where
  /// the space has neither, or nothing was chosen.
  std::optional<PointResult> standard;
  /// Reports of both.
  std::optional<IterationReport> report, standardReport;
  /// Core voltage of the choice over that of `standard`.
  std::optional<double> voltageRatio;
  /// The best allowed point of each GPU, where the space has several.
  std::vector<size_t> bestOfGpus;
  std::vector<Front> fronts;
};

/// Whether points have different numbers of samples: then an iteration of one
/// is no iteration of another, and `Per::Sample` compares them.
bool needsPerSample(const Space &space);

/// An error when nothing can be chosen for want of a price or a grid; not when
/// no point satisfies the constraints.
llvm::Expected<Optimum> optimize(const Evaluator &evaluator,
                                 const SweepOptions &options, const Goal &goal);

/// The settings of a point, as flags: "--target=a100 --clock=900".
std::string flagsOf(const Scenario &scenario);

/// One line of the answer: "choice", "--clock=900". An empty label goes on with
/// the one above.
struct OptimumLine {
  std::string label, text;
};
/// The choice, what it saves, bounds, ties and why; or why there is none.
std::vector<OptimumLine> explainOptimum(const Optimum &optimum,
                                        const Space &space);

/// For people, at most 100 columns wide; `fronts` lines of each Pareto front.
void printOptimum(const Optimum &optimum, const Space &space,
                  llvm::raw_ostream &os, size_t frontLines = 8);
/// For programs (docs/Decisions.md); with `everyPoint` what a page plots, too.
void printOptimumJson(const Optimum &optimum, const Space &space,
                      llvm::StringRef version, llvm::raw_ostream &os,
                      bool everyPoint = false);

} // namespace gpucost

#endif // GPUCOST_SWEEP_OPTIMIZE_H
