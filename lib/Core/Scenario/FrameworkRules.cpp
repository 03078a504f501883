//===- FrameworkRules.cpp - What a framework or stack does ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/FrameworkRules.h"
#include "gpucost/Core/Vocabulary/Software.h"

using namespace gpucost;

FrameworkRules gpucost::frameworkRules(Software software) {
  auto isPyTorchBefore = [&](SoftwareVersion first) {
    return isBefore(software, Software::PyTorch, first);
  };
  FrameworkRules rules;
  rules.fusesDecoderLayers = !isOf(software, Software::PyTorch);
  rules.cudnnAttention = isSince(software, Software::PyTorch, version(2, 8));
  // SGLang's separate kernel for the heads of queries and keys (pull request
  // 15835, 2025-12) is not modelled.
  rules.normCtaPerRow =
      isOf(software, Software::Sglang) || isOf(software, Software::TensorRtLlm);
  if (isPyTorchBefore(version(2, 8))) {
    rules.flashGeneration = 2;
    rules.normGradientSplitRows.reset();
    rules.softmaxInRegisters = false;
  }
  if (isPyTorchBefore(version(2, 0))) {
    rules.optimizerVariant = OptimizerVariant::Unfused;
    rules.zeroGrad = ZeroGradMode::Zero;
    rules.attention = AttentionMode::Eager;
    rules.flashGeneration = 1;
    rules.cudnnBatchNorm = false;
    rules.fastDepthwise = false;
    rules.stopsRecomputationEarly = false;
  }
  return rules;
}
