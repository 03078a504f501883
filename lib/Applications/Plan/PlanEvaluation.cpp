//===- PlanEvaluation.cpp - Costs of all plans ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Memory excludes plans first: a plan that does not fit does not fit with
// larger micro-batches or less recomputation.

#include "PlanEvaluation.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <set>
#include <thread>
#include <unordered_map>

using namespace gpucost;
using namespace gpucost::plan;
using namespace gpucost::sweep;

/// 0 for most memory to 2 for least; -1 where no order is known.
static int rankOf(const Recomputation &recompute) {
  std::string text = toText(recompute);
  return text == "none" ? 0 : text == "selective" ? 1 : text == "full" ? 2 : -1;
}

llvm::Error PlanEvaluation::readLayers() {
  ModelPool &pool = exact->poolOf(0);
  llvm::Expected<std::unique_ptr<ImportedModel>> model = pool.take();
  if (!model)
    return model.takeError();
  Scenario scenario = exact->scenarioOf(0);
  scenario.gpus.reset();
  scenario.parallel.reset();
  scenario.globalBatch.reset();
  scenario.sequenceParallel.reset();
  scenario.pipelineSchedule.reset();
  scenario.virtualStages.reset();
  scenario.stageSlots.reset();
  mlir::FailureOr<LayerWork> work = (*model)->session().layerWork(scenario);
  if (mlir::failed(work))
    return llvm::createStringError((*model)->takeErrors());
  layers.work = std::move(*work);
  if (layers.count() < 2)
    reason = "the graph has no repeated blocks";
  else if (!areEqualLayers(layers.work.layers))
    reason = "the repeated blocks differ in work";
  if (auto json = (*model)->session().model()->getAttrOfType<mlir::StringAttr>(
          configurationAttrName))
    if (shortenConfiguration(json.getValue(), layers.count(), 1))
      layers.configuration = json.str();
  pool.giveBack(std::move(*model));
  return llvm::Error::success();
}

void PlanEvaluation::findScaledBatches() {
  const Axis *gpus = space.findAxis("gpus");
  const Axis *batches = space.findAxis("global-batch");
  if (!options.scalesBatch || !gpus || !batches)
    return;
  for (const Scenario &value : gpus->values)
    fewestGpus = fewestGpus ? std::min(fewestGpus, *value.gpus) : *value.gpus;
  commonBatch = *batches->values.front().globalBatch;
}

llvm::Error PlanEvaluation::collectPlans() {
  findScaledBatches();
  std::string firstFault;
  /// By the key of a shelf.
  std::unordered_map<std::string, PlanSet *> setOf;
  for (int64_t block = 0; block < space.blocks(); ++block) {
    Scenario scenario = exact->scenarioOf(block);
    // Combinations of lists that are not meant.
    bool isInterleaved =
        scenario.pipelineSchedule == PipelineSchedule::Interleaved;
    if (space.findAxis("virtual-stages") && space.findAxis("schedule") &&
        isInterleaved != scenario.virtualStages.has_value())
      continue;
    if (isScaled(scenario) &&
        scenario.globalBatch !=
            scaledBatch(commonBatch, fewestGpus, *scenario.gpus))
      continue;
    if (!scenario.parallel->on(scenario.gpus.value_or(1)))
      continue;
    auto target = exact->targetOf(scenario);
    auto refuse = [&](std::string why) {
      if (firstFault.empty())
        firstFault = std::move(why);
    };
    if (!target->value) {
      refuse(target->reason);
      continue;
    }
    const TargetModel &gpu = *target->value;
    if (llvm::Error error = validate(scenario, gpu.facts)) {
      refuse(llvm::toString(std::move(error)));
      continue;
    }
    Settings settings = resolve(scenario, gpu.facts);
    if (std::string why = whyNoCandidate(settings, layers.count());
        !why.empty() && reason.empty()) {
      refuse(why);
      continue;
    }
    std::string key = StageLibrary::shelfKey(settings);
    auto [known, isNew] = setOf.try_emplace(key, nullptr);
    if (isNew) {
      Settings alike = settings;
      alike.batch = 1;
      alike.microBatch.reset();
      alike.recompute = Recomputation();
      known->second = &sets[StageLibrary::shelfKey(alike)];
    }
    PlanSet &set = *known->second;
    set.target = target->value;
    ShelfPlans &shelf = set.shelves[key];
    shelf.recomputation = rankOf(settings.recompute);
    shelf.batch = settings.batch.value_or(1);
    shelf.blocks.push_back(block);
    if (!isScaled(scenario))
      planCount += space.blockSize();
  }
  if (planCount > 0)
    return llvm::Error::success();
  return llvm::createStringError("no plan is possible" +
                                 (firstFault.empty() ? "" : ": " + firstFault));
}

void PlanEvaluation::composeSet(PlanSet &set) {
  std::vector<ShelfPlans *> order;
  order.reserve(set.shelves.size());
  for (auto &[key, shelf] : set.shelves)
    order.push_back(&shelf);
  llvm::sort(order, [](const ShelfPlans *a, const ShelfPlans *b) {
    return std::pair(-a->recomputation, a->batch) <
           std::pair(-b->recomputation, b->batch);
  });
  /// Plans that do not fit, by everything but micro-batch and recomputation.
  struct Unfit {
    int recomputation;
    int64_t batch;
    std::string reason;
  };
  std::map<std::string, Unfit> unfit;
  std::vector<PlanCost> composed;
  const TargetModel &target = *set.target;
  for (ShelfPlans *shelf : order) {
    PlanComposer composer(*libraries[&target], target, layers,
                          exact->scenarioOf(shelf->blocks.front()));
    for (int64_t block : shelf->blocks) {
      Scenario scenario = exact->scenarioOf(block), rest = scenario;
      rest.batch.reset();
      rest.microBatch.reset();
      rest.recompute.reset();
      std::string key = flagsOf(rest);
      auto known = unfit.find(key);
      for (int64_t i = 0; i < space.blockSize(); ++i) {
        int64_t point = block * space.blockSize() + i;
        PlanCost cost;
        if (known != unfit.end() && shelf->recomputation >= 0 &&
            known->second.recomputation >= shelf->recomputation &&
            known->second.batch <= shelf->batch) {
          cost.result.point = point;
          cost.result.gpu = target.costModel.gpu().name;
          cost.result.status = PointStatus::DoesNotFit;
          cost.result.reason = known->second.reason;
        } else {
          Scenario operation = scenario;
          space.stateOperation(operation, i);
          cost = composer.compose(point, resolve(operation, target.facts), i);
          if (cost.result.status == PointStatus::DoesNotFit &&
              known == unfit.end() && shelf->recomputation >= 0)
            known = unfit
                        .insert({key,
                                 {shelf->recomputation, shelf->batch,
                                  cost.result.reason}})
                        .first;
        }
        composed.push_back(std::move(cost));
      }
    }
  }
  std::lock_guard<std::mutex> lock(mutex);
  std::move(composed.begin(), composed.end(), std::back_inserter(costs));
}

void PlanEvaluation::composeAll() {
  std::vector<PlanSet *> work;
  for (auto &[key, set] : sets) {
    auto &library = libraries[set.target.get()];
    if (!library)
      library =
          std::make_unique<StageLibrary>(exact->poolOf(0), layers, *set.target);
    work.push_back(&set);
  }
  std::atomic<size_t> next = 0;
  auto run = [&] {
    for (size_t i = next++; i < work.size(); i = next++)
      composeSet(*work[i]);
  };
  std::vector<std::thread> threads;
  for (unsigned i = 1; i < options.jobs && i < work.size(); ++i)
    threads.emplace_back(run);
  run();
  for (std::thread &thread : threads)
    thread.join();
}

void PlanEvaluation::analyzeAll() {
  std::set<int64_t> wanted;
  for (auto &[key, set] : sets)
    for (auto &[other, shelf] : set.shelves)
      wanted.insert(shelf.blocks.begin(), shelf.blocks.end());
  SweepOptions sweeping;
  sweeping.jobs = options.jobs;
  sweeping.unfitNumbers = false;
  runSweep(
      *exact, sweeping,
      [&](int64_t point) { return !wanted.count(point / space.blockSize()); },
      [](PointBatch &) {},
      [&](PointBatch &batch) {
        for (PointResult &result : batch.results)
          costs.push_back({std::move(result), {}});
        return true;
      });
}

llvm::Error PlanEvaluation::start() {
  llvm::Expected<std::unique_ptr<Evaluator>> created =
      Evaluator::create(space, options.jobs);
  if (!created)
    return created.takeError();
  exact = std::move(*created);
  if (llvm::Error error = readLayers())
    return error;
  return collectPlans();
}

std::vector<PlanCost> PlanEvaluation::evaluate(const PlanPart &part) {
  // Plans that share kernels stay together.
  int64_t number = 0;
  for (auto it = sets.begin(); it != sets.end();)
    it = number++ % part.count == part.index - 1 ? std::next(it)
                                                 : sets.erase(it);
  if (sets.empty())
    return {};
  reason.empty() ? composeAll() : analyzeAll();
  // The same order whatever the threads did.
  llvm::sort(costs, [](const PlanCost &a, const PlanCost &b) {
    return a.result.point < b.result.point;
  });
  return std::move(costs);
}
