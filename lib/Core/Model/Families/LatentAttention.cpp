//===- LatentAttention.cpp - Latent attention (K6)-(K11) -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A latent cache has one vector per token, the key of all heads, whose first
// part is the value. A decoding step multiplies it by queries to which the
// projection of the keys was applied.
//
//===----------------------------------------------------------------------===//

#include "AttentionBlocks.h"
#include "LinearAttention.h"
#include "TensorGemm.h"
#include "gpucost/Core/Model/ServingKernels.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// Keys of a block of a decoding step and of a prompt.
static constexpr double stepKeys = 64;
static constexpr int64_t promptKeys = 128;
/// Bytes of queries and results, and of keys in prompts.
static constexpr double queryBytes = 2;
/// Columns of the partial results that one row of threads adds.
static constexpr double combineColumns = 128;
/// Exponent of the hit rate of prompts, as (G5).
static constexpr double hitExponent = 3;
/// Tiles of batched matmuls, and the depth of a K step.
static constexpr double leastTileRows = 16, tileRows = 128, tileColumns = 128,
                        stepDepth = 64;

/// The smallest `least * 2^doublings` of at least `needed`.
static double padded(double least, double needed, int &doublings) {
  double rows = least;
  for (doublings = 0; rows < needed; ++doublings)
    rows *= 2;
  return rows;
}

//===----------------------------------------------------------------------===//
// Few new tokens
//===----------------------------------------------------------------------===//

static Expected<LaunchTerms> stepTerms(const CostModel &model,
                                       const KernelWork &work, const Tiling &,
                                       const KernelQuery &query) {
  const auto &p = work.as<AttentionProblem>();
  LatentKernel kernel = findLatentKernel(model, work);
  if (!kernel.step)
    return missingGroup(model, "latent_attention");
  const LatentStepFit &c = *kernel.step;
  const Gpu &gpu = model.gpu();
  Steps *steps = query.steps;
  LaunchTerms t;
  t.fixed = c.fixedTime;
  t.norm = c.overlapNorm;
  t.computeBound = Bound::Latency;
  if (p.isEmpty()) {
    reportEmpty(query, t);
    return t;
  }
  double smCount = gpu.smCount, clock = gpu.maxClock.value();
  double batch = p.batch;
  int64_t chosen = p.window > 0 ? std::min(p.window, p.kvLength) : p.kvLength;
  auto keys = static_cast<double>(chosen);
  double keySize = p.headDim, valueSize = p.valueDim;
  double heads = static_cast<double>(p.heads) * p.queryLength;
  if (steps && p.queryLength > 1)
    steps->equation("rows of new tokens (D10)", "h = {}*{} = {}",
                    {p.heads, p.queryLength, heads});
  // (K6)
  double tiles = std::ceil(heads / static_cast<double>(c.tileRows));
  int doublings = 0;
  auto least = static_cast<double>(std::max(c.leastRows, kernel.leastHeads));
  double rows = padded(least, heads / tiles, doublings);
  double units = batch * tiles, slots = c.ctasPerSm * smCount;
  double blocks = std::max(keys / stepKeys, 1.0);
  double ctas = std::max(
      units,
      std::min(units * std::max(blocks / c.leastSplitBlocks, 1.0), slots));
  double chunk = blocks * units / ctas;
  if (steps)
    steps->equation(
        "CTAs (K6)",
        "mt = ceil({}/{}) = {}; rows = {}*2^{} = {}; u = {}*mt = "
        "{}; blk = max({}/64, 1) = {}; n = max(u, min(u*max(blk/{}, "
        "1), {}*{})) = {}; chunk = blk*u/n = {}",
        {heads, c.tileRows, tiles, least, doublings, rows, batch, units, keys,
         blocks, c.leastSplitBlocks, c.ctasPerSm, smCount, ctas, chunk});
  // (K7)
  double cache = batch * keys * keySize * work.inputBytes();
  double stored = std::max(heads, static_cast<double>(kernel.leastHeads));
  double around = batch * stored * (keySize + valueSize) * queryBytes;
  double feed =
      cache * tiles / (std::min(ctas, smCount) * c.l2BytesPerClock * clock);
  double cta = c.prologueCycles + c.rowCycles * rows +
               chunk * (c.blockCycles + c.blockRowCycles * rows);
  double rounds =
      ctas > slots ? (1 - c.waveFraction) * ctas / smCount +
                         c.waveFraction * std::ceil(ctas / slots) * c.ctasPerSm
                   : std::max(ctas / smCount, 1.0);
  double chain = c.latencyCycles + chunk * c.blockLatencyCycles;
  double busy = std::max(rounds * cta, chain) / clock;
  double combine = c.combineCycles * std::max(ctas / units - 1, 0.0) *
                   std::sqrt(rows) * valueSize / combineColumns;
  (busy >= feed ? t.compute : t.l2) =
      Seconds(std::max(busy, feed) + combine / clock);
  if (steps) {
    steps->equation(
        "latent cache (K7)",
        "kv = {}*{}*{}*{} = {} bytes; tL = kv*mt/(min(n, {})*{}*{}) = {}; cta "
        "= {} + {}*rows + chunk*({} + {}*rows) = {} cycles; chain = {} + "
        "chunk*{} = {} cycles; combine = {}*max(n/u - 1, 0)*rows^0.5*{}/128 = "
        "{} cycles",
        {batch,
         keys,
         keySize,
         work.inputBytes(),
         cache,
         smCount,
         c.l2BytesPerClock,
         gpu.maxClock,
         Seconds(feed),
         c.prologueCycles,
         c.rowCycles,
         c.blockCycles,
         c.blockRowCycles,
         cta,
         c.latencyCycles,
         c.blockLatencyCycles,
         chain,
         c.combineCycles,
         valueSize,
         combine});
    steps->equation(
        "terms (K7)",
        std::string(busy >= feed ? "compute" : "l2") +
            " = max(max({}*cta, chain)/{}, tL) + combine/{} = {}",
        {rounds, gpu.maxClock, gpu.maxClock, std::max(t.compute, t.l2)});
  }
  t.dram = dramTime(model, work, cache + around, cache + around,
                    c.dramEfficiency, c.l2Fraction, c.hitExponent, query);
  // (K8)
  t.exposedShare = c.exposedShare / std::max(1.0, ctas / slots);
  double split = std::clamp(blocks / c.leastSplitBlocks - 1, 0.0, 1.0);
  t.fixed += c.splitTime * split;
  if (steps)
    steps->equation("overlap (K8)",
                    "exposedShare = {}/max(1, n/({}*{})) = {}; fixed = {} + "
                    "{}*clamp(blk/{} - 1, 0, 1) = {}",
                    {c.exposedShare, c.ctasPerSm, smCount, t.exposedShare,
                     c.fixedTime, c.splitTime, c.leastSplitBlocks, t.fixed});
  double scores = batch * heads * keys;
  double rowFlops = 2 * batch * keys * (keySize + valueSize) *
                    tensorEnergyFactor(model, work.format);
  addAttentionEvents(model, rowFlops * heads, scores, cache + around,
                     cache * tiles, t);
  t.events.paddedFlops = rowFlops * (tiles * rows - heads);
  t.inCalibratedDomain =
      isMeasuredStack(*kernel.stack, model) && p.queryLength == 1;
  return t;
}

//===----------------------------------------------------------------------===//
// Prompts
//===----------------------------------------------------------------------===//

static Expected<LaunchTerms> promptTerms(const CostModel &model,
                                         const KernelWork &work, const Tiling &,
                                         const KernelQuery &query) {
  const auto &p = work.as<AttentionProblem>();
  LatentKernel kernel = findLatentKernel(model, work);
  if (!kernel.prompt)
    return missingGroup(model, "latent_attention");
  const LatentPromptFit &c = *kernel.prompt;
  const Gpu &gpu = model.gpu();
  Expected<double> rate = tensorRate(gpu, c.products);
  if (!rate)
    return fail(rate.error());
  LaunchTerms t;
  t.fixed = c.fixedTime;
  t.computeBound = Bound::Tensor;
  if (p.isEmpty()) {
    reportEmpty(query, t);
    return t;
  }
  double smCount = gpu.smCount, clock = gpu.maxClock.value();
  double batch = p.batch, heads = p.heads;
  // (K9) Absorbed projections: all heads of a query share its latent keys.
  bool hasLatentKeys = p.kvHeads == 1 && p.heads > 1;
  bool absorbs = c.absorbedKeys > 0 && !hasLatentKeys;
  bool packs = absorbs || hasLatentKeys;
  double keySize = absorbs ? c.absorbedKeys : p.headDim;
  double valueSize = absorbs ? c.absorbedValues : p.valueDim;
  AttentionGrid grid;
  grid.queries = p.queryLength;
  grid.keys = p.kvLength;
  grid.causal = true;
  grid.rowsNumerator = packs ? p.heads : 1;
  grid.tileRows = c.tileRows;
  grid.tileColumns = promptKeys;
  AttentionBlocks blocks = countBlocks(grid);
  double groups = packs ? batch : batch * heads;
  double area = static_cast<double>(c.tileRows) * promptKeys;
  double score = c.softmaxCycles + 1 / gpu.exponentialRate();
  double products = 2 * area * (keySize + valueSize) / (*rate * c.efficiency);
  double block = std::pow(std::pow(products, c.pipeNorm) +
                              std::pow(area * score, c.pipeNorm),
                          1 / c.pipeNorm);
  double total = groups * blocks.total, ctas = groups * blocks.tiles;
  double busy = total * block + ctas * c.prologueCycles;
  double longest = blocks.most * block + c.prologueCycles;
  double span = (1 - c.waveFraction) * busy / smCount +
                c.waveFraction * std::ceil(ctas / smCount) * busy / ctas;
  if (ctas > smCount)
    span += c.causalTail * longest;
  span = std::max(span, longest);
  double element = hasFewBits(c.products) ? 1 : queryBytes;
  double l2Bytes = total * promptKeys * (keySize + valueSize) * element;
  double feed = l2Bytes / (std::min(ctas, smCount) * c.l2BytesPerClock * clock);
  (span / clock >= feed ? t.compute : t.l2) =
      Seconds(std::max(span / clock, feed));
  // (K10) Queries, results, keys and values once.
  double tokens = p.queryLength;
  tokens += p.kvLength;
  double bytes = batch * tokens * heads * (keySize + valueSize) * queryBytes;
  double rowCycles = batch * p.queryLength * heads * c.headCycles;
  t.serialIssue = Seconds(rowCycles / (smCount * clock));
  if (query.steps) {
    query.steps->equation(
        "KV blocks (K9)",
        "N = {}*{} = {}; n = {}*{} = {}; area = {}*128; Cb = "
        "||2*area*({} + {})/({}*{}), area*({} + 1/{})||_{} = {} cycles",
        {groups, blocks.total, total, groups, blocks.tiles, ctas, c.tileRows,
         keySize, valueSize, *rate, c.efficiency, c.softmaxCycles,
         gpu.exponentialRate(), c.pipeNorm, block});
    query.steps->equation(
        "span (K9)",
        "W = N*Cb + n*{} = {} cycles; cm = {}*Cb + {} = {} cycles; span = "
        "max((1 - {})*W/{} + {}*ceil(n/{})*W/n + [n > {}]*{}*cm, cm) = {} "
        "cycles",
        {c.prologueCycles, busy, blocks.most, c.prologueCycles, longest,
         c.waveFraction, smCount, c.waveFraction, smCount, smCount,
         c.causalTail, span});
    query.steps->equation(
        "terms (K10)",
        "tL = N*128*({} + {})*{}/(min(n, {})*{}*{}) = {}; " +
            std::string(span / clock >= feed ? "compute" : "l2") +
            " = max(span/{}, tL) = {}; serialIssue = {}*{}*{}*{}/({}*{}) = {}; "
            "fixed = {}",
        {keySize, valueSize, element, smCount, c.l2BytesPerClock, gpu.maxClock,
         Seconds(feed), gpu.maxClock, std::max(t.compute, t.l2), batch,
         p.queryLength, heads, c.headCycles, smCount, gpu.maxClock,
         t.serialIssue, t.fixed});
  }
  t.dram = dramTime(model, work, bytes, bytes, c.dramEfficiency, c.l2Fraction,
                    hitExponent, query);
  double scores = total * area;
  addAttentionEvents(model,
                     2 * scores * (keySize + valueSize) *
                         tensorEnergyFactor(model, c.products),
                     scores, bytes, l2Bytes, t);
  t.inCalibratedDomain = isMeasuredStack(*kernel.stack, model) &&
                         !hasLatentKeys && p.queryLength == p.kvLength;
  return t;
}

//===----------------------------------------------------------------------===//
// Projections
//===----------------------------------------------------------------------===//

static Expected<LaunchTerms> productTerms(const CostModel &model,
                                          const KernelWork &work,
                                          const Tiling &,
                                          const KernelQuery &query) {
  const auto &p = work.as<MatmulProblem>();
  LatentKernel kernel = findLatentKernel(model, work);
  if (!kernel.product)
    return missingGroup(model, "latent_attention");
  const LatentProductFit &c = *kernel.product;
  const Gpu &gpu = model.gpu();
  Expected<double> rate = tensorRate(gpu, work.format);
  if (!rate)
    return fail(rate.error());
  LaunchTerms t;
  t.fixed = c.fixedTime;
  t.norm = c.overlapNorm;
  t.computeBound = Bound::Tensor;
  if (p.m <= 0) {
    reportEmpty(query, t);
    return t;
  }
  double smCount = gpu.smCount, clock = gpu.maxClock.value();
  double heads = p.batch, m = p.m, n = p.n, k = p.k;
  double weightBytes = p.weightBits ? p.weightBits / 8.0 : work.inputBytes();
  // (K11)
  double rows = leastTileRows;
  int doublings = 0;
  for (; rows < m && rows < tileRows; ++doublings)
    rows *= 2;
  double ctas = heads * std::ceil(m / rows) * (n / tileColumns);
  double cta = c.ctaCycles + k / stepDepth *
                                 std::max(2 * rows * tileColumns * stepDepth /
                                              (*rate * c.efficiency),
                                          c.latencyCycles);
  t.compute = Seconds(std::max(ctas / smCount, 1.0) * cta / clock);
  double bytes = heads * (k * n * weightBytes + m * (k + n) * queryBytes);
  t.dram = Seconds(bytes / (gpu.dramBandwidth.value() * c.dramEfficiency));
  if (query.steps)
    query.steps->equation(
        "product of each head (K11)",
        "tm = 16*2^{} = {}; n = {}*ceil({}/tm)*{}/128 = {}; cta = {} + "
        "{}/64*max(2*tm*128*64/({}*{}), {}) = {} cycles; compute = max(n/{}, "
        "1)*cta/{} = {}; dram = {}*({}*{}*{} + {}*({} + {})*2)/({}*{}) = {}; "
        "fixed = {}",
        {doublings,
         rows,
         heads,
         m,
         n,
         ctas,
         c.ctaCycles,
         k,
         *rate,
         c.efficiency,
         c.latencyCycles,
         cta,
         smCount,
         gpu.maxClock,
         t.compute,
         heads,
         k,
         n,
         weightBytes,
         m,
         k,
         n,
         gpu.dramBandwidth,
         c.dramEfficiency,
         t.dram,
         t.fixed});
  t.events.tensorFlops =
      2 * heads * m * n * k * tensorEnergyFactor(model, work.format);
  t.events.l2Bytes = ctas * k * (rows * queryBytes + tileColumns * weightBytes);
  t.events.dramBytes = bytes;
  t.inCalibratedDomain = isMeasuredStack(*kernel.stack, model);
  return t;
}

namespace gpucost::kernels {
extern const KernelModel latentDecode, latentPrompts, latentProducts;
const KernelModel latentDecode = {untiled, stepTerms};
const KernelModel latentPrompts = {untiled, promptTerms};
const KernelModel latentProducts = {untiled, productTerms};

GPUCOST_CONDITION(latentStep, "few new tokens and a latent cache",
                  { return findLatentKernel(model, work).step != nullptr; })
GPUCOST_CONDITION(latentPrompt,
                  "causal attention of several queries with keys longer than "
                  "the values",
                  { return findLatentKernel(model, work).prompt != nullptr; })
GPUCOST_CONDITION(latentProduct,
                  "a batched product of the sizes of a projection of latent "
                  "attention",
                  { return findLatentKernel(model, work).product != nullptr; })
} // namespace gpucost::kernels
