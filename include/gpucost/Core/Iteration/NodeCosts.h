//===- NodeCosts.h - Costs by node ------------------------------*- C++ -*-===//
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

/// Cost of all launches in an iteration that come from one node.
struct NodeCost {
  int64_t launches = 0;
  /// Kernel times by phase.
  std::array<Seconds, getMaxEnumValForPhase() + 1> times{};
  Joules energy;
  int64_t flops = 0, bytes = 0;
  /// Bytes allocated in its launches and the peak of the bytes in use during
  /// them, for one micro-batch.
  int64_t madeBytes = 0, liveBytes = 0;
  /// Bound of the launch that takes the most time.
  Bound bound = Bound::Unknown;
  /// Distinct kernel labels: "MatMul+Add".
  std::vector<std::string> labels;

  Seconds time() const;
};

/// One element per element of `PreparedModel::nodes`; times and energies sum to
/// the totals over all kernels.
std::vector<NodeCost> costNodes(const PlacedModel &placed,
                                const IterationTotals &totals);

} // namespace gpucost

#endif // GPUCOST_CORE_ITERATION_NODECOSTS_H
