//===- SparseAttention.cpp - Attention to chosen keys (K12)-(K14) --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An indexer scores all keys that a query sees, in fp8, a second kernel chooses
// the best ones of each row, and attention gathers their latent vectors. Few
// new tokens run the kernel of latent attention (K6).
//
//===----------------------------------------------------------------------===//

#include "../Streaming.h"
#include "AttentionBlocks.h"
#include "TensorGemm.h"
#include "gpucost/Core/Model/ServingKernels.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// Bytes of the scale of a key, which the indexer stores in fp8.
static constexpr double scaleBytes = 4;

/// Pairs of a query and a key that it sees, of at most `most` keys each.
static double countPairs(const AttentionProblem &p, double most) {
  double queries = p.queryLength;
  double before = static_cast<double>(p.kvLength) - queries;
  double few = std::clamp(most - before, 0.0, queries);
  return few * before + few * (few + 1) / 2 + (queries - few) * most;
}

static Expected<LaunchTerms> scoresTerms(const CostModel &model,
                                         const KernelWork &work, const Tiling &,
                                         const KernelQuery &query) {
  const auto &p = work.as<AttentionProblem>();
  SparseKernel kernel = findSparseKernel(model, work);
  if (!kernel.scores)
    return missingGroup(model, "sparse_attention");
  const KeyScoresFit &c = *kernel.scores;
  const Gpu &gpu = model.gpu();
  Expected<double> rate = tensorRate(gpu, NumericFormat::FP8);
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
  double batch = p.batch, heads = p.heads, size = p.headDim, keys = p.kvLength;
  // (K12)
  double pairs = countPairs(p, keys);
  double flops = 2 * batch * heads * pairs * size;
  double bytes = batch * keys * (size + scaleBytes);
  t.compute = Seconds(flops / (*rate * c.efficiency * smCount * clock));
  t.dram = Seconds(bytes / (gpu.dramBandwidth.value() * c.dramEfficiency));
  if (query.steps)
    query.steps->equation(
        "scores of an indexer (K12)",
        "pairs = {}; F = 2*{}*{}*pairs*{} = {}; compute = F/({}*{}*{}*{}) = "
        "{}; dram = {}*{}*({} + 4)/({}*{}) = {}; fixed = {}",
        {pairs, batch, heads, size, flops, *rate, c.efficiency, smCount,
         gpu.maxClock, t.compute, batch, keys, size, gpu.dramBandwidth,
         c.dramEfficiency, t.dram, t.fixed});
  addAttentionEvents(model,
                     flops * tensorEnergyFactor(model, NumericFormat::FP8),
                     batch * heads * pairs, bytes, bytes, t);
  t.inCalibratedDomain = isMeasuredStack(*kernel.stack, model);
  return t;
}

static Expected<LaunchTerms> choiceTerms(const CostModel &model,
                                         const KernelWork &work, const Tiling &,
                                         const KernelQuery &query) {
  const auto &p = work.as<RowsProblem>();
  SparseKernel kernel = findSparseKernel(model, work);
  if (!kernel.choice)
    return missingGroup(model, "sparse_attention");
  double rows = p.rows, keys = p.cols, smCount = model.gpu().smCount;
  if (rows < 0 || keys < 0)
    return fail("expected a non-negative element count");
  StreamingCoefficients c = *model.coefficients().streaming;
  c.latency = kernel.choice->fixedTime;
  Stream stream = streamOf(work);
  countInstructions(model, c, classOf(work, InstructionClass::Compare),
                    rows * keys, /*strided=*/false, query, stream);
  stream.issueSlots = 0;
  // (K13)
  double row = kernel.choice->rowCycles + kernel.choice->keyCycles * keys;
  stream.smCycles = rows > 0 ? std::max(rows, smCount) * row : 0;
  if (query.steps)
    query.steps->equation(
        "choice of keys (K13)",
        "slots = 0; SM = max({}, {})*({} + {}*{}) = {} cycles",
        {rows, smCount, kernel.choice->rowCycles, kernel.choice->keyCycles,
         keys, stream.smCycles});
  LaunchTerms t = streamTerms(model, c, stream, query);
  t.inCalibratedDomain = isMeasuredStack(*kernel.stack, model);
  return t;
}

static Expected<LaunchTerms> promptTerms(const CostModel &model,
                                         const KernelWork &work, const Tiling &,
                                         const KernelQuery &query) {
  const auto &p = work.as<AttentionProblem>();
  SparseKernel kernel = findSparseKernel(model, work);
  if (!kernel.prompt)
    return missingGroup(model, "sparse_attention");
  const SparsePromptFit &c = *kernel.prompt;
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
  double batch = p.batch, heads = p.heads, queries = p.queryLength;
  double keySize = c.latentKeys, valueSize = c.latentValues;
  // (K14) A tile has heads of one query.
  double pairs = countPairs(p, p.window > 0 ? p.window : p.kvLength);
  double tiles = std::ceil(heads / static_cast<double>(c.tileRows));
  double ctas = batch * queries * tiles;
  double padded = tiles * static_cast<double>(c.tileRows);
  double cta = pairs / queries * 2 * c.tileRows * (keySize + valueSize) /
               (*rate * c.efficiency);
  t.compute = Seconds(std::max(ctas / smCount, 1.0) * cta / clock);
  double gathered =
      batch * tiles * pairs * keySize * static_cast<double>(work.inputBytes());
  t.l2 =
      Seconds(gathered / (std::min(ctas, smCount) * c.l2BytesPerClock * clock));
  if (query.steps)
    query.steps->equation(
        "prompt with chosen keys (K14)",
        "pairs = {}; mt = ceil({}/{}) = {}; n = {}*{}*mt = {}; cta = "
        "pairs/{}*2*{}*({} + {})/({}*{}) = {} cycles; compute = max(n/{}, "
        "1)*cta/{} = {}; l2 = {}*mt*pairs*{}*{}/(min(n, {})*{}*{}) = {}; fixed "
        "= {}",
        {pairs,        heads,
         c.tileRows,   tiles,
         batch,        queries,
         ctas,         queries,
         c.tileRows,   keySize,
         valueSize,    *rate,
         c.efficiency, cta,
         smCount,      gpu.maxClock,
         t.compute,    batch,
         keySize,      work.inputBytes(),
         smCount,      c.l2BytesPerClock,
         gpu.maxClock, t.l2,
         t.fixed});
  double headFlops = 2 * batch * pairs * (keySize + valueSize) *
                     tensorEnergyFactor(model, c.products);
  double bytes =
      batch * (queries * heads * (keySize + valueSize) * 2 +
               static_cast<double>(p.kvLength) * keySize * work.inputBytes());
  addAttentionEvents(model, headFlops * heads, batch * heads * pairs, bytes,
                     gathered, t);
  t.events.paddedFlops = headFlops * (padded - heads);
  t.inCalibratedDomain = isMeasuredStack(*kernel.stack, model);
  return t;
}

namespace gpucost::kernels {
extern const KernelModel keyScoresModel, keyChoices, sparsePrompts;
const KernelModel keyScoresModel = {untiled, scoresTerms};
const KernelModel keyChoices = {untiled, choiceTerms};
const KernelModel sparsePrompts = {untiled, promptTerms};

GPUCOST_CONDITION(keyScores, "scores of an indexer",
                  { return findSparseKernel(model, work).scores != nullptr; })
GPUCOST_CONDITION(keyChoice, "the choice of keys by their scores",
                  { return findSparseKernel(model, work).choice != nullptr; })
GPUCOST_CONDITION(sparsePrompt,
                  "causal attention of several queries to keys that an indexer "
                  "chose",
                  { return findSparseKernel(model, work).prompt != nullptr; })
} // namespace gpucost::kernels
