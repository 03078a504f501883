//===- ScheduleModel.cpp - Costs of explicit schedules --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Candidates.h"
#include "PrepareSchedules.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;
using namespace gpucost::detail;

static constexpr double never = std::numeric_limits<double>::infinity();

ScheduleModel::ScheduleModel(std::unique_ptr<ScheduleSetup> setup)
    : setup(std::move(setup)) {}
ScheduleModel::ScheduleModel(ScheduleModel &&) = default;
ScheduleModel &ScheduleModel::operator=(ScheduleModel &&) = default;
ScheduleModel::~ScheduleModel() = default;

Expected<ScheduleModel> ScheduleModel::create(const CostModel &model,
                                              const KernelWork &work,
                                              const KernelQuery &query) {
  auto setup = std::make_unique<ScheduleSetup>();
  setup->model = &model;
  setup->work = work;
  setup->query = query;
  if (auto ready = prepareSchedules(*setup); !ready)
    return fail(ready.error());
  return ScheduleModel(std::move(setup));
}

bool ScheduleModel::isValidated() const {
  if (setup->isStream)
    return false;
  return setup->tensor ? setup->tensor->validated : setup->simt->validated;
}

ScheduleFit ScheduleModel::check(const Schedule &schedule) const {
  return setup->fit(schedule);
}

Seconds ScheduleModel::timeOf(const Schedule &schedule) const {
  ScheduleFit fit = setup->fit(schedule);
  return Seconds(fit ? setup->time(schedule, fit).total : never);
}

static bool isComplete(const ScheduleSetup &setup, const Schedule &s) {
  if (setup.isStream)
    return s.vectorM && s.warps;
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
  double bestTime = never;
  bool isFirst = true;
  forEachCandidate(*setup, schedule, [&](const Schedule &candidate) {
    ScheduleFit fit = setup->fit(candidate);
    double time = fit ? setup->time(candidate, fit, bestTime).total : never;
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
  auto terms = setup.terms(schedule, fit, time);
  if (!terms)
    return fail(terms.error());
  ScheduledLaunch launch{schedule, fit, tilingOf(setup, schedule, fit), *terms};
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
  ScheduleFit fit = setup->fit(whole);
  if (!fit)
    return fail("infeasible schedule: " + describeFault(whole, fit));
  return launchOf(*setup, whole, fit, setup->time(whole, fit));
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

/// The best few so far, best first.
class Ranking {
public:
  Ranking(size_t count, const ScheduleGoal &goal) : goal(goal), count(count) {}

  /// A schedule that takes at least `seconds` need not be looked at.
  double giveUp() const {
    double limit = goal.timeLimit ? goal.timeLimit->value() : never;
    // `tensorTime` gives up at equality, the limit itself still counts.
    limit = std::nextafter(limit, never);
    if (goal.objective == Objective::Time && best.size() == count)
      return std::min(limit, valueOf(best.back()));
    return limit;
  }

  void insert(ScheduledCost &&cost) {
    double value = valueOf(cost);
    if (goal.timeLimit && cost.cost.time.total > *goal.timeLimit)
      return;
    auto place =
        std::find_if(best.begin(), best.end(), [&](const ScheduledCost &other) {
          return value < valueOf(other);
        });
    if (place == best.end() && best.size() == count)
      return;
    best.insert(place, std::move(cost));
    if (best.size() > count)
      best.pop_back();
  }

  std::vector<ScheduledCost> best;

private:
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
  size_t count;
};

} // namespace

std::vector<ScheduledCost> ScheduleModel::top(Span<Schedule> space,
                                              size_t count,
                                              const ScheduleGoal &goal) const {
  Ranking ranking(count, goal);
  if (count == 0)
    return {};
  for (const Schedule &schedule : space) {
    Schedule whole = complete(schedule);
    ScheduleFit fit = setup->fit(whole);
    if (!fit)
      continue;
    // A clock below the maximum only takes longer.
    double giveUp = ranking.giveUp();
    ScheduleTime time = setup->time(whole, fit, giveUp);
    if (time.gaveUp || time.total >= giveUp)
      continue;
    if (auto cost = costOf(*setup, launchOf(*setup, whole, fit, time)))
      ranking.insert(std::move(*cost));
  }
  return std::move(ranking.best);
}
