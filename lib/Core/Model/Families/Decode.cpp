//===- Decode.cpp - Decode attention equations (D*) -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "TensorGemm.h"
#include "gpucost/Core/Model/Software.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// KV rows of one block.
static constexpr double blockRows = 64;
/// Head dimension to which the cycle coefficients refer.
static constexpr double referenceHeadDim = 128;
/// FlashInfer runs groups of fewer query heads on CUDA cores.
static constexpr double leastFlashInferGroup = 4;
/// TensorRT-LLM runs XQA for groups of 2 to 32 heads whose CTAs fill at least a
/// fourth of the SMs: kEnableMinBlockFactor and kMinHistoryTokensPerBlock of
/// its dispatcher. Its generated kernels also need groups of at most 32.
static constexpr double largestGroup = 32, xqaBlockFactor = 4,
                        xqaHistoryTokens = 128;

namespace gpucost::kernels {
extern const KernelModel decodeAttention;
} // namespace gpucost::kernels

namespace {

/// The problem.
struct Shape {
  double batch, kvHeads, keys;
  double newTokens; ///< of a sequence
  double heads;     ///< times new tokens
  double groupSize; ///< rows of a KV head: heads times new tokens
  double headDim, dimRatio;
  double cacheBytes, queryBytes;
  double scores; ///< over all heads
};

/// (D1) How a kernel divides the problem.
struct Route {
  bool single;       ///< each query head separately, or CUDA cores
  double tiles;      ///< how often a KV head is read
  double rows;       ///< query rows of a CTA, with padding
  double units;      ///< CTAs before the KV range is split
  double padded = 0; ///< rows of a tile that no query head fills
};

/// (D2) CTAs and the work of each, as an envelope of the whole numbers in the
/// libraries.
struct Split {
  double blocks; ///< KV blocks of a unit
  double ctas, chunk;
  bool allowed;
};

} // namespace

static Shape describe(const CostModel &model, const KernelWork &work,
                      const KernelQuery &query) {
  double queryBytes = queryElementBytes(model.coefficients(), work);
  const AttentionProblem &p = work.as<AttentionProblem>();
  Shape s;
  s.batch = static_cast<double>(p.batch);
  s.newTokens = static_cast<double>(p.queryLength);
  s.heads = static_cast<double>(p.heads) * s.newTokens;
  s.kvHeads = static_cast<double>(p.kvHeads);
  s.keys = static_cast<double>(p.window > 0 ? std::min(p.kvLength, p.window)
                                            : p.kvLength);
  s.groupSize = s.heads / s.kvHeads;
  s.headDim = static_cast<double>(p.headDim);
  s.dimRatio = s.headDim / referenceHeadDim;
  // (D7) A benchmark may read less than it states.
  double share = query.benchmark ? query.benchmark->cacheShare : 1.0;
  s.cacheBytes =
      share * 2 * s.batch * s.kvHeads * s.keys * s.headDim * work.inputBytes();
  double ownKeys = s.kvHeads * s.newTokens;
  s.queryBytes = 2 * s.batch * (s.heads + ownKeys) * s.headDim * queryBytes;
  s.scores = s.batch * s.heads * s.keys;
  if (query.steps)
    query.steps->equation(
        "KV cache (D3)",
        "kv = {}*2*{}*{}*{}*{}*{} = {} bytes; io = 2*{}*({} + {})*{}*{} = {} "
        "bytes; dn = {}/128 = {}",
        {share, s.batch, s.kvHeads, s.keys, s.headDim, work.inputBytes(),
         s.cacheBytes, s.batch, s.heads, ownKeys, s.headDim, queryBytes,
         s.queryBytes, s.headDim, s.dimRatio});
  return s;
}

static bool isXqa(DecodeKernel kernel) {
  return kernel == DecodeKernel::Xqa || kernel == DecodeKernel::FastestXqa;
}

/// Whether the second path has a launch for each head.
static bool separatesHeads(DecodeKernel kernel) {
  return isXqa(kernel) || kernel == DecodeKernel::GeneratedOrMasked;
}

/// `statedRows`: the rows of a tile that a schedule states; 0: the library's.
static Route routeOf(const DecodeCoefficients &c, const Shape &s, bool single,
                     Steps *steps = nullptr, double statedRows = 0) {
  Route r;
  r.single = single;
  bool ownHeads = single && separatesHeads(c.kernel);
  bool isTiled = !ownHeads && (statedRows > 0 || !isXqa(c.kernel));
  double tileRows = statedRows > 0 ? statedRows
                    : isTiled      ? c.tileRows
                                   : largestGroup;
  r.tiles = ownHeads                     ? s.groupSize
            : isTiled || s.newTokens > 1 ? std::ceil(s.groupSize / tileRows)
                                         : 1;
  double needed = r.rows = s.groupSize / r.tiles;
  // (D8) Tiles have 8, 16, 32 or 64 query rows.
  int doublings = 0;
  bool isPadded = c.leastRows > 0 && !single;
  if (isPadded)
    for (r.rows = c.leastRows; r.rows < needed; ++doublings)
      r.rows *= 2;
  if (!ownHeads && !isXqa(c.kernel) && !single)
    r.padded = (isPadded ? r.rows : tileRows) - needed;
  r.units = s.batch * s.kvHeads * r.tiles;
  if (!steps)
    return r;
  if (s.newTokens > 1)
    steps->equation("rows of new tokens (D10)", "h = {}*{} = {}",
                    {s.heads / s.newTokens, s.newTokens, s.heads});
  if (isTiled || s.newTokens > 1)
    steps->equation(
        "query tiles (D1)",
        "g = {}; mt = ceil(g/{}) = {}; rows = g/mt = {}; u = "
        "{}*{}*mt = {}",
        {s.groupSize, tileRows, r.tiles, needed, s.batch, s.kvHeads, r.units});
  else
    steps->equation(
        "query tiles (D1)",
        "g = {}; mt = {}; rows = g/mt = {}; u = {}*{}*mt = {}",
        {s.groupSize, r.tiles, needed, s.batch, s.kvHeads, r.units});
  if (isPadded)
    steps->equation("padded rows (D8)", "rows = {}*2^{} = {}",
                    {c.leastRows, doublings, r.rows});
  return r;
}

/// The minimum for TensorRT-LLM's single-head kernel is less than one KV block.
static Split splitOf(const Coefficients &all, const DecodeCoefficients &c,
                     const Shape &s, const Route &r, double smCount,
                     Steps *steps = nullptr) {
  Split split;
  double least =
      r.single && isXqa(c.kernel) ? all.decodePaths->singleLeastBlocks : 1;
  split.blocks = std::max(s.keys / blockRows, least);
  split.allowed =
      c.largestSplit > 1 &&
      !(c.kernel == DecodeKernel::FlashAttention2 && s.groupSize == 1);
  double parts = std::max(split.blocks / c.leastSplitBlocks, 1.0);
  double most = split.allowed ? c.largestSplit : 1;
  split.ctas = std::max(
      r.units,
      std::min({r.units * parts, c.ctasPerSm * smCount, r.units * most}));
  split.chunk = split.blocks * r.units / split.ctas;
  if (steps)
    steps->equation("CTAs (D2)",
                    "blk = max({}/64, {}) = {}; n = max(u, min(u*max(blk/{}, "
                    "1), {}*{}, u*{})) = {}; chunk = blk*u/n = {}",
                    {s.keys, least, split.blocks, c.leastSplitBlocks,
                     c.ctasPerSm, smCount, most, split.ctas, split.chunk});
  return split;
}

/// (D3)-(D5) without events.
static LaunchTerms termsOf(const DecodeCoefficients &c, const Gpu &gpu,
                           const Shape &s, const Route &r, const Split &split,
                           const KernelQuery &query) {
  Steps *steps = query.steps;
  LaunchTerms t;
  t.computeBound = Bound::Latency;
  t.norm = c.overlapNorm;
  double clock = gpu.maxClock.value(), smCount = gpu.smCount;
  // (D3) The KV cache, except the part that is still in L2 from its last use.
  // A CTA has few bytes in flight: the feed grows with the number of CTAs.
  double touched = query.reuseBytesB / (c.l2Fraction * gpu.l2Capacity.value());
  double miss = 1 / (1 + std::pow(touched, -c.hitExponent));
  t.dram = Seconds((s.cacheBytes + s.queryBytes) * miss /
                   (gpu.dramBandwidth.value() * c.dramEfficiency));
  double feed = s.cacheBytes * r.tiles /
                (std::min(split.ctas, smCount) * c.l2BytesPerClock * clock);
  // (D4) Busy cycles of a CTA; rounds of CTAs, partly rounded up
  // (waveFraction); the latency of a single CTA.
  double prologue = r.single ? c.singlePrologueCycles : c.prologueCycles;
  double block = r.single ? c.singleBlockCycles : c.blockCycles;
  double cta =
      (prologue + c.rowCycles * r.rows) * std::pow(s.dimRatio, c.rowExponent) +
      split.chunk * block * s.dimRatio;
  double slots = c.ctasPerSm * smCount, rounds = split.ctas / smCount;
  rounds = split.ctas > slots ? (1 - c.waveFraction) * rounds +
                                    c.waveFraction * c.ctasPerSm *
                                        std::ceil(split.ctas / slots)
                              : std::max(rounds, 1.0);
  double chain = c.latencyCycles + split.chunk * c.blockLatencyCycles *
                                       std::pow(s.dimRatio, c.latencyExponent);
  double busy = std::max(rounds * cta, chain) / clock;
  // (D9) The last CTA of a query tile adds up the parts.
  double combine = c.combineCycles * std::max(split.ctas / r.units - 1, 0.0) *
                   std::sqrt(r.rows) * s.dimRatio;
  (busy >= feed ? t.compute : t.l2) =
      Seconds(std::max(busy, feed) + combine / clock);
  if (steps) {
    steps->equation("DRAM (D3)",
                    "miss = 1/(1 + ({}/({}*{}))^-{}) = {}; dram = (kv + "
                    "io)*miss/({}*{}) = {}",
                    {query.reuseBytesB, c.l2Fraction, gpu.l2Capacity,
                     c.hitExponent, miss, gpu.dramBandwidth, c.dramEfficiency,
                     t.dram});
    steps->equation("L2 (D3)", "tL = kv*mt/(min(n, {})*{}*{}) = {}",
                    {smCount, c.l2BytesPerClock, gpu.maxClock, Seconds(feed)});
    steps->equation("compute (D4)",
                    "cta = ({} + {}*rows)*dn^{} + chunk*{}*dn = {} cycles; "
                    "chain = {} + chunk*{}*dn^{} = {} cycles",
                    {prologue, c.rowCycles, c.rowExponent, block, cta,
                     c.latencyCycles, c.blockLatencyCycles, c.latencyExponent,
                     chain});
    if (split.ctas > slots)
      steps->equation("rounds (D4)",
                      "slots = {}*{} = {}; rounds = (1 - {})*n/{} + "
                      "{}*{}*ceil(n/slots) = {}",
                      {c.ctasPerSm, smCount, slots, c.waveFraction, smCount,
                       c.waveFraction, c.ctasPerSm, rounds});
    else
      steps->equation("rounds (D4)",
                      "slots = {}*{} = {}; rounds = max(n/{}, 1) = {}",
                      {c.ctasPerSm, smCount, slots, smCount, rounds});
    const std::string term = busy >= feed ? "compute" : "l2";
    if (combine > 0)
      steps->equation("sum of parts (D9)",
                      "combine = {}*max(n/u - 1, 0)*rows^0.5*dn = {} cycles",
                      {c.combineCycles, combine});
    std::string sum = term + " = max(max(rounds*cta, chain)/{}, tL)";
    Seconds larger = std::max(t.compute, t.l2);
    if (combine > 0)
      steps->equation("terms (D4)", sum + " + combine/{} = {}",
                      {gpu.maxClock, gpu.maxClock, larger});
    else
      steps->equation("terms (D4)", sum + " = {}", {gpu.maxClock, larger});
  }
  // (D5) The first wave hides nothing; only the length decides if the combining
  // kernel is launched; FlashAttention-2 packs groups by a transpose.
  t.exposedShare = c.exposedShare / std::max(1.0, split.ctas / slots);
  bool own = r.single && separatesHeads(c.kernel);
  t.fixed = own ? c.singleFixedTime : c.fixedTime;
  if (split.allowed)
    t.fixed += c.splitTime *
               std::clamp(split.blocks / c.leastSplitBlocks - 1, 0.0, 1.0);
  bool transposes = s.batch > 1 && s.kvHeads > 1 && s.groupSize > 1;
  if (transposes)
    t.fixed += c.transposeTime;
  if (steps) {
    steps->equation("overlap (D5)", "exposedShare = {}/max(1, n/slots) = {}",
                    {c.exposedShare, t.exposedShare});
    steps->equation("fixed time (D5)",
                    "fixed = {} + {}*{}*clamp(blk/{} - 1, 0, 1) + {}*{} = {}",
                    {own ? c.singleFixedTime : c.fixedTime, split.allowed,
                     c.splitTime, c.leastSplitBlocks, transposes,
                     c.transposeTime, t.fixed});
  }
  return t;
}

/// (D1) The path that the library takes.
static bool takesSinglePath(const CostModel &model, const DecodeCoefficients &c,
                            const Shape &s, const KernelQuery &query) {
  const Gpu &gpu = model.gpu();
  // (D10) The others have one new token.
  if (s.newTokens > 1)
    return false;
  if (c.kernel == DecodeKernel::FlashInfer)
    return s.groupSize < leastFlashInferGroup;
  if (c.kernel == DecodeKernel::GeneratedOrMasked)
    return s.groupSize > largestGroup;
  if (!isXqa(c.kernel))
    return false;
  if (s.groupSize <= 1 || s.groupSize > largestGroup)
    return true;
  if (c.kernel == DecodeKernel::Xqa)
    return xqaBlockFactor * s.batch * s.kvHeads *
               std::max(1.0, std::floor((s.keys - 1) / xqaHistoryTokens)) <
           gpu.smCount;
  auto time = [&](bool single) {
    Route route = routeOf(c, s, single);
    Split split = splitOf(model.coefficients(), c, s, route, gpu.smCount);
    return timeAt(termsOf(c, gpu, s, route, split, query), 1);
  };
  return time(true) < time(false);
}

static int32_t wholeSplit(const Split &split, const Route &route) {
  return static_cast<int32_t>(std::nearbyint(split.ctas / route.units));
}

static Expected<Tiling> tileDecode(const CostModel &model,
                                   const KernelWork &work,
                                   const KernelQuery &query) {
  if (auto valid = checkAttention(work.as<AttentionProblem>()); !valid)
    return fail(valid.error());
  const DecodeCoefficients &c = *findDecodeSet(model.coefficients(), work);
  Shape s = describe(model, work, query);
  Tiling tiling;
  if (s.batch == 0 || s.keys == 0)
    return tiling;
  const Gpu &gpu = model.gpu();
  Route route = routeOf(c, s, takesSinglePath(model, c, s, query));
  Split split = splitOf(model.coefficients(), c, s, route, gpu.smCount);
  tiling.variant = route.single;
  tiling.splitK = wholeSplit(split, route);
  countWaves(tiling, std::max(std::nearbyint(split.ctas), 1.0), gpu.smCount);
  return tiling;
}

/// Paths and splits, powers of two, that the library could have run.
static std::vector<Tiling> decodeCandidates(const CostModel &model,
                                            const KernelWork &work,
                                            const Tiling &chosen) {
  const DecodeCoefficients &c = *findDecodeSet(model.coefficients(), work);
  std::vector<Tiling> found;
  for (int32_t variant = 0; variant <= (isXqa(c.kernel) ? 1 : 0); ++variant)
    for (int32_t split = 1; split <= std::max(c.largestSplit, 1.0);
         split *= 2) {
      found.push_back(chosen);
      found.back().variant = isXqa(c.kernel) ? variant : chosen.variant;
      found.back().splitK = split;
    }
  return found;
}

static Expected<LaunchTerms> decodeTerms(const CostModel &model,
                                         const KernelWork &work,
                                         const Tiling &tiling,
                                         const KernelQuery &query) {
  if (auto valid = checkAttention(work.as<AttentionProblem>()); !valid)
    return fail(valid.error());
  const DecodeCoefficients &c = *findDecodeSet(model.coefficients(), work);
  const Gpu &gpu = model.gpu();
  Shape s = describe(model, work, query);
  LaunchTerms t;
  t.computeBound = Bound::Latency;
  t.fixed = c.fixedTime;
  if (s.batch == 0 || s.keys == 0) {
    reportEmpty(query, t);
    return t;
  }
  Route route = routeOf(c, s, tiling.variant == 1, query.steps, tiling.tile.m);
  Split split =
      splitOf(model.coefficients(), c, s, route, gpu.smCount, query.steps);
  // The caller stated another split: a whole number of parts, and of blocks.
  if (tiling.tile.n > 0 || tiling.splitK != wholeSplit(split, route)) {
    split.ctas = route.units * std::max(tiling.splitK, 1);
    split.chunk = split.blocks * route.units / split.ctas;
    double keys = tiling.tile.n;
    if (keys > 0)
      split.chunk = std::ceil(s.keys / std::max(tiling.splitK, 1) / keys) *
                    keys / blockRows;
    if (query.steps && keys > 0)
      query.steps->equation("stated split and blocks (Y13)",
                            "n = u*max({}, 1) = {}; chunk = "
                            "ceil({}/max({}, 1)/{})*{}/64 = {}",
                            {tiling.splitK, split.ctas, s.keys, tiling.splitK,
                             keys, keys, split.chunk});
    else if (query.steps)
      query.steps->equation("stated split (D2)",
                            "n = u*max({}, 1) = {}; chunk = blk*u/n = {}",
                            {tiling.splitK, split.ctas, split.chunk});
  }
  t = termsOf(c, gpu, s, route, split, query);

  t.events.tensorFlops = static_cast<double>(scoreFlops(/*backward=*/false)) *
                         s.scores * s.headDim *
                         tensorEnergyFactor(model, work.format);
  if (const auto &counts = model.coefficients().instructions)
    t.events.instructions = counts->attentionScore * s.scores;
  t.events.dramBytes = s.cacheBytes + s.queryBytes;
  t.events.l2Bytes = s.cacheBytes * route.tiles;
  t.events.paddedFlops = static_cast<double>(scoreFlops(/*backward=*/false)) *
                         s.batch * s.kvHeads * route.tiles * route.padded *
                         s.keys * s.headDim *
                         tensorEnergyFactor(model, work.format);
  // The tables of caches in 16 bit contain windows only for the generated
  // kernels.
  bool generated = c.kernel == DecodeKernel::Generated ||
                   c.kernel == DecodeKernel::GeneratedOrMasked;
  t.inCalibratedDomain =
      findEightBitAttention(model.coefficients(), work)
          ? c.transferredFrom.empty()
          : (generated || work.as<AttentionProblem>().window == 0) &&
                work.inputBits == 16;
  t.inCalibratedDomain &= s.newTokens == 1;
  return t;
}

std::optional<DecodeChoices> gpucost::findDecodeChoices(const CostModel &model,
                                                        const KernelWork &work,
                                                        const Tiling &tiling) {
  if (implementationOf(tiling.implementation).model !=
      &kernels::decodeAttention)
    return std::nullopt;
  const DecodeCoefficients &c = *findDecodeSet(model.coefficients(), work);
  Shape s = describe(model, work, {});
  bool single = tiling.variant == 1;
  Route route = routeOf(c, s, single);
  Split split = splitOf(model.coefficients(), c, s, route, model.gpu().smCount);
  DecodeChoices choices;
  choices.keys = s.keys;
  choices.separatesHeads = single && separatesHeads(c.kernel);
  // The library's rows, or those of the smallest instruction, doubled until
  // they hold the query heads that a CTA computes together.
  constexpr int32_t leastRows = 8;
  choices.tile.m = leastRows;
  if (route.padded > 0)
    choices.tile.m = static_cast<int32_t>(route.rows + route.padded);
  while (!single && choices.tile.m < s.groupSize / route.tiles)
    choices.tile.m *= 2;
  choices.tile.n = static_cast<int32_t>(blockRows);
  double most = split.allowed
                    ? std::min(c.largestSplit,
                               std::ceil(split.blocks / c.leastSplitBlocks))
                    : 1;
  for (int32_t parts = 1; parts <= std::max(most, 1.0); parts *= 2)
    choices.splits.push_back(parts);
  if (std::find(choices.splits.begin(), choices.splits.end(), tiling.splitK) ==
      choices.splits.end())
    choices.splits.push_back(std::max(tiling.splitK, 1));
  return choices;
}

template <DecodeKernel kernel>
static bool runsDecode(const CostModel &model, const KernelWork &work,
                       const KernelQuery &) {
  if (!runsDecodeKernel(model, work))
    return false;
  const DecodeCoefficients *set = findDecodeSet(model.coefficients(), work);
  return !set || set->kernel == kernel;
}

namespace gpucost::kernels {
const KernelModel decodeAttention = {tileDecode, decodeTerms, decodeCandidates};

#define DECODE(name, kernel)                                                   \
  extern const Condition name;                                                 \
  const Condition name = {"decoding by the kernel of the coefficients",        \
                          runsDecode<DecodeKernel::kernel>};
DECODE(decodePacked, Packed)
DECODE(decodeFlashAttention2, FlashAttention2)
DECODE(decodeTriton, Triton)
DECODE(decodeFlashInfer, FlashInfer)
DECODE(decodeXqa, Xqa)
DECODE(decodeFastestXqa, FastestXqa)
DECODE(decodeGenerated, Generated)
DECODE(decodeGeneratedOrMasked, GeneratedOrMasked)
#undef DECODE
} // namespace gpucost::kernels
