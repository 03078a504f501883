//===- QueueTest.cpp - Queues against hand-computed and simulated ones ----===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Deploy/Queue.h"
#include <algorithm>
#include <cmath>
#include <deque>
#include <gtest/gtest.h>
#include <optional>
#include <random>

using namespace gpucost;
using namespace gpucost::deploy;

namespace {

/// A step takes 10 ms, 0.05 ms for each decode and 0.04 ms for each prompt
/// token; a decode step takes 2 J and a prompt token adds 0.01 J.
struct Replica {
  int64_t input, output, chunk, slots;
  bool mixes = true, divides = true;
  double request = 0; ///< s, before the scheduler sees it

  static constexpr double base = 10e-3, each = 0.05e-3, token = 0.04e-3;

  double steps() const {
    return divides ? std::ceil(static_cast<double>(input) /
                               static_cast<double>(chunk))
                   : 1;
  }
  StepCosts costs() const {
    Replica r = *this;
    return {[](double batch) {
              return StepPart{Seconds(base + each * batch), Joules(2)};
            },
            [r](double batch) {
              auto tokens = static_cast<double>(r.input);
              // Without decodes, a prompt pays for its steps.
              double alone = r.mixes ? 1 - std::min(batch, 1.0) : 1;
              Joules energy(0.01 * tokens);
              Seconds time(token * tokens + alone * base * r.steps());
              return std::vector<PromptClass>{
                  {1,
                   r.steps(),
                   {time, energy},
                   {Seconds(token * tokens), energy}}};
            }};
  }
  QueueTraffic traffic() const {
    double fitting = static_cast<double>(chunk) / static_cast<double>(input);
    return {static_cast<double>(output - 1),
            0,
            divides ? fitting : std::floor(fitting),
            slots,
            1,
            mixes,
            Seconds(request)};
  }
};

struct Simulated {
  double ttft = 0, tpot = 0, arrivals = 0, p90 = 0;
};

/// Continuous batching, first come first served: a step has all decodes and up
/// to `chunk` tokens of the prompts, or one of them. `rate` is that of random
/// arrivals, or `users` requests are always present.
class Simulation {
public:
  Simulation(const Replica &r, double rate, int users)
      : r(r), rate(rate), users(users),
        generator(static_cast<uint64_t>(r.output)),
        next(users ? HUGE_VAL : gap()) {
    for (int i = 0; i < users; ++i)
      send(0);
  }
  Simulated run(int requests, int warmUp);

private:
  struct Request {
    double sent;
    int64_t prompt, left;
    double first = 0;
  };
  double gap() {
    double u = static_cast<double>(generator() >> 11) * 0x1p-53;
    return -std::log1p(-u) / rate;
  }
  void send(double time) { coming.push_back({time, r.input, r.output - 1}); }
  /// False if there is no work.
  bool receive();
  bool hasPrompts() const {
    bool divided = false;
    for (const Request &each : running)
      divided |= each.prompt > 0;
    return divided ||
           (!waiting.empty() && static_cast<int64_t>(running.size()) < r.slots);
  }
  void takePrompts();

  const Replica &r;
  const double rate;
  const int users;
  std::mt19937_64 generator;
  double now = 0, next;
  int64_t budget = 0;
  std::deque<Request> coming, waiting;
  std::vector<Request> running;
};

bool Simulation::receive() {
  for (; next <= now; next += gap())
    send(next);
  while (!coming.empty() && coming.front().sent + r.request <= now) {
    waiting.push_back(coming.front());
    coming.pop_front();
  }
  if (!waiting.empty() || !running.empty())
    return true;
  now = coming.empty() ? next : coming.front().sent + r.request;
  return false;
}

void Simulation::takePrompts() {
  auto take = [&](Request &request) {
    int64_t part = std::min(budget, request.prompt);
    request.prompt -= part;
    budget -= part;
  };
  for (Request &each : running)
    take(each);
  while (budget > 0 && !waiting.empty() &&
         static_cast<int64_t>(running.size()) < r.slots &&
         (r.divides || waiting.front().prompt <= budget)) {
    running.push_back(waiting.front());
    waiting.pop_front();
    take(running.back());
  }
}

Simulated Simulation::run(int requests, int warmUp) {
  std::vector<double> firsts;
  double start = 0, tokens = 0;
  int done = 0;
  while (done < requests) {
    if (!receive())
      continue;
    bool prompts = hasPrompts(), decodes = r.mixes || !prompts;
    budget = prompts ? r.chunk : 0;
    int64_t count = 0;
    for (const Request &each : running)
      count += each.prompt == 0;
    takePrompts();
    now +=
        Replica::base +
        Replica::each * static_cast<double>(decodes ? count : 0) +
        Replica::token * static_cast<double>((prompts ? r.chunk : 0) - budget);
    std::vector<Request> kept;
    for (Request &each : running) {
      if (each.prompt == 0 && each.first == 0) {
        each.first = now;
        if (done >= warmUp)
          firsts.push_back(now - each.sent);
      } else if (each.prompt == 0 && decodes && --each.left == 0) {
        if (done == warmUp)
          start = now;
        if (done >= warmUp)
          tokens += (now - each.first) / static_cast<double>(r.output - 1);
        ++done;
        if (users)
          send(now);
        continue;
      }
      kept.push_back(each);
    }
    running = std::move(kept);
  }
  std::sort(firsts.begin(), firsts.end());
  Simulated result;
  for (double first : firsts)
    result.ttft += first / static_cast<double>(firsts.size());
  result.p90 = firsts[firsts.size() * 9 / 10];
  result.tpot = tokens / (requests - warmUp);
  result.arrivals = (requests - warmUp) / (now - start);
  return result;
}

Simulated simulate(const Replica &r, double rate, int users,
                   int requests = 10'000) {
  return Simulation(r, rate, users).run(requests, requests / 5);
}

/// Without the step that begins before the first token is returned.
double ttftOf(const SteadyState &state) {
  return (state.ttft() - state.answer).value();
}

} // namespace

// (V5) One server, constant service: M/D/1, rho S / (2 (1 - rho)).
TEST(Queue, Servers) {
  EXPECT_NEAR(waitOf(5, Seconds(0.1), 0, 1)->value(), 0.5 * 0.1 / 2 / 0.5,
              1e-12);
  // Exponential service: M/M/1, rho S / (1 - rho).
  EXPECT_NEAR(waitOf(5, Seconds(0.1), 1, 1)->value(), 0.1, 1e-12);
  EXPECT_FALSE(waitOf(10, Seconds(0.1), 0, 1));
  // M/M/2 at rho = 0.8: 1.78 S by Erlang's formula; the approximation is close.
  EXPECT_NEAR(waitOf(1.6, Seconds(1), 1, 2)->value(), 1.78, 0.1);
  EXPECT_DOUBLE_EQ(waitChanceOf(0.3, 1), 0.3);
}

// (V3), (V4) 20 decodes of requests with 100 decode steps and prompts of 2048
// tokens, which add 81.92 ms: T = 11 + 20 * 81.92 / 100 = 27.384 ms.
TEST(Queue, Balance) {
  Replica r{2048, 101, 2048, 4096};
  StepCosts costs = r.costs();
  SteadyState state = *SharedQueue(costs, r.traffic()).withDecodes(20);
  EXPECT_NEAR(state.step.value(), 27.384e-3, 1e-8);
  EXPECT_NEAR(state.arrivals, 20 / (100 * 27.384e-3), 1e-5);
  EXPECT_NEAR(state.idleShare, 0, 1e-6);
  // Steps per second: 100 / 20 for each request.
  EXPECT_NEAR(state.stepPower.value(), state.arrivals * (5 * 2 + 20.48), 1e-4);
}

// (V11) With 2 tokens per step, 100 tokens are 50 steps: T = 11 + 20 * 81.92 /
// 50 = 43.768 ms, half of it for each token.
TEST(Queue, Drafts) {
  Replica r{2048, 101, 2048, 4096};
  StepCosts costs = r.costs();
  QueueTraffic traffic = r.traffic();
  traffic.outputSteps /= 2;
  traffic.tokensPerStep = 2;
  SteadyState state = *SharedQueue(costs, traffic).withDecodes(20);
  EXPECT_NEAR(state.tpot().value(), 21.884e-3, 1e-8);
  EXPECT_NEAR(state.arrivals, 20 / (50 * 43.768e-3), 1e-5);
  EXPECT_NEAR(state.latency().value() - ttftOf(state), 50 * 43.768e-3, 1e-7);
  // The cache of separate GPUs moves once for all tokens.
  SplitQueue split(costs, traffic, Seconds(0.1));
  SteadyState apart = *split.withArrivals(1e-3, 1, 1);
  EXPECT_NEAR(apart.tpot().value(),
              (apart.step.value() + apart.transfer.value() / 50) / 2, 1e-9);
}

// At a low load, a replica is idle except for single requests.
TEST(Queue, Idle) {
  Replica r{2048, 101, 2048, 64};
  StepCosts costs = r.costs();
  SharedQueue queue(costs, r.traffic());
  SteadyState state = *queue.withArrivals(1e-3);
  double alone = 100 * 10.05e-3 + 10e-3 + 81.92e-3;
  EXPECT_NEAR(state.latency().value(), alone, 1e-3 * alone);
  EXPECT_NEAR(state.idleShare, 1 - 1e-3 * alone, 1e-4);
  // More than the replica serves.
  EXPECT_FALSE(queue.withArrivals(12));
}

/// Compares random arrivals at three loads with a simulation of the same steps:
/// relative errors of the two means, and of the 90 % quantile if stated.
static void expectSimulated(const Replica &r, double ttftError,
                            double tpotError,
                            std::optional<double> quantileError) {
  StepCosts costs = r.costs();
  SharedQueue queue(costs, r.traffic());
  double most = 0;
  while (queue.withArrivals(most + 0.05))
    most += 0.05;
  for (double load : {0.1, 0.5, 0.8}) {
    SteadyState state = *queue.withArrivals(load * most);
    Simulated simulated = simulate(r, load * most, 0);
    EXPECT_NEAR(ttftOf(state) / simulated.ttft, 1, ttftError)
        << r.input << " " << load;
    EXPECT_NEAR(state.tpot().value() / simulated.tpot, 1, tpotError)
        << r.input << " " << load;
    if (quantileError)
      EXPECT_NEAR((state.ttftQuantile(0.9) - state.answer).value() /
                      simulated.p90,
                  1, *quantileError)
          << r.input << " " << load;
  }
}

// (V5), (V6), (V8) against a simulation of the same steps.
TEST(Queue, RandomArrivals) {
  for (const Replica &r : {Replica{2048, 128, 512, 256},
                           {2048, 512, 2048, 256},
                           {200, 200, 2048, 256},
                           {8192, 256, 1024, 256}})
    expectSimulated(r, 0.06, 0.15, 0.12);
}

// (V7) Users with requests of equal length.
TEST(Queue, Users) {
  for (const Replica &r : {Replica{2048, 128, 512, 256},
                           {2048, 512, 2048, 256},
                           {200, 200, 2048, 256},
                           {8192, 256, 1024, 256}}) {
    StepCosts costs = r.costs();
    SharedQueue queue(costs, r.traffic());
    for (int users : {1, 4, 16, 128, 400}) {
      SteadyState state = queue.withUsers(users);
      Simulated simulated = simulate(r, 0, users);
      EXPECT_NEAR(state.arrivals / simulated.arrivals, 1, 0.05)
          << r.input << " " << users;
      EXPECT_NEAR(state.tpot().value() / simulated.tpot, 1, 0.06)
          << r.input << " " << users;
      EXPECT_NEAR(ttftOf(state) / simulated.ttft, 1, 0.05)
          << r.input << " " << users;
      // Little's law for all users.
      EXPECT_NEAR(state.arrivals * state.latency().value(), users,
                  0.02 * users);
    }
  }
}

// (V7), (V12) Requests take time before the scheduler sees them; prompts have
// separate steps, or are not divided.
TEST(Queue, UsersOfServingStacks) {
  for (double request : {17e-3, 81e-3})
    for (const Replica &r : {Replica{2048, 128, 512, 256, true, true, request},
                             {200, 200, 2048, 256, true, true, request},
                             {8192, 256, 1024, 256, true, true, request},
                             {2048, 128, 512, 256, false, true, request},
                             {200, 200, 2048, 256, false, true, request},
                             {1000, 256, 8000, 256, true, false, request}}) {
      StepCosts costs = r.costs();
      SharedQueue queue(costs, r.traffic());
      for (int users : {1, 4, 16, 128, 400}) {
        SteadyState state = queue.withUsers(users);
        Simulated simulated = simulate(r, 0, users);
        EXPECT_NEAR(state.arrivals / simulated.arrivals, 1, 0.05)
            << r.input << " " << users;
        EXPECT_NEAR(state.tpot().value() / simulated.tpot, 1, 0.06)
            << r.input << " " << users;
        EXPECT_NEAR(ttftOf(state) / simulated.ttft, 1, 0.13)
            << r.input << " " << users << " " << request;
        EXPECT_NEAR(state.arrivals * state.latency().value(), users,
                    0.02 * users);
      }
    }
}

// One user of a replica with separate steps: 5 ms, 2 steps of 1024 tokens that
// take 50.96 ms each, and 100 decode steps of 10.05 ms.
TEST(Queue, OneUser) {
  Replica r{2048, 101, 1024, 64, false, true, 5e-3};
  StepCosts costs = r.costs();
  SteadyState state = SharedQueue(costs, r.traffic()).withUsers(1);
  EXPECT_NEAR(state.ttft().value(), 5e-3 + 2 * 50.96e-3 + 10.05e-3, 1e-9);
  EXPECT_NEAR(state.latency().value(), 5e-3 + 2 * 50.96e-3 + 100 * 10.05e-3,
              1e-9);
  EXPECT_NEAR(state.idleShare, 5e-3 / state.latency().value(), 1e-9);
  // Random arrivals contain the same parts.
  SteadyState idle = *SharedQueue(costs, r.traffic()).withArrivals(1e-3);
  EXPECT_NEAR(idle.ttft().value() / state.ttft().value(), 1, 0.01);
}

// Random arrivals of prompts that run before decodes.
TEST(Queue, RandomArrivalsInSeparateSteps) {
  for (const Replica &r : {Replica{2048, 128, 512, 256, false},
                           {2048, 512, 2048, 256, false},
                           {200, 200, 2048, 256, false}})
    expectSimulated(r, 0.12, 0.25, std::nullopt);
}

TEST(Queue, NoRoundingInWaits) {
  // Every user decodes or computes a prompt: nothing is left to wait.
  Replica replica{2048, 512, 2048, 256};
  StepCosts costs = replica.costs();
  SharedQueue queue(costs, replica.traffic());
  for (double users : {1.0, 3.0, 32.0, 256.0}) {
    SteadyState state = queue.withUsers(users);
    EXPECT_EQ(state.wait.value(), 0) << users;
    EXPECT_EQ(state.slotWait.value(), 0) << users;
  }
  // 44 users more than slots wait.
  SteadyState state = queue.withUsers(300);
  EXPECT_EQ(state.wait.value(), 0);
  EXPECT_DOUBLE_EQ(state.slotWait.value() * state.arrivals, 44);
}

// (V9) 20 decodes take 11 ms; a prompt takes 91.92 ms on another GPU.
TEST(Queue, Split) {
  Replica r{2048, 101, 2048, 256};
  StepCosts costs = r.costs();
  SplitQueue queue(costs, r.traffic(), Seconds(5e-3));
  double arrivals = queue.arrivalsOf(20);
  EXPECT_NEAR(arrivals, 20 / (100 * 11e-3), 1e-6);
  // One decode replica, two for prompts.
  SteadyState state = *queue.withArrivals(arrivals, 2, 2);
  EXPECT_NEAR(state.decodes, 20, 1e-5);
  EXPECT_NEAR(state.step.value(), 11e-3, 1e-7);
  EXPECT_NEAR(state.prefill.value(), 91.92e-3, 1e-8);
  EXPECT_NEAR(state.promptShare, arrivals * 91.92e-3 / 2, 1e-6);
  EXPECT_NEAR(state.transfer.value(), 5e-3 + 11e-3 / 2, 1e-5);
  EXPECT_NEAR(state.promptPower.value(), arrivals / 2 * 20.48, 1e-4);
  // One prompt replica is not enough.
  EXPECT_FALSE(queue.withArrivals(arrivals, 1, 1));
}
