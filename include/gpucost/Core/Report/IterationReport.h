//===- IterationReport.h - Report data --------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All data that reports print about one iteration, independent of the IR.
// PlacedModel fills it; Report.def defines the fields.
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

/// A launch site, in program order. Each launch in a loop body is one site,
/// with the trip count in `count`.
struct LaunchSite {
  uint32_t kernel = 0; ///< index into IterationReport::kernels
  uint32_t node = 0;   ///< index into IterationDetails::nodes
  int64_t count = 1;
  /// Bytes of temporary tensors in use while it runs; -1: unknown.
  int64_t liveBytes = -1;
};

/// Rates keyed by name.
template <typename Rate> using Rates = KeyedValues<std::string, Rate>;

#define GPUCOST_REPORT "gpucost/Core/Report/Report.def"
#include "gpucost/Core/Report/DefineReport.inc"

enum class Vendor : uint32_t;

struct IterationReport : IterationFields {
  std::string model;  ///< file name
  std::string target; ///< "a100-sxm-80gb"
  Vendor vendor{};    ///< of the target
  NumericFormat format = NumericFormat::BF16;
  /// The stated settings, and the resolved value of every setting.
  Scenario given;
  Settings settings;
  std::string precision; ///< description of the casts
  std::vector<std::pair<std::string, int64_t>> bindings;
  std::vector<std::string> notes; ///< assumptions and warnings, as sentences

  /// GPUs that run the iteration; times and energies are per GPU.
  int64_t worldSize() const { return settings.gpus; }
  /// Fraction of the limit by which an average may exceed it.
  double limiterTolerance = 0;
  /// Highest average power of a board with this limit, if a clock keeps it.
  Watts largestPower() const {
    return limitUnreachable ? averagePower
                            : powerLimit * (1 + limiterTolerance);
  }
  /// 80 % half-widths of time, power and energy; nullopt: unknown.
  std::optional<IterationErrorBars> errorBars;
  int64_t otherFlops = 0; ///< of kernels other than matrix kernels

  /// Energy of all GPUs.
  Joules energyOfAllGpus() const {
    return energy * static_cast<double>(worldSize());
  }
  /// nullopt where the model has no such dimension.
  std::optional<double> rateOf(int64_t count) const {
    return count > 0 && time > Seconds(0)
               ? std::optional(static_cast<double>(count) / time.value())
               : std::nullopt;
  }
  std::optional<Joules> energyPerSample() const {
    return samples > 0
               ? std::optional(energyOfAllGpus() / static_cast<double>(samples))
               : std::nullopt;
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
  /// Launches by node and op in order of their first launch, computed on
  /// demand; may be empty.
  std::function<std::vector<NodeRow>()> nodes;
  CoverageTotals modelled, fallback, unmodelled;
  /// Data-dependent work, included in the totals by its upper bound.
  CoverageTotals assumed;
  /// Cost of one iteration on all GPUs with the stated price, grid and node
  /// power.
  RunEstimate cost;
  /// Iterations of the run; nullopt if no size is stated.
  std::optional<double> runIterations;
  /// Cost of the run, and per million samples and tokens.
  RunReport run() const;
  /// The measured rows nearest to this prediction.
  Accuracy accuracy;
  /// Present only if requested.
  std::optional<OperatingHint> hint;
  std::vector<Sensitivity> sensitivities;
  std::optional<IterationDetails> details;
  /// Present only for a pipeline of several ranks.
  std::optional<PipelineReport> pipeline;

  /// Some op is missing from the totals, or only its bytes are included: the
  /// totals are lower bounds, without intervals.
  bool isLowerBound() const { return fallback.ops > 0 || unmodelled.ops > 0; }
  bool memoryIsLowerBound() const {
    return isLowerBound() && settings.trains();
  }
  /// None of the kernels is known.
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

/// Totals of an iteration without any known kernel are unknown, not 0.
inline bool isKnown(const IterationReport &report) {
  return !report.isUnknown();
}

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_ITERATIONREPORT_H
