//===- Queue.cpp - Queues of a serving deployment -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Deploy/Queue.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;
using namespace gpucost::deploy;

/// Halvings of an interval, to the precision of a double.
static constexpr int halvings = 48;
/// Points at which a quantile averages over the time of arrival in a step.
static constexpr int arrivalPoints = 8;

/// `whole` less `part`, where halvings and sums leave rounding errors of
/// `part`.
static double restOf(double whole, double part) {
  constexpr double rounding = 1e-9;
  double rest = whole - part;
  return rest > rounding * whole ? rest : 0;
}

//===----------------------------------------------------------------------===//
// Servers
//===----------------------------------------------------------------------===//

double deploy::waitChanceOf(double utilization, double servers) {
  return std::pow(utilization, std::sqrt(2 * (servers + 1)) - 1);
}

std::optional<Seconds> deploy::waitOf(double arrivals, Seconds service,
                                      double variation, double servers) {
  double utilization = arrivals * service.value() / servers;
  if (utilization >= 1)
    return std::nullopt;
  return service * ((1 + variation) / 2 * waitChanceOf(utilization, servers) /
                    (servers * (1 - utilization)));
}

namespace {
struct Moments {
  double mean = 0, square = 0;
  double variation() const {
    return mean > 0 ? std::max(0.0, square / (mean * mean) - 1) : 0;
  }
};
} // namespace

static Moments
momentsOf(const std::vector<std::pair<double, Seconds>> &services) {
  Moments sum;
  for (const auto &[share, time] : services) {
    sum.mean += share * time.value();
    sum.square += share * time.value() * time.value();
  }
  return sum;
}

static StepPart meanAdded(const std::vector<PromptClass> &prompts) {
  StepPart mean;
  for (const PromptClass &each : prompts) {
    mean.time += each.added.time * each.share;
    mean.energy += each.added.energy * each.share;
  }
  return mean;
}

/// The largest x up to `most` for which `fits` holds, if it holds below some
/// number and nowhere above it.
template <typename Fits> static double bisect(double most, Fits fits) {
  double low = 0, high = most;
  for (int i = 0; i < halvings; ++i) {
    double middle = (low + high) / 2;
    (fits(middle) ? low : high) = middle;
  }
  return low;
}

/// Sequences of a decode step if their number is random (Poisson): the mean
/// over the steps with at least one.
static double randomTogether(double decodes) {
  return decodes > 0 ? std::max(1.0, decodes / -std::expm1(-decodes)) : 1;
}

Seconds SteadyState::ttftQuantile(double probability) const {
  double meanWait = waitChance > 0 ? wait.value() / waitChance : 0;
  auto shareUpTo = [&](double time) {
    double sum = 0;
    for (const auto &[share, service] : services)
      for (int i = 0; i < arrivalPoints; ++i) {
        double arrival = 2 * residual.value() * (i + 0.5) / arrivalPoints;
        double rest = time - service.value() - slotWait.value() - arrival;
        if (rest < 0)
          continue;
        double waits =
            meanWait > 0 ? waitChance * std::exp(-rest / meanWait) : 0;
        sum += share * (1 - waits) / arrivalPoints;
      }
    return sum;
  };
  double most = ttft().value();
  while (shareUpTo(most) < probability)
    most *= 2;
  return Seconds(
      bisect(most, [&](double time) { return shareUpTo(time) < probability; }));
}

//===----------------------------------------------------------------------===//
// Shared steps
//===----------------------------------------------------------------------===//

SteadyState SharedQueue::balance(double decodes, double together,
                                 double others) const {
  SteadyState state;
  state.outputSteps = traffic.outputSteps;
  state.tokensPerStep = traffic.tokensPerStep;
  state.decodes = decodes;
  StepPart decode = costs.decode(together);
  // A sequence does not meet its own prompt.
  std::vector<PromptClass> prompts = costs.prompts(decodes * others);
  StepPart added = meanAdded(prompts);
  // (V3) Little's law, and the time that prompts add to each step.
  state.step =
      decode.time + added.time * (others * decodes / traffic.outputSteps);
  state.arrivals = decodes / (traffic.outputSteps * state.step.value());
  // (V4) Steps per second, each for `together` sequences.
  double steps = state.arrivals * traffic.outputSteps / together;
  double busy =
      steps * decode.time.value() + state.arrivals * added.time.value();
  state.idleShare = restOf(1, busy);
  state.stepPower = Watts(steps * decode.energy.value() +
                          state.arrivals * added.energy.value());
  // A prompt that finds no decodes does not wait for their part of a step.
  double met = std::min(decodes * others, 1.0);
  for (const PromptClass &each : prompts)
    state.services.emplace_back(each.share, decode.time * (met * each.steps) +
                                                each.added.time);
  if (isGated()) {
    addGate(state, added.time, met);
  } else {
    state.residual = decode.time * ((1 - state.idleShare) / 2);
    state.promptShare = state.arrivals * momentsOf(state.services).mean;
  }
  state.prefill = Seconds(momentsOf(state.services).mean);
  return state;
}

/// (V5) Prompts that arrive during a step join the next one.
void SharedQueue::addGate(SteadyState &state, Seconds added, double met) const {
  constexpr double most = 0.999;
  state.promptShare = state.arrivals * added.value();
  double load = std::min(state.promptShare, most);
  double variance = state.promptShare * added.value() * state.step.value() /
                    (1 - load * load);
  // The mean length of the step in which a prompt arrives.
  double seen = state.step.value() + variance / state.step.value();
  state.residual = Seconds(seen / 2 * (1 - state.idleShare));
  double mean = std::min(met * state.arrivals * seen,
                         std::max(traffic.promptsPerStep - 1, 0.0));
  // A Poisson number of other prompts.
  std::vector<std::pair<double, Seconds>> services;
  double chance = std::exp(-mean), left = 1;
  for (int count = 0; left > 1 - most; ++count) {
    double share = std::min(chance, left);
    for (const auto &[own, time] : state.services)
      services.emplace_back(own * share,
                            time + added * static_cast<double>(count));
    left -= share;
    chance *= mean / (count + 1);
    if (chance < (1 - most) / most && count > mean)
      break;
  }
  for (const auto &[own, time] : state.services)
    services.emplace_back(own * left, time + added * mean);
  state.services = std::move(services);
}

std::optional<SteadyState> SharedQueue::withDecodes(double decodes) const {
  auto stateOf = [&](double decodes) {
    return balance(decodes, randomTogether(decodes), /*others=*/1);
  };
  SteadyState state = stateOf(decodes);
  if (!isGated()) {
    Moments service = momentsOf(state.services);
    std::optional<Seconds> wait =
        waitOf(state.arrivals, Seconds(service.mean), service.variation(), 1);
    if (!wait)
      return std::nullopt;
    state.wait = *wait;
    state.waitChance = waitChanceOf(state.promptShare, 1);
  } else if (state.arrivals * state.step.value() >= traffic.promptsPerStep) {
    // More prompts than fit arrive in a step.
    return std::nullopt;
  }
  // (V6) Longer steps keep more sequences, which make steps longer: the number
  // of sequences varies more than that of independent ones.
  constexpr double change = 0.01, deviations = 2;
  double growth =
      std::log(stateOf(decodes * (1 + change)).arrivals / state.arrivals) /
      std::log1p(change);
  if (growth <= 0)
    return std::nullopt;
  double running = state.arrivals * state.latency().value();
  double excess =
      deviations * std::sqrt(running) * (1 / std::min(growth, 1.0) - 1);
  std::optional<Seconds> slotWait =
      waitOf(state.arrivals * (1 + excess / running), state.latency(),
             traffic.outputVariation, static_cast<double>(traffic.slots));
  if (!slotWait)
    return std::nullopt;
  state.slotWait = *slotWait;
  return state;
}

std::optional<SteadyState> SharedQueue::withArrivals(double arrivals) const {
  double decodes =
      bisect(static_cast<double>(traffic.slots), [&](double decodes) {
        std::optional<SteadyState> state = withDecodes(decodes);
        return state && state->arrivals < arrivals;
      });
  std::optional<SteadyState> state =
      decodes > 0 ? withDecodes(decodes) : std::nullopt;
  // The most that it serves may be less.
  constexpr double rounding = 1e-6;
  if (!state || state->arrivals < arrivals * (1 - rounding))
    return std::nullopt;
  return state;
}

SteadyState SharedQueue::withUsers(double users) const {
  double running = std::min(users, static_cast<double>(traffic.slots));
  bool isFixed = traffic.outputVariation == 0 && costs.prompts(0).size() == 1;
  // (V7) Requests of equal length keep their order: those that start together
  // end together. A sequence does not meet the prompts of its own group.
  double group =
      isFixed && isGated() ? std::min(running, traffic.promptsPerStep) : 1;
  double others = (running - group) / running;
  auto stateOf = [&](double decodes) {
    SteadyState state = balance(decodes, std::max(decodes, 1.0), others);
    // A prompt follows an answer, at the end of a step.
    state.residual = Seconds(0);
    if (isFixed && isGated()) {
      StepPart added = meanAdded(costs.prompts(decodes)),
               first = meanAdded(costs.prompts(0));
      state.prefill =
          others > 0
              ? costs.decode(std::max(decodes, 1.0)).time + added.time * group
              : first.time + meanAdded(costs.prompts(1)).time * (group - 1);
    } else if (!isFixed && !isGated()) {
      double queue = std::min(others * state.promptShare, 0.999);
      state.wait = state.prefill * (queue / 2 / (1 - queue));
    }
    return state;
  };
  auto populationOf = [](const SteadyState &state) {
    return state.decodes + state.arrivals * state.ttft().value();
  };
  SteadyState state = stateOf(bisect(running, [&](double decodes) {
    SteadyState state = stateOf(decodes);
    return populationOf(state) < running &&
           (isGated() || state.promptShare < 1);
  }));
  // Users that wait: for prompts of others, or for a slot.
  state.wait += Seconds(restOf(running, populationOf(state)) / state.arrivals);
  state.slotWait = Seconds((users - running) / state.arrivals);
  return state;
}

//===----------------------------------------------------------------------===//
// Separate steps
//===----------------------------------------------------------------------===//

StepPart SplitQueue::promptWork() const { return meanAdded(costs.prompts(0)); }

double SplitQueue::arrivalsOf(double decodes) const {
  return decodes / (traffic.outputSteps *
                    costs.decode(randomTogether(decodes)).time.value());
}

std::optional<SteadyState> SplitQueue::withArrivals(double arrivals,
                                                    double promptServers,
                                                    double pool) const {
  SteadyState state;
  state.outputSteps = traffic.outputSteps;
  state.tokensPerStep = traffic.tokensPerStep;
  state.arrivals = arrivals;
  for (const PromptClass &each : costs.prompts(0))
    state.services.emplace_back(each.share, each.added.time);
  Moments service = momentsOf(state.services);
  state.prefill = Seconds(service.mean);
  state.promptShare = arrivals * service.mean / promptServers;
  std::optional<Seconds> wait =
      waitOf(arrivals * pool / promptServers, state.prefill,
             service.variation(), pool);
  double most = static_cast<double>(traffic.slots);
  if (!wait || arrivalsOf(most) < arrivals)
    return std::nullopt;
  state.wait = *wait;
  state.waitChance = waitChanceOf(state.promptShare, pool);
  state.decodes = bisect(
      most, [&](double decodes) { return arrivalsOf(decodes) < arrivals; });
  double together = randomTogether(state.decodes);
  StepPart decode = costs.decode(together);
  double steps = arrivals * traffic.outputSteps / together;
  state.step = decode.time;
  state.idleShare = restOf(1, steps * decode.time.value());
  state.stepPower = Watts(steps * decode.energy.value());
  state.promptPower =
      Watts(arrivals / promptServers * promptWork().energy.value());
  // Joins the batch at the end of a step.
  state.transfer = transfer + decode.time * ((1 - state.idleShare) / 2);
  std::optional<Seconds> slotWait =
      waitOf(arrivals, state.step * traffic.outputSteps,
             traffic.outputVariation, most);
  if (!slotWait)
    return std::nullopt;
  state.transfer += *slotWait;
  return state;
}

std::optional<SteadyState>
SplitQueue::withUsers(double users, double promptServers, double pool) const {
  double service = promptWork().time.value();
  double most = std::min(arrivalsOf(static_cast<double>(traffic.slots)),
                         promptServers / service);
  auto populationOf = [&](const SteadyState &state) {
    return state.arrivals * state.latency().value();
  };
  double arrivals = bisect(most, [&](double arrivals) {
    std::optional<SteadyState> state =
        withArrivals(arrivals, promptServers, pool);
    return state && populationOf(*state) < users;
  });
  return withArrivals(arrivals, promptServers, pool);
}
