//===- ClosedLoop.cpp - Users who wait for their answers ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Serve/ClosedLoop.h"
#include <algorithm>
#include <cmath>
#include <deque>

using namespace gpucost;
using namespace gpucost::serve;

std::string Loop::contradiction() const {
  if (users == 0) {
    Loop none;
#define LOOP_COUNT(field, flag, initial, help)                                 \
  if (field != none.field)                                                     \
    return "--" flag " needs --users";
#define LOOP_SHARE(field, flag, initial, help)                                 \
  LOOP_COUNT(field, flag, initial, help)
#define LOOP_TIME(field, flag, help) LOOP_COUNT(field, flag, , help)
#include "gpucost/Applications/Serve/LoopFlags.def"
    return "";
  }
  if (requests && requests < users)
    return "--requests must be at least --users: every user sends one";
  if (leastLength <= 0)
    return "--least-length must be above 0";
  constexpr double mostSeconds = 1e3;
  if (requestTime && requestTime->value() > mostSeconds)
    return "--request-ms must be at most 1000000";
  return "";
}

bool Loop::isShort(const LoopTraffic &traffic) const {
  // Steps that are not part of a jump, for each request; each of them visits
  // all running sequences.
  double steps = 2;
  steps += static_cast<double>(traffic.inputTokens) /
           static_cast<double>(stepTokens);
  steps += std::min(static_cast<double>(gatherSteps), traffic.outputSteps);
  if (pollSteps > 1)
    steps += traffic.outputSteps / static_cast<double>(pollSteps);
  constexpr double most = 2e8;
  return steps * static_cast<double>(allRequests()) *
             static_cast<double>(running()) <=
         most;
}

Scheduler serve::schedulerOf(Software software) {
  // SGLang runs prompts and decodes in separate steps (unless
  // --enable-mixed-chunk), TensorRT-LLM does not divide prompts (unless
  // enable_chunked_prefill).
  return {/*mixes=*/!isOf(software, Software::Sglang),
          /*divides=*/!isOf(software, Software::TensorRtLlm)};
}

Seconds LoopResult::meanFirst() const {
  Seconds sum;
  for (Seconds each : first)
    sum += each;
  return sum / static_cast<double>(first.size());
}

Seconds LoopResult::quantileOfFirst(double probability) const {
  std::vector<Seconds> sorted = first;
  auto last = static_cast<double>(sorted.size() - 1);
  auto at = sorted.begin() + std::lround(probability * last);
  std::nth_element(sorted.begin(), at, sorted.end());
  return *at;
}

namespace {

/// Lengths are spread evenly, without randomness: multiples of these irrational
/// numbers, less their integers.
constexpr double inputSpread = 0.6180339887498949,
                 outputSpread = 0.4142135623730951;

class Player {
public:
  Player(const Loop &loop, const Scheduler &scheduler,
         const LoopTraffic &traffic, const LoopTimes &times)
      : loop(loop), scheduler(scheduler), traffic(traffic), times(times) {}
  LoopResult play();

private:
  struct Request {
    Seconds sent, first;
    int64_t promptLeft = 0; ///< tokens
    int64_t stepsLeft = 0, steps = 0;
  };

  double shareOf(double spread) const {
    double part = std::fmod(static_cast<double>(begun) * spread, 1.0);
    return loop.leastLength + (1 - loop.leastLength) * part;
  }
  void send();
  void poll();
  bool gathers() const;
  /// The next step, with prompts.
  void runPrompts();
  /// Decode steps until something changes. `gathering`: prompts with a free
  /// slot wait for others.
  void runDecodes(bool gathering);
  /// All running sequences have decoded `count` times.
  void advance(int64_t count);
  void start(Request request);
  void finish(const Request &request);

  const Loop &loop;
  const Scheduler &scheduler;
  const LoopTraffic &traffic;
  const LoopTimes &times;
  Seconds now;
  int64_t begun = 0, steps = 0, gathered = 0;
  /// In the order of their arrival.
  std::deque<Request> coming, waiting;
  std::vector<Request> running;
  LoopResult result;
};

} // namespace

void Player::send() {
  if (begun == loop.allRequests())
    return;
  ++begun;
  auto whole = [](double value) {
    return std::max<int64_t>(std::llround(value), 1);
  };
  double outputShare = shareOf(outputSpread);
  result.outputs += outputShare;
  Request next;
  next.sent = now;
  next.promptLeft =
      whole(static_cast<double>(traffic.inputTokens) * shareOf(inputSpread));
  next.steps = next.stepsLeft =
      traffic.outputSteps > 0 ? whole(traffic.outputSteps * outputShare) : 0;
  coming.push_back(next);
}

void Player::poll() {
  int64_t every = loop.pollSteps;
  if (running.empty() && waiting.empty() && !coming.empty())
    now = std::max(now, coming.front().sent + times.request);
  // A server without work always looks.
  if (!running.empty() && steps % every != 0)
    return;
  while (!coming.empty() && coming.front().sent + times.request <= now) {
    waiting.push_back(coming.front());
    coming.pop_front();
  }
}

bool Player::gathers() const {
  if (loop.gatherSteps == 0 || running.empty())
    return false;
  int64_t tokens = 0;
  for (const Request &each : waiting)
    tokens += each.promptLeft;
  return gathered < loop.gatherSteps &&
         static_cast<double>(tokens) <
             loop.gatherShare * static_cast<double>(loop.stepTokens);
}

void Player::start(Request request) {
  // The next step begins before the results of this one reach the user.
  request.first = now;
  Seconds overlap = request.steps > 0
                        ? times.decode(static_cast<int64_t>(running.size() + 1))
                        : Seconds(0);
  result.first.push_back(now + overlap - request.sent);
  if (request.stepsLeft == 0)
    finish(request);
  else
    running.push_back(request);
}

void Player::finish(const Request &request) {
  if (request.steps > 0)
    result.perToken +=
        (now - request.first) / static_cast<double>(request.steps);
  result.latency += now - request.sent;
  result.end = now;
  send();
}

void Player::advance(int64_t count) {
  std::vector<Request> before;
  before.swap(running);
  for (Request &each : before) {
    each.stepsLeft -= count;
    if (each.stepsLeft > 0)
      running.push_back(each);
    else
      finish(each);
  }
}

void Player::runPrompts() {
  gathered = 0;
  auto decodes = static_cast<int64_t>(running.size());
  int64_t budget = loop.stepTokens - (scheduler.mixes ? decodes : 0);
  int64_t tokens = 0, room = loop.running() - decodes;
  std::vector<Request> done;
  while (!waiting.empty() && room > static_cast<int64_t>(done.size())) {
    Request &next = waiting.front();
    int64_t left = std::max<int64_t>(budget - tokens, 0);
    // A prompt that is longer than a step runs alone.
    if (!scheduler.divides && tokens > 0 && next.promptLeft > left)
      break;
    int64_t part =
        scheduler.divides ? std::min(next.promptLeft, left) : next.promptLeft;
    if (tokens == 0)
      part = std::max<int64_t>(part, 1);
    tokens += part;
    next.promptLeft -= part;
    if (next.promptLeft > 0)
      break;
    done.push_back(next);
    waiting.pop_front();
  }
  Seconds time = times.prompt(tokens);
  bool together = scheduler.mixes && decodes > 0;
  if (together) {
    Seconds decode = times.decode(decodes);
    time = std::max(time + decode - times.shared, std::max(time, decode));
  }
  now += time;
  ++steps;
  if (together)
    advance(1);
  for (const Request &each : done)
    start(each);
}

void Player::runDecodes(bool gathering) {
  auto decodes = static_cast<int64_t>(running.size());
  Seconds step = times.decode(decodes);
  int64_t count = 1;
  // Without a free slot, nothing changes until a sequence ends.
  bool isFull = decodes == loop.running();
  if (gathering) {
    ++gathered;
  } else if (waiting.empty() || isFull) {
    count = running.front().stepsLeft;
    for (const Request &each : running)
      count = std::min(count, each.stepsLeft);
    int64_t every = loop.pollSteps;
    if (isFull && every > 1)
      count = std::min(count, every - steps % every);
    if (!isFull && !coming.empty()) {
      double gap =
          (coming.front().sent + times.request - now).value() / step.value();
      double seen = std::ceil(std::clamp(gap, 1.0, static_cast<double>(count)));
      int64_t after = steps + static_cast<int64_t>(seen);
      count = std::min(count, (after + every - 1) / every * every - steps);
    }
  }
  now += step * static_cast<double>(count);
  steps += count;
  advance(count);
}

LoopResult Player::play() {
  for (int64_t user = 0; user < loop.users; ++user)
    send();
  auto all = static_cast<size_t>(loop.allRequests());
  result.first.reserve(all);
  while (result.first.size() < all || !running.empty()) {
    poll();
    bool canBegin = !waiting.empty() &&
                    static_cast<int64_t>(running.size()) < loop.running();
    if (canBegin && !gathers())
      runPrompts();
    else
      runDecodes(/*gathering=*/canBegin);
  }
  auto count = static_cast<double>(all);
  result.perToken = result.perToken / count;
  result.latency = result.latency / count;
  return std::move(result);
}

LoopResult serve::play(const Loop &loop, const Scheduler &scheduler,
                       const LoopTraffic &traffic, const LoopTimes &times) {
  return Player(loop, scheduler, traffic, times).play();
}
