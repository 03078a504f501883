//===- ClosedLoop.h - Users who wait for their answers ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a benchmark of a server measures: a fixed number of users, each of whom
// sends the next request when the answer is complete. The steps of the server
// are played one after another, equation (V12) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_SERVE_CLOSEDLOOP_H
#define GPUCOST_APPLICATIONS_SERVE_CLOSEDLOOP_H

#include "gpucost/Core/Support/Quantity.h"
#include "gpucost/Core/Vocabulary/Software.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gpucost::serve {

/// Requests of equal stated lengths.
struct LoopTraffic {
  int64_t inputTokens = 1; ///< that a prefill computes
  /// Steps of an answer after its first token.
  double outputSteps = 0;
};

/// The flags of LoopFlags.def.
struct Loop {
#define LOOP_COUNT(field, flag, initial, help) int64_t field = initial;
#define LOOP_SHARE(field, flag, initial, help) double field = initial;
#define LOOP_TIME(field, flag, help) std::optional<Seconds> field;
#include "gpucost/Applications/Serve/LoopFlags.def"

  static constexpr int64_t usualRounds = 10;

  int64_t allRequests() const {
    return requests ? requests : users * usualRounds;
  }
  /// Sequences of a step at most.
  int64_t running() const { return slots ? std::min(slots, users) : users; }
  /// Why the flags contradict each other; "" if they do not.
  std::string contradiction() const;
  /// Whether `play` ends within seconds for this traffic.
  bool isShort(const LoopTraffic &traffic) const;
};

/// How a framework forms its steps.
struct Scheduler {
  /// Prompts and decodes share steps; otherwise prompts have their own.
  bool mixes = true;
  /// A prompt may be divided over several steps.
  bool divides = true;
  bool operator==(const Scheduler &o) const {
    return mixes == o.mixes && divides == o.divides;
  }
};
/// As the software does by default.
Scheduler schedulerOf(Software software);

struct LoopTimes {
  /// A decode step of this many sequences.
  std::function<Seconds(int64_t)> decode;
  /// A step of this many prompt tokens.
  std::function<Seconds(int64_t)> prompt;
  /// Of a decode step, for what a prompt in the same step reads anyway: the
  /// weights.
  Seconds shared;
  Seconds request;
};

struct LoopResult {
  /// To the first token, of each request.
  std::vector<Seconds> first;
  /// Sums over the requests.
  Seconds perToken, latency;
  Seconds end; ///< of the last answer
  /// Sum over the requests of their output, relative to the stated one.
  double outputs = 0;

  Seconds meanFirst() const;
  Seconds quantileOfFirst(double probability) const;
};

/// (V12) Plays `loop`, whose users and requests are at least 1.
LoopResult play(const Loop &loop, const Scheduler &scheduler,
                const LoopTraffic &traffic, const LoopTimes &times);

} // namespace gpucost::serve

#endif // GPUCOST_APPLICATIONS_SERVE_CLOSEDLOOP_H
