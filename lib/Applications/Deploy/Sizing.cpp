//===- Sizing.cpp - Replicas for the requests of a question ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizing.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::deploy;
using namespace gpucost::sweep;

/// GPUs of a deployment.
static constexpr int64_t mostReplicas = 1 << 20;
/// Halvings of a number of sequences.
static constexpr int halvings = 32;
/// Sequences of a replica with hardly any request.
static constexpr double hardlyAny = 1e-3;

Sizing::Sizing(const DeployQuestion &question) : question(question) {
  for (const Constraint &constraint : question.goal.constraints)
    if (rowOf(constraint.metric).isOfRequest && !constraint.isTimesBest)
      limits.push_back(constraint);
}

double deploy::valueOfRequest(const SteadyState &state, Metric metric) {
  if (double percentile = rowOf(metric).percentile; percentile > 0)
    return state.ttftQuantile(percentile).value();
  switch (metric) {
  case Metric::Tpot:
    return state.tpot().value();
  case Metric::UserRate:
    return 1 / state.tpot().value();
  case Metric::Latency:
    return state.latency().value();
  default:
    return state.ttft().value();
  }
}

std::string Sizing::brokenLimit(const SteadyState &state) const {
  for (const Constraint &limit : limits)
    if (!limit.holds(valueOfRequest(state, limit.metric), limit.bound))
      return limit.text;
  return "";
}

QueueTraffic Sizing::trafficOf(const Deployment &d) const {
  const Traffic &traffic = question.traffic;
  return {traffic.outputSteps(),
          traffic.outputVariation(),
          promptsOfStep({d.scheduler, d.chunk}, traffic),
          std::max<int64_t>(d.batchLimit / d.engine->ranks, 1),
          traffic.techniques.tokensPerStep(),
          d.scheduler.mixes,
          d.engine->host.request};
}

void Sizing::finish(Deployment &d, std::optional<double> requests) const {
  const Engine &engine = *d.engine;
  double groups = static_cast<double>(d.replicas * engine.ranks);
  d.requests = requests.value_or(d.state.arrivals * groups);
  d.tokensPerSecond = d.requests * question.traffic.meanOutput();
  Watts decodes = d.state.stepPower + engine.idlePower * d.state.idleShare;
  d.power = decodes;
  if (d.prompts) {
    double idle = std::max(1 - d.state.promptShare, 0.0);
    Watts prompts = d.state.promptPower + d.prompts->idlePower * idle;
    d.power =
        (decodes * static_cast<double>(d.replicas * engine.gpus) +
         prompts * static_cast<double>(d.promptReplicas * d.prompts->gpus)) /
        static_cast<double>(d.gpus());
  }
  Settings settings = engine.settings;
  settings.gpus = d.gpus();
  int64_t node = gpusPerNode(engine);
  settings.nodes = (settings.gpus + node - 1) / node;
  d.perSecond = costOfIteration(Seconds(1), d.power * Seconds(1), std::nullopt,
                                settings, engine.target->costModel.gpu().name)
                    .expected;
}

//===----------------------------------------------------------------------===//
// Prompts and decode steps on the same GPUs
//===----------------------------------------------------------------------===//

static constexpr const char *overloaded =
    "no number of replicas reaches an equilibrium";

void Sizing::sizeShared(Deployment &d, size_t plan, double requests) const {
  StepCosts costs = d.engine->costs(plan);
  QueueTraffic traffic = trafficOf(d);
  SharedQueue queue(costs, traffic);
  auto meets = [&](double decodes) {
    std::optional<SteadyState> state = queue.withDecodes(decodes);
    return state && brokenLimit(*state).empty();
  };
  double low = 0, high = static_cast<double>(traffic.slots);
  for (int i = 0; i < halvings; ++i) {
    double middle = (low + high) / 2;
    (meets(middle) ? low : high) = middle;
  }
  std::optional<SteadyState> most = queue.withDecodes(low);
  if (low < hardlyAny || !most) {
    std::optional<SteadyState> idle = queue.withDecodes(hardlyAny);
    std::string broken = idle ? brokenLimit(*idle) : "";
    d.reason =
        broken.empty() ? overloaded : broken + " is not possible at any load";
    return;
  }
  auto groups = static_cast<double>(d.engine->ranks);
  double replicas = std::ceil(requests / (most->arrivals * groups));
  if (replicas > static_cast<double>(mostReplicas)) {
    d.reason = overloaded;
    return;
  }
  d.replicas = std::max<int64_t>(static_cast<int64_t>(replicas), 1);
  std::optional<SteadyState> state =
      queue.withArrivals(requests / (static_cast<double>(d.replicas) * groups));
  if (!state) {
    d.reason = overloaded;
    return;
  }
  d.state = std::move(*state);
}

void Sizing::sizeSharedUsers(Deployment &d, size_t plan) const {
  StepCosts costs = d.engine->costs(plan);
  QueueTraffic traffic = trafficOf(d);
  SharedQueue queue(costs, traffic);
  auto groups = static_cast<double>(d.engine->ranks);
  const std::optional<double> &users = question.traffic.users;
  auto stateOf = [&](int64_t replicas) {
    return queue.withUsers(users ? *users /
                                       (static_cast<double>(replicas) * groups)
                                 : static_cast<double>(traffic.slots));
  };
  // With one user each, more replicas do not help.
  auto most =
      users ? static_cast<int64_t>(std::min(std::ceil(*users / groups),
                                            static_cast<double>(mostReplicas)))
            : 1;
  SteadyState best = stateOf(most);
  if (std::string broken = brokenLimit(best); !broken.empty()) {
    d.reason = broken + (users ? " is not possible at any load"
                               : " is not met at this batch limit");
    return;
  }
  int64_t low = 0, high = most;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (brokenLimit(stateOf(middle)).empty() ? high : low) = middle;
  }
  d.replicas = high;
  d.state = stateOf(high);
}

//===----------------------------------------------------------------------===//
// All candidates
//===----------------------------------------------------------------------===//

void Sizing::size(Deployment &d, size_t plan) const {
  const Traffic &traffic = question.traffic;
  bool isOpen = traffic.requestsPerSecond.has_value();
  d.hasQuantiles = isOpen;
  if (d.prompts) {
    isOpen ? sizeSplit(d, plan, *traffic.requestsPerSecond)
           : sizeSplitUsers(d, plan);
  } else {
    isOpen ? sizeShared(d, plan, *traffic.requestsPerSecond)
           : sizeSharedUsers(d, plan);
  }
  if (d.isFeasible())
    finish(d, traffic.requestsPerSecond);
}

std::optional<Deployment> Sizing::smallestFor(const Deployment &d, size_t plan,
                                              double requests) const {
  Deployment other = d;
  d.prompts ? sizeSplit(other, plan, requests)
            : sizeShared(other, plan, requests);
  if (!other.isFeasible())
    return std::nullopt;
  finish(other, requests);
  return other;
}
