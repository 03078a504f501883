//===- Software.cpp - Whose attention kernels run -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Software.h"
#include <algorithm>

using namespace gpucost;

/// The first of `software` and what stands in for it whose stack in `set`
/// `has` the coefficients that are wanted; null without any.
template <typename Predicate>
static const AttentionStack *findStack(const Coefficients &set,
                                       std::optional<Software> software,
                                       Predicate has) {
  for (; software; software = standInOf(*software)) {
    auto stack = std::find_if(set.attentionStacks.begin(),
                              set.attentionStacks.end(), [&](const auto &each) {
                                return each.software == *software && has(each);
                              });
    if (stack != set.attentionStacks.end())
      return &*stack;
  }
  return nullptr;
}

AttentionOrigin gpucost::selectAttention(Coefficients &set, Software software) {
  AttentionOrigin origin;
  if (const AttentionStack *stack =
          findStack(set, software, [](const AttentionStack &each) {
            return each.causal.has_value();
          })) {
    origin.causal = stack->software;
    set.attentionCausal = stack->causal;
    set.causalOfDims = stack->causalOfDims;
  }
  if (const AttentionStack *stack =
          findStack(set, software, [](const AttentionStack &each) {
            return each.decode.has_value();
          })) {
    origin.decode = stack->software;
    set.decode = stack->decode;
    set.decodeOfDims = stack->decodeOfDims;
  }
  return origin;
}

bool gpucost::isFp32Attention(const KernelWork &work) {
  return work.format == NumericFormat::FP32 ||
         work.format == NumericFormat::TF32;
}

AttentionKernel gpucost::findAttentionSet(const Coefficients &all,
                                          const KernelWork &work) {
  const auto &p = work.as<AttentionProblem>();
  if (isFp32Attention(work)) {
    if (all.attentionFp32)
      return {"attention_fp32", &*all.attentionFp32, true};
  } else if (p.generation == 1 || p.generation == 2) {
    if (all.attentionFlash2)
      return {"attention_flash2", &*all.attentionFlash2, true};
  } else if (p.cudnn && all.attentionCudnn) {
    return {"attention_cudnn", &*all.attentionCudnn, true};
  }
  std::string_view group = p.causal ? "attention_causal" : "attention_full";
  if (p.causal)
    if (const auto *own = findForDim(all.causalOfDims, p.headDim))
      return {group, own};
  const auto &common = p.causal ? all.attentionCausal : all.attentionFull;
  return {group, common ? &*common : nullptr};
}

/// (A9) Time of the first FlashAttention in Triton over that of the second one
/// in CUDA.
static double tritonSlowdown(const TritonFlash1Coefficients &c, int64_t headDim,
                             bool backward) {
  constexpr int64_t narrowHead = 64;
  if (headDim <= narrowHead)
    return backward ? c.backward64 : c.forward64;
  return backward ? c.backward : c.forward;
}

bool gpucost::isTritonFlash1(const KernelWork &work) {
  const auto &p = work.as<AttentionProblem>();
  return p.generation == 1 && p.triton && !isFp32Attention(work);
}

double gpucost::attentionSlowdown(const Coefficients &all,
                                  const AttentionCoefficients &c,
                                  const KernelWork &work) {
  const auto &p = work.as<AttentionProblem>();
  double slowdown = p.backward ? c.backwardSlowdown : 1;
  if (isFp32Attention(work) || (p.generation != 1 && p.generation != 2))
    return slowdown;
  slowdown *=
      p.backward ? c.secondGenerationBackward : c.secondGenerationSlowdown;
  if (p.generation == 1)
    slowdown *= p.triton
                    ? tritonSlowdown(*all.tritonFlash1, p.headDim, p.backward)
                    : c.firstGenerationSlowdown;
  return slowdown;
}

std::string gpucost::describeStandIn(std::string_view kernels,
                                     Software software,
                                     std::optional<Software> origin,
                                     std::string_view gpu) {
  if (origin == software)
    return "";
  std::string text = std::string(kernels) + ": none of " +
                     std::string(stringifySoftware(software)) +
                     " was measured on " + std::string(gpu) + "; ";
  if (origin)
    return text + std::string(stringifySoftware(*origin)) + " stands in";
  return text + "one set for all software stands in";
}
