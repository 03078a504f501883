//===- LinearAttention.cpp - Linear attention equations (R6)-(R10) --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LinearAttention.h"
#include "../Streaming.h"
#include "TensorGemm.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// Tokens of a chunk in all measured kernels.
static constexpr double chunkTokens = 64;
/// Sizes of a head in all measured kernels.
static constexpr int64_t measuredSize = 128;
/// (R7) Products of a chunk with the keys, and with the states, in delta rules.
static constexpr double deltaKeyProducts = 3, deltaStateProducts = 3;
/// CTAs of one state in a decoding step, and the same number of slots on an SM.
static constexpr double stepCtas = 4;

//===----------------------------------------------------------------------===//
// Stacks
//===----------------------------------------------------------------------===//

/// The stack whose kernels `software` runs: PyTorch those of
/// flash-linear-attention, as SGLang.
static Software stackOf(Software software) {
  Software framework = releaseOf(software).framework;
  return framework == Software::PyTorch ? Software::Sglang : framework;
}

int gpucost::rankOfStack(const LinearStack &stack, const CostModel &model,
                         LinearRule rule) {
  const Gpu &gpu = model.gpu();
  // Kernels of plain sums were not measured: the most common rule.
  LinearRule like = rule == LinearRule::Sum ? LinearRule::GatedDelta : rule;
  Software software = stackOf(model.software());
  MatrixPath path = gpu.sm ? gpu.sm->matrixPath : MatrixPath::Mma;
  // PyTorch's own kernels, before those that it shares with SGLang.
  bool isOwn = stack.software != software &&
               stack.software == releaseOf(model.software()).framework;
  int rank = 0;
  for (bool fits :
       {stack.rule == rule, stack.rule == like, isOwn, stack.gpu == gpu.name,
        stack.matrixPath == path, stack.stackedMemory == gpu.hasStackedMemory(),
        stack.software == software, stack.software == Software::Sglang})
    rank = 2 * rank + (fits ? 1 : 0);
  return rank;
}

bool gpucost::isMeasured(const LinearStack &stack, const CostModel &model) {
  return stack.gpu == model.gpu().name &&
         (stack.software == stackOf(model.software()) ||
          isOf(model.software(), stack.software));
}

tl::unexpected<Error> gpucost::noStack(const CostModel &model) {
  return missingGroup(model, "linear_attention");
}

/// (M12) Less if the iteration touches other bytes in between.
static double keptOf(const CostModel &model, const KernelWork &work,
                     const KernelQuery &query) {
  if (!query.keptShare)
    return 1;
  double alone = model.keptShare(work.count.compulsoryBytes());
  return alone > 0 ? std::min(*query.keptShare / alone, 1.0) : 1;
}

static double hitOf(const CostModel &model, double foot, double l2Fraction,
                    double hitExponent) {
  if (foot <= 0)
    return 0;
  double capacity = model.gpu().l2Capacity.value() * l2Fraction;
  return 1 - 1 / (1 + std::pow(capacity / foot, hitExponent));
}

double gpucost::hitShare(const CostModel &model, const KernelWork &work,
                         double touched, double l2Fraction, double hitExponent,
                         const KernelQuery &query) {
  return keptOf(model, work, query) *
         hitOf(model, footprintOf(touched, query), l2Fraction, hitExponent);
}

Seconds gpucost::dramTime(const CostModel &model, const KernelWork &work,
                          double bytes, double touched, double dramEfficiency,
                          double l2Fraction, double hitExponent,
                          const KernelQuery &query) {
  const Gpu &gpu = model.gpu();
  double foot = footprintOf(touched, query);
  double hit = hitOf(model, foot, l2Fraction, hitExponent);
  double kept = keptOf(model, work, query);
  Seconds time(bytes * (1 - hit * kept) /
               (gpu.dramBandwidth.value() * dramEfficiency));
  if (query.steps)
    query.steps->equation(
        "DRAM (R8)",
        "hit = {}*(1 - 1/(1 + ({}*{}/{})^{})) = {}; dram = {}*(1 - "
        "hit)/({}*{}) = {}",
        {kept, gpu.l2Capacity, l2Fraction, foot, hitExponent, hit * kept, bytes,
         gpu.dramBandwidth, dramEfficiency, time});
  return time;
}

double gpucost::countRounds(double ctas, double slots, double wholeShare) {
  double rounds = ctas / slots;
  return std::max((1 - wholeShare) * rounds + wholeShare * std::ceil(rounds),
                  1.0);
}

//===----------------------------------------------------------------------===//
// Prompts
//===----------------------------------------------------------------------===//

static std::string findFault(const LinearAttentionProblem &p) {
  for (int64_t size : {p.batch, p.length, p.heads, p.valueHeads, p.keySize,
                       p.valueSize, p.snapshots})
    if (size < 0)
      return "expected sizes of at least 0";
  return p.heads == 0 && p.valueHeads > 0 ? "expected 'heads' of at least 1"
                                          : "";
}

/// Bytes of queries, keys, values and results.
static double tokenBytes(const KernelWork &work) {
  const auto &p = work.as<LinearAttentionProblem>();
  double tokens = static_cast<double>(p.batch) * static_cast<double>(p.length);
  double keys = static_cast<double>(p.heads) * static_cast<double>(p.keySize);
  double values =
      static_cast<double>(p.valueHeads) * static_cast<double>(p.valueSize);
  return tokens * ((2 * keys + values) * work.inputBytes() +
                   values * work.outputBytes());
}

static bool isCalibrated(const LinearStack &stack, const CostModel &model,
                         const KernelWork &work) {
  const auto &p = work.as<LinearAttentionProblem>();
  return isMeasured(stack, model) && stack.rule == p.rule &&
         p.rule != LinearRule::Sum && p.keySize == measuredSize &&
         p.valueSize == measuredSize && work.inputBits == 16;
}

static Expected<LaunchTerms> chunkTerms(const CostModel &model,
                                        const KernelWork &work, const Tiling &,
                                        const KernelQuery &query) {
  const auto &p = work.as<LinearAttentionProblem>();
  if (std::string fault = findFault(p); !fault.empty())
    return fail(fault);
  const LinearStack *stack = findStack(model, p.rule, &LinearStack::chunks);
  if (!stack)
    return noStack(model);
  const ChunkFit &c = *stack->chunks;
  const Gpu &gpu = model.gpu();
  // GPUs without tensor cores for the format compute in fp32.
  double rate = std::max(gpu.flopsPerClock(work.format),
                         gpu.flopsPerClock(NumericFormat::FP32));
  LaunchTerms t;
  t.fixed = c.fixedTime;
  t.norm = c.overlapNorm;
  t.computeBound = Bound::Tensor;
  double states =
      static_cast<double>(p.batch) * static_cast<double>(p.valueHeads);
  if (states == 0 || p.length == 0) {
    reportEmpty(query, t);
    return t;
  }
  double smCount = gpu.smCount, clock = gpu.maxClock.value();
  auto length = static_cast<double>(p.length);
  double keys = p.keySize, values = p.valueSize;
  double chunks = std::ceil(length / chunkTokens);
  // (R6) One chain for each state, through all chunks.
  double columns = c.chainColumns > 0
                       ? std::ceil(values / static_cast<double>(c.chainColumns))
                       : 1;
  double rounds = countRounds(states * columns, smCount, c.wholeWaves ? 1 : 0);
  Seconds chain(rounds * (c.chainCycles + chunks * c.chunkCycles) / clock);
  // (R7) Products of a chunk; the delta rules compute k k', w, u and w h.
  double square = 2 * chunkTokens * chunkTokens, pass = 2 * chunkTokens;
  bool isDelta = p.rule != LinearRule::Sum;
  double shared = static_cast<double>(p.heads) /
                  static_cast<double>(std::max(p.heads, p.valueHeads));
  double flops = square * (keys * shared + values) + 2 * pass * keys * values;
  if (isDelta)
    flops = square * (deltaKeyProducts * keys + 2 * values) +
            deltaStateProducts * pass * keys * values;
  Seconds side(states * chunks * flops /
               (smCount * clock * rate * c.efficiency));
  // (R8)
  double tokens = tokenBytes(work);
  constexpr double storedBytes = 2, lastBytes = 4; // of a state's element
  double stored = states * chunks * keys * values * storedBytes * c.statePasses;
  double last = states * keys * values * lastBytes;
  if (query.steps) {
    query.steps->equation(
        "chain (R6)",
        "chunks = ceil({}/64) = {}; n = {}*{}*{} = {}; chain = {}*({} + "
        "chunks*{})/{} = {}",
        {length, chunks, p.batch, p.valueHeads, columns, states * columns,
         rounds, c.chainCycles, c.chunkCycles, gpu.maxClock, chain});
    query.steps->equation("products (R7)",
                          "side = {}*{}*chunks*{}/({}*{}*{}*{}) = {}",
                          {p.batch, p.valueHeads, flops, gpu.smCount,
                           gpu.maxClock, rate, c.efficiency, side});
  }
  t.dram = dramTime(model, work,
                    tokens * c.tokenPasses + stored + last * c.endPasses,
                    tokens + stored + last, c.dramEfficiency, c.l2Fraction,
                    c.hitExponent, query);
  // (R9) The triangular inverse runs row by row.
  double filled = std::min(length, chunkTokens) / chunkTokens;
  t.fixed += isDelta ? c.inverseTime * filled : Seconds(0);
  (chain > side ? t.compute : t.rows) = chain;
  (chain > side ? t.rows : t.compute) = side;
  t.computeBound = chain > side ? Bound::Latency : Bound::Tensor;
  if (query.steps)
    query.steps->equation(
        "terms (R9)",
        std::string(chain > side ? "compute = chain = {}; rows = side"
                                 : "compute = side = {}; rows = chain") +
            " = {}; fixed = {} + {}*{} = {}",
        {t.compute, t.rows, c.fixedTime, isDelta ? c.inverseTime : Seconds(0),
         filled, t.fixed});
  t.events.tensorFlops =
      states * chunks * flops * tensorEnergyFactor(model, work.format);
  t.events.dramBytes = work.count.compulsoryBytes();
  t.events.l2Bytes = tokens * c.tokenPasses + stored;
  t.inCalibratedDomain = isCalibrated(*stack, model, work);
  return t;
}

//===----------------------------------------------------------------------===//
// Decoding steps
//===----------------------------------------------------------------------===//

static Expected<LaunchTerms> stepTerms(const CostModel &model,
                                       const KernelWork &work, const Tiling &,
                                       const KernelQuery &query) {
  const auto &p = work.as<LinearAttentionProblem>();
  if (std::string fault = findFault(p); !fault.empty())
    return fail(fault);
  auto [stack, fit] = findStepFit(model, p.rule, p.snapshots,
                                  &LinearStack::verify, &LinearStack::step);
  if (!stack)
    return noStack(model);
  const StateStepFit &c = *fit;
  const Gpu &gpu = model.gpu();
  LaunchTerms t;
  t.fixed = c.fixedTime;
  t.norm = c.overlapNorm;
  t.computeBound = Bound::Latency;
  double states =
      static_cast<double>(p.batch) * static_cast<double>(p.valueHeads);
  if (states == 0 || p.length == 0) {
    reportEmpty(query, t);
    return t;
  }
  double smCount = gpu.smCount, clock = gpu.maxClock.value();
  auto length = static_cast<double>(p.length);
  // (R10) Each state is read once and written after each token.
  double one = static_cast<double>(p.keySize) *
               static_cast<double>(p.valueSize) * c.stateBytes;
  double written = static_cast<double>(std::min(p.snapshots, p.length));
  double bytes = states * one * (1 + written) + tokenBytes(work);
  double rounds =
      countRounds(stepCtas * states, stepCtas * smCount, c.waveFraction);
  t.compute = Seconds(rounds * (c.ctaCycles + length * c.tokenCycles) / clock);
  t.l2 = Seconds(bytes / (smCount * clock * c.l2BytesPerClock));
  if (query.steps)
    query.steps->equation(
        "state of each token (R10)",
        "bytes = {}*{}*{}*(1 + {}) + {} = {}; compute = {}*({} + {}*{})/{} = "
        "{}; l2 = bytes/({}*{}*{}) = {}; fixed = {}",
        {p.batch, p.valueHeads, one, written, tokenBytes(work), bytes, rounds,
         c.ctaCycles, length, c.tokenCycles, gpu.maxClock, t.compute,
         gpu.smCount, gpu.maxClock, c.l2BytesPerClock, t.l2, t.fixed});
  t.dram = dramTime(model, work, bytes, states * one * std::max(written, 1.0),
                    c.dramEfficiency, c.l2Fraction, c.hitExponent, query);
  constexpr double flopsPerInstruction = 2; // multiply-adds
  t.events.instructions =
      static_cast<double>(work.count.fp32Flops) / flopsPerInstruction +
      static_cast<double>(work.count.specialOps);
  t.events.dramBytes = work.count.compulsoryBytes();
  t.events.l2Bytes = bytes;
  t.inCalibratedDomain = isCalibrated(*stack, model, work);
  return t;
}

namespace gpucost::kernels {
extern const KernelModel linearChunks, linearStep;
const KernelModel linearChunks = {untiled, chunkTerms};
const KernelModel linearStep = {untiled, stepTerms};

GPUCOST_CONDITION(newTokens, "one new token, or a state after each token",
                  { return work.as<LinearAttentionProblem>().isStep(); })
GPUCOST_CONDITION(servingStack, "SGLang, vLLM or TensorRT-LLM",
                  { return !isOf(model.software(), Software::PyTorch); })
} // namespace gpucost::kernels
