//===- Parallelism.h - Parallelism plans ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_PARALLELISM_H
#define GPUCOST_CORE_SCENARIO_PARALLELISM_H

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace gpucost {

/// Maximum number of GPUs in a plan.
inline constexpr int64_t mostGpus = 131072;

/// The kinds of data parallelism, by their ZeRO stage.
inline constexpr std::string_view dataParallelKinds[] = {"ddp", "zero1",
                                                         "zero2", "fsdp"};

/// (X9) A plan: "ddp", "zero1", "fsdp", "tp", "tp4.dp2", "tp2.fsdp4", "ep",
/// "tp2.cp2.pp4.dp2". The GPUs of a tensor parallel group are adjacent, then
/// those that share a sequence, then those of a pipeline rank. A kind without a
/// number uses all GPUs that the other kinds leave. "fsdp8.dp16" is hybrid
/// sharding (X31): 16 copies, each sharded over 8 neighbours.
struct Parallelism {
  /// GPUs over which the blocks of one model are sharded; 0: all remaining
  /// GPUs.
  int64_t tensor = 1;
  /// Data parallel GPUs, each with a separate batch and a copy or a part of the
  /// model.
  int64_t data = 0;
  /// (X11) ZeRO stage of the data parallel GPUs: nothing is sharded (0),
  /// optimizer states (1), also gradients (2), also parameters (3, FSDP).
  int stage = 0;
  /// (X12) The experts of each expert layer are distributed over data parallel
  /// GPUs: over groups of `expertGroup`, which may contain whole groups of
  /// tensor parallelism (X21); 0: over all of them.
  bool experts = false;
  int64_t expertGroup = 0;
  /// (X13) Ranks of the pipeline; 0: all remaining GPUs.
  int64_t pipeline = 1;
  /// (X20) GPUs that share the tokens of each sequence; 0: all remaining GPUs.
  int64_t context = 1;
  /// (X31) Hybrid sharding: data parallel GPUs of one copy of the shards; 0:
  /// all of them.
  int64_t shards = 0;

  /// GPUs that add up the gradients of one parameter.
  int64_t replicas() const { return data * context; }

  /// Copies of the shards.
  int64_t copies() const { return shards ? data / shards : 1; }

  /// GPUs over which the states of one parameter are sharded.
  int64_t shardGpus() const { return (shards ? shards : data) * context; }

  /// GPUs over which the experts of a layer are distributed.
  int64_t expertGpus() const {
    return !experts ? 1 : expertGroup ? expertGroup : data;
  }

  /// GPUs that add up the gradients of one expert.
  int64_t expertReplicas() const { return withSameExpert(replicas()); }

  /// GPUs over which the states of one expert are sharded.
  int64_t expertShardGpus() const { return withSameExpert(shardGpus()); }

  /// Whether parameters are sharded.
  bool isSharded() const {
    constexpr int fullyShardedStage = 3;
    return stage == fullyShardedStage;
  }

  bool operator==(const Parallelism &other) const {
    return tensor == other.tensor && data == other.data &&
           stage == other.stage && experts == other.experts &&
           expertGroup == other.expertGroup && pipeline == other.pipeline &&
           context == other.context && shards == other.shards;
  }
  bool operator!=(const Parallelism &other) const { return !(*this == other); }

  /// The product of all stated numbers, which divides the number of GPUs.
  int64_t statedGpus() const;
  /// The number of GPUs in a complete plan; nullopt if the plan depends on it.
  std::optional<int64_t> gpus() const;
  /// The complete plan for `gpus` GPUs; nullopt if the plan requires a
  /// different number.
  std::optional<Parallelism> on(int64_t gpus) const;

private:
  /// Of `gpus` times the tensor parallel ones, those with the same expert.
  int64_t withSameExpert(int64_t gpus) const {
    return experts ? gpus * tensor / expertGpus() : gpus;
  }
};

/// nullopt if `text` is not a plan. `dp` and `ddp` are equivalent.
std::optional<Parallelism> parseParallelism(std::string_view text);
/// Inverse of `parseParallelism`.
std::string toText(const Parallelism &plan);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_PARALLELISM_H
