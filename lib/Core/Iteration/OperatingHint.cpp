//===- OperatingHint.cpp - Energy-saving clocks ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/OperatingHint.h"
#include <cmath>

using namespace gpucost;

/// Relative limits for a hint.
static constexpr double leastSaving = 0.10, mostDelay = 0.05;
/// Maximum number of clocks to try.
static constexpr double mostClocks = 24;

std::optional<OperatingHint> gpucost::findHint(const PlacedModel &model,
                                               const IterationReport &report) {
  if (report.given.clock || report.given.powerLimit || model.isLowerBound() ||
      report.time <= Seconds(0) || report.kernels.empty())
    return std::nullopt;
  const Gpu &gpu = model.model().gpu();
  Settings settings = report.settings;
  Joules most = report.energy * (1 - leastSaving);
  Seconds latest = report.time * (1 + mostDelay);

  double span = (report.clock - gpu.minClock) / gpu.clockStep;
  double stride = std::max(1.0, std::ceil(span / mostClocks));
  std::optional<OperatingHint> hint;
  for (Hertz clock = report.clock - gpu.clockStep; clock >= gpu.minClock;
       clock = clock - gpu.clockStep * stride) {
    settings.clock = clock;
    IterationTotals totals = model.solve(settings);
    // Time does not decrease when the clock is lowered.
    if (totals.time >= latest)
      break;
    if (totals.energy < most && (!hint || totals.energy < hint->energy))
      hint = OperatingHint{clock, std::nullopt, totals.time, totals.energy};
  }
  if (!hint)
    return std::nullopt;
  // The power limit that results in about this clock.
  Watts power = hint->energy / hint->time;
  Watts limit(std::ceil(power / model.model().regulatedPower(Watts(1))));
  settings.clock.reset();
  settings.powerLimit = limit;
  if (limit < gpu.powerLimit && model.model().refusePowerLimit(limit).empty()) {
    IterationTotals totals = model.solve(settings);
    if (totals.time < latest && totals.energy < most)
      hint->powerLimit = limit;
  }
  return hint;
}
