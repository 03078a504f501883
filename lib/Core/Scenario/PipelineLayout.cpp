//===- PipelineLayout.cpp - Stages, ranks and nodes -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Support/Text.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

int64_t PipelineLayout::rankOf(int64_t stage) const {
  bool isV = trains && schedule == PipelineSchedule::ZeroBubbleV;
  return isV && stage >= ranks ? stages() - 1 - stage : stage % ranks;
}

bool PipelineLayout::splitsBackward() const {
  return trains && (schedule == PipelineSchedule::ZeroBubbleH1 ||
                    schedule == PipelineSchedule::ZeroBubbleV);
}

bool PipelineLayout::sendsBlock() const {
  return trains && (schedule == PipelineSchedule::OneForwardOneBackward ||
                    schedule == PipelineSchedule::GPipe);
}

PipelineLayout gpucost::layoutOf(const Settings &settings) {
  std::optional<TrainingStack> stack = trainingStack(settings.software);
  return {settings.plan().pipeline,
          settings.trains() ? settings.virtualStages : 1,
          settings.pipelineSchedule, settings.trains(),
          stack && stack->forwardsFirst};
}

int64_t gpucost::gpusOfRank(const Settings &settings) {
  return settings.gpus / settings.plan().pipeline;
}

bool gpucost::ranksFillNodes(int64_t rank, int64_t node) {
  return rank % node == 0 || node % rank == 0;
}

int64_t gpucost::gpusOfNode(const Settings &settings) {
  return std::max<int64_t>(settings.gpus / settings.nodes, 1);
}

int64_t gpucost::gpusOfCopy(const Parallelism &plan) {
  return plan.tensor * plan.shardGpus();
}

int64_t gpucost::nodesFor(const Settings &settings, int64_t held) {
  int64_t gpus = settings.gpus, tensor = settings.plan().tensor;
  int64_t nodes = (gpus + held - 1) / held;
  // Such a number exists if a node holds a group of tensor parallelism.
  if (tensor > held)
    return nodes;
  auto isFilled = [&](int64_t node) {
    return node % tensor == 0 && ranksFillNodes(gpusOfRank(settings), node) &&
           ranksFillNodes(gpusOfCopy(settings.plan()), node);
  };
  while (nodes < gpus && (gpus % nodes || !isFilled(gpus / nodes)))
    ++nodes;
  return nodes;
}

GroupSpan gpucost::spanOf(const Settings &settings, int64_t gpus,
                          int64_t stride) {
  int64_t node = gpusOfNode(settings);
  int64_t inside = std::clamp<int64_t>(node / stride, 1, gpus);
  int64_t nodes = (gpus + inside - 1) / inside;
  return {gpus, nodes, nodes > 1 ? std::max<int64_t>(node / inside, 1) : 1};
}

GroupSpan gpucost::shardsSpan(const Settings &settings) {
  Parallelism plan = settings.plan();
  return spanOf(settings, plan.shardGpus(), plan.tensor);
}

GroupSpan gpucost::expertShardsSpan(const Settings &settings) {
  Parallelism plan = settings.plan();
  return spanOf(settings, plan.expertShardGpus(),
                plan.experts ? plan.expertGpus() : plan.tensor);
}

GroupSpan gpucost::copiesSpan(const Settings &settings) {
  Parallelism plan = settings.plan();
  return spanOf(settings, plan.copies(), gpusOfCopy(plan));
}

int64_t Settings::samplesOfPass() const {
  return saturatingProduct(batch.value_or(0), plan().data);
}

int64_t Settings::microBatches() const {
  return trains() ? gradAccum : passesOfGlobalBatch();
}

int64_t Settings::passesOfGlobalBatch() const {
  int64_t each = samplesOfPass();
  return globalBatch && each > 0 ? std::max<int64_t>(*globalBatch / each, 1)
                                 : 1;
}

int64_t gpucost::nodesBetween(const Settings &settings, int64_t from,
                              int64_t to) {
  if (from == to)
    return 0;
  int64_t gpus = gpusOfRank(settings), local = gpusOfNode(settings);
  return from * gpus / local == to * gpus / local ? 1 : 2;
}

int64_t gpucost::sendersOfNode(const Settings &settings) {
  return std::min(gpusOfRank(settings), gpusOfNode(settings));
}

int64_t gpucost::partsOfMessage(const Settings &settings) {
  std::optional<TrainingStack> stack = trainingStack(settings.software);
  bool divides = stack && stack->dividesMessages && settings.trains() &&
                 !settings.sequenceParallel;
  return divides ? settings.plan().tensor : 1;
}

std::vector<int64_t> gpucost::parseCounts(std::string_view text) {
  std::vector<int64_t> counts;
  for (std::string_view part : splitText(text, ',')) {
    int64_t count = 0;
    if (!parseInteger(part, count) || count < 1)
      return {};
    counts.push_back(count);
  }
  return counts;
}

bool gpucost::isCounts(std::string_view text) {
  return !parseCounts(text).empty();
}

std::vector<RankClocks> gpucost::parseStageClocks(std::string_view text) {
  std::vector<RankClocks> clocks;
  constexpr double megahertz = 1e6;
  for (std::string_view part : splitText(text, ',')) {
    std::vector<double> numbers;
    for (std::string_view each : splitText(part, '/')) {
      double number = 0;
      if (!parseNumber(each, number) || !(number > 0) || !std::isfinite(number))
        return {};
      numbers.push_back(number * megahertz);
    }
    if (numbers.empty() || numbers.size() > 2)
      return {};
    clocks.push_back({Hertz(numbers.front()), Hertz(numbers.back())});
  }
  return clocks;
}

bool gpucost::isStageClocks(std::string_view text) {
  return !parseStageClocks(text).empty();
}

std::string gpucost::toText(const std::vector<RankClocks> &clocks) {
  ValueSpec spec = specs::above(0, "MHz", 1e6);
  std::string text;
  for (const RankClocks &each : clocks) {
    text += (text.empty() ? "" : ",") + toText(each.forward, spec);
    if (each.forward != each.backward)
      text += "/" + toText(each.backward, spec);
  }
  return text;
}
