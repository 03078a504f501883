//===- Queue.cpp - Queues of a serving deployment -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Deploy/Queue.h"
#include "EqualRequests.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;
using namespace gpucost::deploy;

/// Halvings of an interval, to the precision of a double.
static constexpr int halvings = 48;
/// Points at which a quantile averages over the time of arrival in a step.
static constexpr int arrivalPoints = 8;
/// Iterations for the prompts of a step.
static constexpr int fixedPoint = 3;

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
  Seconds fixed = request + slotWait + answer;
  auto shareUpTo = [&](double time) {
    double sum = 0;
    for (const auto &[share, service] : services)
      for (int i = 0; i < arrivalPoints; ++i) {
        double arrival = 2 * residual.value() * (i + 0.5) / arrivalPoints;
        double rest = time - service.value() - fixed.value() - arrival;
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

StepPart SharedQueue::meanPrompt(const std::vector<PromptClass> &prompts,
                                 double arrivals, Seconds step) const {
  StepPart mean;
  // A Poisson number of prompts, of which the first is not a further one.
  double count = isGated() ? std::min(randomTogether(arrivals * step.value()),
                                      traffic.promptsPerStep)
                           : 1;
  for (const PromptClass &each : prompts) {
    double first = each.share / count, others = each.share - first;
    mean.time += each.added.time * first + each.further.time * others;
    mean.energy += each.added.energy * first + each.further.energy * others;
  }
  return mean;
}

SteadyState SharedQueue::balance(double decodes, double together,
                                 double others) const {
  SteadyState state;
  state.outputSteps = traffic.outputSteps;
  state.tokensPerStep = traffic.tokensPerStep;
  state.decodes = decodes;
  state.request = traffic.request;
  StepPart decode = costs.decode(together);
  state.answer = decode.time;
  // A sequence does not meet its own prompt.
  std::vector<PromptClass> prompts = costs.prompts(decodes * others);
  StepPart added;
  state.step = decode.time;
  // The time of a step and the prompts that join it depend on each other.
  for (int i = 0; i < fixedPoint; ++i) {
    added = meanPrompt(prompts, state.arrivals,
                       traffic.mixes ? state.step
                                     : std::max(decode.time, added.time));
    // (V3) Little's law, and the time that prompts add to each step.
    state.step =
        decode.time + added.time * (others * decodes / traffic.outputSteps);
    state.arrivals = decodes / (traffic.outputSteps * state.step.value());
  }
  // (V4) Steps per second, each for `together` sequences.
  double steps = state.arrivals * traffic.outputSteps / together;
  double busy =
      steps * decode.time.value() + state.arrivals * added.time.value();
  state.idleShare = restOf(1, busy);
  state.stepPower = Watts(steps * decode.energy.value() +
                          state.arrivals * added.energy.value());
  // A prompt that finds no decodes, or runs before them, does not wait for
  // their part of a step.
  double met = std::min(decodes * others, 1.0);
  for (const PromptClass &each : prompts)
    state.services.emplace_back(
        each.share,
        decode.time * (traffic.mixes ? met * each.steps : 0) + each.added.time);
  if (isGated()) {
    state.promptShare = state.arrivals * added.time.value();
    addGate(state, prompts, decode.time, met);
  } else {
    state.promptShare = state.arrivals * momentsOf(state.services).mean;
    double ofDecodes =
        traffic.mixes ? 1 - state.idleShare : steps * decode.time.value();
    state.residual = decode.time * (ofDecodes / 2);
  }
  state.prefill = Seconds(momentsOf(state.services).mean);
  return state;
}

/// (V5) Prompts that arrive during a step join the next one.
void SharedQueue::addGate(SteadyState &state,
                          const std::vector<PromptClass> &prompts,
                          Seconds decode, double met) const {
  constexpr double most = 0.999;
  Seconds further;
  for (const PromptClass &each : prompts)
    further += each.further.time * each.share;
  double load = std::min(state.promptShare, most), seen = 0;
  if (traffic.mixes) {
    double variance = state.promptShare * further.value() * state.step.value() /
                      (1 - load * load);
    // The mean length of the step in which a prompt arrives.
    seen = state.step.value() + variance / state.step.value();
    state.residual = Seconds(seen / 2 * (1 - state.idleShare));
  } else {
    // In a step of prompts, or in one of decodes.
    double arrivals = state.arrivals * decode.value();
    double prompt = momentsOf(state.services).mean + further.value() * arrivals;
    double decodes = std::max(1 - state.idleShare - state.promptShare, 0.0);
    seen = (load * prompt + decodes * decode.value()) / (load + decodes);
    state.residual = Seconds(seen / 2 * (load + decodes));
  }
  double mean = std::min((traffic.mixes ? met : 1) * state.arrivals * seen,
                         std::max(traffic.promptsPerStep - 1, 0.0));
  // A Poisson number of other prompts.
  std::vector<std::pair<double, Seconds>> services;
  double chance = std::exp(-mean), left = 1;
  for (int count = 0; left > 1 - most; ++count) {
    double share = std::min(chance, left);
    for (const auto &[own, time] : state.services)
      services.emplace_back(own * share,
                            time + further * static_cast<double>(count));
    left -= share;
    chance *= mean / (count + 1);
    if (chance < (1 - most) / most && count > mean)
      break;
  }
  for (const auto &[own, time] : state.services)
    services.emplace_back(own * left, time + further * mean);
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
  } else if (traffic.mixes &&
             state.arrivals * state.step.value() >= traffic.promptsPerStep) {
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
  Seconds held = state.latency() - state.request;
  double running = state.arrivals * held.value();
  double excess =
      deviations * std::sqrt(running) * (1 / std::min(growth, 1.0) - 1);
  std::optional<Seconds> slotWait =
      waitOf(state.arrivals * (1 + excess / running), held,
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
  if (traffic.outputVariation == 0 && costs.prompts(0).size() == 1)
    return withEqualRequests(costs, traffic, users, running);
  SteadyState state = withDifferent(running);
  state.slotWait = Seconds((users - running) / state.arrivals);
  return state;
}

SteadyState SharedQueue::withDifferent(double running) const {
  double others = std::max(running - 1, 0.0) / running;
  auto stateOf = [&](double decodes) {
    SteadyState state = balance(decodes, std::max(decodes, 1.0), others);
    // A prompt follows an answer, at the end of a step, unless it takes time to
    // reach the scheduler.
    if (traffic.request <= Seconds(0))
      state.residual = Seconds(0);
    if (!isGated()) {
      double queue = std::min(others * state.promptShare, 0.999);
      state.wait = state.prefill * (queue / 2 / (1 - queue));
    }
    return state;
  };
  auto populationOf = [](const SteadyState &state) {
    return state.decodes +
           state.arrivals * (state.ttft() - state.answer).value();
  };
  SteadyState state = stateOf(bisect(running, [&](double decodes) {
    SteadyState state = stateOf(decodes);
    return populationOf(state) < running &&
           (isGated() || state.promptShare < 1);
  }));
  // Users that wait for prompts of others.
  state.wait += Seconds(restOf(running, populationOf(state)) / state.arrivals);
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
  state.request = traffic.request;
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
