//===- Trainer.h - Updates and forward passes of a model -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_POSTTRAIN_TRAINER_H
#define GPUCOST_LIB_APPLICATIONS_POSTTRAIN_TRAINER_H

#include "gpucost/Applications/Deploy/Queue.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "llvm/Support/Error.h"

namespace gpucost::posttrain {

using deploy::StepPart;

/// Equal sequences.
struct EqualSequences {
  int64_t tokens = 1; ///< of each
  double count = 0;   ///< not only integers
};

struct TrainQuestion {
  std::string model;
  /// With the number of GPUs; without a plan, the best one is searched.
  Scenario stated;
  EqualSequences update; ///< sequences of an update
  /// Tokens of a pass on a GPU, unless a batch is stated.
  int64_t passTokens = 1;
  unsigned jobs = 1;
};

/// A model in training on all GPUs of the training.
class Trainer {
public:
  static llvm::Expected<Trainer> create(const TrainQuestion &question);

  Scenario scenario;
  Settings settings;
  bool isChosen = false;  ///< the plan was searched
  IterationReport report; ///< of an update
  Watts idlePower;
  /// GPUs with one copy of the parameters, which each has a part of.
  int64_t shards = 1;
  /// Fraction of an error that other predictions on this GPU share.
  double correlation = 0;

  const CostModel &costModel() const { return placed->model(); }
  /// An update, on one GPU.
  StepPart update() const { return {report.time, report.energy}; }
  /// (V15) Forward passes of `count` sequences, on one GPU.
  StepPart forward(double count) const;
  /// Parameters on one GPU, and what the optimizer keeps.
  int64_t parameters() const { return report.parameterBytes; }
  int64_t optimizer() const { return report.optimizerBytes; }
  int64_t passesOf(double count) const;

private:
  std::shared_ptr<const PlacedModel> placed;
  IterationTotals totals;
};

} // namespace gpucost::posttrain

#endif // GPUCOST_LIB_APPLICATIONS_POSTTRAIN_TRAINER_H
