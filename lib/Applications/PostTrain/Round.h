//===- Round.h - Phases of a round and their memory ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_POSTTRAIN_ROUND_H
#define GPUCOST_LIB_APPLICATIONS_POSTTRAIN_ROUND_H

#include "RolloutEngine.h"
#include "Trainer.h"
#include "gpucost/Applications/PostTrain/PostTrain.h"

namespace gpucost::posttrain {

/// (V13) Equal sequences with the tokens and the attention of a round, or
/// padded ones.
EqualSequences equalSequencesOf(const PostTrainQuestion &question);

/// Memory of one GPU of the training that is in use during other phases.
struct ResidentState {
  int64_t frozen = 0;    ///< parameters of models that are not trained
  int64_t optimizer = 0; ///< of all trained models
  int64_t parameters = 0;

  /// What stays during the rollout, and during the updates.
  int64_t during(HostOffload offload) const;
  /// Bytes that move to host memory and back in a round, both directions.
  int64_t moved(HostOffload offload, bool isShared) const;
};

/// (V14) The expected length of the longest answer of a round.
int64_t longestOutput(const PostTrainQuestion &question);

/// The rollout of all engines.
struct RolloutResult {
  RolloutReport report;
  RoundPhase phase;
  double fixedBytes = 0; ///< of an engine on one GPU, without its cache
  std::vector<std::string> notes;
};
/// `resident` bytes of one GPU belong to the training.
llvm::Expected<RolloutResult> predictRollout(const PostTrainQuestion &question,
                                             RolloutEngine &engine,
                                             int64_t resident);

/// (V16) The new weights of the policy on all engines, which have `weights`
/// bytes on one GPU.
llvm::Expected<StepPart> predictSync(const PostTrainQuestion &question,
                                     const Trainer &policy,
                                     const RolloutEngine &engine);

/// (V18) The half-width of a sum of parts, each with its half-width; nullopt if
/// one is unknown. A fraction `correlation` of all errors is common.
std::optional<double>
widthOfSum(llvm::ArrayRef<std::pair<double, std::optional<double>>> parts,
           double correlation);

} // namespace gpucost::posttrain

#endif // GPUCOST_LIB_APPLICATIONS_POSTTRAIN_ROUND_H
