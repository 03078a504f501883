//===- StepOracle.h - Steps of a serving system -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predicts the time of one serving step for a list of sequences, each with some
// new and some cached tokens. Schedulers and simulators call it thousands of
// times per second. A batch of equal sequences costs as much as in a report of
// that shape. The rule for other batches (docs/Serving.md): kernels that depend
// only on the number of tokens and sequences run once over the totals; kernels
// that depend on the context, such as attention, run once for all sequences
// with one new token, at their mean context, and once for each kind of other
// sequence. It does not depend on the IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_STEPORACLE_H
#define GPUCOST_CORE_ITERATION_STEPORACLE_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Iteration/ShapeFamily.h"
#include <map>
#include <optional>

namespace gpucost {

class TilingCache;

/// The largest steps that an oracle predicts.
struct StepLimits {
  static constexpr int64_t mostSequences = 1024, mostTokens = int64_t(1) << 20;
  int64_t batch = mostSequences; ///< sequences
  int64_t query = mostTokens;    ///< new tokens of one sequence
  int64_t past = mostTokens;     ///< tokens of one sequence in the cache
};

/// The kernels of a model at every shape up to `limits()`, for any GPU.
class StepShapes {
public:
  /// Learns from about 40 models that `prepare` returns. Sequences shorter than
  /// a window of keys may launch other kernels and are separate families. If
  /// the models up to `limits` do not form families, prompts have half as many
  /// tokens, and so on. Fails with an error of `prepare`, or if no models form
  /// families.
  static Expected<StepShapes> create(const StepLimits &limits,
                                     const ShapeFamily::Prepare &prepare);

  const StepLimits &limits() const { return theLimits; }
  /// The family that contains `shape`; null if there is none.
  const ShapeFamily *find(const StepShape &shape) const;
  /// A family of prompts with a cache, from which mixed steps are composed.
  const ShapeFamily &mixed() const { return families.front(); }
  /// The one for sequences of at most `length` tokens.
  const ShapeFamily &mixed(int64_t length) const;

private:
  Error add(const ShapeRange &range, const ShapeFamily::Prepare &prepare);

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
  /// See OperatingPoint: the time is a lower bound.
  bool limitUnreachable = false;
  /// Some op is not modelled: time and energy are lower bounds.
  bool isLowerBound = false;
  Watts power() const { return energy / time; }
};

/// Predicts steps on one GPU. Not thread-safe.
class StepOracle {
public:
  /// `settings` contains clock, power limit and host of every step.
  StepOracle(std::shared_ptr<const StepShapes> shapes, const CostModel &model,
             const Settings &settings);
  ~StepOracle();
  StepOracle(const StepOracle &) = delete;

  /// One step of `count` sequences. Fails if `count` is 0 or a sequence exceeds
  /// the limits.
  Expected<StepCost> step(const StepSequence *sequences, size_t count);

private:
  /// Models that are resized for each step.
  class Uniform;
  class Mixed;
  template <typename Model>
  Expected<StepCost> evaluate(Model &model, int64_t sequences);
  Expected<StepCost> stepOf(const StepShape &shape);
  Expected<StepCost> mix(std::vector<StepShape> groups);

  std::shared_ptr<const StepShapes> shapes;
  CostModel model;
  Settings settings;
  /// A step waits for the software's serving loop.
  bool loops;
  /// (H11), after the first step.
  std::optional<Seconds> chunks;
  std::unique_ptr<TilingCache> tilings;
  std::map<const ShapeFamily *, std::unique_ptr<Uniform>> uniform;
  /// Keyed by the family and the number of groups.
  std::map<std::pair<const ShapeFamily *, size_t>, std::unique_ptr<Mixed>>
      mixtures;
  /// Costs of steps of equal sequences, by a hash of their shape.
  std::vector<std::pair<StepShape, StepCost>> known;
};

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_STEPORACLE_H
