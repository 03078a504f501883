//===- FrameworkRules.cpp - What a framework or stack does ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Scenario/FrameworkRules.h"

using namespace gpucost;

FrameworkRules gpucost::frameworkRules(Software software) {
  FrameworkRules rules;
  rules.fusesDecoderLayers = software != Software::PyTorch &&
                             software != Software::PyTorch2_7 &&
                             software != Software::PyTorch1_13;
  rules.cudnnAttention = software == Software::PyTorch;
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
