//===- PostTrain.h - A round of post-training -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A round of GRPO, PPO or DPO: answers of the policy, forward passes that score
// them, updates of the policy, and its new weights for the engines, equations
// (V13) to (V18) of docs/CostModel.md. docs/PostTraining.md defines the
// numbers.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_POSTTRAIN_POSTTRAIN_H
#define GPUCOST_APPLICATIONS_POSTTRAIN_POSTTRAIN_H

#include "gpucost/Applications/Deploy/Traffic.h"
#include "gpucost/Applications/Enums.h"
#include "gpucost/Core/Report/RecordShape.h"
#include "gpucost/Core/Report/ReportField.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "llvm/Support/raw_ostream.h"

namespace gpucost::posttrain {

struct PostTrainQuestion {
  std::string model;
  PostTraining algorithm = PostTraining::Grpo;
  int64_t prompts = 0, samples = 1;
  std::vector<deploy::LengthShare> input, output;
  /// Of all GPUs, the rollout and the training. The same number: shared GPUs
  /// if `isShared`.
  int64_t rolloutGpus = 0, trainGpus = 0;
  bool isShared = true;
  int64_t lag = 0;
  /// Sequences of an update; 0: all of a round.
  int64_t miniBatch = 0;
  int64_t epochs = 1;
  bool pads = false;
  /// Tokens of a forward and backward pass on a GPU; 0: those of the longest
  /// sequence.
  int64_t passTokens = 0;
  bool hasReference = true, recomputesLogProbs = true;
  /// Paths; "": a reward by rules, and a critic as the policy.
  std::string rewardModel, critic;
  Seconds rewardTime;
  HostOffload offload = HostOffload::None;
  EngineSleep sleep = EngineSleep::All;
  /// Between a GPU and host memory, in one direction.
  std::optional<BytesPerSecond> hostLink;
  /// 0: as many as fit.
  int64_t slots = 0;
  int64_t stepTokens = 0;
  bool sharesPrompts = true;
  /// The stated settings of both, and those of each.
  Scenario common, rollout, train;
  unsigned jobs = 1;

  int64_t sequences() const { return prompts * samples; }
  bool hasRollout() const { return algorithm != PostTraining::Dpo; }
  int64_t gpus() const {
    return isShared ? trainGpus : rolloutGpus + trainGpus;
  }
};

#define GPUCOST_REPORT "gpucost/Applications/PostTrain/PostTrainReport.def"
#include "gpucost/Core/Report/DefineReport.inc"
using PostTrainReport = PostTrainFields;

/// Fails for models and settings that a phase does not allow; the error names
/// the phase. A round that does not fit is a report.
llvm::Expected<PostTrainReport> predictRound(const PostTrainQuestion &question);

void printPostTrain(const PostTrainReport &report, llvm::raw_ostream &os);
void printPostTrainJson(const PostTrainReport &report, bool indented,
                        llvm::raw_ostream &os);
/// The fields of a report in JSON.
RecordShape shapeOfPostTrain();

} // namespace gpucost::posttrain

#endif // GPUCOST_APPLICATIONS_POSTTRAIN_POSTTRAIN_H
