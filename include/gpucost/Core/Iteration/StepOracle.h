//===- StepOracle.h - Steps of a serving system -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What schedulers and simulators ask thousands of times a second: how long does
// a step of these sequences take, each with some new tokens and some in the
// cache? A batch of equal sequences costs what a report of that shape says.
// The rule for others (docs/Serving.md): kernels that depend on the number of
// tokens and sequences alone run once over the totals; kernels that depend on
// the context, such as attention, run once for all sequences with one new
// token, at their mean context, and once for each kind of the others. No IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_STEPORACLE_H
#define GPUCOST_CORE_ITERATION_STEPORACLE_H

#include "gpucost/Core/Iteration/KernelMemo.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Iteration/ShapeFamily.h"
#include <map>

namespace gpucost {

/// The largest steps that an oracle answers.
struct StepLimits {
  static constexpr int64_t mostSequences = 1024, mostNewTokens = 4096,
                           mostCachedTokens = int64_t(1) << 20;
  int64_t batch = mostSequences;   ///< sequences
  int64_t query = mostNewTokens;   ///< new tokens of one sequence
  int64_t past = mostCachedTokens; ///< tokens of one sequence in the cache
};

/// The kernels of a model at every shape up to `limits()`, for any GPU.
class StepShapes {
public:
  /// Learns from the models that `prepare` makes, some 40. Prompts are as long
  /// as the tables of the model allow, at most `limits`. An error of `prepare`,
  /// or why the model has no such families.
  static Expected<StepShapes> create(const StepLimits &limits,
                                     const ShapeFamily::Prepare &prepare);

  const StepLimits &limits() const { return theLimits; }
  /// The family of all sequences with `shape`; null where there is none.
  const ShapeFamily *find(const StepShape &shape) const;
  /// That of prompts with a cache, which mixed steps are made of.
  const ShapeFamily &mixed() const { return families.front(); }

private:
  StepLimits theLimits;
  std::vector<ShapeFamily> families;
};

/// One sequence of a step.
struct StepSequence {
  int64_t query = 1; ///< new tokens
  int64_t past = 0;  ///< tokens in the cache
};

struct StepCost {
  Seconds time;
  Joules energy; ///< of one GPU
  Hertz clock;
  bool throttled = false;
  Watts power() const { return energy / time; }
};

/// Steps on one GPU. One thread at a time.
class StepOracle {
public:
  /// `options`: clock, power limit and host of every step.
  StepOracle(std::shared_ptr<const StepShapes> shapes, const CostModel &model,
             const IterationOptions &options);
  ~StepOracle();
  StepOracle(const StepOracle &) = delete;

  /// One step of `count` sequences. An error where there is none, or one is
  /// beyond the limits.
  Expected<StepCost> step(const StepSequence *sequences, size_t count);

private:
  class Scratch;
  /// A model that is resized from step to step.
  class Mixed;
  IterationOptions optionsOf(int64_t sequences) const;
  Expected<StepCost> evaluate(const std::shared_ptr<PreparedModel> &model,
                              int64_t sequences);
  Expected<StepCost> stepOf(const StepShape &shape);
  Expected<StepCost> mix(const std::vector<StepShape> &groups);

  std::shared_ptr<const StepShapes> shapes;
  CostModel model;
  IterationOptions options;
  KernelMemo memo;
  std::map<const ShapeFamily *, std::unique_ptr<Scratch>> scratch;
  /// By the number of groups.
  std::map<size_t, std::unique_ptr<Mixed>> mixtures;
  std::vector<PlacedKernel> kernels;
};

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_STEPORACLE_H
