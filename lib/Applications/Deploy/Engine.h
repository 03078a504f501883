//===- Engine.h - One replica of a service -------------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DEPLOY_ENGINE_H
#define GPUCOST_LIB_APPLICATIONS_DEPLOY_ENGINE_H

#include "gpucost/Applications/Deploy/ModelSteps.h"
#include "gpucost/Applications/Deploy/Traffic.h"

namespace gpucost::deploy {

/// The steps of a model, and those of the draft model if there are draft
/// tokens.
struct LearnedSteps {
  serve::ServiceShapes model;
  std::optional<serve::ServiceShapes> draft;
};

/// How prompts form steps.
struct PromptPlan {
  serve::Scheduler scheduler;
  int64_t chunk = 0; ///< most prompt tokens of a step
};

/// Mean prompts that a step holds.
double promptsOfStep(const PromptPlan &plan, const Traffic &traffic);

/// One GPU kind, plan, format and power limit, and its steps as tables.
class Engine {
public:
  /// `reason` says why there are no steps.
  Scenario scenario;
  std::string reason;

  Settings settings;
  std::shared_ptr<const sweep::TargetModel> target;
  int64_t gpus = 1;  ///< of a replica
  int64_t ranks = 1; ///< groups of a replica, each with a separate batch
  /// The most sequences of a group that decode at the same time, at their full
  /// length.
  int64_t largestBatch = 0;
  std::string batchFault; ///< why there are no more
  Watts idlePower;
  int64_t experts = 0; ///< of a layer; 0: none
  /// Cache of one token, on all GPUs that share a sequence.
  double cacheBytesPerToken = 0;
  /// (V12) Around the steps.
  serve::HostTimes host;
  std::optional<IterationErrorBars> decodeBars, promptBars;
  double correlation = 0;

  /// Restates the settings of `steps` for this engine's `scenario` and
  /// `target`; false, with a `reason`, if they need other kernels.
  bool accepts(const LearnedSteps &steps, const Traffic &traffic);
  /// Tabulates the steps of an accepted service with each of `plans`. Sets
  /// `reason` on failure.
  void tabulate(const LearnedSteps &steps, const Traffic &traffic,
                std::vector<PromptPlan> plans);

  bool isUsable() const { return reason.empty(); }
  const std::vector<PromptPlan> &promptPlans() const { return plans; }
  /// The steps with prompts as in a plan; valid as long as this engine.
  StepCosts costs(size_t plan) const;
  /// The most sequences of a group with prompts as in a plan; 0 if there are no
  /// such prompts.
  int64_t largestBatchWith(size_t plan) const { return tables[plan].most; }
  /// Why there are no more.
  const std::string &promptFault(size_t plan) const {
    return tables[plan].fault;
  }
  /// Memory of one GPU with `batch` sequences at their full length.
  int64_t deviceBytes(int64_t batch) const;

private:
  class Tabulator;
  /// Prompts at each of `promptBatches`.
  struct PromptTable {
    int64_t most = 0;
    std::string fault;
    std::vector<std::vector<PromptClass>> rows;
  };
  StepPart decodeAt(double batch) const;
  std::vector<PromptClass> promptsAt(size_t index, double batch) const;

  Settings draftSettings;
  std::vector<double> decodeBatches, promptBatches;
  std::vector<StepPart> decodes;
  std::vector<PromptPlan> plans;
  std::vector<PromptTable> tables; ///< for each of `plans`
  /// Memory of one sequence and of more, for a line.
  double firstBytes = 0, bytesPerSequence = 0;
};

} // namespace gpucost::deploy

#endif // GPUCOST_LIB_APPLICATIONS_DEPLOY_ENGINE_H
