//===- Rollout.h - A batch of answers on one engine -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An engine generates a fixed number of answers and stops with the last one,
// equation (V14) of docs/CostModel.md. The steps are played one after another;
// steps between two events are summed.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_POSTTRAIN_ROLLOUT_H
#define GPUCOST_APPLICATIONS_POSTTRAIN_ROLLOUT_H

#include "gpucost/Applications/Deploy/Queue.h"
#include "gpucost/Core/Support/Expected.h"
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace gpucost::posttrain {

using deploy::StepPart;

/// Tokens of prompts or answers, and their share; ascending.
using LengthShares = std::vector<std::pair<int64_t, double>>;

/// (V14) `count` lengths, the quantiles in the middle of as many equal shares.
/// If these lengths are a part of `all` ones, the longest is that of all. The
/// order is fixed and looks random; `spread` is irrational.
std::vector<int64_t> drawLengths(const LengthShares &lengths, int64_t count,
                                 int64_t all, double spread);

/// Answers of one engine, in the order in which they start.
struct RolloutTraffic {
  std::vector<int64_t> outputs;
  /// Of each prompt. `samples` answers in a row share a prompt.
  std::vector<int64_t> inputs;
  int64_t samples = 1;
  /// Whether these answers also share its computation and cache.
  bool sharesPrompts = true;
  int64_t slots = 1;         ///< answers that run at the same time
  int64_t stepTokens = 1;    ///< tokens of a step with prompts
  double bytesPerToken = 0;  ///< of the cache
  double bytesPerAnswer = 0; ///< of each running answer, of any length
  double cacheBytes = 0;     ///< room for both
  bool mixes = true;         ///< prompts and decodes share steps
};

/// Prompts of a step: `count` parts of `query` tokens, after `past` tokens.
struct PromptPart {
  int64_t count = 0, query = 0, past = 0;
};

/// A step of `decodes` answers with a mean context, and prompts.
using RolloutSteps = std::function<Expected<StepPart>(
    int64_t decodes, int64_t context, const PromptPart &prompts)>;

/// The sum of `count` decode steps of `decodes` answers, whose mean context
/// grows by one token in each, by Simpson's rule: the time of attention is
/// nearly linear in the context.
Expected<StepPart> sumDecodes(const RolloutSteps &step, int64_t decodes,
                              int64_t context, int64_t count);

struct RolloutRun {
  StepPart all;
  /// From the moment when less than half of the largest number of answers
  /// remain.
  Seconds tail;
  int64_t steps = 0, promptTokens = 0, outputTokens = 0;
  int64_t mostRunning = 0;
  double mostBytes = 0; ///< of the cache
};

/// (V14) Fails if a step does, or if one answer does not fit in the cache.
Expected<RolloutRun> playRollout(const RolloutTraffic &traffic,
                                 const RolloutSteps &step);

} // namespace gpucost::posttrain

#endif // GPUCOST_APPLICATIONS_POSTTRAIN_ROLLOUT_H
