//===- Pipeline.cpp - An iteration of all ranks of a pipeline -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (X15) Each stage is a placed model with a clock that keeps the power limit
// while it runs; the schedule joins the times of their passes.

#include "gpucost/Core/Iteration/Pipeline.h"
#include <algorithm>
#include <map>
#include <tuple>

using namespace gpucost;

Expected<void> PlacedModel::placeStages() {
  if (!source->pipeline)
    return {};
  for (const auto &stage : source->pipeline->models) {
    Expected<PlacedModel> placed = create(stage, costModel);
    if (!placed)
      return fail(placed.error());
    lowerBound |= placed->isLowerBound();
    stageModels.push_back(
        std::make_shared<const PlacedModel>(std::move(*placed)));
  }
  pipelineIdealTime = Seconds(0);
  for (uint32_t index : source->pipeline->stages)
    pipelineIdealTime += stageModels[index]->ideal();
  pipelineIdealTime =
      pipelineIdealTime / static_cast<double>(layoutOf(source->settings).ranks);
  return {};
}

/// Share of the backward pass that computes gradients of weights: the launches
/// whose results do not lead to the gradient that is sent to the previous
/// stage. The first stage sends none; its chain ends with its last gradient.
static double weightShare(const PlacedModel &placed,
                          const std::vector<Seconds> &times) {
  const PreparedModel &model = placed.prepared();
  auto isBackward = [&](const Launch &launch) {
    return model.kinds[launch.kind].phase == Phase::Backward;
  };
  size_t first = model.launches.size(), target = 0, last = 0;
  bool sends = false;
  for (size_t i = 0; i < model.launches.size(); ++i) {
    const Launch &launch = model.launches[i];
    if (isBackward(launch)) {
      first = std::min(first, i);
      last = i;
    }
    if (placed.isTransfer(launch) && i > first) {
      target = i;
      sends = true;
    }
  }
  if (!sends)
    target = last;
  std::vector<bool> leads(model.launches.size());
  if (!leads.empty())
    leads[target] = true;
  for (size_t i = target + 1; i-- > 0;) {
    if (!leads[i])
      continue;
    for (uint32_t read = i ? model.launches[i - 1].readsEnd : 0;
         read < model.launches[i].readsEnd; ++read)
      leads[model.reads[read]] = true;
  }
  double all = 0, weights = 0;
  for (size_t i = 0; i < model.launches.size(); ++i) {
    const Launch &launch = model.launches[i];
    if (!isBackward(launch))
      continue;
    double time =
        times[launch.work].value() * static_cast<double>(launch.count);
    all += time;
    weights += leads[i] ? 0 : time;
  }
  return all > 0 ? weights / all : 0;
}

StageTimes PlacedModel::stageTimes(const IterationTotals &totals,
                                   const Settings &settings) const {
  constexpr auto forward = static_cast<size_t>(Phase::Forward),
                 backward = static_cast<size_t>(Phase::Backward),
                 optimizer = static_cast<size_t>(Phase::Optimizer);
  auto passes = static_cast<double>(source->settings.microBatches());
  Hertz clock = totals.point.clock;
  std::vector<Seconds> times = timesAt(clock);
  Seconds gap = gapAt(clock, settings);
  PhaseFactors stretch = stretchOf(totals);
  PassExposure last = exposedIn(/*lastPass=*/true, times, gap, stretch);
  PassExposure other = last;
  if (passes > 1) {
    other = exposedIn(/*lastPass=*/false, times, gap, stretch);
    other.backward = other.total - other.forward;
  }
  StageTimes stage;
  stage.forward = totals.phases[forward].time / passes + Seconds(other.forward);
  Seconds both =
      totals.phases[backward].time / passes + Seconds(other.backward);
  stage.weights = both * weightShare(*this, times);
  stage.backward = both - stage.weights;
  double late = last.total - other.forward - other.backward;
  stage.tail = totals.phases[optimizer].time + Seconds(std::max(late, 0.0));
  bool isBackward = false;
  for (const Launch &launch : source->launches) {
    isBackward |= source->kinds[launch.kind].phase == Phase::Backward;
    if (isTransfer(launch))
      (isBackward ? stage.sendBackward : stage.sendForward) +=
          times[launch.work];
  }
  return stage;
}

StageRun PlacedModel::runStage(const IterationTotals &totals,
                               const Settings &settings) const {
  return {stageTimes(totals, settings), totals.energy, totals.point.clock};
}

RankEnergies gpucost::joinEnergies(const PipelineLayout &layout,
                                   const PipelineTimeline &timeline,
                                   const std::vector<const StageRun *> &stages,
                                   const CostModel &model) {
  RankEnergies ranks;
  ranks.energy.assign(static_cast<size_t>(layout.ranks), Joules(0));
  ranks.clock.assign(static_cast<size_t>(layout.ranks), Hertz(0));
  for (size_t stage = 0; stage < stages.size(); ++stage) {
    auto rank = static_cast<size_t>(layout.rankOf(static_cast<int64_t>(stage)));
    ranks.energy[rank] += stages[stage]->energy;
    Hertz clock = stages[stage]->clock;
    Hertz &slowest = ranks.clock[rank];
    slowest = slowest > Hertz(0) ? std::min(slowest, clock) : clock;
  }
  // A rank that waits keeps its clock.
  for (size_t rank = 0; rank < ranks.energy.size(); ++rank) {
    ranks.energy[rank] += model.idlePower(ranks.clock[rank]) *
                          (timeline.waiting[rank] + timeline.transfers[rank]);
    ranks.mean += ranks.energy[rank] / static_cast<double>(layout.ranks);
  }
  return ranks;
}

/// (X30) A stage with the phases `phase` of `some` in all micro-batches but
/// one.
static void mixPhase(IterationTotals &totals, const IterationTotals &some,
                     Phase phase, int64_t microBatches) {
  double share = 1 - 1 / static_cast<double>(microBatches);
  PhaseTotals &usual = totals.phases[static_cast<size_t>(phase)];
  const PhaseTotals &other = some.phases[static_cast<size_t>(phase)];
  totals.time += (other.time - usual.time) * share;
  totals.busy += (other.gpuBusy - usual.gpuBusy) * share;
  totals.energy += (other.energy - usual.energy) * share;
  for (auto member :
       {&PhaseTotals::time, &PhaseTotals::gpuBusy, &PhaseTotals::kernelTime})
    usual.*member += (other.*member - usual.*member) * share;
  usual.energy += (other.energy - usual.energy) * share;
}

PipelineRun PlacedModel::runPipeline(const Settings &settings) const {
  const PreparedPipeline &pipeline = *source->pipeline;
  PipelineRun run;
  run.layout = layoutOf(source->settings);
  run.microBatches = source->settings.microBatches();
  auto join = [&](StageTimes times) {
    if (!run.layout.splitsBackward())
      times.joinBackward();
    return times;
  };
  std::vector<RankClocks> clocks;
  if (settings.stageClocks)
    clocks = parseStageClocks(*settings.stageClocks);
  clocks.resize(clocks.empty() ? 0 : static_cast<size_t>(run.layout.ranks));
  std::vector<StageRun> distinct;
  for (const auto &stage : stageModels) {
    run.totals.push_back(stage->solve(settings));
    distinct.push_back(stage->runStage(run.totals.back(), settings));
    distinct.back().times = join(distinct.back().times);
  }
  // The same stage on ranks with other clocks.
  std::map<std::tuple<uint32_t, double, double>, size_t> known;
  auto runAt = [&](uint32_t index, const RankClocks &clock) {
    const PlacedModel &stage = *stageModels[index];
    IterationTotals totals = run.totals[index];
    StageRun found = distinct[index];
    auto solveAt = [&](Hertz at, Phase phase) {
      Settings stated = settings;
      stated.clock = at;
      IterationTotals some = stage.solve(stated);
      mixPhase(totals, some, phase, run.microBatches);
      return stage.runStage(some, stated);
    };
    StageRun forward = solveAt(clock.forward, Phase::Forward),
             backward = solveAt(clock.backward, Phase::Backward);
    found.times.forward = forward.times.forward;
    StageTimes rest = join(backward.times);
    found.times.backward = rest.backward;
    found.times.weights = rest.weights;
    found.energy = totals.energy;
    found.clock = backward.clock;
    run.totals.push_back(std::move(totals));
    distinct.push_back(found);
    return distinct.size() - 1;
  };
  std::vector<StageTimes> ends;
  for (size_t i = 0; i < pipeline.stages.size(); ++i) {
    uint32_t index = pipeline.stages[i];
    run.distinct.push_back(index);
    if (!clocks.empty() && run.layout.trains && run.microBatches > 1) {
      const RankClocks &clock = clocks[static_cast<size_t>(
          run.layout.rankOf(static_cast<int64_t>(i)))];
      auto [it, isNew] = known.try_emplace(
          {index, clock.forward.value(), clock.backward.value()}, 0);
      if (isNew)
        it->second = runAt(index, clock);
      run.distinct.back() = it->second;
      ends.push_back(distinct[index].times);
    }
    run.stages.push_back(distinct[run.distinct.back()].times);
  }
  run.timeline = cantFail(runPasses(
      run.layout, orderPasses(run.layout, run.microBatches), run.stages, ends));
  std::vector<const StageRun *> stages;
  for (size_t index : run.distinct)
    stages.push_back(&distinct[index]);
  static_cast<RankEnergies &>(run) =
      joinEnergies(run.layout, run.timeline, stages, costModel);
  return run;
}

IterationTotals PlacedModel::solvePipeline(const Settings &settings) const {
  auto shared = std::make_shared<const PipelineRun>(runPipeline(settings));
  const PipelineRun &run = *shared;
  const PreparedPipeline &pipeline = *source->pipeline;
  IterationTotals totals =
      run.totals[run.distinct[static_cast<size_t>(pipeline.reported)]];
  totals.pipeline = std::move(shared);
  for (const IterationTotals &each : run.totals) {
    totals.point.throttled |= each.point.throttled;
    totals.point.limitUnreachable |= each.point.limitUnreachable;
  }
  totals.time = run.timeline.time;
  totals.energy = run.mean;
  // Transfers that block the rank of the reported stage are not hidden.
  totals.phases[static_cast<size_t>(Phase::Communication)].time +=
      run.timeline
          .transfers[static_cast<size_t>(run.layout.rankOf(pipeline.reported))];
  return totals;
}

std::optional<PipelineReport>
PlacedModel::pipelineReport(const IterationTotals &totals) const {
  if (!totals.pipeline)
    return std::nullopt;
  const PreparedPipeline &pipeline = *source->pipeline;
  const PipelineRun &run = *totals.pipeline;
  PipelineReport report;
  report.schedule = run.layout.schedule;
  report.isUnseen =
      run.layout.trains &&
      run.layout.schedule != PipelineSchedule::OneForwardOneBackward &&
      run.layout.schedule != PipelineSchedule::Interleaved;
  report.microBatches = run.microBatches;
  report.reportedStage = pipeline.reported;
  Seconds passes, waiting;
  for (size_t index = 0; index < pipeline.stages.size(); ++index) {
    const PreparedModel &model = pipeline.stage(index);
    const StageTimes &times = run.stages[index];
    PipelineStage stage;
    stage.rank = run.layout.rankOf(static_cast<int64_t>(index));
    stage.layers = model.stageLayers;
    stage.forward = times.forward;
    stage.backward = times.backward;
    stage.weights = times.weights;
    stage.sendForward = times.sendForward;
    stage.sendBackward = times.sendBackward;
    stage.tail = times.tail;
    for (const Launch &launch : model.launches) {
      const WorkCount &count = model.works[launch.work].count;
      addSaturating(stage.matrixFlops, launch.count, count.tensorFlops);
      addSaturating(stage.flops, launch.count, count.tensorFlops);
      addSaturating(stage.flops, launch.count, count.fp32Flops);
    }
    stage.parameterBytes = model.memory.parameterBytes;
    stage.savedBytes = run.layout.trains ? activationsOf(model).saved : 0;
    passes += (times.forward + times.backward + times.weights) *
              static_cast<double>(run.microBatches);
    report.stages.push_back(stage);
  }
  const std::vector<RankMemory> &memory = rankMemory();
  for (size_t index = 0; index < memory.size(); ++index) {
    PipelineRank rank;
    rank.busy = run.timeline.busy[index];
    rank.transfers = run.timeline.transfers[index];
    rank.waiting = run.timeline.waiting[index];
    rank.energy = run.energy[index];
    rank.clock = run.clock[index];
    rank.inFlight = memory[index].inFlight;
    rank.peakMemoryBytes = memory[index].plan.peak;
    rank.allocatedBytes = memory[index].plan.allocated;
    rank.reservedBytes = memory[index].plan.reserved;
    rank.deviceBytes = memory[index].plan.device;
    rank.memoryVerdict = memory[index].plan.verdict();
    waiting += rank.waiting;
    report.ranks.push_back(rank);
  }
  report.bubble = passes > Seconds(0) ? waiting / passes : 0;
  return report;
}
