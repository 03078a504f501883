//===- Software.cpp - Attention kernels of software -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/Software.h"
#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Vocabulary/Vendors.h"
#include <algorithm>

using namespace gpucost;

/// The first of `stacks`, in the order of `software` and its substitutes, that
/// `has` the coefficients; null if there is none.
template <typename Stack, typename Predicate>
static const Stack *findStack(const std::vector<Stack> &stacks,
                              std::optional<Software> software, Predicate has) {
  for (; software; software = standInOf(*software)) {
    auto stack =
        std::find_if(stacks.begin(), stacks.end(), [&](const auto &each) {
          return each.software == *software && has(each);
        });
    if (stack != stacks.end())
      return &*stack;
  }
  return nullptr;
}

/// (G15) One entry for each format, in the order of the first ones.
static void selectLowPrecision(LowPrecisionGemms &stacks, Software software) {
  LowPrecisionGemms selected;
  for (const LowPrecisionGemm &first : stacks) {
    auto isOfFormat = [&](const LowPrecisionGemm &each) {
      return each.format == first.format;
    };
    if (std::any_of(selected.begin(), selected.end(), isOfFormat))
      continue;
    const auto *own = findStack(stacks, software, isOfFormat);
    selected.push_back(own ? *own : first);
  }
  stacks = std::move(selected);
}

const TrainingLevel *gpucost::findTrainingLevel(const Coefficients &set,
                                                Software software,
                                                Architecture architecture) {
  const TrainingLevel *common = nullptr;
  if (set.trainingLevels)
    for (const TrainingLevel &level : set.trainingLevels->stacks) {
      if (level.software != software)
        continue;
      if (!level.architecture)
        common = &level;
      else if (vendorOf(*level.architecture) == vendorOf(architecture))
        return &level;
    }
  return common;
}

bool gpucost::hasTrainingLevel(const Coefficients &set, Software software) {
  return set.trainingLevels && std::any_of(set.trainingLevels->stacks.begin(),
                                           set.trainingLevels->stacks.end(),
                                           [&](const TrainingLevel &level) {
                                             return level.software == software;
                                           });
}

const ServingHost *gpucost::findServingHost(const Coefficients &set,
                                            Software software) {
  if (set.servingHosts)
    for (const ServingHost &host : set.servingHosts->stacks)
      if (isOf(software, host.software))
        return &host;
  return nullptr;
}

/// (G15) Stacks for training multiply in 8 bits with cuBLASLt, as in 16.
static void eraseServingSets(Coefficients &set, Software software) {
  constexpr int cublasBits = 8;
  if (!hasTrainingLevel(set, software))
    return;
  LowPrecisionGemms &sets = set.lowPrecision;
  sets.erase(std::remove_if(sets.begin(), sets.end(),
                            [](const LowPrecisionGemm &each) {
                              return each.software &&
                                     infoOf(each.format).bits >= cublasBits;
                            }),
             sets.end());
}

/// (A15) The prompts of one software and the decoding of one.
static void selectEightBit(AttentionStacks &stacks, Software software) {
  auto select = [&](auto kind, auto ofDims) {
    auto has = [&](const AttentionStack &each) {
      return (each.*kind).has_value() || !(each.*ofDims).empty();
    };
    auto first = std::find_if(stacks.begin(), stacks.end(), has);
    if (first == stacks.end())
      return;
    const AttentionStack *own = findStack(stacks, software, has);
    Software origin = own ? own->software : first->software;
    for (AttentionStack &stack : stacks)
      if (stack.software != origin) {
        (stack.*kind).reset();
        (stack.*ofDims).clear();
      }
  };
  select(&AttentionStack::causal, &AttentionStack::causalOfDims);
  select(&AttentionStack::decode, &AttentionStack::decodeOfDims);
}

AttentionOrigin gpucost::selectStacks(Coefficients &set, Software software) {
  eraseServingSets(set, software);
  selectLowPrecision(set.lowPrecision, software);
  selectEightBit(set.eightBitAttention, software);
  AttentionOrigin origin;
  // Replaces the common set of a kind of attention, and those of its head
  // dimensions; returns whose they are.
  auto take = [&](auto kind, auto ofDims, auto &common, auto &commonOfDims) {
    const AttentionStack *stack = findStack(
        set.attentionStacks, software,
        [&](const AttentionStack &each) { return (each.*kind).has_value(); });
    if (!stack)
      return std::optional<Software>();
    common = stack->*kind;
    commonOfDims = stack->*ofDims;
    return std::optional(stack->software);
  };
  origin.causal = take(&AttentionStack::causal, &AttentionStack::causalOfDims,
                       set.attentionCausal, set.causalOfDims);
  // (A17)
  origin.full = take(&AttentionStack::full, &AttentionStack::fullOfDims,
                     set.attentionFull, set.fullOfDims);
  origin.decode = take(&AttentionStack::decode, &AttentionStack::decodeOfDims,
                       set.decode, set.decodeOfDims);
  return origin;
}

const LowPrecisionGemm *gpucost::findLowPrecision(const Coefficients &set,
                                                  NumericFormat format) {
  auto find = [&](auto isMeant) {
    auto stack =
        std::find_if(set.lowPrecision.begin(), set.lowPrecision.end(),
                     [&](const auto &each) { return isMeant(each.format); });
    return stack == set.lowPrecision.end() ? nullptr : &*stack;
  };
  const FormatInfo &info = infoOf(format);
  if (const auto *own = find([&](auto each) { return each == format; }))
    return own;
  if (const auto *own = find([&](auto each) { return each == info.rate; }))
    return own;
  return find([&](auto each) {
    return info.block && infoOf(each).block && infoOf(each).bits == info.bits;
  });
}

std::string gpucost::describeLowPrecision(const LowPrecisionGemm &kernels,
                                          Software software,
                                          std::string_view gpu) {
  const std::string &from = kernels.gemm.transferredFrom;
  std::string name =
      std::string(stringifyNumericFormat(kernels.format)) + " matmuls";
  if (!from.empty())
    return name + ": as measured on " + from +
           (kernels.software
                ? " with " + std::string(stringifySoftware(*kernels.software))
                : "");
  return kernels.software
             ? describeStandIn(name, software, kernels.software, gpu)
             : "";
}

template <typename Set>
static const Set *setFor(const std::optional<Set> &common,
                         const std::vector<Set> &ofDims, int64_t headDim) {
  const Set *own = findForDim(ofDims, headDim);
  return own || !common ? own : &*common;
}

const AttentionCoefficients *gpucost::causalOf(const AttentionStack &kernels,
                                               int64_t headDim) {
  return setFor(kernels.causal, kernels.causalOfDims, headDim);
}

const DecodeCoefficients *gpucost::decodeOf(const AttentionStack &kernels,
                                            int64_t headDim) {
  return setFor(kernels.decode, kernels.decodeOfDims, headDim);
}

/// More new tokens run the kernels of prompts.
static constexpr int64_t mostVerified = 16;

bool gpucost::isVerifyingStep(const AttentionProblem &p) {
  return p.queryLength > 1 && p.queryLength <= mostVerified &&
         p.kvLength > p.queryLength && p.causal && !p.backward;
}

/// Whether the query heads of a KV head and several new tokens are rows of one
/// tile. FlashAttention-2 and Triton read the cache for each head.
static bool packsNewTokens(const DecodeCoefficients *set) {
  return set && set->kernel != DecodeKernel::FlashAttention2 &&
         set->kernel != DecodeKernel::Triton;
}

static bool takesStep(const AttentionStack &kernels,
                      const AttentionProblem &p) {
  return p.isDecode() ||
         (isVerifyingStep(p) && packsNewTokens(decodeOf(kernels, p.headDim)));
}

bool gpucost::runsDecodeKernel(const CostModel &model, const KernelWork &work) {
  const auto &p = work.as<AttentionProblem>();
  if (p.isDecode() || !isVerifyingStep(p))
    return p.isDecode();
  const Coefficients &all = model.coefficients();
  if (const AttentionStack *stack = findEightBitAttention(all, work))
    return takesStep(*stack, p);
  return !isOf(model.software(), Software::PyTorch) &&
         packsNewTokens(setFor(all.decode, all.decodeOfDims, p.headDim));
}

const AttentionStack *gpucost::findEightBitAttention(const Coefficients &set,
                                                     const KernelWork &work) {
  const auto &p = work.as<AttentionProblem>();
  constexpr int64_t width = 8;
  if (work.inputBits != width || isFp32Attention(work) ||
      work.format == NumericFormat::INT8 || p.backward ||
      !(p.isDecode() || p.causal))
    return nullptr;
  auto hasStep = [&](const AttentionStack &each) {
    return takesStep(each, p) && decodeOf(each, p.headDim);
  };
  const AttentionStacks &all = set.eightBitAttention;
  bool steps = p.isDecode() || std::any_of(all.begin(), all.end(), hasStep);
  const AttentionStack *first = nullptr;
  for (const AttentionStack &each : all) {
    if (steps ? !hasStep(each) : !causalOf(each, p.headDim))
      continue;
    if (hasFewBits(each.products) == hasFewBits(work.format))
      return &each;
    if (!first)
      first = &each;
  }
  return first;
}

double gpucost::queryElementBytes(const Coefficients &set,
                                  const KernelWork &work) {
  constexpr int64_t queryBits = 16;
  return findEightBitAttention(set, work)
             ? elementBytes(NumericFormat::BF16, queryBits)
             : work.outputBytes();
}

std::string gpucost::describeEightBit(const AttentionStack &kernels,
                                      const KernelWork &work, Software software,
                                      std::string_view gpu) {
  const auto &p = work.as<AttentionProblem>();
  bool steps = takesStep(kernels, p);
  const std::string &from = steps
                                ? decodeOf(kernels, p.headDim)->transferredFrom
                                : causalOf(kernels, p.headDim)->transferredFrom;
  std::string name = steps ? "decode attention" : "prompt attention";
  name += " with keys and values in 8 bits";
  if (!from.empty())
    return name + ": as measured on " + from + " with " +
           std::string(stringifySoftware(kernels.software));
  return describeStandIn(name, software, kernels.software, gpu);
}

bool gpucost::isFp32Attention(const KernelWork &work) {
  return work.format == NumericFormat::FP32 ||
         work.format == NumericFormat::TF32;
}

AttentionKernel gpucost::findAttentionSet(const Coefficients &all,
                                          const KernelWork &work,
                                          ImplementationKind kind) {
  using Group = CoefficientGroup;
  const auto &p = work.as<AttentionProblem>();
  switch (kind) {
  case ImplementationKind::EightBitAttention:
    if (const AttentionStack *stack = findEightBitAttention(all, work))
      return {Group::attentionCausal, causalOf(*stack, p.headDim),
              /*isOwn=*/true, stack};
    break;
  case ImplementationKind::EfficientAttention:
    if (all.attentionFp32)
      return {Group::attentionFp32, &*all.attentionFp32, true};
    break;
  case ImplementationKind::FlashAttention1:
  case ImplementationKind::FlashAttention2:
  case ImplementationKind::TritonFlash1:
    if (all.attentionFlash2)
      return {Group::attentionFlash2, &*all.attentionFlash2, true};
    break;
  case ImplementationKind::CudnnAttention:
    if (all.attentionCudnn)
      return {Group::attentionCudnn, &*all.attentionCudnn, true};
    break;
  default:
    break;
  }
  auto group = p.causal ? Group::attentionCausal : Group::attentionFull;
  if (const auto *own =
          findForDim(p.causal ? all.causalOfDims : all.fullOfDims, p.headDim))
    return {group, own};
  const auto &common = p.causal ? all.attentionCausal : all.attentionFull;
  return {group, common ? &*common : nullptr};
}

const DecodeCoefficients *gpucost::findDecodeSet(const Coefficients &all,
                                                 const KernelWork &work) {
  int64_t headDim = work.as<AttentionProblem>().headDim;
  if (const AttentionStack *stack = findEightBitAttention(all, work))
    return decodeOf(*stack, headDim);
  return setFor(all.decode, all.decodeOfDims, headDim);
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

double gpucost::attentionSlowdown(const Coefficients &all,
                                  const AttentionCoefficients &c,
                                  const KernelWork &work,
                                  ImplementationKind kind) {
  const auto &p = work.as<AttentionProblem>();
  double slowdown = p.backward ? c.backwardSlowdown : 1;
  bool isFirst = kind == ImplementationKind::FlashAttention1;
  bool isTriton = kind == ImplementationKind::TritonFlash1;
  if (!isFirst && !isTriton && kind != ImplementationKind::FlashAttention2)
    return slowdown;
  slowdown *=
      p.backward ? c.secondGenerationBackward : c.secondGenerationSlowdown;
  if (isFirst)
    return slowdown * c.firstGenerationSlowdown;
  return isTriton ? slowdown *
                        tritonSlowdown(*all.tritonFlash1, p.headDim, p.backward)
                  : slowdown;
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
