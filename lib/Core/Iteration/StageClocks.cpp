//===- StageClocks.cpp - Clocks of the ranks of a pipeline ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Time does not decrease when a clock is lowered, so that bisection finds the
// lowest clock that the bound allows. Energy first falls and then rises. First
// all clocks are lowered together, then those of one rank after the other.

#include "gpucost/Core/Iteration/StageClocks.h"
#include "gpucost/Core/Iteration/Pipeline.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

using namespace gpucost;

namespace {

class ClockSearch {
public:
  ClockSearch(const PlacedModel &model, Settings settings, Seconds latest,
              bool eachDirection);

  StageClockChoice run();

private:
  /// Steps below the usual clock of a rank, for forward and backward passes.
  using Steps = std::vector<std::array<int64_t, 2>>;
  struct Trial {
    Seconds time;
    Joules energy;
  };

  std::vector<RankClocks> clocksOf(const Steps &steps) const;
  const Trial &measure(const Steps &steps);
  bool isAllowed(const Steps &steps) { return !(measure(steps).time > latest); }
  /// Lowers what `set` changes, from `first` to at most `last` steps, to the
  /// least energy within the bound.
  template <typename Set> void lower(int64_t first, int64_t last, Set set);
  /// Lowers the clocks of one rank of `order` after the other, those of some
  /// directions at a time, until energy no longer falls.
  void lowerRanks(const std::vector<size_t> &order,
                  const std::vector<int64_t> &most,
                  const std::vector<std::vector<size_t>> &directions);

  const PlacedModel &model;
  Settings settings;
  Seconds latest;
  bool eachDirection;
  /// At the usual clocks: that of the slowest stage of each rank.
  std::vector<Hertz> usual;
  Trial initial;
  Steps best;
  std::map<Steps, Trial> trials;
};

} // namespace

/// Room for rounding: a bound of the usual time allows the usual clocks.
static constexpr double rounding = 1e-9;
/// Rounds over all ranks, and the saving below which there is no other.
static constexpr int mostRounds = 4;
static constexpr double leastSaving = 1e-4;

ClockSearch::ClockSearch(const PlacedModel &model, Settings given,
                         Seconds bound, bool eachDirection)
    : model(model), settings(std::move(given)), latest(bound * (1 + rounding)),
      eachDirection(eachDirection) {
  settings.stageClocks.reset();
  IterationTotals totals = model.solve(settings);
  initial = {totals.time, totals.energy};
  usual = totals.pipeline->clock;
  best.assign(usual.size(), {0, 0});
}

std::vector<RankClocks> ClockSearch::clocksOf(const Steps &steps) const {
  Hertz step = model.model().gpu().clockStep;
  std::vector<RankClocks> clocks;
  clocks.reserve(steps.size());
  for (size_t rank = 0; rank < steps.size(); ++rank)
    clocks.push_back(
        {usual[rank] - step * static_cast<double>(steps[rank][0]),
         usual[rank] - step * static_cast<double>(steps[rank][1])});
  return clocks;
}

const ClockSearch::Trial &ClockSearch::measure(const Steps &steps) {
  auto [it, isNew] = trials.try_emplace(steps);
  if (isNew) {
    settings.stageClocks = toText(clocksOf(steps));
    IterationTotals totals = model.solve(settings);
    it->second = {totals.time, totals.energy};
  }
  return it->second;
}

template <typename Set>
void ClockSearch::lower(int64_t first, int64_t last, Set set) {
  auto with = [&](int64_t count) {
    Steps steps = best;
    set(steps, count);
    return steps;
  };
  // The lowest clock within the bound.
  int64_t lowest = first;
  for (int64_t beyond = last + 1; beyond - lowest > 1;) {
    int64_t middle = lowest + (beyond - lowest) / 2;
    (isAllowed(with(middle)) ? lowest : beyond) = middle;
  }
  // The least energy between.
  int64_t low = first, high = lowest;
  while (high - low > 2) {
    constexpr int64_t parts = 3;
    int64_t part = (high - low) / parts, left = low + part, right = high - part;
    if (measure(with(left)).energy < measure(with(right)).energy)
      high = right - 1;
    else
      low = left + 1;
  }
  Steps found = best;
  for (int64_t count = low; count <= high; ++count)
    if (Steps steps = with(count);
        isAllowed(steps) && measure(steps).energy < measure(found).energy)
      found = std::move(steps);
  best = std::move(found);
}

void ClockSearch::lowerRanks(
    const std::vector<size_t> &order, const std::vector<int64_t> &most,
    const std::vector<std::vector<size_t>> &directions) {
  for (int round = 0; round < mostRounds; ++round) {
    Joules before = measure(best).energy;
    for (size_t rank : order)
      for (const std::vector<size_t> &together : directions)
        lower(best[rank][together.front()], most[rank],
              [&](Steps &steps, int64_t count) {
                for (size_t direction : together)
                  steps[rank][direction] = count;
              });
    if (!(measure(best).energy < before * (1 - leastSaving)))
      break;
  }
}

StageClockChoice ClockSearch::run() {
  StageClockChoice choice;
  const Gpu &gpu = model.model().gpu();
  choice.usualClocks = clocksOf(best);
  choice.usualTime = initial.time;
  choice.usualEnergy = initial.energy;
  std::vector<int64_t> most;
  most.reserve(usual.size());
  for (Hertz clock : usual)
    most.push_back(gpu.clockStep > Hertz(0)
                       ? static_cast<int64_t>(
                             std::floor((clock - gpu.minClock) / gpu.clockStep))
                       : 0);
  lower(0, *std::min_element(most.begin(), most.end()),
        [](Steps &steps, int64_t count) {
          for (std::array<int64_t, 2> &rank : steps)
            rank = {count, count};
        });
  // Ranks that wait longest first.
  std::vector<size_t> order(usual.size());
  std::iota(order.begin(), order.end(), size_t(0));
  settings.stageClocks = toText(clocksOf(best));
  std::vector<Seconds> waiting =
      model.solve(settings).pipeline->timeline.waiting;
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return waiting[a] > waiting[b]; });
  lowerRanks(order, most, {{0, 1}});
  if (eachDirection)
    lowerRanks(order, most, {{1}, {0}});
  const Trial &found = measure(best);
  bool saves = isAllowed(best) && found.energy < initial.energy;
  choice.clocks = saves ? clocksOf(best) : choice.usualClocks;
  choice.time = saves ? found.time : initial.time;
  choice.energy = saves ? found.energy : initial.energy;
  return choice;
}

std::optional<StageClockChoice>
gpucost::chooseStageClocks(const PlacedModel &model, Settings settings,
                           Seconds latest, bool eachDirection) {
  if (!model.prepared().pipeline)
    return std::nullopt;
  return ClockSearch(model, std::move(settings), latest, eachDirection).run();
}
