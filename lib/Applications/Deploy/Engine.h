//===- Engine.h - One replica of a service -------------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_DEPLOY_ENGINE_H
#define GPUCOST_LIB_APPLICATIONS_DEPLOY_ENGINE_H

#include "ModelSteps.h"
#include "gpucost/Applications/Deploy/Traffic.h"

namespace gpucost::deploy {

/// The steps of a model, and those of the draft model if there are draft
/// tokens.
struct LearnedSteps {
  serve::ServiceShapes model;
  std::optional<serve::ServiceShapes> draft;
};

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
  /// Cache of one token, on all GPUs that share a sequence.
  double cacheBytesPerToken = 0;
  std::optional<IterationErrorBars> decodeBars, promptBars;
  double correlation = 0;

  /// Restates the settings of `steps` for this engine's `scenario` and
  /// `target`; false, with a `reason`, if they need other kernels.
  bool accepts(const LearnedSteps &steps);
  /// Tabulates the steps of an accepted service; `chunks` are the prompt tokens
  /// of a step, descending. Sets `reason` on failure.
  void tabulate(const LearnedSteps &steps, const Traffic &traffic,
                const std::vector<int64_t> &chunks);

  bool isUsable() const { return reason.empty(); }
  /// The steps with chunks of `chunks[index]` tokens; valid as long as this
  /// engine.
  StepCosts costs(size_t index) const;
  /// The most sequences of a group with prompts in chunks of `chunks[index]`
  /// tokens; 0 if there are no such chunks.
  int64_t largestBatchWith(size_t index) const { return tables[index].most; }
  /// Why there are no more.
  const std::string &chunkFault(size_t index) const {
    return tables[index].fault;
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
  std::vector<PromptTable> tables;
  /// Memory of one sequence and of more, for a line.
  double firstBytes = 0, bytesPerSequence = 0;
};

} // namespace gpucost::deploy

#endif // GPUCOST_LIB_APPLICATIONS_DEPLOY_ENGINE_H
