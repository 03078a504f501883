//===- Pipeline.h - An iteration of all ranks of a pipeline -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_PIPELINE_H
#define GPUCOST_CORE_ITERATION_PIPELINE_H

#include "gpucost/Core/Iteration/PipelineTimeline.h"
#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Iteration/StageCost.h"

namespace gpucost {

/// (X15) The passes of a pipeline on one GPU type.
struct PipelineRun : RankEnergies {
  PipelineLayout layout;
  int64_t microBatches = 1;
  /// Of stages that differ in kernels or clocks, without waiting.
  std::vector<IterationTotals> totals;
  /// Of each stage: an index into `totals`, and its times.
  std::vector<size_t> distinct;
  std::vector<StageTimes> stages;
  PipelineTimeline timeline;
};

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_PIPELINE_H
