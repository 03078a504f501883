//===- PowerShare.cpp - Kernels above the power limit ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (P8) The limiter regulates the average over milliseconds, which is much
// longer than most kernels: an iteration within the limit may contain kernels
// that exceed it. Measured board power does not exceed the limit. The energy of
// such kernels above the limit is spread over the rest of the iteration in
// proportion to its power, which does not change time and energy of the
// iteration.

#include "gpucost/Core/Iteration/PlacedModel.h"
#include <algorithm>

using namespace gpucost;

namespace {
/// An interval of the iteration.
struct Stretch {
  double power, time;
  double energy() const { return power * time; }
};
} // namespace

/// The factor for the stretches below `limit` that preserves the total energy.
static double findScale(std::vector<Stretch> stretches, double limit) {
  double energy = 0, time = 0;
  for (const Stretch &each : stretches) {
    energy += each.energy();
    time += each.time;
  }
  if (energy >= limit * time)
    return std::numeric_limits<double>::infinity();
  std::sort(
      stretches.begin(), stretches.end(),
      [](const Stretch &a, const Stretch &b) { return a.power > b.power; });
  double scale = 1, others = energy;
  for (const Stretch &next : stretches) {
    if (next.power * scale <= limit)
      break;
    // This stretch is at the limit; the others share the rest.
    energy -= limit * next.time;
    others -= next.energy();
    if (others <= 0)
      return std::numeric_limits<double>::infinity();
    scale = energy / others;
  }
  return scale;
}

void PlacedModel::sharePower(IterationTotals &totals, Watts limit) const {
  // The limiter has nothing left to lower.
  if (totals.point.limitUnreachable)
    return;
  totals.share.limit = limit;
  constexpr auto communication = static_cast<size_t>(Phase::Communication);
  std::vector<std::pair<Watts, Seconds>> draws;
  draws.reserve(works.size());
  Hertz clock = totals.point.clock;
  std::vector<Seconds> times = timesAt(clock);
  for (size_t i = 0; i < works.size(); ++i) {
    Joules energy =
        costModel.energy(works[i].events, times[i], times[i], clock);
    draws.emplace_back(times[i] > Seconds(0) ? energy / times[i] : Watts(0),
                       times[i]);
  }

  // Kernels, and the remaining time of each phase.
  std::vector<Stretch> stretches;
  std::array<Stretch, getMaxEnumValForPhase() + 1> rest{};
  bool above = false;
  for (size_t i = 0; i < phases.size(); ++i) {
    double time = totals.phases[i].time.value();
    double energy = totals.phases[i].energy.value();
    if (i != communication)
      phases[i].forEach([&](uint32_t work, double count) {
        const auto &[power, each] = draws[work];
        stretches.push_back({power.value(), each.value() * count});
        time -= stretches.back().time;
        energy -= stretches.back().energy();
        above |= power > limit;
      });
    // More than a rounding error.
    if (time > 1e-9 * totals.phases[i].time.value()) {
      rest[i] = {std::max(energy, 0.0) / time, time};
      stretches.push_back(rest[i]);
      above |= rest[i].power > limit.value();
    }
  }
  if (!above)
    return;
  totals.share.scale = findScale(std::move(stretches), limit.value());

  if (std::isinf(totals.share.scale)) {
    for (PhaseTotals &phase : totals.phases)
      phase.energy = limit * phase.time;
    totals.energy = limit * totals.time;
    return;
  }
  totals.energy = Joules(0);
  for (size_t i = 0; i < phases.size(); ++i) {
    PhaseTotals &phase = totals.phases[i];
    // Fully hidden collectives have energy but no separate time.
    if (i == communication && phase.time <= Seconds(0)) {
      totals.energy += phase.energy;
      continue;
    }
    phase.energy =
        totals.share.of(Watts(rest[i].power)) * Seconds(rest[i].time);
    if (i != communication)
      phases[i].forEach([&](uint32_t work, double count) {
        phase.energy +=
            totals.share.of(draws[work].first) * (draws[work].second * count);
      });
    totals.energy += phase.energy;
  }
}
