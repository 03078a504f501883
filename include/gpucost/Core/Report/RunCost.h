//===- RunCost.h - Time, energy, money and CO2e of a run --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What iterations add up to, with what the user states about price, grid and
// node (docs/Decisions.md). Plain data and arithmetic.
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

/// What some iterations take on all GPUs together.
struct RunCost {
  Seconds time;  ///< wall clock
  Joules energy; ///< GPUs and nodes, times the PUE
  /// In the currency of --price; nullopt: no price is known.
  std::optional<double> money;
  /// Grams of CO2e; nullopt: no grid is stated.
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

/// Expected, and the ends of the 80 % intervals.
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

/// One iteration of `time` on every GPU, each with `energy`, of the
/// GPU `name`.
RunEstimate costOfIteration(Seconds time, Joules energy,
                            const std::optional<IterationErrorBars> &bars,
                            const Settings &settings, std::string_view name);

/// Iterations of the run that `settings` state, each of `samples` and
/// `tokens`; nullopt when no size is stated or an iteration has none of it.
std::optional<double> iterationsOfRun(const Settings &settings, int64_t samples,
                                      int64_t tokens);

} // namespace gpucost

#endif // GPUCOST_CORE_REPORT_RUNCOST_H
