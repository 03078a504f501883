//===- Round.cpp - Sequences, memory and weights of a round ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Round.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::posttrain;
using deploy::LengthShare;
using deploy::Traffic;

/// GPUs per node where the target file states none.
static constexpr int64_t usualNode = 8;

static double squareOf(const std::vector<LengthShare> &lengths) {
  double square = 0;
  for (const LengthShare &each : lengths)
    square += each.share * static_cast<double>(each.tokens) *
              static_cast<double>(each.tokens);
  return square;
}

EqualSequences posttrain::equalSequencesOf(const PostTrainQuestion &question) {
  auto all = static_cast<double>(question.sequences());
  if (question.pads)
    return {question.input.back().tokens + question.output.back().tokens, all};
  double input = Traffic::meanOf(question.input),
         output = Traffic::meanOf(question.output);
  double mean = input + output;
  double square =
      squareOf(question.input) + squareOf(question.output) + 2 * input * output;
  // Frameworks round to multiples that tensor and context parallelism divide.
  constexpr double multiple = 64;
  double tokens = std::ceil(square / mean / multiple) * multiple;
  return {std::llround(tokens), all * mean / tokens};
}

int64_t ResidentState::during(HostOffload offload) const {
  int64_t bytes = 0;
  if (offload < HostOffload::Frozen)
    bytes += frozen;
  if (offload < HostOffload::Optimizer)
    bytes += optimizer;
  if (offload < HostOffload::All)
    bytes += parameters;
  return bytes;
}

int64_t ResidentState::moved(HostOffload offload, bool isShared) const {
  // The host keeps its copy of frozen parameters.
  int64_t bytes = offload >= HostOffload::Frozen ? frozen : 0;
  if (!isShared)
    return bytes;
  if (offload >= HostOffload::Optimizer)
    bytes += 2 * optimizer;
  if (offload >= HostOffload::All)
    bytes += 2 * parameters;
  return bytes;
}

llvm::Expected<StepPart>
posttrain::predictSync(const PostTrainQuestion &question, const Trainer &policy,
                       const RolloutEngine &engine) {
  const CostModel &costs = policy.costModel();
  int64_t node = costs.gpu().gpusPerNode.value_or(usualNode);
  int64_t all = engine.weights * (engine.gpus / engine.ranks);
  StepPart sum;
  // `spread` GPUs fill the nodes on which the `gpus` of the collective are.
  auto add = [&](CollectiveKind kind, int64_t gpus,
                 int64_t spread) -> llvm::Error {
    if (gpus <= 1)
      return llvm::Error::success();
    int64_t nodes = std::min((spread + node - 1) / node, gpus);
    CollectiveProblem problem;
    problem.kind = kind;
    problem.bytes = all;
    // As many in each node.
    problem.worldSize = (gpus + nodes - 1) / nodes * nodes;
    problem.nodes = nodes;
    std::optional<KernelWork> work = collectiveWork(problem);
    if (!work)
      return llvm::createStringError("weights: too many bytes to send");
    auto cost = costs.estimate(*work);
    if (!cost)
      return llvm::createStringError("weights: " + cost.error().message);
    sum.time += cost->time.total;
    sum.energy += cost->energy;
    return llvm::Error::success();
  };
  if (llvm::Error error =
          add(CollectiveKind::AllGather, policy.shards, policy.shards))
    return std::move(error);
  if (!question.isShared)
    if (llvm::Error error = add(CollectiveKind::Broadcast,
                                question.rolloutGpus + 1, question.gpus()))
      return std::move(error);
  // Engines copy their part into their weights.
  constexpr double readAndWritten = 2;
  Seconds copy = Bytes(readAndWritten * static_cast<double>(engine.weights)) /
                 costs.gpu().dramBandwidth;
  sum.time += copy;
  sum.energy += engine.idlePower * copy;
  return sum;
}

std::optional<double> posttrain::widthOfSum(
    llvm::ArrayRef<std::pair<double, std::optional<double>>> parts,
    double correlation) {
  double whole = 0, sum = 0, squares = 0;
  for (const auto &[value, width] : parts) {
    whole += value;
    if (value == 0)
      continue;
    if (!width)
      return std::nullopt;
    sum += value * *width;
    squares += value * *width * value * *width;
  }
  if (whole <= 0)
    return std::nullopt;
  return std::sqrt((1 - correlation) * squares + correlation * sum * sum) /
         whole;
}
