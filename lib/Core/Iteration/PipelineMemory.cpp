//===- PipelineMemory.cpp - Memory of the ranks of a pipeline -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// (X16) A rank keeps the parameters, gradients and states of all its stages,
// and the activations of several micro-batches.

#include "gpucost/Core/Iteration/StageCost.h"
#include <algorithm>

using namespace gpucost;

StageActivations gpucost::activationsOf(const PreparedModel &stage) {
  StageActivations bytes;
  bytes.peak = bytes.forwardPeak = stage.memory.temporaryBytes();
  LiveBytes live(stage.memory.trace);
  int64_t peak = 0;
  // Collectives of the backward pass may come before its first kernel.
  int64_t saved = 0;
  for (const Launch &launch : stage.launches) {
    Phase phase = stage.kinds[launch.kind].phase;
    int64_t most = live.follow(launch.memoryEvents);
    if (phase == Phase::Backward) {
      bytes.saved = std::min({saved, live.now(), bytes.peak});
      bytes.forwardPeak = std::min(peak, bytes.peak);
      break;
    }
    if (phase == Phase::Forward) {
      peak = std::max(peak, most);
      saved = live.now();
    }
  }
  return bytes;
}

/// Adds `bytes` of tensors to a plan.
static void addTensors(MemoryPlan &plan, int64_t bytes) {
  int64_t block = CachingAllocator::roundedSize(std::max<int64_t>(bytes, 0));
  plan.peak = saturatingSum(plan.peak, std::max<int64_t>(bytes, 0));
  for (int64_t *sum : {&plan.allocated, &plan.reserved, &plan.device,
                       &plan.deviceLow, &plan.deviceHigh})
    *sum = saturatingSum(*sum, block);
  plan.fits &= plan.device <= plan.usable;
}

StageMemory gpucost::memoryOfStage(const PreparedModel &stage, const Gpu &gpu,
                                   const Coefficients &coefficients) {
  const MemoryUse &use = stage.memory;
  return {use.parameterBytes,   use.optimizerBytes,
          use.gradientBytes,    use.passingGradientBytes,
          activationsOf(stage), planMemory(stage, gpu, coefficients)};
}

std::vector<RankMemory>
gpucost::joinMemory(const PipelineLayout &layout,
                    const std::vector<HeldPasses> &passes,
                    const std::vector<const StageMemory *> &stages) {
  std::vector<StageActivations> activations;
  activations.reserve(stages.size());
  for (const StageMemory *stage : stages)
    activations.push_back(stage->activations);
  std::vector<RankMemory> ranks;
  for (int64_t rank = 0; rank < layout.ranks; ++rank) {
    RankMemory memory;
    int64_t largest = -1;
    for (size_t index = 0; index < stages.size(); ++index) {
      if (layout.rankOf(static_cast<int64_t>(index)) != rank)
        continue;
      const StageMemory &stage = *stages[index];
      memory.parameters = saturatingSum(memory.parameters, stage.parameters);
      memory.optimizer = saturatingSum(memory.optimizer, stage.optimizer);
      memory.gradients = saturatingSum(memory.gradients, stage.gradients);
      memory.passing = std::max(memory.passing, stage.passing);
      if (stage.plan.peak <= largest)
        continue;
      largest = stage.plan.peak;
      memory.plan = stage.plan;
    }
    RankActivations held =
        holdActivations(passes[static_cast<size_t>(rank)], activations);
    memory.inFlight = held.inFlight;
    memory.temporary = held.peak;
    int64_t all = saturatingSum(
        saturatingSum(memory.parameters, memory.optimizer),
        saturatingSum(memory.gradients,
                      saturatingSum(memory.temporary, memory.plan.workspace)));
    addTensors(memory.plan, all - memory.plan.peak);
    ranks.push_back(memory);
  }
  return ranks;
}

std::vector<RankMemory> gpucost::planRanks(const PreparedModel &model,
                                           const Gpu &gpu,
                                           const Coefficients &coefficients) {
  const PreparedPipeline &pipeline = *model.pipeline;
  PipelineLayout layout = layoutOf(model.settings);
  std::vector<StageMemory> distinct;
  distinct.reserve(pipeline.models.size());
  for (const auto &each : pipeline.models)
    distinct.push_back(memoryOfStage(*each, gpu, coefficients));
  std::vector<const StageMemory *> stages;
  stages.reserve(pipeline.stages.size());
  for (uint32_t index : pipeline.stages)
    stages.push_back(&distinct[index]);
  std::vector<HeldPasses> passes;
  for (const auto &order : orderPasses(layout, model.settings.microBatches()))
    passes.push_back(heldPasses(layout, order));
  return joinMemory(layout, passes, stages);
}

const RankMemory &gpucost::fullestOf(const std::vector<RankMemory> &ranks) {
  return *std::max_element(ranks.begin(), ranks.end(),
                           [](const RankMemory &a, const RankMemory &b) {
                             return a.plan.device < b.plan.device;
                           });
}
