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
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
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

/// (X15) The passes of all ranks, each after those that it waits for: this
/// order follows from the schedule and not from times.
class PassSequence {
public:
  struct Step {
    PipelinePass pass;
    uint32_t rank;
    /// Times: when inputs are on the rank, the end, the arrival of the result.
    uint32_t ready, end, arrival;
    /// The link that sends the result, if another rank reads it.
    uint32_t link;
  };

  /// Fails if the orders wait for each other.
  static Expected<PassSequence>
  create(const PipelineLayout &layout,
         const std::vector<std::vector<PipelinePass>> &orders);

  /// As `runPasses`.
  PipelineTimeline runAll(const std::vector<StageTimes> &stages,
                          const std::vector<StageTimes> &ends) const;
  /// Without passes.
  PipelineTimeline runTotals(const std::vector<StageTimes> &stages) const;
  size_t size() const { return steps.size(); }

private:
  friend struct KnownSchedule;
  PassSequence() = default;
  template <bool keepsPasses>
  PipelineTimeline run(const std::vector<StageTimes> &stages,
                       const std::vector<StageTimes> &ends) const;

  PipelineLayout layout;
  std::vector<Step> steps;
  int64_t microBatches = 0;
  size_t times = 0;
};

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

/// Passes of a rank with the most saved activations.
struct HeldPasses {
  struct State {
    bool isForward = false;
    size_t stage = 0; ///< into `stages`
    /// Micro-batches of each stage, besides that of the pass, whose activations
    /// are saved.
    std::vector<int64_t> held;
  };
  std::vector<int64_t> stages;
  /// The passes that may need the most memory, whatever the stages save.
  std::vector<State> states;
  int64_t inFlight = 0;
};
HeldPasses heldPasses(const PipelineLayout &layout,
                      const std::vector<PipelinePass> &order);
RankActivations holdActivations(const HeldPasses &passes,
                                const std::vector<StageActivations> &stages);

/// A schedule with a number of micro-batches.
struct KnownSchedule {
  PassSequence passes;
  std::vector<HeldPasses> held; ///< of each rank
};

/// The schedules that many plans have. Thread-safe.
class ScheduleMemo {
public:
  std::shared_ptr<const KnownSchedule> find(const PipelineLayout &layout,
                                            int64_t microBatches);

private:
  static constexpr size_t mostPasses = 1 << 20;
  std::mutex mutex;
  std::map<std::tuple<int64_t, int64_t, PipelineSchedule, bool, bool, int64_t>,
           std::shared_ptr<const KnownSchedule>>
      schedules;
  size_t passes = 0; ///< of all schedules
};

/// (X15) As `runPasses` for any number of micro-batches in constant time,
/// without passes: after its start, the pipeline repeats itself.
PipelineTimeline runMicroBatches(const PipelineLayout &layout,
                                 int64_t microBatches,
                                 const std::vector<StageTimes> &stages,
                                 ScheduleMemo &memo);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_PIPELINETIMELINE_H
