//===- AttentionConditions.cpp - Which attention kernel runs --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Model/Software.h"
#include <limits>

using namespace gpucost;

template <int64_t widest>
static bool fitsHeads(const CostModel &model, const KernelWork &work,
                      const KernelQuery &) {
  const auto &p = work.as<AttentionProblem>();
  return !runsDecodeKernel(model, work) && p.headDim <= widest;
}

template <bool causal>
static bool hasQueries(const CostModel &model, const KernelWork &work,
                       const KernelQuery &) {
  const auto &p = work.as<AttentionProblem>();
  return !runsDecodeKernel(model, work) && p.causal == causal;
}

/// CUDA: ldmatrix, which the first FlashAttention needs.
static constexpr double turing = 7.5;

/// Whether the user selected a FlashAttention by name.
static bool namesFlash(AttentionMode mode) {
  return mode == AttentionMode::Flash1 || mode == AttentionMode::Flash2 ||
         mode == AttentionMode::Triton1;
}

/// The attention that the user selected, else the release's default.
static bool runsGeneration(const CostModel &model, AttentionMode asked,
                           SoftwareVersion before) {
  AttentionMode mode = model.choice().attention;
  if (namesFlash(mode))
    return mode == asked;
  return isBefore(model.software(), Software::PyTorch, before);
}

namespace gpucost::kernels {
extern const Condition severalQueries, causalQueries, fullQueries, headsUpTo128,
    headsUpTo256;
GPUCOST_CONDITION(eightBitCache,
                  "causal attention of several queries with keys "
                  "and values in 8 bits, and its coefficients",
                  {
                    return !runsDecodeKernel(model, work) &&
                           findEightBitAttention(model.coefficients(), work);
                  })
const Condition severalQueries = {
    "attention of several queries",
    fitsHeads<std::numeric_limits<int64_t>::max()>};
const Condition causalQueries = {"causal attention of several queries",
                                 hasQueries<true>};
const Condition fullQueries = {"full attention of several queries",
                               hasQueries<false>};
const Condition headsUpTo128 = {
    "attention of several queries with heads of up to 128", fitsHeads<128>};
const Condition headsUpTo256 = {
    "attention of several queries with heads of up to 256", fitsHeads<256>};
// A GPU without a stated compute capability is assumed to meet the condition.
GPUCOST_CONDITION(turingOrLater, "compute capability 7.5 or later", {
  return model.gpu().computeCapability.value_or(turing) >= turing;
})
GPUCOST_CONDITION(ampereOrLater, "compute capability 8.0 or later",
                  { return model.gpu().runsFlashAttention(); })
GPUCOST_CONDITION(asksTriton1, "--attention=triton1", {
  return model.choice().attention == AttentionMode::Triton1;
})
GPUCOST_CONDITION(asksFlash1, "--attention=flash1 or PyTorch before 2.0", {
  return runsGeneration(model, AttentionMode::Flash1, version(2, 0));
})
GPUCOST_CONDITION(asksFlash2, "--attention=flash2 or PyTorch before 2.8", {
  return runsGeneration(model, AttentionMode::Flash2, version(2, 8));
})
// The power of cuDNN's attention was not fitted for the benchmark protocol.
GPUCOST_CONDITION(
    prefersCudnnAttention,
    "PyTorch 2.8 or later without --attention=flash1, flash2 or triton1, "
    "outside the benchmark protocol",
    {
      return !query.benchmark && !namesFlash(model.choice().attention) &&
             isSince(model.software(), Software::PyTorch, version(2, 8));
    })
} // namespace gpucost::kernels
