//===- PlanSearch.cpp - The best plan of a training run -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every plan is composed of stages; plans that may be chosen are then analyzed
// in full. Memory excludes plans first: a plan that does not fit does not fit
// with larger micro-batches or less recomputation.

#include "PlanSearch.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Scenario/LayerBalance.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/STLExtras.h"
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

using namespace gpucost;
using namespace gpucost::plan;
using namespace gpucost::sweep;

/// Plans that are analyzed in full: the best ones by their estimates, and then
/// until the best one is among them.
static constexpr size_t bestAnalyzed = 8;
static constexpr int mostAnalyzed = 24;

namespace {

/// Plans with the same kernels: one shelf, for one thread.
struct ShelfPlans {
  int recomputation = 0;
  int64_t batch = 0;
  std::vector<int64_t> blocks;
};

/// Shelves that differ only in micro-batch and recomputation.
struct PlanSet {
  std::shared_ptr<const TargetModel> target;
  std::map<std::string, ShelfPlans> shelves;
};

class PlanSearch {
public:
  PlanSearch(const Space &space, const Goal &goal, const PlanOptions &options)
      : space(space), goal(goal), options(options) {}

  llvm::Expected<PlanResult> run();

private:
  llvm::Error readLayers();
  llvm::Error collectPlans();
  void composeAll();
  void composeSet(PlanSet &set);
  void analyzeAll();
  /// Whether it fits and keeps the bounds that are numbers.
  bool keepsBounds(const PointResult &result) const;
  /// Keeps one of the plans that differ only in recomputation: the best of
  /// those that keep the bounds.
  void keepBestRecomputations();
  /// Analyzes the best of `some` results until it is the best one still;
  /// nullopt if none is allowed.
  std::optional<size_t> settle(const std::vector<size_t> &some);
  void settleAll();
  void analyze(size_t index);
  void addScaling();
  llvm::Error addStated();

  const Space &space;
  const Goal &goal;
  const PlanOptions &options;
  std::unique_ptr<Evaluator> evaluator;
  ModelLayers layers;
  std::map<std::string, PlanSet> sets;
  std::map<const TargetModel *, std::unique_ptr<StageLibrary>> libraries;

  std::mutex mutex;
  std::vector<PlanCost> costs;
  std::vector<PointResult> results;
  /// For each result, the plans with other recomputation that fit, fastest
  /// first.
  std::vector<std::vector<PlanCost>> slower;
  std::vector<bool> isAnalyzed;
  PlanResult found;
};

} // namespace

/// 0 for most memory to 2 for least; -1 where no order is known.
static int rankOf(const Recomputation &recompute) {
  std::string text = toText(recompute);
  return text == "none" ? 0 : text == "selective" ? 1 : text == "full" ? 2 : -1;
}

llvm::Error PlanSearch::readLayers() {
  ModelPool &pool = evaluator->poolOf(0);
  llvm::Expected<std::unique_ptr<ImportedModel>> model = pool.take();
  if (!model)
    return model.takeError();
  Scenario scenario = evaluator->scenarioOf(0);
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
    found.exactReason = "the graph has no repeated blocks";
  else if (!areEqualLayers(layers.work.layers))
    found.exactReason = "the repeated blocks differ in work";
  if (auto json = (*model)->session().model()->getAttrOfType<mlir::StringAttr>(
          configurationAttrName))
    if (shortenConfiguration(json.getValue(), layers.count(), 1))
      layers.configuration = json.str();
  pool.giveBack(std::move(*model));
  return llvm::Error::success();
}

llvm::Error PlanSearch::collectPlans() {
  std::string firstFault;
  for (int64_t block = 0; block < space.blocks(); ++block) {
    Scenario scenario = evaluator->scenarioOf(block);
    // Combinations of lists that are not meant.
    bool isInterleaved =
        scenario.pipelineSchedule == PipelineSchedule::Interleaved;
    if (space.findAxis("virtual-stages") && space.findAxis("schedule") &&
        isInterleaved != scenario.virtualStages.has_value())
      continue;
    if (!scenario.parallel->on(scenario.gpus.value_or(1)))
      continue;
    auto target = evaluator->targetOf(scenario);
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
        !why.empty() && found.exactReason.empty()) {
      refuse(why);
      continue;
    }
    Settings alike = settings;
    alike.batch = 1;
    alike.microBatch.reset();
    alike.recompute = Recomputation();
    PlanSet &set = sets[StageLibrary::shelfKey(alike)];
    set.target = target->value;
    ShelfPlans &shelf = set.shelves[StageLibrary::shelfKey(settings)];
    shelf.recomputation = rankOf(settings.recompute);
    shelf.batch = settings.batch.value_or(1);
    shelf.blocks.push_back(block);
    found.plans += space.blockSize();
  }
  if (found.plans > 0)
    return llvm::Error::success();
  return llvm::createStringError("no plan is possible" +
                                 (firstFault.empty() ? "" : ": " + firstFault));
}

void PlanSearch::composeSet(PlanSet &set) {
  std::vector<ShelfPlans *> order;
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
                          evaluator->scenarioOf(shelf->blocks.front()));
    for (int64_t block : shelf->blocks) {
      Scenario scenario = evaluator->scenarioOf(block), rest = scenario;
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

void PlanSearch::composeAll() {
  std::vector<PlanSet *> work;
  for (auto &[key, set] : sets) {
    auto &library = libraries[set.target.get()];
    if (!library)
      library = std::make_unique<StageLibrary>(evaluator->poolOf(0), layers,
                                               *set.target);
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
  // The same order whatever the threads did.
  llvm::sort(costs, [](const PlanCost &a, const PlanCost &b) {
    return a.result.point < b.result.point;
  });
  for (PlanCost &cost : costs) {
    results.push_back(std::move(cost.result));
    found.terms.push_back(cost.terms);
  }
}

void PlanSearch::analyzeAll() {
  std::set<int64_t> wanted;
  for (auto &[key, set] : sets)
    for (auto &[other, shelf] : set.shelves)
      wanted.insert(shelf.blocks.begin(), shelf.blocks.end());
  SweepOptions sweeping;
  sweeping.jobs = options.jobs;
  sweeping.unfitNumbers = false;
  runSweep(
      *evaluator, sweeping,
      [&](int64_t point) { return !wanted.count(point / space.blockSize()); },
      [](PointBatch &) {},
      [&](PointBatch &batch) {
        for (PointResult &result : batch.results)
          results.push_back(std::move(result));
        return true;
      });
  found.terms.resize(results.size());
}

bool PlanSearch::keepsBounds(const PointResult &result) const {
  return result.isFeasible() &&
         llvm::all_of(goal.constraints, [&](const Constraint &each) {
           return each.isTimesBest || satisfies(result, each, each.bound);
         });
}

void PlanSearch::keepBestRecomputations() {
  auto axis = llvm::find_if(
      space.axes(), [](const Axis &each) { return each.flag == "recompute"; });
  auto number = static_cast<size_t>(axis - space.axes().begin());
  std::map<std::vector<size_t>, std::vector<PlanCost>> groups;
  for (size_t i = 0; i < results.size(); ++i) {
    std::vector<size_t> values = space.valuesOf(results[i].point);
    values[number] = 0;
    groups[values].push_back({std::move(results[i]), found.terms[i]});
  }
  results.clear(), found.terms.clear();
  for (auto &[values, plans] : groups) {
    // Among equals the least recomputation. If none fits, the plan with the
    // most recomputation has the reason.
    auto rank = [&](const PlanCost &plan) {
      const PointResult &result = plan.result;
      bool fits = result.isFeasible();
      return std::tuple(!fits, !keepsBounds(result),
                        valueOf(result, goal.metric, goal.per)
                            .value_or(std::numeric_limits<double>::infinity()),
                        fits ? result.point : -result.point);
    };
    llvm::sort(plans, [&](const PlanCost &a, const PlanCost &b) {
      return rank(a) < rank(b);
    });
    results.push_back(std::move(plans.front().result));
    found.terms.push_back(plans.front().terms);
    plans.erase(plans.begin());
    llvm::erase_if(
        plans, [](const PlanCost &plan) { return !plan.result.isFeasible(); });
    slower.push_back(std::move(plans));
  }
  found.plans = static_cast<int64_t>(results.size());
}

void PlanSearch::analyze(size_t index) {
  PointResult &composed = results[index];
  int64_t size = space.blockSize();
  isAnalyzed[index] = true;
  while (true) {
    std::vector<PointResult> exact =
        evaluator->evaluate(composed.point / size, composed.point % size);
    ++found.analyzed;
    if (exact.front().hasNumbers() && composed.hasNumbers())
      found.difference = std::max(
          found.difference, std::fabs(composed.time / exact.front().time - 1));
    composed = std::move(exact.front());
    if (keepsBounds(composed) || slower.empty() || slower[index].empty())
      return;
    PlanCost next = std::move(slower[index].front());
    slower[index].erase(slower[index].begin());
    composed = std::move(next.result);
    found.terms[index] = next.terms;
  }
}

std::optional<size_t> PlanSearch::settle(const std::vector<size_t> &some) {
  std::vector<PointResult> part;
  for (size_t i : some)
    part.push_back(results[i]);
  for (int tries = 0;; ++tries) {
    Choice choice = choose(part, goal);
    if (!choice.chosen)
      return std::nullopt;
    size_t index = some[*choice.chosen];
    if (isAnalyzed[index] || tries == mostAnalyzed)
      return index;
    analyze(index);
    part[*choice.chosen] = results[index];
  }
}

void PlanSearch::settleAll() {
  std::vector<size_t> all;
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i].isFeasible() && valueOf(results[i], goal.metric))
      all.push_back(i);
  std::vector<size_t> ranked = all;
  llvm::sort(ranked, [&](size_t a, size_t b) {
    return std::pair(*valueOf(results[a], goal.metric), a) <
           std::pair(*valueOf(results[b], goal.metric), b);
  });
  ranked.resize(std::min(ranked.size(), bestAnalyzed));
  for (size_t index : ranked)
    if (!isAnalyzed[index])
      analyze(index);
  // The plans to which the choice is compared may turn out to be better.
  std::optional<size_t> best = settle(all), before;
  while (best && best != before) {
    before = best;
    for (const PlansWithout &without : plansWithout(results, space, *best))
      settle(without.plans);
    best = settle(all);
  }
}

void PlanSearch::addScaling() {
  std::map<int64_t, std::vector<size_t>> byGpus;
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i].hasNumbers())
      byGpus[results[i].gpus].push_back(i);
  if (byGpus.size() < 2)
    return;
  double first = 0;
  for (const auto &[gpus, some] : byGpus) {
    std::optional<size_t> best = settle(some);
    if (!best)
      continue;
    const PointResult &result = results[*best];
    double each = static_cast<double>(result.samples) / result.time.value() /
                  static_cast<double>(gpus);
    if (first == 0)
      first = each;
    found.scaling.push_back({gpus, *best, first > 0 ? each / first : 1});
  }
}

llvm::Error PlanSearch::addStated() {
  if (options.stated.empty())
    return llvm::Error::success();
  Scenario given = space.common();
  std::vector<AxisText> texts = options.stated;
  forEachSetting([&](const auto &row) {
    bool isStated = llvm::any_of(
        texts, [&](const AxisText &text) { return text.flag == row.flag; });
    if (const auto &value = given.*row.stated; value && !isStated)
      texts.push_back({std::string(row.flag), {toText(*value, row.spec)}});
  });
  llvm::Expected<Space> one = Space::create(space.models(), texts);
  if (!one)
    return one.takeError();
  if (one->size() != 1)
    return llvm::createStringError("--against states one plan, but got " +
                                   llvm::Twine(one->size()));
  llvm::Expected<std::unique_ptr<Evaluator>> exact =
      Evaluator::create(*one, /*threads=*/1);
  if (!exact)
    return exact.takeError();
  found.stated = (*exact)->evaluate(0, int64_t(0)).front();
  found.statedText = options.statedText;
  if (found.stated->status == PointStatus::Ok ||
      found.stated->status == PointStatus::DoesNotFit)
    return llvm::Error::success();
  return llvm::createStringError("--against: " + found.stated->reason);
}

llvm::Expected<PlanResult> PlanSearch::run() {
  llvm::Expected<std::unique_ptr<Evaluator>> created =
      Evaluator::create(space, options.jobs);
  if (!created)
    return created.takeError();
  evaluator = std::move(*created);
  if (llvm::Error error = readLayers())
    return std::move(error);
  if (llvm::Error error = collectPlans())
    return std::move(error);
  if (llvm::Error error = addStated())
    return std::move(error);
  if (found.exactReason.empty())
    composeAll();
  else
    analyzeAll();
  if (options.choosesRecomputation)
    keepBestRecomputations();
  isAnalyzed.assign(results.size(), !found.exactReason.empty());
  settleAll();
  addScaling();
  found.unfit = llvm::count_if(results, [](const PointResult &result) {
    return result.status == PointStatus::DoesNotFit;
  });
  llvm::Expected<Optimum> optimum =
      chooseOptimum(*evaluator, goal, std::move(results));
  if (!optimum)
    return optimum.takeError();
  found.optimum = std::move(*optimum);
  found.alternatives = findAlternatives(found, space);
  return std::move(found);
}

llvm::Expected<PlanResult> plan::searchPlans(const Space &space,
                                             const Goal &goal,
                                             const PlanOptions &options) {
  return PlanSearch(space, goal, options).run();
}
