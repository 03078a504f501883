//===- PipelineFaults.cpp - Checks of batches and pipelines ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PipelineFaults.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Support/Text.h"

using namespace gpucost;

/// The most micro-batches of an iteration, as for --grad-accum.
static constexpr int64_t mostMicroBatches = 1'000'000;
/// The most passes of micro-batches through stages that a schedule places.
static constexpr int64_t mostPasses = 1'000'000;

/// Checks --micro-batch and --global-batch.
static std::string checkBatches(const Scenario &scenario,
                                const Settings &settings) {
  if (scenario.batch && scenario.microBatch &&
      *scenario.batch != *scenario.microBatch)
    return concat("--batch=", *scenario.batch,
                  " and --micro-batch=", *scenario.microBatch,
                  " both state the batch; give one");
  if (!scenario.globalBatch)
    return {};
  if (!settings.batch)
    return concat("--global-batch needs --micro-batch");
  if (scenario.gradAccum)
    return concat("--global-batch and --grad-accum both state the number of "
                  "micro-batches; give one");
  if (!settings.trains() && settings.plan().pipeline == 1)
    return concat("--global-batch needs --mode=training or --parallel=pp");
  int64_t each = settings.samplesOfPass();
  if (*scenario.globalBatch % each)
    return concat("--global-batch=", *scenario.globalBatch,
                  " is not a multiple of ", each, ", the samples of one pass (",
                  *settings.batch, " on ", settings.plan().data,
                  settings.plan().data > 1 ? " data-parallel GPUs)" : " GPU)");
  if (settings.microBatches() > mostMicroBatches)
    return concat("--global-batch=", *scenario.globalBatch, " has ",
                  settings.microBatches(), " micro-batches of ", each,
                  " samples, but an iteration has at most ", mostMicroBatches);
  return {};
}

/// Checks the settings of pipelines.
static std::string checkPipeline(const Scenario &scenario,
                                 const Settings &settings) {
  PipelineLayout layout = layoutOf(settings);
  std::string_view flag = scenario.pipelineSchedule ? "schedule"
                          : scenario.virtualStages  ? "virtual-stages"
                          : scenario.stageLayers    ? "stages"
                          : scenario.stageSlots     ? "stage-slots"
                          : scenario.selectStage    ? "select-stage"
                          : scenario.stageClocks    ? "stage-clocks"
                                                    : "";
  if (layout.ranks == 1)
    return flag.empty() ? "" : concat("--", flag, " needs --parallel=pp");
  if (settings.parallel.experts && !layout.trains)
    return concat("--parallel=", toText(settings.parallel),
                  " combines stages and distributed experts, which needs "
                  "--mode=training");
  if (!layout.trains && (scenario.pipelineSchedule || scenario.virtualStages))
    return concat("--",
                  scenario.pipelineSchedule ? "schedule" : "virtual-stages",
                  " needs --mode=training");
  std::string name(stringifyEnum(layout.schedule));
  bool isInterleaved = layout.schedule == PipelineSchedule::Interleaved;
  bool isV = layout.schedule == PipelineSchedule::ZeroBubbleV;
  if (layout.trains && (isInterleaved ? layout.perRank < 2
                        : isV         ? layout.perRank != 2
                                      : layout.perRank != 1))
    return concat("--schedule=", name, " needs --virtual-stages",
                  isInterleaved ? " of at least 2"
                  : isV         ? "=2"
                                : "=1");
  if (isInterleaved && layout.trains && settings.microBatches() % layout.ranks)
    return concat("--schedule=interleaved needs a number of micro-batches "
                  "that is a multiple of the ",
                  layout.ranks, " ranks, but it is ", settings.microBatches());
  if (settings.microBatches() > mostPasses / layout.stages())
    return concat("a pipeline of ", layout.stages(), " stages and ",
                  settings.microBatches(), " micro-batches has more than ",
                  mostPasses, " passes; use larger micro-batches");
  if (settings.stageLayers) {
    auto stated =
        static_cast<int64_t>(parseCounts(*settings.stageLayers).size());
    if (stated != layout.stages())
      return concat("--stages has ", stated, " numbers, but the pipeline has ",
                    layout.stages(), " stages");
  }
  if (settings.stageClocks) {
    auto stated =
        static_cast<int64_t>(parseStageClocks(*settings.stageClocks).size());
    if (stated != layout.ranks)
      return concat("--stage-clocks has ", stated,
                    " clocks, but the pipeline has ", layout.ranks, " ranks");
    if (!layout.trains)
      return "--stage-clocks needs --mode=training";
    if (settings.selectStage)
      return "--stage-clocks is for all ranks; with --select-stage give "
             "--clock";
  }
  if (settings.selectStage && *settings.selectStage >= layout.stages())
    return concat("--select-stage=", *settings.selectStage,
                  " is not a stage; the last one is ", layout.stages() - 1);
  return {};
}

std::string gpucost::faultOfPipeline(const Scenario &scenario,
                                     const Settings &settings) {
  std::string fault = checkBatches(scenario, settings);
  return fault.empty() ? checkPipeline(scenario, settings) : fault;
}
