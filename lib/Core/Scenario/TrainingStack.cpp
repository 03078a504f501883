//===- TrainingStack.cpp - Stacks for training on many GPUs ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/TrainingStack.h"

using namespace gpucost;

std::optional<TrainingStack> gpucost::trainingStack(Software software) {
  TrainingStack stack;
  switch (software) {
  case Software::Megatron:
  case Software::Megatron0_9:
    stack.fusesGradientSums = stack.fusesLayers = stack.dividesTokens = true;
    stack.gathersLate = stack.sortsRows = stack.launchesExperts = true;
    stack.forwardsFirst = software == Software::Megatron0_9;
    return stack;
  case Software::MegatronLm3:
    stack.fusesGradientSums = stack.forwardsFirst = true;
    stack.dividesMessages = stack.keepsFp16Gradients = true;
    return stack;
  case Software::Nanotron:
    stack.dividesTokens = stack.balancesWork = true;
    return stack;
  case Software::TorchTitan:
  case Software::MaxText:
    stack.fusesLayers = stack.shardsParameters = true;
    return stack;
  case Software::Fsdp2:
    stack.shardsParameters = true;
    return stack;
  case Software::MegatronDeepSpeed:
    stack.forwardsFirst = true;
    stack.dividesMessages = true;
    return stack;
  case Software::InternEvo:
    stack.keepsFp16Gradients = stack.keepsBf16Gradients = true;
    return stack;
  default:
    return std::nullopt;
  }
}
