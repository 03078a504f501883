//===- RunCost.h - Time, energy, cost and CO2e of a run ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Cost of runs from the user's price, grid and node power (docs/Decisions.md).
// Plain data and arithmetic.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_REPORT_RUNCOST_H
#define GPUCOST_CORE_REPORT_RUNCOST_H

#include "gpucost/Core/Model/ErrorBars.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "gpucost/Core/Support/Quantity.h"
#include <optional>
#include <string_view>

namespace gpucost {

/// Cost of one or more iterations on all GPUs.
struct RunCost {
  Seconds time;  ///< wall clock
  Joules energy; ///< GPUs and nodes, times the PUE
  /// In the currency of --price; nullopt: no price is known.
  std::optional<double> money;
  /// Grams of CO2e; nullopt: --grid is not stated.
  std::optional<double> carbon;

  RunCost operator*(double iterations) const {
    RunCost all = *this;
    all.time *= iterations;
    all.energy *= iterations;
    if (all.money)
      all.money = *money * iterations;
    if (all.carbon)
      all.carbon = *carbon * iterations;
    return all;
  }
};

/// Expected values and the ends of the 80 % intervals.
struct RunEstimate {
  RunCost expected;
  std::optional<RunCost> low, high;

  RunEstimate operator*(double iterations) const {
    RunEstimate all{expected * iterations, low, high};
    if (low && high) {
      all.low = *low * iterations;
      all.high = *high * iterations;
    }
    return all;
  }
};

/// Cost of one iteration that takes `time` and `energy` on every GPU; `name` is
/// the GPU's name.
RunEstimate costOfIteration(Seconds time, Joules energy,
                            const std::optional<IterationErrorBars> &bars,
                            const Settings &settings, std::string_view name);

/// Iterations of the run that `settings` state, each with `samples` and
/// `tokens`; nullopt if no size is stated or an iteration has none of the
/// stated unit.
std::optional<double> iterationsOfRun(const Settings &settings, int64_t samples,
                                      int64_t tokens);

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_RUNCOST_H
