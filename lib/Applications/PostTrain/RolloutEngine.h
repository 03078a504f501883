//===- RolloutEngine.h - An engine that generates answers ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_POSTTRAIN_ROLLOUTENGINE_H
#define GPUCOST_LIB_APPLICATIONS_POSTTRAIN_ROLLOUTENGINE_H

#include "gpucost/Applications/Deploy/ModelSteps.h"
#include "gpucost/Applications/PostTrain/Rollout.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace gpucost::posttrain {

/// One copy of the policy with its cache.
class RolloutEngine {
public:
  /// `stated` are the settings of the rollout without lengths and batch.
  static llvm::Expected<std::unique_ptr<RolloutEngine>>
  create(const std::string &model, const Scenario &stated);

  std::shared_ptr<const sweep::TargetModel> target;
  Settings settings;
  int64_t gpus = 1;
  /// Groups of GPUs with separate answers.
  int64_t ranks = 1;
  Watts idlePower;
  /// On one GPU: weights and everything but the cache; what the software may
  /// use; the cache of a token and of an answer of any length.
  int64_t weights = 0;
  double fixedBytes = 0, bytesPerToken = 0, bytesPerAnswer = 0;
  int64_t usable = 0;

  const StepLimits &limits() const { return service.shapes->limits(); }
  /// Time and energy of a step on one GPU.
  Expected<StepPart> step(int64_t decodes, int64_t context,
                          const PromptPart &prompts);
  /// Decode steps of one answer with growing contexts.
  Expected<StepPart> decodeAlone(int64_t context, int64_t steps);

  struct Decode {
    std::optional<IterationErrorBars> bars;
    Bound bound = Bound::Unknown;
    bool isLowerBound = false;
    std::vector<std::string> notes;
  };
  /// A decode step; nullopt if there are only mixed steps of this shape.
  std::optional<Decode> describe(int64_t decodes, int64_t context) const;

private:
  RolloutEngine() = default;
  Error findMemory();

  serve::ServiceShapes service;
  std::unique_ptr<deploy::ModelSteps> steps;
};

} // namespace gpucost::posttrain

#endif // GPUCOST_LIB_APPLICATIONS_POSTTRAIN_ROLLOUTENGINE_H
