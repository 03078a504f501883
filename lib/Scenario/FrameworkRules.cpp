//===- FrameworkRules.cpp - What a framework or stack does ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Scenario/FrameworkRules.h"

using namespace gpucost;

/// SGLang and TensorRT-LLM. SGLang's own kernel for the heads of queries and
/// keys (pull request 15835, 2025-12) is not told apart.
static bool normalizesWithFlashInfer(Software software) {
  switch (software) {
  case Software::Sglang:
  case Software::Sglang0_5_6:
  case Software::Sglang0_5_9:
  case Software::Sglang0_5_10:
  case Software::Sglang0_5_12:
  case Software::TensorRtLlm:
  case Software::TensorRtLlm1_2:
  case Software::TensorRtLlm1_3rc10:
    return true;
  default:
    return false;
  }
}

FrameworkRules gpucost::frameworkRules(Software software) {
  FrameworkRules rules;
  rules.fusesDecoderLayers = software != Software::PyTorch &&
                             software != Software::PyTorch2_7 &&
                             software != Software::PyTorch1_13;
  rules.cudnnAttention = software == Software::PyTorch;
  rules.normCtaPerRow = normalizesWithFlashInfer(software);
  if (software == Software::PyTorch2_7) {
    rules.flashGeneration = 2;
    rules.normGradientSplitRows.reset();
    rules.softmaxInRegisters = false;
  }
  if (software == Software::PyTorch1_13) {
    rules.optimizerVariant = OptimizerVariant::Unfused;
    rules.zeroGrad = ZeroGradMode::Zero;
    rules.attention = AttentionMode::Eager;
    rules.flashGeneration = 1;
    rules.normGradientSplitRows.reset();
    rules.softmaxInRegisters = false;
    rules.cudnnBatchNorm = false;
    rules.fastDepthwise = false;
    rules.stopsRecomputationEarly = false;
  }
  return rules;
}
