//===- NodeCosts.h - What each node of a file costs -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_ITERATION_NODECOSTS_H
#define GPUCOST_CORE_ITERATION_NODECOSTS_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include <array>
#include <vector>

namespace gpucost {

/// All launches of an iteration that come from one node.
struct NodeCost {
  int64_t launches = 0;
  /// Of its kernels, by phase.
  std::array<Seconds, getMaxEnumValForPhase() + 1> times{};
  Joules energy;
  int64_t flops = 0, bytes = 0;
  /// What is made in its launches, and the most that is in use then; of one
  /// accumulated pass.
  int64_t madeBytes = 0, liveBytes = 0;
  /// Of the launch that takes most of the time.
  Bound bound = Bound::Unknown;
  /// What is launched, each once: "MatMul+Add".
  std::vector<std::string> labels;

  Seconds time() const;
};

/// One for each of `PreparedModel::nodes`; times and energies add up to those
/// of all kernels.
std::vector<NodeCost> costNodes(const PlacedModel &placed,
                                const IterationTotals &totals);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_NODECOSTS_H
