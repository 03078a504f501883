//===- ScheduleModel.cpp - Costs of explicit schedules --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include "PrepareSchedules.h"
#include "gpucost/Core/Model/OperatingPoint.h"
#include <algorithm>
#include <cmath>
#include <map>

using namespace gpucost;
using namespace gpucost::detail;

static constexpr double never = std::numeric_limits<double>::infinity();
/// Times that are combined in a different order differ in their last bits.
static constexpr double roundingSlack = 1 - 1e-12;

ScheduleModel::ScheduleModel(std::unique_ptr<ScheduleSetup> setup)
    : setup(std::move(setup)) {}
ScheduleModel::ScheduleModel(ScheduleModel &&) noexcept = default;
ScheduleModel &ScheduleModel::operator=(ScheduleModel &&) noexcept = default;
ScheduleModel::~ScheduleModel() = default;

Expected<ScheduleModel> ScheduleModel::create(const CostModel &model,
                                              const KernelWork &work,
                                              const KernelQuery &query) {
  auto setup = std::make_unique<ScheduleSetup>();
  setup->model = &model;
  setup->asked = setup->work = work;
  setup->askedQuery = setup->query = query;
  if (auto ready = prepareSchedules(*setup); !ready)
    return fail(ready.error());
  return ScheduleModel(std::move(setup));
}

bool ScheduleModel::isValidated() const {
  if (setup->isStream || !setup->work.is<MatmulProblem>())
    return false;
  return setup->tensor ? setup->tensor->validated : setup->simt->validated;
}

bool ScheduleModel::isValidated(const Schedule &schedule) const {
  return isValidated() &&
         (!setup->tensor ||
          std::find(std::begin(tensorWarps), std::end(tensorWarps),
                    schedule.warps) != std::end(tensorWarps));
}

ScheduleFit ScheduleModel::check(const Schedule &schedule) const {
  return setup->fit(schedule, setup->tileOf(schedule));
}

Seconds ScheduleModel::timeOf(const Schedule &schedule) const {
  TensorTile tile = setup->tileOf(schedule);
  ScheduleFit fit = setup->fit(schedule, tile);
  SimtPipes pipes;
  return Seconds(fit ? setup->time(schedule, tile, pipes, fit).total : never);
}

static bool isComplete(const ScheduleSetup &setup, const Schedule &s) {
  if (setup.isStream)
    return s.vectorM && s.warps;
  if (setup.attention)
    return s.tileM && s.tileN && s.stages && s.warps && s.splitK;
  bool complete = s.tileM && s.tileN && s.tileK && s.splitK && s.stages &&
                  s.warps && s.cluster;
  if (setup.tensor)
    return complete;
  return complete && s.threadTileM && s.threadTileN && s.vectorM && s.vectorN &&
         s.copyM && s.copyN && s.stageA != OperandPath::Auto &&
         s.stageB != OperandPath::Auto;
}

Schedule ScheduleModel::complete(const Schedule &schedule) const {
  if (isComplete(*setup, schedule))
    return schedule;
  Schedule best = schedule;
  if (setup->attention && !schedule.tileM && !schedule.tileN) {
    // The terms are not validated, so keep the library's tile.
    best.tileM = setup->attention->tile.m;
    best.tileN = setup->attention->tile.n;
    return complete(best);
  }
  double bestTime = never;
  bool isFirst = true;
  TileMemory tiles(*setup);
  forEachCandidate(*setup, schedule, [&](const Schedule &candidate) {
    TensorTile &tile = tiles.of(candidate);
    ScheduleFit fit = setup->fit(candidate, tile);
    SimtPipes pipes;
    double time =
        fit ? setup->time(candidate, tile, pipes, fit, bestTime).total : never;
    if (isFirst || time < bestTime)
      best = candidate;
    bestTime = std::min(bestTime, time);
    isFirst = false;
  });
  return best;
}

static Expected<ScheduledLaunch> launchOf(const ScheduleSetup &setup,
                                          const Schedule &schedule,
                                          const ScheduleFit &fit,
                                          const ScheduleTime &time) {
  Tiling tiling = tilingOf(setup, schedule, fit);
  auto terms = setup.terms(schedule, fit, tiling, time);
  if (!terms)
    return fail(terms.error());
  ScheduledLaunch launch{schedule, fit, tiling, *terms};
  launch.schedule.ctasPerSm = static_cast<int32_t>(fit.ctasPerSm);
  return launch;
}

static Expected<ScheduledCost> costOf(const ScheduleSetup &setup,
                                      const Expected<ScheduledLaunch> &launch) {
  if (!launch)
    return fail(launch.error());
  auto cost = setup.model->estimate(setup.work, launch->tiling, launch->terms,
                                    setup.query);
  if (!cost)
    return fail(cost.error());
  return ScheduledCost{launch->schedule, launch->fit, std::move(*cost)};
}

Expected<ScheduledLaunch>
ScheduleModel::launch(const Schedule &schedule) const {
  Schedule whole = complete(schedule);
  TensorTile tile = setup->tileOf(whole);
  ScheduleFit fit = setup->fit(whole, tile);
  if (!fit)
    return fail("infeasible schedule: " + describeFault(whole, fit));
  SimtPipes pipes;
  return launchOf(*setup, whole, fit, setup->time(whole, tile, pipes, fit));
}

Expected<ScheduledCost>
ScheduleModel::estimate(const Schedule &schedule) const {
  return costOf(*setup, launch(schedule));
}

std::vector<Schedule> ScheduleModel::candidates(const Schedule &fixed) const {
  std::vector<Schedule> all;
  forEachCandidate(*setup, fixed, [&](const Schedule &s) { all.push_back(s); });
  return all;
}

namespace {

/// The best schedules so far, best first.
class Ranking {
public:
  Ranking(size_t count, const ScheduleGoal &goal) : goal(goal), count(count) {
    // A time equal to the limit is valid.
    if (goal.timeLimit)
      limit = std::nextafter(goal.timeLimit->value(), never);
  }

  /// Schedules that take at least this many seconds need not be evaluated.
  double giveUp() const {
    if (goal.objective == Objective::Time && best.size() == count)
      return std::min(limit, valueOf(best.back()));
    return limit;
  }

  /// Whether the launch exceeds the power limit at the lowest clock at which it
  /// is faster than `best.back()`; then it runs at an even lower clock.
  bool cannotEnter(const ScheduleSetup &setup,
                   const ScheduledLaunch &launch) const {
    if (goal.objective != Objective::Time || best.size() < count ||
        setup.query.benchmark || !setup.model->coefficients().power)
      return false;
    const CostModel &model = *setup.model;
    const Gpu &gpu = model.gpu();
    Hertz highest =
        settableClock(gpu, setup.query.clock.value_or(gpu.maxClock));
    Watts limit =
        model.regulatedPower(setup.query.powerLimit.value_or(gpu.powerLimit));
    Seconds least(valueOf(best.back()));
    auto clockAt = [&](int64_t step) {
      return highest - gpu.clockStep * static_cast<double>(step);
    };
    auto isFaster = [&](int64_t step) {
      return timeAt(launch.terms, clockAt(step) / gpu.maxClock) *
                 roundingSlack <=
             least;
    };
    // Whether it exceeds the limit at all clocks from this step up at which it
    // is faster: it does so even if it takes as long as `best.back()`.
    auto drawsTooMuch = [&](int64_t step) {
      return model.energy(launch.terms.events, least, least, clockAt(step)) /
                 least * roundingSlack >
             limit;
    };
    // Invariant: it is faster at step `low`, but not at step `high`.
    int64_t low = 0;
    auto high = static_cast<int64_t>((highest - gpu.minClock) / gpu.clockStep);
    // Most cases are decided near the clock of `best.back()`.
    constexpr double halfStep = 0.5;
    auto near = static_cast<int64_t>(
        (highest - best.back().cost.clock) / gpu.clockStep - halfStep);
    if (near > 0 && near < high && !isFaster(near)) {
      if (drawsTooMuch(near - 1))
        return true;
      high = near;
    } else if (high <= 0 || isFaster(high)) {
      return false;
    }
    if (!isFaster(low))
      return true;
    while (high - low > 1) {
      int64_t middle = low + (high - low) / 2;
      (isFaster(middle) ? low : high) = middle;
    }
    return drawsTooMuch(low);
  }

  /// Inserts the schedule with number `index` of the space.
  void insert(ScheduledCost &&cost, size_t index) {
    double value = valueOf(cost);
    if (goal.timeLimit && cost.cost.time.total > *goal.timeLimit)
      return;
    size_t place = 0;
    while (place < best.size() &&
           std::pair(valueOf(best[place]), places[place]) <
               std::pair(value, index))
      ++place;
    if (place == count)
      return;
    auto at = static_cast<std::ptrdiff_t>(place);
    best.insert(best.begin() + at, std::move(cost));
    places.insert(places.begin() + at, index);
    if (best.size() <= count)
      return;
    best.pop_back();
    places.pop_back();
  }

  std::vector<ScheduledCost> best;

private:
  std::vector<size_t> places; ///< numbers of `best` in the space
  double valueOf(const ScheduledCost &cost) const {
    double time = cost.cost.time.total.value();
    double energy = cost.cost.energy.value();
    switch (goal.objective) {
    case Objective::Time:
      return time;
    case Objective::Energy:
      return energy;
    case Objective::EnergyDelay:
      return energy * time;
    }
    return time;
  }

  ScheduleGoal goal;
  double limit = never;
  size_t count;
};

/// Adjacent schedules of the space with the same bound, or a single schedule
/// that fits.
struct Candidates {
  double least; ///< lower bound of their times
  uint32_t index, count;
  /// Index into the evaluated schedules; -1: none of these was evaluated.
  int32_t opened;
};

/// A schedule that fits.
struct Opened {
  const Schedule *schedule;
  ScheduleFit fit;
  SimtPipes pipes;
};

} // namespace

static bool haveSameTile(const Schedule &a, const Schedule &b) {
  return a.tileM == b.tileM && a.tileN == b.tileN && a.tileK == b.tileK &&
         a.warps == b.warps;
}

std::vector<ScheduledCost> ScheduleModel::top(Span<Schedule> space,
                                              size_t count,
                                              const ScheduleGoal &goal) const {
  if (count == 0)
    return {};
  // Sorted by lower bound, so that most schedules need not be evaluated: a
  // clock below the maximum only increases the time.
  auto isLater = [](const Candidates &a, const Candidates &b) {
    return a.least > b.least;
  };
  std::vector<Candidates> heap;
  heap.reserve(space.size());
  std::vector<Opened> opened;
  std::map<size_t, Schedule> completed;
  TileMemory tiles(*setup);
  const Schedule *before = nullptr;
  double least = 0;
  for (const Schedule &schedule : space) {
    auto index = static_cast<uint32_t>(&schedule - space.begin());
    const Schedule *whole = &schedule;
    if (!isComplete(*setup, schedule))
      whole = &(completed[index] = complete(schedule));
    // Schedules with the same tile have the same bound; spaces list them
    // consecutively.
    bool isSame = setup->tensor && before && haveSameTile(*before, *whole);
    if (!isSame)
      least = tiles.leastTime(*whole);
    before = whole;
    if (!(least < never))
      continue;
    if (isSame)
      ++heap.back().count;
    else
      heap.push_back({least, index, 1, -1});
  }
  std::make_heap(heap.begin(), heap.end(), isLater);
  Ranking ranking(count, goal);
  // Evaluates a schedule of the space for the first time.
  auto open = [&](uint32_t index, double least) {
    auto own = completed.find(index);
    const Schedule &schedule =
        own == completed.end() ? space.data()[index] : own->second;
    TensorTile &tile = tiles.of(schedule);
    ScheduleFit fit = setup->fit(schedule, tile);
    if (!fit)
      return;
    SimtPipes pipes;
    least = std::max(least, setup->leastTime(schedule, tile, pipes, fit));
    if (least * roundingSlack >= ranking.giveUp())
      return;
    heap.push_back({least, index, 1, static_cast<int32_t>(opened.size())});
    std::push_heap(heap.begin(), heap.end(), isLater);
    opened.push_back({&schedule, fit, pipes});
  };
  while (!heap.empty() &&
         heap.front().least * roundingSlack < ranking.giveUp()) {
    Candidates next = heap.front();
    std::pop_heap(heap.begin(), heap.end(), isLater);
    heap.pop_back();
    if (next.opened < 0) {
      for (uint32_t i = 0; i < next.count; ++i)
        open(next.index + i, next.least);
      continue;
    }
    Opened &one = opened[next.opened];
    ScheduleTime time =
        setup->time(*one.schedule, tiles.of(*one.schedule), one.pipes, one.fit);
    if (time.total * roundingSlack >= ranking.giveUp())
      continue;
    auto launch = launchOf(*setup, *one.schedule, one.fit, time);
    if (launch && ranking.cannotEnter(*setup, *launch))
      continue;
    if (auto cost = costOf(*setup, launch))
      ranking.insert(std::move(*cost), next.index);
  }
  return std::move(ranking.best);
}
