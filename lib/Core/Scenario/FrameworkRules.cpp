//===- FrameworkRules.cpp - Rules of frameworks and stacks ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/FrameworkRules.h"
#include "gpucost/Core/Vocabulary/Software.h"

using namespace gpucost;

/// Defaults of vLLM (gpu_memory_utilization), SGLang (mem_fraction_static,
/// which newer releases lower for large chunks and graphs) and TensorRT-LLM
/// (free_gpu_memory_fraction of KvCacheConfig).
static constexpr double vllmFraction = 0.9, sglangFraction = 0.88,
                        tensorRtLlmFraction = 0.9;

FrameworkRules gpucost::frameworkRules(Software software) {
  FrameworkRules rules;
  rules.fusesDecoderLayers = !isOf(software, Software::PyTorch);
  rules.fusesQuantization =
      isOf(software, Software::Vllm) || isOf(software, Software::TensorRtLlm);
  // TensorRT-LLM frees tokens before a window only with max_attention_window.
  if (isBefore(software, Software::PyTorch, version(2, 8)) ||
      isOf(software, Software::TensorRtLlm))
    rules.windowCache = WindowCache::Full;
  if (isOf(software, Software::Vllm))
    rules.memoryFraction = vllmFraction;
  else if (isOf(software, Software::Sglang))
    rules.memoryFraction = sglangFraction;
  else if (isOf(software, Software::TensorRtLlm))
    rules.memoryFraction = tensorRtLlmFraction;
  rules.sharesFreeMemory = isOf(software, Software::TensorRtLlm);
  if (isBefore(software, Software::PyTorch, version(2, 0))) {
    rules.optimizerVariant = OptimizerVariant::Unfused;
    rules.zeroGrad = ZeroGradMode::Zero;
    rules.attention = AttentionMode::Eager;
    rules.stopsRecomputationEarly = false;
  }
  return rules;
}
