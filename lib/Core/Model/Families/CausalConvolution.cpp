//===- CausalConvolution.cpp - Short convolutions (R11)-(R13) -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A causal convolution of few taps is a copy: it reads and writes each element
// once. On GPUs with HBM3e its instructions take longer than its bytes.
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include "LinearAttention.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// Taps of all measured kernels.
static constexpr double measuredTaps = 4;

namespace {
/// Sizes and bytes of one launch.
struct Shape {
  explicit Shape(const KernelWork &work)
      : p(work.as<CausalConvolutionProblem>()) {
    elements = static_cast<double>(p.batch) * static_cast<double>(p.length) *
               static_cast<double>(p.channels);
    rows = static_cast<double>(p.batch) * static_cast<double>(p.channels);
    length = static_cast<double>(p.length);
    // The last taps - 1 inputs of each channel.
    double state = std::max<double>(static_cast<double>(p.taps) - 1, 0);
    double pair = work.inputBytes() + work.outputBytes();
    copied = elements * pair;
    stateRead = rows * state * work.inputBytes();
    stateWritten = stateRead * static_cast<double>(std::max<int64_t>(
                                   std::min(p.snapshots, p.length), 1));
    tapRatio = std::max(static_cast<double>(p.taps) / measuredTaps, 1.0);
  }
  const CausalConvolutionProblem &p;
  double elements = 0, rows = 0, length = 0;
  double copied = 0, stateRead = 0, stateWritten = 0;
  double tapRatio = 1; ///< instructions relative to four taps
};
} // namespace

/// Adds the terms and events that all kernels share: `bytes` of DRAM traffic,
/// which are also the bytes touched.
template <typename Fit>
static LaunchTerms finish(const CostModel &model, const KernelWork &work,
                          const Shape &s, const LinearStack &stack,
                          const Fit &c, double bytes, const KernelQuery &query,
                          LaunchTerms t) {
  t.dram = dramTime(model, work, bytes, bytes, c.dramEfficiency, c.l2Fraction,
                    c.hitExponent, query);
  if (const auto &counts = model.coefficients().instructions)
    t.events.instructions =
        s.elements * counts->perElement[static_cast<size_t>(
                         classOf(work, InstructionClass::DepthwiseConv))];
  t.events.dramBytes = work.count.compulsoryBytes();
  t.events.l2Bytes = t.events.dramBytes;
  t.inCalibratedDomain = isMeasured(stack, model) &&
                         s.p.taps == static_cast<int64_t>(measuredTaps) &&
                         work.inputBits == 16;
  return t;
}

static Error sizeError() { return {"expected sizes of at least 0"}; }
static bool isValid(const CausalConvolutionProblem &p) {
  return p.batch >= 0 && p.length >= 0 && p.channels >= 0 && p.taps >= 0 &&
         p.snapshots >= 0;
}

template <typename Fit>
static LaunchTerms start(const Fit &c, const KernelQuery &query,
                         const Shape &s) {
  LaunchTerms t;
  t.fixed = c.fixedTime;
  t.norm = c.overlapNorm;
  if (s.elements == 0)
    reportEmpty(query, t);
  return t;
}

/// (R11) Steps of 8 tokens, instructions for each element, bytes of a copy.
static Expected<LaunchTerms> convTerms(const CostModel &model,
                                       const KernelWork &work, const Tiling &,
                                       const KernelQuery &query) {
  const auto &p = work.as<CausalConvolutionProblem>();
  if (!isValid(p))
    return fail(sizeError());
  const LinearStack *stack =
      findStack(model, p.rule, &LinearStack::convolution);
  if (!stack)
    return noStack(model);
  const ShortConvFit &c = *stack->convolution;
  const Gpu &gpu = model.gpu();
  Shape s(work);
  LaunchTerms t = start(c, query, s);
  if (s.elements == 0)
    return t;
  constexpr double stepTokens = 8;
  double first = std::min(s.length, stepTokens) / stepTokens;
  double more = s.length > stepTokens ? 1 : 0;
  t.fixed += c.stepTime * first + c.nextTime * more;
  double perElement = c.elementCycles * s.tapRatio;
  t.issue = Seconds((s.elements * perElement +
                     static_cast<double>(p.batch) * s.length * c.tokenCycles) /
                    (gpu.smCount * gpu.maxClock.value()));
  if (query.steps)
    query.steps->equation(
        "causal convolution (R11)",
        "fixed = {} + {}*{} + {}*{} = {}; issue = {}*{}*({}*{} + {})/({}*{}) = "
        "{}",
        {c.fixedTime, c.stepTime, first, c.nextTime, more, t.fixed, p.batch,
         p.length, p.channels, perElement, c.tokenCycles, gpu.smCount,
         gpu.maxClock, t.issue});
  return finish(model, work, s, *stack, c,
                s.copied + s.stateRead + s.stateWritten, query, t);
}

/// (R12) A CTA for each channel of a sequence, steps of 1,024 tokens.
static Expected<LaunchTerms> channelTerms(const CostModel &model,
                                          const KernelWork &work,
                                          const Tiling &tiling,
                                          const KernelQuery &query) {
  const auto &p = work.as<CausalConvolutionProblem>();
  if (!isValid(p))
    return fail(sizeError());
  const LinearStack *stack =
      findStack(model, LinearRule::Sum, &LinearStack::channelConvolution);
  if (!stack)
    return convTerms(model, work, tiling, query);
  const ChannelConvFit &c = *stack->channelConvolution;
  const Gpu &gpu = model.gpu();
  Shape s(work);
  LaunchTerms t = start(c, query, s);
  if (s.elements == 0)
    return t;
  constexpr double stepTokens = 1024;
  constexpr int64_t vectorTokens = 8;
  double first = std::min(s.length, stepTokens) / stepTokens;
  double next = std::ceil(s.length / stepTokens) - 1;
  double slow = p.length % vectorTokens ? c.oddSlowdown : 1;
  double cta = c.ctaCycles + first * c.firstCycles + next * c.nextCycles;
  t.issue = Seconds(s.rows * cta * slow * s.tapRatio /
                    (gpu.smCount * gpu.maxClock.value()));
  if (query.steps)
    query.steps->equation(
        "causal convolution by channels (R12)",
        "cta = {} + {}*{} + {}*{} = {} cycles; issue = {}*{}*cta*{}*{}/({}*{}) "
        "= {}; fixed = {}",
        {c.ctaCycles, first, c.firstCycles, next, c.nextCycles, cta, p.batch,
         p.channels, slow, s.tapRatio, gpu.smCount, gpu.maxClock, t.issue,
         t.fixed});
  return finish(model, work, s, *stack, c, s.copied, query, t);
}

/// (R13) Input, result, and the last inputs of each channel.
static Expected<LaunchTerms> convStepTerms(const CostModel &model,
                                           const KernelWork &work,
                                           const Tiling &,
                                           const KernelQuery &query) {
  const auto &p = work.as<CausalConvolutionProblem>();
  if (!isValid(p))
    return fail(sizeError());
  auto [stack, fit] =
      findStepFit(model, p.rule, p.snapshots, &LinearStack::convolutionVerify,
                  &LinearStack::convolutionStep);
  if (!stack)
    return noStack(model);
  const ConvStepFit &c = *fit;
  const Gpu &gpu = model.gpu();
  Shape s(work);
  LaunchTerms t = start(c, query, s);
  if (s.elements == 0)
    return t;
  constexpr double ctaChannels = 256;
  double ctas = static_cast<double>(p.batch) *
                std::ceil(static_cast<double>(p.channels) / ctaChannels);
  t.issue =
      Seconds((ctas * c.ctaCycles + s.elements * c.elementCycles * s.tapRatio) /
              (gpu.smCount * gpu.maxClock.value()));
  if (query.steps)
    query.steps->equation(
        "causal convolution of new tokens (R13)",
        "issue = ({}*ceil({}/256)*{} + {}*{}*{}*{}*{})/({}*{}) = {}; fixed = "
        "{}",
        {p.batch, p.channels, c.ctaCycles, p.batch, p.length, p.channels,
         c.elementCycles, s.tapRatio, gpu.smCount, gpu.maxClock, t.issue,
         t.fixed});
  return finish(model, work, s, *stack, c,
                s.copied + s.stateRead + s.stateWritten, query, t);
}

namespace gpucost::kernels {
extern const KernelModel causalConv, causalConvChannel, causalConvStep;
const KernelModel causalConv = {untiled, convTerms};
const KernelModel causalConvChannel = {untiled, channelTerms};
const KernelModel causalConvStep = {untiled, convStepTerms};

GPUCOST_CONDITION(newTokensOfConvolution,
                  "one new token, or a state after each token",
                  { return work.as<CausalConvolutionProblem>().isStep(); })
GPUCOST_CONDITION(tensorRtLlm, "TensorRT-LLM",
                  { return isOf(model.software(), Software::TensorRtLlm); })
} // namespace gpucost::kernels
