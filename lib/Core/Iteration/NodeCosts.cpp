//===- NodeCosts.cpp - Costs by node --------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/NodeCosts.h"
#include <algorithm>

using namespace gpucost;

Seconds NodeCost::time() const {
  Seconds sum;
  for (Seconds each : times)
    sum += each;
  return sum;
}

std::vector<NodeCost> gpucost::costNodes(const PlacedModel &placed,
                                         const IterationTotals &totals) {
  const PreparedModel &prepared = placed.prepared();
  LiveBytes live(prepared.memory.trace);
  int64_t kept = placed.memoryPlan().peak - prepared.memory.temporaryBytes();
  std::vector<NodeCost> nodes(prepared.nodes.size());
  std::vector<Seconds> longest(nodes.size());
  uint32_t touch = 0;
  for (const Launch &launch : prepared.launches) {
    NodeCost &node = nodes[launch.node];
    const KernelKind &kind = prepared.kinds[launch.kind];
    const WorkCount &work = prepared.works[launch.work].count;
    LaunchCost cost = placed.launchCost(launch.work, totals);
    auto count = static_cast<double>(launch.count);
    addSaturating(node.launches, launch.count, 1);
    node.times[static_cast<size_t>(kind.phase)] += cost.time.total * count;
    node.energy += cost.energy * count;
    for (int64_t flops : {work.tensorFlops, work.fp32Flops})
      addSaturating(node.flops, launch.count, flops);
    for (int64_t bytes : {work.bytesRead, work.bytesWritten})
      addSaturating(node.bytes, launch.count, bytes);
    if (cost.time.total * count > longest[launch.node]) {
      longest[launch.node] = cost.time.total * count;
      node.bound = cost.time.bound;
    }
    if (std::find(node.labels.begin(), node.labels.end(), kind.label) ==
        node.labels.end())
      node.labels.push_back(kind.label);
    int64_t most = live.follow(launch.memoryEvents);
    for (; touch < launch.touchesEnd; ++touch)
      if (prepared.touches[touch].written)
        node.madeBytes =
            saturatingSum(node.madeBytes, prepared.touches[touch].bytes);
    node.liveBytes = std::max(node.liveBytes, saturatingSum(most, kept));
  }
  return nodes;
}
