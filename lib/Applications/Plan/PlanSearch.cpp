//===- PlanSearch.cpp - The best plan of a training run -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every plan is composed of stages; plans that may be chosen are then analyzed
// in full.

#include "PlanSearch.h"
#include "PlanEvaluation.h"
#include "PlanParts.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace gpucost;
using namespace gpucost::plan;
using namespace gpucost::sweep;

/// Plans that are analyzed in full: the best ones by their estimates, and then
/// until the best one is among them.
static constexpr size_t bestAnalyzed = 8;
static constexpr int mostAnalyzed = 24;

namespace {

class PlanSearch {
public:
  PlanSearch(const Space &space, const Goal &goal, const PlanOptions &options)
      : space(space), goal(goal), options(options), all(space, options) {}

  llvm::Expected<PlanResult> run();

private:
  /// Results of plans with other global batches after all others.
  void sortScaled();
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
  std::vector<ScalingPoint>
  scalingOf(llvm::function_ref<bool(size_t index)> isPart);
  llvm::Error addStated();
  llvm::Error chooseClocks();

  const Space &space;
  const Goal &goal;
  const PlanOptions &options;
  PlanEvaluation all;
  std::vector<PointResult> results;
  /// For each result, the plans with other recomputation that fit, fastest
  /// first.
  std::vector<std::vector<PlanCost>> slower;
  std::vector<bool> isAnalyzed;
  /// Results with the global batch of the fewest GPUs.
  size_t unscaled = 0;
  PlanResult found;
};

} // namespace

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
}

void PlanSearch::sortScaled() {
  std::vector<size_t> order, scaled;
  for (size_t i = 0; i < results.size(); ++i)
    (all.isScaled(space.scenarioOf(results[i].point)) ? scaled : order)
        .push_back(i);
  unscaled = order.size();
  llvm::append_range(order, scaled);
  found.plans = static_cast<int64_t>(unscaled);
  auto sorted = [&](auto &list) {
    auto old = std::move(list);
    list.clear();
    for (size_t i = 0; i < old.size(); ++i)
      list.push_back(std::move(old[order[i]]));
  };
  sorted(results);
  sorted(found.terms);
  sorted(slower);
}

void PlanSearch::analyze(size_t index) {
  PointResult &composed = results[index];
  int64_t size = space.blockSize();
  isAnalyzed[index] = true;
  while (true) {
    std::vector<PointResult> exact =
        all.evaluator().evaluate(composed.point / size, composed.point % size);
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
  for (size_t i = 0; i < unscaled; ++i)
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
    for (const PlansWithout &without : plansWithout(
             llvm::ArrayRef(results).take_front(unscaled), space, *best))
      settle(without.plans);
    best = settle(all);
  }
}

std::vector<ScalingPoint>
PlanSearch::scalingOf(llvm::function_ref<bool(size_t index)> isPart) {
  std::map<int64_t, std::vector<size_t>> byGpus;
  for (size_t i = 0; i < results.size(); ++i)
    if (results[i].hasNumbers() && isPart(i))
      byGpus[results[i].gpus].push_back(i);
  std::vector<ScalingPoint> curve;
  if (byGpus.size() < 2)
    return curve;
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
    curve.push_back({result, first > 0 ? each / first : 1});
  }
  return curve;
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
  bool statesBatch = llvm::any_of(
      texts, [](const AxisText &text) { return text.flag == "global-batch"; });
  if (all.fewestGpus && !statesBatch)
    texts.push_back({"global-batch", {std::to_string(all.commonBatch)}});
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

llvm::Error PlanSearch::chooseClocks() {
  const Choice &choice = found.optimum.choice;
  found.clockChoice = options.clocks;
  if (options.clocks == ClockChoice::None || !choice.chosen)
    return llvm::Error::success();
  const PointResult &chosen = found.optimum.results[*choice.chosen];
  llvm::Expected<Evaluator::Placed> placed =
      all.evaluator().place(chosen.point);
  if (!placed)
    return placed.takeError();
  // The least bound of time, which the choice keeps.
  std::optional<Seconds> latest;
  for (auto [constraint, bound] :
       llvm::zip(found.optimum.goal.constraints, choice.bounds))
    if (constraint.metric == Metric::Time &&
        constraint.relation <= Constraint::Relation::Less)
      latest = std::min(latest.value_or(Seconds(bound)), Seconds(bound));
  found.clocks = chooseStageClocks(*placed->model, placed->settings,
                                   latest.value_or(chosen.time),
                                   options.clocks == ClockChoice::Passes);
  return llvm::Error::success();
}

llvm::Expected<PlanResult> PlanSearch::run() {
  if (llvm::Error error = all.start())
    return std::move(error);
  found.plans = all.plans();
  found.exactReason = all.exactReason();
  if (llvm::Error error = addStated())
    return std::move(error);
  llvm::Expected<std::vector<PlanCost>> costs =
      options.parts.empty() ? all.evaluate({})
                            : readParts(space, options.parts);
  if (!costs)
    return costs.takeError();
  for (PlanCost &cost : *costs) {
    results.push_back(std::move(cost.result));
    found.terms.push_back(cost.terms);
  }
  if (options.choosesRecomputation)
    keepBestRecomputations();
  sortScaled();
  isAnalyzed.assign(results.size(), !found.exactReason.empty());
  settleAll();
  found.scaling = scalingOf([&](size_t i) { return i < unscaled; });
  if (all.fewestGpus)
    found.weakScaling = scalingOf([&](size_t i) {
      return i >= unscaled || results[i].gpus == all.fewestGpus;
    });
  results.resize(unscaled);
  found.terms.resize(unscaled);
  found.unfit = llvm::count_if(results, [](const PointResult &result) {
    return result.status == PointStatus::DoesNotFit;
  });
  llvm::Expected<Optimum> optimum =
      chooseOptimum(all.evaluator(), goal, std::move(results));
  if (!optimum)
    return optimum.takeError();
  found.optimum = std::move(*optimum);
  found.alternatives = findAlternatives(found, space);
  if (llvm::Error error = chooseClocks())
    return std::move(error);
  return std::move(found);
}

llvm::Expected<std::string> plan::composePart(const Space &space,
                                              const PlanOptions &options,
                                              const PlanPart &part) {
  PlanEvaluation plans(space, options);
  if (llvm::Error error = plans.start())
    return std::move(error);
  return writePart(digestOf(space), part, plans.evaluate(part));
}

llvm::Expected<PlanResult> plan::searchPlans(const Space &space,
                                             const Goal &goal,
                                             const PlanOptions &options) {
  return PlanSearch(space, goal, options).run();
}
