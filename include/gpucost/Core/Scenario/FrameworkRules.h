//===- FrameworkRules.h - What a framework or stack does --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defaults and kernels that differ between releases of a framework. They choose
// settings that nobody states, and rules of the model; no release has
// coefficients of its own.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_FRAMEWORKRULES_H
#define GPUCOST_CORE_SCENARIO_FRAMEWORKRULES_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include <cstdint>
#include <optional>

namespace gpucost {

/// The newest release by default.
struct FrameworkRules {
  /// Of optimizers that are asked for without a word on it: 2.0 made `foreach`
  /// the default on GPUs (release notes of PyTorch 2.0).
  OptimizerVariant optimizerVariant = OptimizerVariant::Foreach;
  /// Optimizer.zero_grad() fills with zeros before 2.0 (the same notes).
  ZeroGradMode zeroGrad = ZeroGradMode::SetToNone;
  /// Attention that the file has as one op; scaled_dot_product_attention came
  /// with 2.0, before that it was separate kernels.
  AttentionMode attention = AttentionMode::AsIs;
  /// FlashAttention that `--attention=flash` means, and that one op of
  /// attention runs; nullopt: the one that the GPU's coefficients are of.
  std::optional<int64_t> flashGeneration;
  static constexpr int64_t normColumns = 32, normSplitRows = 65536;
  /// (M11) A CTA sums the gradients of so many columns of a norm's scale; 0:
  /// the kernel fills the GPU.
  int64_t normGradientColumns = normColumns;
  /// (M11) More rows than these fill the GPU (pull request 148605 of pytorch,
  /// 2.8); nullopt: they do not.
  std::optional<int64_t> normGradientSplitRows = normSplitRows;
  /// (M14) Softmax keeps rows of more than 1024 columns on chip: new
  /// after 2.7.
  bool softmaxInRegisters = true;
  /// (M15) Batch normalization of NCHW tensors is what cuDNN 9 was measured to
  /// take; (M10) stands for older ones.
  bool cudnnBatchNorm = true;
  /// (A13) scaled_dot_product_attention prefers cuDNN's kernels on Hopper (9.15
  /// and later).
  bool cudnnAttention = true;
  /// (C5) Channels-last depthwise convolutions have fast kernels.
  bool fastDepthwise = true;
  /// (B9) A recomputation ends with the last value that a gradient reads:
  /// torch.utils.checkpoint.set_checkpoint_early_stop, new in 2.1.
  bool stopsRecomputationEarly = true;
  /// One matrix for products of the same activation (Q, K and V; gate and up),
  /// and one kernel each for a residual sum with the norm behind it, for an
  /// activation with the product of its gate, and for the rotation of Q and K:
  /// the layers of vLLM (QKVParallelLinear, MergedColumnParallelLinear,
  /// SiluAndMul, fused_add_rms_norm, rotary_embedding), the same in SGLang and
  /// TensorRT-LLM.
  bool fusesDecoderLayers = false;
  /// (M16) RMSNorm is FlashInfer's RMSNormKernel: a CTA for each row, which has
  /// a warp for every 32 vectors of 16 bytes. SGLang and TensorRT-LLM call it.
  bool normCtaPerRow = false;

  /// (M11) Columns of a norm with `rows` rows that a CTA reduces alone; 0: the
  /// kernel fills the GPU.
  int64_t normResultsPerCta(int64_t rows) const {
    return normGradientSplitRows && rows > *normGradientSplitRows
               ? 0
               : normGradientColumns;
  }
};

FrameworkRules frameworkRules(Software software);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_FRAMEWORKRULES_H
