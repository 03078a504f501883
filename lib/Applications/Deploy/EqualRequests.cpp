//===- EqualRequests.cpp - Users with requests of equal length ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EqualRequests.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;
using namespace gpucost::deploy;

namespace {

/// A round: each of the running users sends one request.
class Round {
public:
  Round(const StepCosts &costs, const QueueTraffic &traffic, double users,
        double running)
      : costs(costs), traffic(traffic), users(users),
        active(std::max(running, 1.0)), share(running / active),
        steps(traffic.outputSteps) {
    group = std::clamp(traffic.promptsPerStep, 1.0, active);
    if (traffic.promptsPerStep < 2)
      group = 1;
    groups = std::ceil(active / group - rounding);
    last = active - group * (groups - 1);
  }
  SteadyState state();

private:
  static constexpr double rounding = 1e-9;

  /// Sets the costs of prompts that join steps with `decodes`.
  void usePrompts(double decodes);
  /// Of `count` prompts that share their steps.
  StepPart together(double count) const {
    return {prompt.added.time + prompt.further.time * (count - 1),
            prompt.added.energy + prompt.further.energy * (count - 1)};
  }
  /// Prompts run before all decodes, so that all answers end in one step.
  void runSeparately();
  /// All prompts run in one step without decodes.
  void runOneGroup();
  void runMixed();
  void useDecodes(double count) {
    decodes = count;
    decode = costs.decode(std::max(count, 1.0));
  }
  bool hasQueue() const { return users > active; }
  /// From the end of an answer until the scheduler sees the next prompt, which
  /// already waits if users wait for slots.
  Seconds unseen() const { return hasQueue() ? Seconds(0) : traffic.request; }

  const StepCosts &costs;
  const QueueTraffic &traffic;
  const double users, active, share, steps;
  double group = 1, groups = 1, last = 1;
  PromptClass prompt;
  StepPart decode;
  double decodes = 0;
  /// Of the round: all of it, without work, in prompts.
  Seconds time, idle, prompts;
  Joules energy;
  /// Of a mean request that the scheduler sees: until the steps of its prompt,
  /// and these.
  Seconds wait, own;
};

} // namespace

void Round::usePrompts(double count) { prompt = costs.prompts(count).front(); }

void Round::runSeparately() {
  usePrompts(0);
  useDecodes(active);
  StepPart full = together(group), rest = together(last);
  double before = groups - 1;
  prompts = full.time * before + rest.time;
  idle = unseen();
  time = idle + prompts + decode.time * steps;
  energy = full.energy * before + rest.energy + decode.energy * steps;
  // The g-th group waits for g groups.
  wait = full.time * (before / active * (group * (before - 1) / 2 + last));
  own = (full.time * (group * before) + rest.time * last) / active;
}

void Round::runOneGroup() {
  usePrompts(0);
  // Of several prompts, the first does not join decodes.
  StepPart first = prompt.added;
  usePrompts(std::min(active - 1, 1.0));
  StepPart all = {first.time + prompt.further.time * (active - 1),
                  first.energy + prompt.further.energy * (active - 1)};
  useDecodes(active);
  prompts = all.time;
  idle = unseen();
  time = idle + prompts + decode.time * steps;
  energy = all.energy + decode.energy * steps;
  own = all.time;
}

void Round::runMixed() {
  usePrompts(active);
  double chunks = group > 1 ? 1 : prompt.steps;
  useDecodes(active);
  // Steps between the end of an answer and the first step of the next prompt.
  double lag = std::ceil(unseen() / decode.time - rounding);
  double count = std::max(steps + chunks + lag, groups * chunks);
  bool isFull = groups * chunks >= steps + chunks + lag;
  lag = count - steps - chunks;
  useDecodes(active * steps / count);
  usePrompts(decodes);
  StepPart full = together(group), rest = together(last);
  prompts = full.time * (groups - 1) + rest.time;
  time = decode.time * count + prompts;
  energy = decode.energy * count + full.energy * (groups - 1) + rest.energy;
  Seconds chunk = full.time / chunks;
  // The first group waits for decode steps, each later one also for the chunks
  // of those before it.
  double met = isFull ? lag * active : 0;
  auto number = static_cast<int64_t>(std::ceil(groups));
  for (int64_t i = 0; i < number && !isFull; ++i) {
    auto before = static_cast<double>(i);
    double size = before + 1 < groups ? group : last;
    if (before * chunks >= lag) {
      met += lag * (active - group * before);
      break;
    }
    met += before * chunks * size;
  }
  wait = std::max(decode.time * lag + chunk * (met / active) - unseen(),
                  Seconds(0));
  own = decode.time * chunks +
        (full.time * (group * (groups - 1)) + rest.time * last) / active;
}

SteadyState Round::state() {
  if (!traffic.mixes)
    runSeparately();
  else if (groups <= 1)
    runOneGroup();
  else
    runMixed();
  SteadyState state;
  state.outputSteps = steps;
  state.tokensPerStep = traffic.tokensPerStep;
  state.arrivals = active * share / time.value();
  state.request = traffic.request;
  state.wait = wait;
  state.prefill = own;
  state.answer = decode.time;
  // The rest of the round: decode steps, and prompts of others.
  state.step = (time - unseen() - wait - own) / steps;
  state.decodes = state.arrivals * steps * state.step.value();
  state.promptShare = prompts.value() / time.value() * share;
  state.idleShare = 1 - share * (1 - idle / time);
  state.stepPower = Watts(energy.value() * share / time.value());
  state.services = {{1.0, own}};
  if (hasQueue())
    state.slotWait =
        std::max(Seconds(users / state.arrivals) - state.latency(), Seconds(0));
  return state;
}

SteadyState deploy::withEqualRequests(const StepCosts &costs,
                                      const QueueTraffic &traffic, double users,
                                      double running) {
  return Round(costs, traffic, users, running).state();
}
