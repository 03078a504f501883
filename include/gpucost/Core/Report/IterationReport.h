//===- IterationReport.h - The answer, as plain data ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Everything the reports print about one iteration, without IR. Filled once by
// PlacedModel; Report.def states the fields.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_ITERATIONREPORT_H
#define GPUCOST_CORE_REPORT_ITERATIONREPORT_H

#include "gpucost/Core/Report/ReportField.h"
#include "gpucost/Core/Report/RunCost.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "gpucost/Core/Support/Quantity.h"
#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace gpucost {

/// A launch site, in program order. A loop is one site for each launch of its
/// body, with the number of its trips in `count`.
struct LaunchSite {
  uint32_t kernel = 0; ///< index into IterationReport::kernels
  uint32_t node = 0;   ///< index into IterationDetails::nodes
  int64_t count = 1;
  /// Tensors that come and go, in use while it runs, bytes; -1: not known.
  int64_t liveBytes = -1;
};

/// Rates by name.
template <typename Rate> using Rates = KeyedValues<std::string, Rate>;

#define GPUCOST_REPORT "gpucost/Core/Report/Report.def"
#include "gpucost/Core/Report/DefineReport.inc"

struct IterationReport : IterationFields {
  std::string model;  ///< file name
  std::string target; ///< "a100-sxm-80gb"
  NumericFormat format = NumericFormat::BF16;
  /// The settings that were stated, and the value of each one.
  Scenario given;
  Settings settings;
  std::string precision; ///< what was cast, in words
  std::vector<std::pair<std::string, int64_t>> bindings;
  std::vector<std::string> notes; ///< assumptions and warnings, for people

  /// GPUs that run the iteration; times and energies are those of one of them.
  int64_t worldSize() const { return settings.gpus; }
  /// Fraction of the limit by which an average may exceed it.
  double limiterTolerance = 0;
  /// The most that a board with this limit draws on average.
  Watts largestPower() const { return powerLimit * (1 + limiterTolerance); }
  /// 80 % half-widths of time, power and energy; nullopt: not known.
  std::optional<IterationErrorBars> errorBars;
  int64_t otherFlops = 0; ///< of no matrix product

  /// Of all GPUs.
  Joules energyOfAllGpus() const {
    return energy * static_cast<double>(worldSize());
  }
  double rateOf(int64_t count) const {
    return time > Seconds(0) ? static_cast<double>(count) / time.value() : 0.0;
  }
  Joules energyPerSample() const {
    return samples > 0 ? energyOfAllGpus() / static_cast<double>(samples)
                       : Joules(0);
  }

  std::vector<PhaseTotals> phases;
  // Sums over the phases of computation.
  Seconds kernelTime() const {
    return sumOf([](const PhaseTotals &phase) { return phase.kernelTime; });
  }
  Seconds gap() const {
    return sumOf([](const PhaseTotals &phase) { return phase.gap(); });
  }
  Seconds hostWait() const {
    return sumOf([](const PhaseTotals &phase) { return phase.hostWait(); });
  }
  std::vector<KernelRow> kernels; ///< merged equal launches, by total time
  /// Launches by node and op in program order of their first launch, made when
  /// somebody asks; may be empty.
  std::function<std::vector<NodeRow>()> nodes;
  CoverageTotals modelled, fallback, unmodelled;
  /// What depends on data and is counted at most; part of the totals.
  CoverageTotals assumed;
  /// What one iteration costs on all GPUs, with price, grid and node as stated.
  RunEstimate cost;
  /// Iterations of the run; nullopt when no size is stated.
  std::optional<double> runIterations;
  /// Of the run, and of a million samples and tokens.
  RunReport run() const;
  /// What somebody asked for; empty otherwise.
  std::optional<OperatingHint> hint;
  std::vector<Sensitivity> sensitivities;
  std::optional<IterationDetails> details;

  /// Something is not in the totals, or its bytes alone are: they are lower
  /// bounds, without an interval.
  bool isLowerBound() const { return fallback.ops > 0 || unmodelled.ops > 0; }
  /// Nothing is known of what the iteration launches.
  bool isUnknown() const { return kernels.empty() && unmodelled.ops > 0; }

private:
  template <typename Get> Seconds sumOf(Get get) const {
    Seconds sum;
    for (const PhaseTotals &phase : phases)
      if (phase.phase != Phase::Communication)
        sum += get(phase);
    return sum;
  }
};

/// Totals of an iteration without any known kernel are not known, never 0.
inline bool isKnown(const IterationReport &report) {
  return !report.isUnknown();
}

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_ITERATIONREPORT_H
