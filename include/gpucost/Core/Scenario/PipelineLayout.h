//===- PipelineLayout.h - Stages, ranks and nodes ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_PIPELINELAYOUT_H
#define GPUCOST_CORE_SCENARIO_PIPELINELAYOUT_H

#include "gpucost/Core/Scenario/Scenario.h"
#include <vector>

namespace gpucost {

/// (X13) Where the stages of a pipeline run. Stages are in the order of the
/// layers.
struct PipelineLayout {
  int64_t ranks = 1;
  /// Stages on each rank.
  int64_t perRank = 1;
  PipelineSchedule schedule = PipelineSchedule::OneForwardOneBackward;
  bool trains = false;
  /// As TrainingStack::forwardsFirst.
  bool forwardsFirst = false;

  int64_t stages() const { return ranks * perRank; }
  int64_t rankOf(int64_t stage) const;
  /// Gradients of weights are a separate pass.
  bool splitsBackward() const;
  /// A rank waits until its results have been sent.
  bool sendsBlock() const;
};

PipelineLayout layoutOf(const Settings &settings);

/// GPUs of a node.
int64_t gpusOfNode(const Settings &settings);
/// GPUs of one rank.
int64_t gpusOfRank(const Settings &settings);
/// (X31) GPUs of a rank that together have all shards.
int64_t gpusOfCopy(const Parallelism &plan);
/// Whether ranks of `rank` GPUs fill nodes of `node` GPUs, or nodes contain
/// whole ranks.
bool ranksFillNodes(int64_t rank, int64_t node);
/// Nodes of up to `held` GPUs: the smallest number of equal nodes with whole
/// groups of tensor parallelism, and whole ranks and copies, or ones that fill
/// nodes.
int64_t nodesFor(const Settings &settings, int64_t held);

/// Where a group of `gpus` GPUs runs, one in `stride` in the order of ranks
/// (tp, then the data-parallel ones, then stages).
struct GroupSpan {
  int64_t gpus = 1;
  int64_t nodes = 1; ///< each with the same number of these GPUs
  /// Such groups on the GPUs of a node, which share its network; 1 if the group
  /// is inside a node.
  int64_t groups = 1;
};
GroupSpan spanOf(const Settings &settings, int64_t gpus, int64_t stride);
/// The data-parallel GPUs that share the states of a parameter, and those that
/// share the states of an expert (X21).
GroupSpan shardsSpan(const Settings &settings);
GroupSpan expertShardsSpan(const Settings &settings);
/// (X31) The GPUs with the same shard of different copies.
GroupSpan copiesSpan(const Settings &settings);

/// (X13) GPUs of a tensor parallel group that each send a part of a message
/// between stages; 1 if each sends all of it.
int64_t partsOfMessage(const Settings &settings);

/// 0 if both ranks are the same GPU, 1 inside a node, 2 between nodes.
int64_t nodesBetween(const Settings &settings, int64_t from, int64_t to);
/// GPUs of a node that send between the same two ranks.
int64_t sendersOfNode(const Settings &settings);

/// The SM clocks of a rank's passes.
struct RankClocks {
  Hertz forward, backward;
};
/// The clocks of "1980,1755/1800"; empty if one is not a positive number.
std::vector<RankClocks> parseStageClocks(std::string_view text);
/// The list that parses to `clocks`.
std::string toText(const std::vector<RankClocks> &clocks);

/// Numbers of a list such as "8,8,7"; empty if one is not positive.
std::vector<int64_t> parseCounts(std::string_view text);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_PIPELINELAYOUT_H
