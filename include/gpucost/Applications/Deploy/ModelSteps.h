//===- ModelSteps.h - Steps of one model on one GPU -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_DEPLOY_MODELSTEPS_H
#define GPUCOST_APPLICATIONS_DEPLOY_MODELSTEPS_H

#include "gpucost/Applications/Deploy/Queue.h"
#include "gpucost/Applications/Serve/ServiceShapes.h"
#include "gpucost/Applications/Serve/ServingHosts.h"
#include "gpucost/Applications/Sweep/TargetModel.h"

namespace gpucost::deploy {

/// The settings of a service's steps with other settings and on another GPU;
/// an error if they need other kernels.
Expected<Settings> settingsOn(const serve::ServiceShapes &service,
                              const Scenario &scenario,
                              const sweep::TargetModel &target);

/// Sequences that decode, each with the same new tokens.
struct DecodeShape {
  int64_t sequences = 0, tokens = 1, context = 1;
};

/// Chunks of prompts, each after `past` tokens.
struct ChunkShape {
  int64_t query = 0, past = 0, prompts = 1;
};

/// Steps and memory of one model on one GPU. Not thread-safe.
class ModelSteps {
public:
  /// `launch`: the host launches each kernel of a step with prompts in this
  /// time; nullopt: as those of decode steps (V12).
  ModelSteps(const serve::ServiceShapes &service, const CostModel &costs,
             const Settings &settings, std::optional<Seconds> launch)
      : service(service), costs(costs),
        oracle(service.shapes, costs, settings) {
    if (launch)
      withPrompts.emplace(service.shapes, costs,
                          serve::promptSettings(settings, launch));
  }

  const StepLimits &limits() const { return service.shapes->limits(); }
  /// Null if no step has this shape.
  std::shared_ptr<PreparedModel> modelAt(const StepShape &shape) const;
  MemoryPlan memoryAt(const StepShape &shape) const;
  /// Cache of one token.
  double cacheBytesPerToken() const;
  /// Weights, without those that this model shares with another one.
  int64_t ownWeights(bool sharesWords) const;
  Expected<StepPart> step(const DecodeShape &decode, const ChunkShape &chunk);

private:
  const serve::ServiceShapes &service;
  const CostModel &costs;
  StepOracle oracle;
  /// Of steps with prompts, if their host differs.
  std::optional<StepOracle> withPrompts;
  std::vector<StepSequence> sequences;
};

} // namespace gpucost::deploy

#endif // GPUCOST_APPLICATIONS_DEPLOY_MODELSTEPS_H
