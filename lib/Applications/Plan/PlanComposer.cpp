//===- PlanComposer.cpp - Plans composed of stages ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlanSearch.h"
#include "gpucost/Core/Scenario/LayerBalance.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include <algorithm>

using namespace gpucost;
using namespace gpucost::plan;
using namespace gpucost::sweep;

std::string plan::whyNoCandidate(const Settings &settings, int64_t layers) {
  PipelineLayout layout = layoutOf(settings);
  if (layout.stages() > layers)
    return "more stages than layers";
  auto [embedding, head] = endSlotsOf(settings.stageSlots);
  // Frameworks split virtual stages evenly.
  if (layout.perRank > 1 && (layers + embedding + head) % layout.stages())
    return "the layers do not divide evenly among the virtual stages";
  return "";
}

namespace {
/// The stages of one plan.
struct Stages {
  std::vector<const StageSample *> samples;
  std::vector<StageRun> runs;
};
} // namespace

/// The ranks' passes that determine the most memory: later ones repeat them.
static int64_t passesOfMemory(const PipelineLayout &layout,
                              int64_t microBatches) {
  constexpr int64_t periods = 3;
  if (layout.schedule == PipelineSchedule::GPipe)
    return microBatches;
  return std::min(microBatches,
                  periods * layout.ranks + microBatches % layout.ranks);
}

/// The terms of the rank that computes longest.
static PlanTerms termsOf(const PipelineLayout &layout,
                         const PipelineTimeline &timeline, int64_t microBatches,
                         const Stages &stages) {
  auto busiest = static_cast<size_t>(
      std::max_element(timeline.busy.begin(), timeline.busy.end()) -
      timeline.busy.begin());
  PlanTerms terms;
  auto passes = static_cast<double>(microBatches);
  for (size_t i = 0; i < stages.samples.size(); ++i) {
    if (static_cast<size_t>(layout.rankOf(static_cast<int64_t>(i))) != busiest)
      continue;
    const StageTimes &times = stages.runs[i].times;
    Seconds computation = stages.samples[i]->computation;
    terms.computation += computation * passes;
    terms.communication +=
        (times.forward + times.backward + times.weights - computation) * passes;
    terms.update += times.tail;
  }
  terms.waiting = timeline.waiting[busiest];
  terms.transfers = timeline.transfers[busiest];
  return terms;
}

PlanCost PlanComposer::compose(int64_t point, const Settings &settings,
                               int64_t operation) {
  PlanCost cost;
  PointResult &result = cost.result;
  result.point = point;
  result.gpu = target.costModel.gpu().name;
  auto reject = [&](PointStatus status, std::string reason) {
    result.status = status;
    result.reason = std::move(reason);
    return cost;
  };
  PipelineLayout layout = layoutOf(settings);
  std::vector<int64_t> counts =
      balanceLayers(layers.work, layout.stages(), settings.stageSlots);
  if (counts.empty())
    return reject(PointStatus::Refused, "more stages than layers");

  // Equal stages share a sample.
  std::map<std::pair<StagePlace, int64_t>, StageSample> distinct;
  Stages stages;
  for (int64_t i = 0; i < layout.stages(); ++i) {
    StagePlace place = layout.stages() == 1       ? StagePlace::Whole
                       : i == 0                   ? StagePlace::First
                       : i + 1 == layout.stages() ? StagePlace::Last
                                                  : StagePlace::Middle;
    std::pair key(place, counts[static_cast<size_t>(i)]);
    auto it = distinct.find(key);
    if (it == distinct.end()) {
      Expected<StageSample> sample =
          shelf.sample(place, key.second, settings, operation);
      if (!sample)
        return reject(PointStatus::Error, sample.error().message);
      it = distinct.emplace(key, std::move(*sample)).first;
    }
    stages.samples.push_back(&it->second);
  }

  std::vector<const StageMemory *> memory;
  for (const StageSample *sample : stages.samples)
    memory.push_back(&sample->memory);
  int64_t microBatches = settings.microBatches();
  ScheduleMemo &schedules = library.schedules();
  auto held = schedules.find(layout, passesOfMemory(layout, microBatches));
  std::vector<RankMemory> ranks = joinMemory(layout, held->held, memory);
  result.format = settings.format.value_or(NumericFormat::FP32);
  MemoryPlan plan = fullestOf(ranks).plan;
  // The allocator returns unused segments, as planMemory finds by trying.
  if (int64_t least = plan.allocated + plan.device - plan.reserved;
      layout.ranks == 1 && !plan.fits && least <= plan.usable) {
    plan.fits = true;
    plan.device = std::min(plan.device, plan.usable);
  }
  setMemory(result, plan, target.costModel.gpu(), /*isRejected=*/false);
  if (result.status == PointStatus::DoesNotFit)
    return cost;

  std::vector<StageTimes> times;
  for (int64_t i = 0; i < layout.stages(); ++i) {
    const StageSample &sample = *stages.samples[static_cast<size_t>(i)];
    StageRun run = sample.run;
    auto nodes = [&](int64_t from, int64_t to) {
      return static_cast<size_t>(std::max<int64_t>(
          nodesBetween(settings, layout.rankOf(from), layout.rankOf(to)) - 1,
          0));
    };
    run.times.sendForward = run.times.sendBackward = Seconds(0);
    if (i + 1 < layout.stages())
      run.times.sendForward = sample.sendForward[nodes(i, i + 1)];
    if (i > 0)
      run.times.sendBackward = sample.sendBackward[nodes(i - 1, i)];
    if (!layout.splitsBackward())
      run.times.joinBackward();
    times.push_back(run.times);
    stages.runs.push_back(run);
  }
  PipelineTimeline timeline =
      runMicroBatches(layout, microBatches, times, schedules);
  std::vector<const StageRun *> runs;
  for (const StageRun &run : stages.runs)
    runs.push_back(&run);
  RankEnergies energies =
      joinEnergies(layout, timeline, runs, target.costModel);

  PointTotals totals;
  totals.time = timeline.time;
  totals.energy = energies.mean;
  Seconds ideal;
  const StageSample *slowest = stages.samples.front();
  for (const StageSample *sample : stages.samples) {
    ideal += sample->ideal / static_cast<double>(layout.ranks);
    result.isLowerBound |= sample->isLowerBound;
    if (sample->computation > slowest->computation)
      slowest = sample;
  }
  totals.mfu = ideal / timeline.time;
  totals.clock.clock = slowest->run.clock;
  totals.clock.throttled = slowest->throttled;
  if (slowest->hasLevel || layout.ranks == 1)
    totals.errorBars = slowest->errors.bars;
  setTotals(result, totals, target.costModel, settings);
  result.samples = slowest->samples;
  result.tokens = slowest->tokens;
  result.iterations = iterationsOfRun(settings, result.samples, result.tokens);
  cost.terms = termsOf(layout, timeline, microBatches, stages);
  return cost;
}
