//===- Trainer.cpp - Updates and forward passes of a model ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Trainer.h"
#include "gpucost/Applications/Plan/Plan.h"
#include "gpucost/Applications/Sweep/Evaluator.h"
#include "gpucost/Core/Iteration/Pipeline.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::posttrain;
using namespace gpucost::sweep;

static std::vector<AxisText> textsOf(const Scenario &scenario) {
  std::vector<AxisText> texts;
  forEachSetting([&](const auto &row) {
    if (const auto &value = scenario.*row.stated)
      texts.push_back({std::string(row.flag), {toText(*value, row.spec)}});
  });
  return texts;
}

static llvm::Expected<Scenario> choosePlan(const TrainQuestion &question,
                                           const Scenario &stated) {
  // Every number of data-parallel GPUs has the same number of sequences, which
  // micro-batches divide; `create` then states the passes of the update.
  constexpr int64_t mostMicroBatch = 8;
  int64_t unit = *stated.gpus;
  while (unit < mostMicroBatch * *stated.gpus &&
         static_cast<double>(2 * unit) <= question.update.count)
    unit *= 2;
  Scenario scenario = stated;
  scenario.globalBatch = std::llround(std::ceil(question.update.count /
                                                static_cast<double>(unit))) *
                         unit;
  std::vector<AxisText> texts = textsOf(scenario);
  plan::PlanOptions options;
  options.jobs = question.jobs;
  options.choosesRecomputation = !stated.recompute;
  auto space = plan::createPlanSpace({question.model}, texts, {});
  if (!space)
    return space.takeError();
  auto goal = parseGoal("time", "");
  if (!goal)
    return goal.takeError();
  goal->per = Per::Iteration;
  auto found = plan::searchPlans(*space, *goal, options);
  if (!found)
    return found.takeError();
  const Optimum &optimum = found->optimum;
  if (!optimum.choice.chosen)
    return llvm::createStringError(describeNoChoice(optimum));
  return space->scenarioOf(optimum.results[*optimum.choice.chosen].point);
}

llvm::Expected<Trainer> Trainer::create(const TrainQuestion &question) {
  Trainer trainer;
  Scenario &scenario = trainer.scenario;
  scenario = question.stated;
  scenario.mode = IterationMode::Training;
  scenario.seq = question.update.tokens;
  if (!scenario.parallel && *scenario.gpus > 1) {
    auto chosen = choosePlan(question, scenario);
    if (!chosen)
      return chosen.takeError();
    scenario = std::move(*chosen);
    trainer.isChosen = true;
  }
  if (scenario.microBatch)
    scenario.batch = scenario.microBatch;
  scenario.microBatch.reset();
  if (!scenario.batch)
    scenario.batch = std::max<int64_t>(
        std::llround(static_cast<double>(question.passTokens) /
                     static_cast<double>(question.update.tokens)),
        1);
  Parallelism plan = resolve(scenario, std::nullopt).plan();
  trainer.settings.batch = scenario.batch;
  trainer.settings.gpus = *scenario.gpus;
  trainer.settings.parallel = plan;
  scenario.globalBatch =
      trainer.passesOf(question.update.count) * *scenario.batch * plan.data;
  auto space = Space::create({question.model}, textsOf(scenario));
  if (!space)
    return space.takeError();
  auto evaluator = Evaluator::create(*space, /*threads=*/1);
  if (!evaluator)
    return evaluator.takeError();
  auto found = (*evaluator)->place(0);
  if (!found)
    return found.takeError();
  trainer.placed = found->model;
  trainer.settings = found->settings;
  trainer.totals = trainer.placed->solve(trainer.settings);
  trainer.report = trainer.placed->evaluate(trainer.settings);
  plan = trainer.settings.plan();
  trainer.shards =
      plan.isSharded() ? trainer.settings.gpus : plan.tensor * plan.pipeline;
  trainer.idlePower = trainer.costModel().idlePower(trainer.report.clock);
  if (const auto &bars = trainer.costModel().coefficients().errorBars)
    trainer.correlation = bars->correlation;
  return trainer;
}

int64_t Trainer::passesOf(double count) const {
  double together = static_cast<double>(*settings.batch) *
                    static_cast<double>(settings.plan().data);
  constexpr double rounding = 1e-9;
  return std::max<int64_t>(std::llround(std::ceil(count / together - rounding)),
                           1);
}

namespace {
/// The forward pass of one micro-batch in a stage.
struct StageForward {
  Seconds time; ///< with communication that computation does not hide
  Seconds computation;
  Joules energy;
};
} // namespace

static StageForward forwardOf(const IterationTotals &totals,
                              const StageTimes &times, double passes) {
  const PhaseTotals &phase = totals.phases[static_cast<size_t>(Phase::Forward)];
  return {times.forward, phase.time / passes, phase.energy / passes};
}

StepPart Trainer::forward(double count) const {
  auto passes = static_cast<double>(passesOf(count));
  auto perUpdate = static_cast<double>(settings.microBatches());
  if (!totals.pipeline) {
    StageForward one =
        forwardOf(totals, placed->runStage(totals, settings).times, perUpdate);
    Seconds waits = one.time - one.computation;
    return {one.time * passes, (one.energy + idlePower * waits) * passes};
  }
  // The first micro-batch passes all stages, the others follow the slowest
  // rank.
  const PipelineRun &run = *totals.pipeline;
  const PreparedPipeline &stages = *placed->prepared().pipeline;
  std::vector<Seconds> ranks(static_cast<size_t>(run.layout.ranks));
  Seconds first, computation;
  Joules energy;
  for (size_t i = 0; i < run.stages.size(); ++i) {
    StageForward one =
        forwardOf(run.totals[stages.stages[i]], run.stages[i], perUpdate);
    ranks[static_cast<size_t>(run.layout.rankOf(static_cast<int64_t>(i)))] +=
        one.time;
    first += one.time + run.stages[i].sendForward;
    computation += one.computation;
    energy += one.energy;
  }
  StepPart all;
  all.time =
      first + *std::max_element(ranks.begin(), ranks.end()) * (passes - 1);
  double share = passes / static_cast<double>(ranks.size());
  all.energy = energy * share + idlePower * (all.time - computation * share);
  return all;
}
