//===- Experts.cpp - Expert layers of serving stacks (E2)-(E7) ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fused layer sorts the tokens of all GPUs by expert, runs two grouped
// matmuls, and adds up the results of each token.
//
//===----------------------------------------------------------------------===//

#include "LinearAttention.h"
#include "TensorGemm.h"
#include "gpucost/Core/Model/ExpertLayer.h"
#include "gpucost/Core/Model/ServingKernels.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// Largest tile and depth of a K step of grouped matmuls.
static constexpr double tileRows = 128, tileColumns = 128, stepDepth = 64;
/// Bytes of a result.
static constexpr double resultBytes = 2;
static constexpr double bitsPerByte = 8;
/// Exponent of the hit rate, as (G5).
static constexpr double hitExponent = 3;

namespace {
/// (E2) Rows of the layer on this GPU.
struct Rows {
  double pairs = 0, tokens = 0;
  double active = 0; ///< experts read
  double tile = 0, tiles = 0;
  /// Pairs and experts of the mean GPU over those of this one.
  double pairShare = 1, activeShare = 1;

  /// (P1) Rows of tiles without a pair, of the mean GPU.
  double padded() const {
    return std::max(active * activeShare * tiles * tile - pairs * pairShare,
                    0.0);
  }
};
/// (E3), (E4) One grouped matmul.
struct Grouped {
  Seconds sm, dram;
  double l2Bytes = 0, bytes = 0;
  /// Bytes of the mean GPU.
  double meanBytes = 0;
};
} // namespace

static Rows countRows(const ExpertStack &c, const KernelWork &work,
                      Steps *steps) {
  const auto &p = work.as<MatmulProblem>();
  Rows r;
  auto shards = static_cast<double>(p.shards);
  auto experts = static_cast<double>(p.experts);
  auto inner = static_cast<double>(p.inner);
  double columns = inner + inner * (p.gated ? 2 : 1);
  // `m` is rounded up.
  auto flops = static_cast<double>(work.count.tensorFlops -
                                   work.count.fused.tensorFlops);
  r.pairs = flops > 0 ? flops / (2 * columns * static_cast<double>(p.k))
                      : static_cast<double>(p.batch) * p.m;
  double share = std::min(static_cast<double>(p.n) / columns, 1.0);
  r.active = std::max(static_cast<double>(p.batch) * share, 1.0);
  auto choices = static_cast<double>(std::max<int64_t>(p.choices, 1));
  r.tokens = r.pairs * shards / choices;
  // (E7) An exchange brings the tokens that chose an expert of this GPU.
  if (p.exchanged > 0)
    r.tokens = static_cast<double>(p.exchanged) * shards *
               (1 - std::pow(1 - 1 / shards, choices));
  if (p.skewed)
    r.active = std::max(
        experts * (1 - std::exp(-c.awakeRate * r.pairs / experts)), 1.0);
  double mean = r.pairs;
  double load = p.skewed ? std::pow(shards, c.loadExponent) : 1;
  r.pairs = std::max(mean * load, 1.0);
  int doublings = 0;
  r.tile = static_cast<double>(c.leastRows);
  for (; r.tile < r.pairs / r.active && r.tile < tileRows; ++doublings)
    r.tile *= 2;
  r.tiles = std::ceil(r.pairs / r.active / r.tile);
  if (p.busiest) {
    ExpertLayer layer;
    layer.experts = p.experts * p.shards;
    layer.chosen = p.choices;
    layer.shards = p.shards;
    MeanUse use = meanOf(layer, r.pairs);
    r.pairShare = std::min(use.pairs / r.pairs, 1.0);
    r.activeShare = std::min(use.active / r.active, 1.0);
  }
  if (!steps)
    return r;
  if (p.skewed)
    steps->equation("experts read (E5)",
                    "x = max({}*(1 - exp(-{}*{}/{})), 1) = {}",
                    {experts, c.awakeRate, mean, experts, r.active});
  else
    steps->equation("experts read (E2)", "x = max({}*min({}/{}, 1), 1) = {}",
                    {p.batch, p.n, columns, r.active});
  steps->equation(
      "rows of an expert (E2)",
      p.exchanged > 0 ? "pairs = max({}*{}, 1) = {}; t = {}*{}*(1 - (1 - "
                        "1/n)^{}) = {}; tm = {}*2^{} = {}; mt = "
                        "ceil(pairs/x/tm) = {}"
                      : "pairs = max({}*{}, 1) = {}; t = {}*{}/{} = {}; tm = "
                        "{}*2^{} = {}; mt = ceil(pairs/x/tm) = {}",
      {mean, load, r.pairs,
       p.exchanged > 0 ? static_cast<double>(p.exchanged) : mean, shards,
       p.choices, r.tokens, c.leastRows, doublings, r.tile, r.tiles});
  return r;
}

/// `number`: in equations.
static Grouped grouped(const CostModel &model, const ExpertStack &c,
                       const KernelWork &work, const Rows &r, double rate,
                       double n, double k, int number,
                       const KernelQuery &query) {
  const Gpu &gpu = model.gpu();
  double smCount = gpu.smCount, clock = gpu.maxClock.value();
  const FormatInfo &weights = infoOf(c.weights);
  double inputBytes = work.inputBytes();
  // A block of weights has as many rows as columns that share a scale.
  double weightBytes =
      (weights.bits + (weights.block ? static_cast<double>(weights.scaleBits) /
                                           (weights.block * weights.rows)
                                     : 0.0)) /
      bitsPerByte;
  // (E3)
  double ctas = r.active * r.tiles * std::ceil(n / tileColumns);
  double step =
      std::max(2 * r.tile * tileColumns * stepDepth / (rate * c.efficiency),
               c.latencyCycles);
  double cta = c.ctaCycles + k / stepDepth * step;
  double span = std::max((1 - c.waveFraction) * ctas * cta / smCount +
                             c.waveFraction * std::ceil(ctas / smCount) * cta,
                         cta);
  Grouped g;
  g.l2Bytes = ctas * k * (r.tile * inputBytes + tileColumns * weightBytes);
  Seconds feed(g.l2Bytes /
               (std::min(ctas, smCount) * c.l2BytesPerClock * clock));
  g.sm = std::max(Seconds(span / clock), feed);
  // (E4)
  double weight = r.active * n * k * weightBytes;
  double rows = r.pairs * (k * inputBytes + n * resultBytes);
  g.bytes = weight + rows;
  g.meanBytes = weight * r.activeShare + rows * r.pairShare;
  double hit = hitShare(model, work, g.bytes, c.l2Fraction, hitExponent, query);
  g.dram = Seconds(g.bytes * (1 - hit) /
                   (gpu.dramBandwidth.value() * c.dramEfficiency));
  if (query.steps) {
    std::string i = std::to_string(number);
    query.steps->equation(
        "grouped matmul " + i + " (E3)",
        "n" + i + " = x*mt*ceil({}/128) = {}; cta" + i +
            " = {} + {}/64*max(2*tm*128*64/({}*{}), {}) = {} cycles; span" + i +
            " = max((1 - {})*n" + i + "*cta" + i + "/{} + {}*ceil(n" + i +
            "/{})*cta" + i + ", cta" + i + ") = {} cycles; tL" + i + " = n" +
            i + "*{}*(tm*{} + 128*{})/(min(n" + i + ", {})*{}*{}) = {}; s" + i +
            " = max(span" + i + "/{}, tL" + i + ") = {}",
        {n,
         ctas,
         c.ctaCycles,
         k,
         rate,
         c.efficiency,
         c.latencyCycles,
         cta,
         c.waveFraction,
         smCount,
         c.waveFraction,
         smCount,
         span,
         k,
         inputBytes,
         weightBytes,
         smCount,
         c.l2BytesPerClock,
         gpu.maxClock,
         feed,
         gpu.maxClock,
         g.sm});
    query.steps->equation("DRAM of matmul " + i + " (E4)",
                          "b" + i +
                              " = x*{}*{}*{} + pairs*({}*{} + {}*2) = {} "
                              "bytes; d" +
                              i + " = b" + i + "*(1 - {})/({}*{}) = {}",
                          {n, k, weightBytes, k, inputBytes, n, g.bytes, hit,
                           gpu.dramBandwidth, c.dramEfficiency, g.dram});
  }
  return g;
}

static Expected<LaunchTerms> expertTerms(const CostModel &model,
                                         const KernelWork &work, const Tiling &,
                                         const KernelQuery &query) {
  const auto &p = work.as<MatmulProblem>();
  const ExpertStack *stack = findExpertStack(model, work);
  if (!stack)
    return missingGroup(model, "fused_experts");
  Expected<double> rate = tensorRate(model.gpu(), stack->format);
  if (!rate)
    return fail(rate.error());
  const ExpertStack &c = *stack;
  const Gpu &gpu = model.gpu();
  LaunchTerms t;
  t.fixed = c.fixedTime;
  t.norm = c.overlapNorm;
  t.computeBound = Bound::Tensor;
  if (p.batch <= 0 || p.m <= 0 || p.n <= 0 || p.k <= 0 || p.inner <= 0) {
    reportEmpty(query, t);
    return t;
  }
  Rows r = countRows(c, work, query.steps);
  auto hidden = static_cast<double>(p.k);
  auto inner = static_cast<double>(p.inner);
  double first = inner * (p.gated ? 2 : 1);
  Grouped up = grouped(model, c, work, r, *rate, first, hidden, 1, query);
  Grouped down = grouped(model, c, work, r, *rate, hidden, inner, 2, query);
  t.compute = up.sm + down.sm;
  t.dram = up.dram + down.dram;
  // (E5) All GPUs sort and add up the tokens of the whole group.
  double around = (r.tokens * c.tokenBytes + r.pairs * c.pairBytes) * hidden;
  t.serialDram = Seconds(around / gpu.dramBandwidth.value());
  double choices = r.tokens * static_cast<double>(p.choices);
  double cycles = r.pairs * c.pairCycles + choices * c.choiceCycles +
                  static_cast<double>(p.experts) * c.expertCycles;
  t.serialIssue = Seconds(cycles / (gpu.smCount * gpu.maxClock.value()));
  // (E7) The GPU waits for the host.
  Seconds rest = t.serialDram + t.serialIssue +
                 Seconds(std::pow(std::pow(t.compute.value(), t.norm) +
                                      std::pow(t.dram.value(), t.norm),
                                  1 / t.norm));
  t.fixed = std::max(t.fixed, c.leastTime - rest);
  if (query.steps) {
    query.steps->equation("terms (E4)",
                          "compute = s1 + s2 = {}; dram = d1 + d2 = {}",
                          {t.compute, t.dram});
    query.steps->equation(
        "tokens of all GPUs (E5)",
        "serialDram = (t*{} + pairs*{})*{}/{} = {}; serialIssue = (pairs*{} + "
        "t*{}*{} + {}*{})/({}*{}) = {}; fixed = {}",
        {c.tokenBytes, c.pairBytes, hidden, gpu.dramBandwidth, t.serialDram,
         c.pairCycles, p.choices, c.choiceCycles, p.experts, c.expertCycles,
         gpu.smCount, gpu.maxClock, t.serialIssue, c.fixedTime});
    if (t.fixed > c.fixedTime)
      query.steps->equation("host (E7)", "fixed = {} - {} = {}",
                            {c.leastTime, rest, t.fixed});
  }
  // (E6); (X28) the time is that of the busiest GPU, the energy that of the
  // mean.
  double rowFlops =
      2 * (first + inner) * hidden * tensorEnergyFactor(model, c.format);
  t.events.tensorFlops = rowFlops * r.pairs * r.pairShare;
  t.events.paddedFlops = rowFlops * r.padded();
  // Blackwell's matrix instructions take weights in 4 and activations in 8
  // bits.
  constexpr int mixedBits = 8;
  int bits = infoOf(c.format).bits;
  if (bits > mixedBits && infoOf(c.weights).bits < bits)
    t.events.instructions = model.coefficients().fusedExperts->widen *
                            r.active * r.activeShare * r.tiles *
                            (first + inner) * hidden;
  t.events.l2Bytes = (up.l2Bytes + down.l2Bytes) * r.activeShare;
  t.events.dramBytes = up.meanBytes + down.meanBytes + around;
  t.inCalibratedDomain = isMeasuredStack(c, model);
  return t;
}

namespace gpucost::kernels {
extern const KernelModel fusedExperts;
const KernelModel fusedExperts = {untiled, expertTerms};
GPUCOST_CONDITION(fusedExpertLayer,
                  "an expert layer in formats whose kernels were measured",
                  { return findExpertStack(model, work) != nullptr; })
} // namespace gpucost::kernels
