//===- TrainingStack.h - Stacks for training on many GPUs -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defaults and behaviour of Megatron, nanotron and others with --software.
// Their measured levels are coefficients (`training_stacks`).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_TRAININGSTACK_H
#define GPUCOST_CORE_SCENARIO_TRAININGSTACK_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include <optional>
#include <string_view>

namespace gpucost {

/// Origin of the collectives of tensor parallelism (X4).
inline constexpr std::string_view tensorParallelOrigin = "tensor parallel";

/// Likewise of sequence parallelism (X17).
inline constexpr std::string_view sequenceParallelOrigin = "sequence parallel";

/// Likewise of the matrices of adapters (X32).
inline constexpr std::string_view adapterOrigin = "adapter";

/// Likewise of expert parallelism (X21).
inline constexpr std::string_view expertParallelOrigin = "expert parallel";

/// Likewise of context parallelism (X20).
inline constexpr std::string_view contextParallelOrigin = "context parallel";
/// An all-to-all of context parallelism (X22).
inline constexpr std::string_view headExchangeOrigin = "heads of context";
/// The all-reduces of copies of shards (X31).
inline constexpr std::string_view hybridShardingOrigin = "hybrid sharding";
/// A copy of activations to or from host memory (B13).
inline constexpr std::string_view offloadOrigin = "offload";
/// A message of a ring that attention to one part of the keys waits for.
inline constexpr std::string_view ringStepOrigin = "ring step";

/// All stacks keep 16-bit weights, fp32 copies of them, and fp32 gradients
/// unless stated otherwise.
struct TrainingStack {
  /// A matmul adds its gradient of a weight to the fp32 sum in its epilogue
  /// (gradient_accumulation_fusion of Megatron).
  bool fusesGradientSums = false;
  /// Norms, activations, rotations, quantisation and loss are fused as by a
  /// compiler (TransformerEngine, XLA, torch.compile).
  bool fusesLayers = false;
  /// Sharded updates are gathered during the next forward pass instead of at
  /// the end of the step.
  bool gathersLate = false;
  /// Groups of tensor parallelism also divide tokens.
  bool dividesTokens = false;
  /// Pipelines are balanced by the matmuls of layers and head.
  bool balancesWork = false;
  /// Without sequence parallelism, each GPU of a tensor parallel group sends
  /// its part of a message to the next or previous stage (scatter-gather of
  /// Megatron-LM, partitioned messages of DeepSpeed).
  bool dividesMessages = false;
  /// Gradients of fp16 (bf16) weights are added up and reduced in that format.
  bool keepsFp16Gradients = false, keepsBf16Gradients = false;
  /// Data parallelism is FSDP.
  bool shardsParameters = false;
  /// An interleaved pipeline with as many micro-batches as ranks runs all
  /// forward passes before the first backward pass.
  bool forwardsFirst = false;
  /// With one row for each choice of an expert, a kernel sorts the rows that
  /// arrive by expert, and another one sorts them back (X24).
  bool sortsRows = false;
  /// The host launches the kernels of each expert (X25).
  bool launchesExperts = false;
};

/// nullopt for software that is not made for many GPUs.
std::optional<TrainingStack> trainingStack(Software software);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_TRAININGSTACK_H
