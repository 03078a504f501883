//===- Optimize.h - The best point of a space -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The search is exact: every point that fits is evaluated. Points whose memory
// does not fit are excluded by block, before clocks and power limits.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SWEEP_OPTIMIZE_H
#define GPUCOST_APPLICATIONS_SWEEP_OPTIMIZE_H

#include "gpucost/Applications/Sweep/Goal.h"
#include "gpucost/Applications/Sweep/Sweep.h"
#include "gpucost/Core/Report/IterationReport.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost {
class JsonStream;
} // namespace gpucost

namespace gpucost::sweep {
class PointText;

/// Largest number of points that `optimize` keeps.
inline constexpr int64_t mostOptimizedPoints = 2'000'000;

/// A Pareto front in two metrics.
struct Front {
  Metric a, b;
  std::vector<size_t> points; ///< indices into the results
};

struct Optimum {
  Goal goal;
  std::vector<PointResult> results;
  Choice choice;
  /// The chosen point at the default clock and power limit; nullopt if the
  /// space does not vary them, or if nothing was chosen.
  std::optional<PointResult> standard;
  /// Reports of both.
  std::optional<IterationReport> report, standardReport;
  /// Core voltage of the choice divided by that of `standard`.
  std::optional<double> voltageRatio;
  /// The best allowed point of each GPU, if the space has several.
  std::vector<size_t> bestOfGpus;
  std::vector<Front> fronts;
};

/// Whether points have different numbers of samples, so that they must be
/// compared by `Per::Sample` instead of by iteration.
bool needsPerSample(const Space &space);

/// Fails if a missing price or grid prevents a choice, but not if no point
/// satisfies the constraints.
llvm::Expected<Optimum> optimize(const Evaluator &evaluator,
                                 const SweepOptions &options, const Goal &goal);

/// The same for results that exist already. They need not be all points of the
/// space; reports come from `evaluator`.
llvm::Expected<Optimum> chooseOptimum(const Evaluator &evaluator,
                                      const Goal &goal,
                                      std::vector<PointResult> results);

/// The settings of a point, as flags: "--target=a100 --clock=900".
std::string flagsOf(const Scenario &scenario);

/// Why no point was chosen: bounds, or the reason of the first point.
std::string describeNoChoice(const Optimum &optimum);

/// "18.2 % less energy (-22 to -13 %)": a ratio with its 80 % interval.
std::string changeText(const PointResult &from, const PointResult &to,
                       Metric metric);

/// One line of output: "choice", "--clock=900". An empty label continues the
/// line above.
struct OptimumLine {
  std::string label, text;
};
/// The choice, its savings, bounds, ties and reasons; or the reason why there
/// is none.
std::vector<OptimumLine> explainOptimum(const Optimum &optimum,
                                        const Space &space);

/// Prints text, at most 100 columns wide, with `frontLines` lines of each
/// Pareto front.
void printOptimum(const Optimum &optimum, const Space &space,
                  llvm::raw_ostream &os, size_t frontLines = 8);
/// Prints JSON (docs/Decisions.md); `everyPoint` adds the data that pages plot,
/// `addMore` further attributes.
void printOptimumJson(
    const Optimum &optimum, const Space &space, llvm::StringRef version,
    llvm::raw_ostream &os, bool everyPoint = false,
    llvm::function_ref<void(JsonStream &, const PointText &)> addMore =
        [](JsonStream &, const PointText &) {});

} // namespace gpucost::sweep

#endif // GPUCOST_APPLICATIONS_SWEEP_OPTIMIZE_H
