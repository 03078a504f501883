//===- SplitSizing.cpp - Replicas for prompts and for decode steps --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sizing.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::deploy;

/// Replicas of one kind.
static constexpr int64_t mostReplicas = 1 << 20;
static constexpr int halvings = 32;
/// Decode replicas of a repeated unit if the requests are not stated.
static constexpr int64_t mostOfUnit = 8;

std::optional<Seconds> deploy::transferTime(const Engine &prompts,
                                            const Engine &decodes,
                                            double tokens) {
  // Every GPU of a prompt replica sends its part to the GPUs that decode.
  int64_t node = gpusPerNode(prompts);
  auto senders = static_cast<double>(
      std::min(prompts.gpus / prompts.ranks, decodes.gpus / decodes.ranks));
  Bytes bytes(prompts.cacheBytesPerToken * tokens);
  const CostModel &costs = prompts.target->costModel;
  if (prompts.gpus + decodes.gpus <= node) {
    if (const auto &link = costs.gpu().interconnect)
      return bytes / (link->bandwidth * (senders / 2)); // One direction.
    return std::nullopt;
  }
  const auto &collectives = costs.coefficients().collectives;
  if (!collectives || !collectives->network)
    return std::nullopt;
  const Network &network = *collectives->network;
  double share = std::min(senders / static_cast<double>(node), 1.0);
  return bytes /
         (network.bandwidth * (static_cast<double>(network.adapters) * share));
}

namespace {
/// Steps of both kinds of replicas.
struct SplitCosts {
  SplitCosts(const Deployment &d, size_t plan, double tokens)
      : costs{d.engine->costs(plan).decode, d.prompts->costs(plan).prompts},
        transfer(transferTime(*d.prompts, *d.engine, tokens)),
        decodeGroups(static_cast<double>(d.engine->ranks)),
        promptGroups(static_cast<double>(d.prompts->ranks)) {}
  StepCosts costs;
  std::optional<Seconds> transfer;
  double decodeGroups, promptGroups;
};

/// The smallest number from 1 to `most` that meets a condition which all larger
/// ones meet; nullopt if none does.
template <typename Meets>
std::optional<int64_t> smallest(int64_t most, Meets meets) {
  int64_t low = 0, high = 1;
  while (!meets(high)) {
    if (high >= most)
      return std::nullopt;
    low = high;
    high = std::min(2 * high, most);
  }
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (meets(middle) ? high : low) = middle;
  }
  return high;
}
} // namespace

static constexpr const char *noLink =
    "the GPUs of prompts and of decode steps need several nodes; give "
    "--network";
static constexpr const char *overloaded =
    "no number of replicas reaches an equilibrium";
static constexpr const char *atAnyLoad = " is not possible at any load";

void Sizing::sizeSplit(Deployment &d, size_t plan, double requests) const {
  SplitCosts split(d, plan, question.traffic.computedInput());
  if (!split.transfer) {
    d.reason = noLink;
    return;
  }
  QueueTraffic traffic = trafficOf(d);
  SplitQueue queue(split.costs, traffic, *split.transfer);
  constexpr auto many = static_cast<double>(mostReplicas);
  // Decode replicas, as if prompts never waited.
  double low = 0, high = static_cast<double>(traffic.slots);
  std::string broken;
  for (int i = 0; i < halvings; ++i) {
    double middle = (low + high) / 2;
    std::optional<SteadyState> state =
        queue.withArrivals(queue.arrivalsOf(middle), many, many);
    std::string fault = state ? brokenLimit(*state) : overloaded;
    if (!fault.empty())
      broken = fault;
    (fault.empty() ? low : high) = middle;
  }
  constexpr double hardlyAny = 1e-3;
  if (low < hardlyAny) {
    d.reason = broken == overloaded ? broken : broken + atAnyLoad;
    return;
  }
  d.replicas = std::max<int64_t>(
      static_cast<int64_t>(
          std::ceil(requests / (queue.arrivalsOf(low) * split.decodeGroups))),
      1);
  double groups = static_cast<double>(d.replicas) * split.decodeGroups;
  auto stateOf = [&](int64_t replicas) {
    double servers = static_cast<double>(replicas) * split.promptGroups;
    return queue.withArrivals(requests / groups, servers / groups, servers);
  };
  std::optional<int64_t> prompts = smallest(mostReplicas, [&](int64_t count) {
    std::optional<SteadyState> state = stateOf(count);
    return state && brokenLimit(*state).empty();
  });
  if (!prompts) {
    std::optional<SteadyState> state = stateOf(mostReplicas);
    d.reason = state ? brokenLimit(*state) + atAnyLoad : overloaded;
    return;
  }
  d.promptReplicas = *prompts;
  d.state = *stateOf(*prompts);
}

void Sizing::sizeSplitUsers(Deployment &d, size_t plan) const {
  SplitCosts split(d, plan, question.traffic.computedInput());
  if (!split.transfer) {
    d.reason = noLink;
    return;
  }
  QueueTraffic traffic = trafficOf(d);
  SplitQueue queue(split.costs, traffic, *split.transfer);
  const std::optional<double> &users = question.traffic.users;
  auto stateOf = [&](int64_t decodes, int64_t prompts) {
    double groups = static_cast<double>(decodes) * split.decodeGroups;
    double servers = static_cast<double>(prompts) * split.promptGroups;
    return queue.withUsers(users ? *users / groups
                                 : static_cast<double>(traffic.slots),
                           servers / groups, servers);
  };
  auto meets = [&](int64_t decodes, int64_t prompts) {
    std::optional<SteadyState> state = stateOf(decodes, prompts);
    return state && brokenLimit(*state).empty();
  };
  if (!users) {
    // A unit of a few replicas with the highest rate for each GPU.
    double best = 0;
    double service = queue.promptWork().time.value();
    for (int64_t decodes = 1; decodes <= mostOfUnit; ++decodes) {
      double need = queue.arrivalsOf(static_cast<double>(traffic.slots)) *
                    static_cast<double>(decodes) * split.decodeGroups *
                    service / split.promptGroups;
      for (auto prompts : {std::floor(need), std::ceil(need)}) {
        auto count = std::max<int64_t>(static_cast<int64_t>(prompts), 1);
        if (count > mostReplicas || !meets(decodes, count))
          continue;
        auto gpus = static_cast<double>(decodes * d.engine->gpus +
                                        count * d.prompts->gpus);
        SteadyState state = *stateOf(decodes, count);
        double rate = state.arrivals * static_cast<double>(decodes) *
                      split.decodeGroups / gpus;
        if (rate <= best)
          continue;
        best = rate;
        d.replicas = decodes;
        d.promptReplicas = count;
        d.state = std::move(state);
      }
    }
    if (best == 0) {
      std::optional<SteadyState> state = stateOf(1, mostReplicas);
      std::string broken = state ? brokenLimit(*state) : "";
      d.reason = broken.empty() ? "no unit of at most 8 replicas that decode "
                                  "meets the limits"
                                : broken + " is not met at this batch limit";
    }
    return;
  }
  auto most =
      static_cast<int64_t>(std::min(std::ceil(*users / split.decodeGroups),
                                    static_cast<double>(mostReplicas)));
  std::optional<int64_t> decodes =
      smallest(most, [&](int64_t count) { return meets(count, mostReplicas); });
  if (!decodes) {
    std::optional<SteadyState> state = stateOf(most, mostReplicas);
    d.reason = state ? brokenLimit(*state) + atAnyLoad : overloaded;
    return;
  }
  d.replicas = *decodes;
  d.promptReplicas = *smallest(
      mostReplicas, [&](int64_t count) { return meets(*decodes, count); });
  d.state = *stateOf(d.replicas, d.promptReplicas);
}

std::optional<Deployment> Sizing::withRequests(const Deployment &d, size_t plan,
                                               double requests) const {
  Deployment other = d;
  double groups = static_cast<double>(d.replicas * d.engine->ranks);
  std::optional<SteadyState> state;
  if (d.prompts) {
    SplitCosts split(d, plan, question.traffic.computedInput());
    double servers = static_cast<double>(d.promptReplicas) * split.promptGroups;
    state = SplitQueue(split.costs, trafficOf(d), *split.transfer)
                .withArrivals(requests / groups, servers / groups, servers);
  } else {
    StepCosts costs = d.engine->costs(plan);
    state = SharedQueue(costs, trafficOf(d)).withArrivals(requests / groups);
  }
  if (!state)
    return std::nullopt;
  other.state = std::move(*state);
  finish(other, requests);
  return other;
}
