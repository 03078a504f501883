//===- StageCost.h - Stages joined to a pipeline ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Time, energy and memory of single stages, and of the ranks of a pipeline that
// consists of them: equations (X15) and (X16) of docs/CostModel.md. The stages
// may be those of a prepared model or of a plan that was never prepared.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_STAGECOST_H
#define GPUCOST_CORE_ITERATION_STAGECOST_H

#include "gpucost/Core/Iteration/MemoryPlan.h"
#include "gpucost/Core/Iteration/PipelineTimeline.h"
#include <vector>

namespace gpucost {

class CostModel;

/// A stage on one GPU, without waiting for others.
struct StageRun {
  StageTimes times;
  Joules energy; ///< of all micro-batches and the tail
  Hertz clock;
};

/// Of each rank, for one of its GPUs.
struct RankEnergies {
  std::vector<Joules> energy;
  std::vector<Hertz> clock;
  Joules mean;
};

/// (X15) The energy of the ranks whose stages run as in `timeline`.
RankEnergies joinEnergies(const PipelineLayout &layout,
                          const PipelineTimeline &timeline,
                          const std::vector<const StageRun *> &stages,
                          const CostModel &model);

/// Memory of a stage with one micro-batch.
struct StageMemory {
  int64_t parameters = 0, optimizer = 0, gradients = 0, passing = 0;
  StageActivations activations;
  MemoryPlan plan;
};
StageMemory memoryOfStage(const PreparedModel &stage, const Gpu &gpu,
                          const Coefficients &coefficients);

/// Memory of one rank of a pipeline.
struct RankMemory {
  MemoryPlan plan;
  /// Of all stages of the rank; `passing` and `temporary` as MemoryUse.
  int64_t parameters = 0, optimizer = 0, gradients = 0;
  int64_t passing = 0, temporary = 0;
  /// Most micro-batches with saved activations, summed over the stages.
  int64_t inFlight = 0;
};

/// (X16) The memory of the ranks with these passes.
std::vector<RankMemory>
joinMemory(const PipelineLayout &layout, const std::vector<HeldPasses> &passes,
           const std::vector<const StageMemory *> &stages);

/// (X16) The ranks of a model with a pipeline.
std::vector<RankMemory> planRanks(const PreparedModel &model, const Gpu &gpu,
                                  const Coefficients &coefficients);
/// The rank that uses the most memory.
const RankMemory &fullestOf(const std::vector<RankMemory> &ranks);
/// Temporary tensors of one micro-batch of a stage.
StageActivations activationsOf(const PreparedModel &stage);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_STAGECOST_H
