//===- StageClocks.h - Clocks of the ranks of a pipeline -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A rank that waits for others could run slower: its slack is energy. Equation
// (X30) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_STAGECLOCKS_H
#define GPUCOST_CORE_ITERATION_STAGECLOCKS_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"

namespace gpucost {

/// Clocks that save energy, and the iteration with and without them. Energy is
/// the mean over the ranks.
struct StageClockChoice {
  std::vector<RankClocks> clocks, usualClocks;
  Seconds time, usualTime;
  Joules energy, usualEnergy;
};

/// The clocks with the least energy that a search finds for the ranks of
/// `model`, such that an iteration takes at most `latest`, and never more
/// energy than at the usual clocks. `eachDirection`: forward and backward
/// passes may have different clocks. nullopt without a pipeline.
std::optional<StageClockChoice> chooseStageClocks(const PlacedModel &model,
                                                  Settings settings,
                                                  Seconds latest,
                                                  bool eachDirection);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_STAGECLOCKS_H
