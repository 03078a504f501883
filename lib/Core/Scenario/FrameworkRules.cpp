//===- FrameworkRules.cpp - Rules of frameworks and stacks ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/FrameworkRules.h"
#include "gpucost/Core/Vocabulary/Software.h"

using namespace gpucost;

FrameworkRules gpucost::frameworkRules(Software software) {
  FrameworkRules rules;
  rules.fusesDecoderLayers = !isOf(software, Software::PyTorch);
  if (isBefore(software, Software::PyTorch, version(2, 0))) {
    rules.optimizerVariant = OptimizerVariant::Unfused;
    rules.zeroGrad = ZeroGradMode::Zero;
    rules.attention = AttentionMode::Eager;
    rules.stopsRecomputationEarly = false;
  }
  return rules;
}
