//===- FrameworkRules.h - Rules of frameworks and stacks --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Defaults that differ between releases of a framework: settings that are not
// stated, and rules of the model. Kernels that differ are rows of
// Model/Implementations.def.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SCENARIO_FRAMEWORKRULES_H
#define GPUCOST_CORE_SCENARIO_FRAMEWORKRULES_H

#include "gpucost/Core/Vocabulary/Enums.h"

namespace gpucost {

/// The newest release by default.
struct FrameworkRules {
  /// Default variant of optimizers: 2.0 made `foreach` the default on GPUs
  /// (release notes of PyTorch 2.0).
  OptimizerVariant optimizerVariant = OptimizerVariant::Foreach;
  /// Optimizer.zero_grad() fills with zeros before 2.0 (the same notes).
  ZeroGradMode zeroGrad = ZeroGradMode::SetToNone;
  /// Attention that the file has as one op; scaled_dot_product_attention came
  /// with 2.0, before that it was separate kernels.
  AttentionMode attention = AttentionMode::AsIs;
  /// (B9) A recomputation ends with the last value that a gradient reads:
  /// torch.utils.checkpoint.set_checkpoint_early_stop, new in 2.1.
  bool stopsRecomputationEarly = true;
  /// One matrix for products of the same activation (Q, K and V; gate and up),
  /// and one kernel each for a residual sum with the subsequent norm, for an
  /// activation times its gate, and for the rotation of Q and K:
  /// the layers of vLLM (QKVParallelLinear, MergedColumnParallelLinear,
  /// SiluAndMul, fused_add_rms_norm, rotary_embedding), the same in SGLang and
  /// TensorRT-LLM.
  bool fusesDecoderLayers = false;
  /// The kernel of a norm or of a gated activation also quantises its result
  /// for a subsequent matmul: the fusion passes of vLLM (RMSNormQuantFusion,
  /// ActivationQuantFusion) and the fused kernels of TensorRT-LLM.
  bool fusesQuantization = false;
  /// Layers with a sliding window keep only its keys and values: the hybrid
  /// cache managers of vLLM, SGLang and TensorRT-LLM, and the DynamicCache of
  /// transformers since 4.56, which requires PyTorch 2.
  WindowCache windowCache = WindowCache::Window;
  /// Default share of the GPU's memory: of what CUDA reports, or of what is
  /// free after the weights are loaded.
  double memoryFraction = 1;
  bool sharesFreeMemory = false;
};

FrameworkRules frameworkRules(Software software);

} // namespace gpucost

#endif // GPUCOST_CORE_SCENARIO_FRAMEWORKRULES_H
