//===- Deploy.cpp - How a language model is served ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizing.h"
#include "gpucost/Applications/Sweep/Optimize.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <map>

using namespace gpucost;
using namespace gpucost::deploy;
using namespace gpucost::sweep;

/// Candidates that a search keeps.
static constexpr size_t mostCandidates = 500'000;

namespace {

class Search {
public:
  Search(const Space &space, const DeployQuestion &question)
      : space(space), question(question), sizing(question) {}
  llvm::Expected<DeployResult> run();

private:
  void addCandidates(const std::shared_ptr<const Engine> &engine,
                     const std::shared_ptr<const Engine> &prompts);
  /// If `most` sequences are possible.
  std::vector<int64_t> batchLimitsOf(const Engine &engine, int64_t most) const;
  void evaluate(size_t index);
  llvm::Error checkPrices() const;
  void choose();
  void countRejections();
  void findRivals();
  void addRival(const std::string &property,
                llvm::function_ref<bool(const Deployment &)> differs);
  void addHours();
  void addLoadCurve();
  void addNotes();
  void order();
  Candidates candidates() const;

  const Space &space;
  const DeployQuestion &question;
  Sizing sizing;
  Engines engines;
  DeployResult result;
  std::vector<size_t> planOf; ///< for each candidate
  /// Of equal candidates the smallest is better.
  std::vector<size_t> rankOf;
};

} // namespace

std::string deploy::promptStepsText(const serve::Scheduler &scheduler) {
  if (!scheduler.mixes)
    return "separate";
  return scheduler.divides ? "mixed" : "whole";
}

std::optional<serve::Scheduler> deploy::promptStepsOf(llvm::StringRef name) {
  for (const serve::Scheduler &scheduler :
       {serve::Scheduler{true, true}, {false, true}, {true, false}})
    if (promptStepsText(scheduler) == name)
      return scheduler;
  return std::nullopt;
}

static bool isSame(const Scenario &a, const Scenario &b) {
  return flagsOf(a) == flagsOf(b);
}

std::vector<int64_t> Search::batchLimitsOf(const Engine &engine,
                                           int64_t most) const {
  if (!question.batchLimits.empty())
    return question.batchLimits;
  std::vector<int64_t> limits;
  for (int64_t limit = engine.ranks; limit < most; limit *= 2)
    limits.push_back(limit);
  limits.push_back(most);
  return limits;
}

void Search::addCandidates(const std::shared_ptr<const Engine> &engine,
                           const std::shared_ptr<const Engine> &prompts) {
  if (!engine->isUsable()) {
    Deployment d;
    d.engine = engine;
    d.prompts = prompts;
    d.reason = engine->reason;
    result.candidates.push_back(std::move(d));
    planOf.push_back(0);
    return;
  }
  for (auto [index, plan] : llvm::enumerate(engine->promptPlans())) {
    // On separate GPUs, prompts do not meet decodes.
    if (prompts && !(plan.scheduler == engine->promptPlans().front().scheduler))
      break;
    int64_t most =
        (prompts ? engine->largestBatch : engine->largestBatchWith(index)) *
        engine->ranks;
    for (int64_t limit : batchLimitsOf(*engine, most)) {
      Deployment d;
      d.engine = engine;
      d.prompts = prompts;
      d.batchLimit = limit;
      d.chunk = plan.chunk;
      d.scheduler = plan.scheduler;
      d.largestBatch = most;
      if (prompts && prompts->largestBatchWith(index) == 0)
        d.reason = prompts->promptFault(index);
      else if (limit > most || most == 0)
        d.reason = prompts ? engine->batchFault : engine->promptFault(index);
      else if (limit < engine->ranks)
        d.reason = "fewer sequences than groups of GPUs in a replica";
      result.candidates.push_back(std::move(d));
      planOf.push_back(index);
    }
  }
}

void Search::evaluate(size_t index) {
  Deployment &d = result.candidates[index];
  if (d.isFeasible())
    sizing.size(d, planOf[index]);
}

Candidates Search::candidates() const {
  const std::vector<Deployment> &all = result.candidates;
  Candidates candidates;
  candidates.count = all.size();
  candidates.isFeasible = [&](size_t i) { return all[i].isFeasible(); };
  candidates.value = [&](size_t i, Metric metric, Per) {
    return deploy::valueOf(all[i], metric);
  };
  candidates.widthOfRatio = [&](size_t a, size_t b,
                                Metric metric) -> std::optional<double> {
    std::optional<double> ua = deploy::widthOf(all[a], metric),
                          ub = deploy::widthOf(all[b], metric);
    if (!ua || !ub)
      return std::nullopt;
    const Engine &x = *all[a].engine, &y = *all[b].engine;
    double common = all[a].gpuName() == all[b].gpuName()
                        ? std::min(x.correlation, y.correlation)
                        : 0.0;
    return std::sqrt(
        std::max(0.0, *ua * *ua + *ub * *ub - 2 * common * *ua * *ub));
  };
  candidates.tieBreak = [&](size_t i) {
    return static_cast<double>(rankOf[i]);
  };
  return candidates;
}

/// Whole GPUs often cost the same: the least energy and cost per token, then
/// the shortest time to the first token and to the next.
void Search::order() {
  std::vector<size_t> best;
  for (auto [i, d] : llvm::enumerate(result.candidates))
    if (d.isFeasible())
      best.push_back(i);
  auto keyOf = [&](size_t i) {
    const Deployment &d = result.candidates[i];
    return std::tuple(d.energyPerToken().value(),
                      d.costPerMillion().value_or(0), d.state.ttft().value(),
                      d.state.tpot().value(), i);
  };
  llvm::sort(best, [&](size_t a, size_t b) { return keyOf(a) < keyOf(b); });
  rankOf.assign(result.candidates.size(), best.size());
  for (auto [rank, i] : llvm::enumerate(best))
    rankOf[i] = rank;
}

llvm::Error Search::checkPrices() const {
  auto uses = [&](Metric metric) {
    return question.goal.metric == metric ||
           llvm::any_of(question.goal.constraints, [&](const Constraint &each) {
             return each.metric == metric;
           });
  };
  bool any = false, price = false, grid = false;
  for (const Deployment &d : result.candidates)
    if (d.isFeasible()) {
      any = true;
      price |= d.perSecond.money.has_value();
      grid |= d.perSecond.carbon.has_value();
    }
  if (any && uses(Metric::Cost) && !price)
    return llvm::createStringError("cost needs --price");
  if (any && uses(Metric::Carbon) && !grid)
    return llvm::createStringError("carbon needs --grid");
  return llvm::Error::success();
}

void Search::choose() {
  order();
  Candidates all = candidates();
  result.choice = sweep::choose(all, question.goal);
  std::vector<bool> allowed(result.candidates.size());
  for (size_t i : result.choice.ranking)
    allowed[i] = true;
  all.isFeasible = [&](size_t i) { return allowed[i]; };
  result.front =
      paretoFront(all, Metric::UserRate, Metric::GpuRate, question.goal.per);
  for (size_t i : result.choice.ranking)
    if (!result.fewestGpus || result.candidates[i].gpus() <
                                  result.candidates[*result.fewestGpus].gpus())
      result.fewestGpus = i;
}

void Search::countRejections() {
  std::map<std::string, int64_t> counts;
  for (const Deployment &d : result.candidates)
    if (!d.isFeasible())
      ++counts[d.reason];
  const Choice &choice = result.choice;
  for (auto [constraint, broken] :
       llvm::zip(question.goal.constraints, choice.broken))
    if (broken > 0)
      counts[constraint.text + " is not met"] += static_cast<int64_t>(broken);
  for (auto &[reason, count] : counts)
    result.rejections.push_back({reason, count});
  llvm::stable_sort(
      result.rejections,
      [](const Rejection &a, const Rejection &b) { return a.count > b.count; });
}

void Search::addRival(const std::string &property,
                      llvm::function_ref<bool(const Deployment &)> differs) {
  Metric metric = question.goal.metric;
  size_t chosen = *result.choice.chosen;
  for (size_t i : result.choice.ranking) {
    const Deployment &other = result.candidates[i];
    if (!differs(other))
      continue;
    Rival rival;
    rival.property = property;
    rival.index = i;
    rival.ratio = *deploy::valueOf(other, metric) /
                  *deploy::valueOf(result.candidates[chosen], metric);
    if (std::optional<double> width =
            candidates().widthOfRatio(i, chosen, metric)) {
      rival.low = rival.ratio * std::exp(-*width);
      rival.high = rival.ratio * std::exp(*width);
    }
    result.rivals.push_back(std::move(rival));
    return;
  }
}

void Search::findRivals() {
  const Deployment &best = *result.chosen();
  auto isOther = [](auto member) {
    return [=](const Deployment &a, const Deployment &b) {
      return member(a) != member(b);
    };
  };
  auto add = [&](const char *property, auto member) {
    auto differs = isOther(member);
    addRival(property,
             [&](const Deployment &other) { return differs(other, best); });
  };
  add("target", [](const Deployment &d) { return d.gpuName(); });
  add("format", [](const Deployment &d) {
    const Settings &s = d.engine->settings;
    return std::tuple(d.formatName(), s.weights, s.kv);
  });
  add("parallel", [](const Deployment &d) {
    return std::pair(d.planText(), d.promptPlanText());
  });
  add("kind", [](const Deployment &d) { return d.prompts != nullptr; });
  add("software",
      [](const Deployment &d) { return d.engine->settings.software; });
  add("power limit", [](const Deployment &d) {
    return d.powerLimit().value_or(Watts(0)).value();
  });
  add("batch limit", [](const Deployment &d) { return d.batchLimit; });
  add("prefill chunk", [](const Deployment &d) { return d.chunk; });
  addRival("prompt steps", [&](const Deployment &other) {
    return !best.prompts && !other.prompts &&
           !(other.scheduler == best.scheduler);
  });
}

void Search::addHours() {
  const Deployment &best = *result.chosen();
  size_t plan = planOf[*result.choice.chosen];
  for (const HourOfLoad &each : question.traffic.load) {
    HourPlan hour;
    hour.hour = each.hour;
    hour.requests = each.requests;
    if (each.requests > 0) {
      if (auto all = sizing.withRequests(best, plan, each.requests)) {
        hour.ttft = all->state.ttft();
        hour.tpot = all->state.tpot();
        hour.totalPower = all->totalPower();
        hour.energyPerRequest = all->perSecond.energy / each.requests;
      }
      if (auto few = sizing.smallestFor(best, plan, each.requests)) {
        hour.gpus = few->gpus();
        hour.neededPower = few->totalPower();
      }
    } else {
      hour.gpus = 0;
      hour.neededPower = Watts(0);
    }
    result.hours.push_back(hour);
  }
}

void Search::addLoadCurve() {
  constexpr int tenths = 10;
  const Deployment &best = *result.chosen();
  for (int i = 1; i <= tenths; ++i)
    if (auto all = sizing.withRequests(best, planOf[*result.choice.chosen],
                                       best.requests * i / tenths))
      result.loadCurve.push_back({all->requests, all->state.ttft(),
                                  all->state.tpot(), all->totalPower(),
                                  all->energyPerToken(), all->state.idleShare});
}

void Search::addNotes() {
  const Traffic &traffic = question.traffic;
  auto &notes = result.notes;
  notes.push_back(
      traffic.requestsPerSecond
          ? "requests arrive at random (Poisson); equations (V3) to (V6), "
            "(V8)"
          : "each user sends the next prompt after an answer; equation (V7)");
  if (traffic.techniques.prefixHit > 0)
    notes.push_back("all sequences of a group of GPUs share one copy of the "
                    "cached prefix; equation (V10)");
  if (traffic.techniques.draftTokens > 0)
    notes.push_back("decode steps include those of the draft model, with the "
                    "stated acceptance; equations (V11), (D10)");
  if (const Deployment *best = result.chosen())
    if (std::string host =
            serve::describeHost(best->engine->target->costModel.coefficients(),
                                best->engine->settings, traffic.requestTime);
        !host.empty())
      notes.push_back(host);
  notes.push_back("intervals are those of the step oracle; they do not include "
                  "the error of the queueing approximation (docs/Deploy.md)");
  if (!traffic.requestsPerSecond && !traffic.users)
    notes.push_back("no --users or --requests-per-second: every replica runs "
                    "as many requests as its batch limit allows");
}

llvm::Expected<DeployResult> Search::run() {
  llvm::Expected<Engines> built = createEngines(space, question);
  if (!built)
    return built.takeError();
  engines = std::move(*built);
  result.model = space.models().front();
  result.question = question;
  if (question.aggregated)
    for (const auto &engine : engines)
      addCandidates(engine, nullptr);
  // An unusable engine counts once.
  if (!question.aggregated)
    for (const auto &engine : engines)
      if (!engine->isUsable())
        addCandidates(engine, engine);
  if (question.disaggregated)
    for (const auto &engine : engines)
      for (const auto &prompts : engines) {
        if (!engine->isUsable() || !prompts->isUsable())
          continue;
        // They differ only in the plan.
        Scenario same = prompts->scenario;
        same.parallel = engine->scenario.parallel;
        same.gpus = engine->scenario.gpus;
        if (isSame(same, engine->scenario))
          addCandidates(engine, prompts);
        if (result.candidates.size() > mostCandidates)
          return llvm::createStringError("more than " +
                                         llvm::Twine(mostCandidates) +
                                         " candidates; take fewer values");
      }
  constexpr size_t block = 64;
  size_t count = result.candidates.size();
  inThreads((count + block - 1) / block, question.jobs, [&](size_t i) {
    for (size_t k = i * block; k < std::min(count, (i + 1) * block); ++k)
      evaluate(k);
  });
  if (llvm::Error error = checkPrices())
    return std::move(error);
  choose();
  countRejections();
  addNotes();
  if (!result.choice.chosen)
    return std::move(result);
  findRivals();
  addLoadCurve();
  if (!question.traffic.load.empty())
    addHours();
  return std::move(result);
}

llvm::Expected<DeployResult>
deploy::searchDeployments(const Space &space, const DeployQuestion &question) {
  return Search(space, question).run();
}
