//===- PipelineTimeline.h - Passes of a pipeline ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order in which each rank of a pipeline runs the passes of the
// micro-batches, and the time at which it runs them: equations (X14) to (X16)
// of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_PIPELINETIMELINE_H
#define GPUCOST_CORE_ITERATION_PIPELINETIMELINE_H

#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Support/Expected.h"
#include <vector>

namespace gpucost {

enum class PassKind { Forward, Backward, Weights };

/// A pass of one micro-batch through one stage.
struct PipelinePass {
  PassKind kind = PassKind::Forward;
  int64_t stage = 0, microBatch = 0;
};

/// (X14) The passes of each rank, in order.
std::vector<std::vector<PipelinePass>> orderPasses(const PipelineLayout &layout,
                                                   int64_t microBatches);

/// Times of one micro-batch in a stage.
struct StageTimes {
  Seconds forward, backward, weights;
  /// To the next and to the previous stage.
  Seconds sendForward, sendBackward;
  /// After the last pass of the rank.
  Seconds tail;

  /// The gradients of weights are part of the backward pass.
  void joinBackward() {
    backward += weights;
    weights = Seconds(0);
  }
};

/// A pass and when it runs.
struct PlacedPass : PipelinePass {
  Seconds start, end;
  /// When its result is on the rank that reads it; `end` if it stays.
  Seconds sent;
};

struct PipelineTimeline {
  /// The end of the last rank's tail.
  Seconds time;
  /// Of each rank: passes and tail, transfers that block it, and the rest.
  std::vector<Seconds> busy, transfers, waiting;
  /// The passes of each rank, in order.
  std::vector<std::vector<PlacedPass>> passes;
};

/// (X15) Runs each rank's passes in their order as soon as their inputs have
/// arrived. Fails if the orders wait for each other. `ends`: times of the first
/// forward pass of each stage, and of all passes of the last micro-batch but
/// its forward pass; empty: as all others.
Expected<PipelineTimeline>
runPasses(const PipelineLayout &layout,
          const std::vector<std::vector<PipelinePass>> &orders,
          const std::vector<StageTimes> &stages,
          const std::vector<StageTimes> &ends = {});

/// (X15) The same for any number of micro-batches in constant time, without
/// passes: after its start, the pipeline repeats itself.
PipelineTimeline runMicroBatches(const PipelineLayout &layout,
                                 int64_t microBatches,
                                 const std::vector<StageTimes> &stages);

/// Bytes of temporary tensors of one micro-batch in a stage.
struct StageActivations {
  int64_t saved = 0;       ///< kept between its forward and backward pass
  int64_t forwardPeak = 0; ///< during the forward pass
  int64_t peak = 0;        ///< during the whole pass, with `saved`
};

/// (X16) Memory of temporary tensors on a rank.
struct RankActivations {
  int64_t peak = 0;
  /// Most micro-batches with saved activations, summed over the stages.
  int64_t inFlight = 0;
};
RankActivations holdActivations(const PipelineLayout &layout,
                                const std::vector<PipelinePass> &order,
                                const std::vector<StageActivations> &stages);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_PIPELINETIMELINE_H
