//===- Attention.cpp - One-kernel (flash) attention (A*) ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Forward attention without a score matrix in DRAM, one CTA per query tile.
// Kernels of several libraries and generations have these equations, with other
// coefficients. One query token per sequence is decode: see Decode.cpp.
//
//===----------------------------------------------------------------------===//

#include "Attention.h"
#include "AttentionBlocks.h"
#include "TensorGemm.h"
#include "gpucost/Core/Model/Software.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace gpucost;

namespace {
struct TileShape {
  const AttentionCoefficients *c;
  CoefficientGroup group;
  bool isOwn;                     ///< AttentionKernel::isOwn
  int32_t rows, columns, headDim; ///< head dimension as padded
  double efficiency;              ///< relative to that of the set
  NumericFormat products;
  bool isEightBit; ///< AttentionKernel::eightBit
};
} // namespace

static Expected<TileShape> lookUpTile(const CostModel &model,
                                      const KernelWork &work,
                                      ImplementationKind kind) {
  const auto &p = work.as<AttentionProblem>();
  AttentionKernel found = findAttentionSet(model.coefficients(), work, kind);
  const AttentionCoefficients *set = found.coefficients;
  const std::string &name = model.gpu().name;
  if (!set)
    return missingGroup(model, groupName(found.member));
  auto tile = std::find_if(set->tiles.begin(), set->tiles.end(),
                           [&](const AttentionTile &candidate) {
                             return candidate.headDim >= p.headDim;
                           });
  if (tile == set->tiles.end())
    return fail("expected a head dimension of at most " +
                std::to_string(set->tiles.back().headDim) +
                " for attention on '" + name + "', but got " +
                std::to_string(p.headDim));
  return TileShape{set,
                   found.member,
                   found.isOwn,
                   tile->rows,
                   tile->columns,
                   tile->headDim,
                   tile->relativeEfficiency,
                   found.eightBit ? found.eightBit->products : work.format,
                   found.eightBit != nullptr};
}

/// The window whose keys the kernel skips; 0: none.
static int64_t skippedWindow(const AttentionProblem &p,
                             const TileShape &shape) {
  return shape.c->readsMaskedKeys ? 0 : p.window;
}

/// (A16) Documents that share a sequence; 1 without such documents.
static double documentsOf(const AttentionProblem &p) {
  return p.document > 0 && p.document < p.queryLength
             ? static_cast<double>(p.queryLength) /
                   static_cast<double>(p.document)
             : 1;
}

/// (A1) Query tiles and KV blocks of one group; (A16) of all its documents.
static AttentionBlocks blocksOf(const AttentionProblem &p,
                                const TileShape &shape) {
  double documents = documentsOf(p);
  AttentionGrid grid;
  grid.queries = documents > 1 ? p.document : p.queryLength;
  grid.keys = documents > 1 ? p.document : p.kvLength;
  grid.window = skippedWindow(p, shape);
  grid.causal = p.causal;
  if (shape.c->packGroupedQueries) {
    grid.rowsNumerator = p.heads;
    grid.rowsDenominator = p.kvHeads;
  }
  grid.tileRows = shape.rows;
  grid.tileColumns = shape.columns;
  AttentionBlocks blocks = countBlocks(grid);
  blocks.tiles *= documents;
  blocks.total *= documents;
  return blocks;
}

static double groupsOf(const AttentionProblem &p, const TileShape &shape) {
  return static_cast<double>(p.batch) *
         (shape.c->packGroupedQueries ? p.kvHeads : p.heads);
}

/// Tile shape for `work`; rows and columns are those of `tile` if it has any.
static Expected<TileShape> shapeOf(const CostModel &model,
                                   const KernelWork &work,
                                   ImplementationKind kind, const Tile &tile) {
  auto shape = lookUpTile(model, work, kind);
  if (shape && tile.m > 0 && tile.n > 0) {
    shape->rows = tile.m;
    shape->columns = tile.n;
  }
  return shape;
}

Expected<void> gpucost::checkAttention(const AttentionProblem &p) {
  if (p.batch >= 0 && p.heads > 0 && p.kvHeads > 0 && p.queryLength >= 0 &&
      p.kvLength >= 0 && p.headDim > 0 && p.window >= 0 &&
      (p.document == 0 || (p.document > 0 && p.queryLength == p.kvLength)))
    return {};
  return fail("expected attention with positive heads and head dimension and "
              "non-negative lengths, which are equal if documents share them");
}

template <ImplementationKind kind>
static Expected<Tiling> tileAttention(const CostModel &model,
                                      const KernelWork &work,
                                      const KernelQuery &) {
  if (auto valid = checkAttention(work.as<AttentionProblem>()); !valid)
    return fail(valid.error());
  return tileAttentionAs(model, work, kind, Tile());
}

Expected<Tiling> gpucost::tileAttentionAs(const CostModel &model,
                                          const KernelWork &work,
                                          ImplementationKind kind,
                                          const Tile &tile) {
  const AttentionProblem &p = work.as<AttentionProblem>();
  auto shape = shapeOf(model, work, kind, tile);
  if (!shape)
    return fail(shape.error());
  AttentionBlocks blocks = blocksOf(p, *shape);
  double ctas = groupsOf(p, *shape) * blocks.tiles;
  Tiling tiling;
  if (ctas == 0)
    return tiling;
  tiling.tile.m = shape->rows;
  tiling.tile.n = shape->columns;
  // (A2) With few CTAs, several share the KV range of a query tile.
  double smCount = model.gpu().smCount;
  if (shape->c->splitKv && ctas <= shape->c->splitBelow * smCount)
    tiling.splitK = static_cast<int32_t>(std::clamp(
        std::min(std::floor(smCount / ctas),
                 std::floor(blocks.most / shape->c->leastSplitBlocks)),
        1.0, shape->c->largestSplit));
  countWaves(tiling, ctas * tiling.splitK, model.gpu().smCount);
  return tiling;
}

/// Bytes of an element of dQ while CTAs add to it.
static constexpr double sumBytes = 4;

/// Tensors that the backward pass moves: 4 with queries (Q, O, dO, dQ), 4 with
/// keys or values (K, V, dK, dV). The kernels around it move O, dO and dQ.
static constexpr double gradientTensors = 4, aroundTensors = 3;

/// TF32 multiplications that replace one of fp32: large x large, large x small
/// and small x large parts of the operands.
static constexpr double wideProducts = 3;

/// (P1) mma.m16n8k16 of a warp computes 4096 FLOP; one ldmatrix.x4 loads the
/// operands of two.
static constexpr double warpInstructionsPerFlop = 1.5 * 32 / 4096;

/// Whether the GPU also has matrix instructions of several warps: wgmma or
/// tcgen05.
static bool hasWiderProducts(const Gpu &gpu) {
  constexpr double hopper = 9, smallBlackwell = 12;
  return gpu.computeCapability && *gpu.computeCapability >= hopper &&
         *gpu.computeCapability < smallBlackwell;
}

/// Tensor FLOP per clock and SM of the kernel. (A11) fp32 tensors: warp
/// instructions, three in TF32 for each multiplication.
static Expected<double> matrixRate(const Gpu &gpu, const KernelWork &work,
                                   NumericFormat products) {
  if (!isFp32Attention(work))
    return tensorRate(gpu, products);
  auto rate = tensorRate(gpu, NumericFormat::TF32);
  if (!rate)
    return fail("fused attention in fp32 needs TF32 tensor cores, which '" +
                gpu.name +
                "' does not have; frameworks run batched_matmul and softmax");
  *rate *= gpu.warpMatrixShare / wideProducts;
  return rate;
}

/// (A3) Tensor and softmax pipe of one block, joined by a norm.
static double blockCycles(const CostModel &model, const TileShape &shape,
                          double rate, const KernelWork &work,
                          ImplementationKind kind, Steps *steps) {
  const AttentionCoefficients &c = *shape.c;
  bool backward = work.as<AttentionProblem>().backward;
  double area = static_cast<double>(shape.rows) * shape.columns;
  // (A8) Backward: five matmuls instead of two, and in addition to the
  // exponential dS = P (dP - D) in fp32.
  auto flops = static_cast<double>(scoreFlops(backward));
  double passes = backward ? 2 : 1;
  double efficiency = c.efficiency * shape.efficiency;
  double tensor = flops * area * shape.headDim / (rate * efficiency);
  double exponentialRate = model.gpu().exponentialRate();
  double score = c.softmaxCycles + c.exponentials / exponentialRate;
  double softmax = passes * area * score;
  double slowdown = attentionSlowdown(model.coefficients(), c, work, kind);
  double cycles =
      std::pow(std::pow(tensor, c.pipeNorm) + std::pow(softmax, c.pipeNorm),
               1 / c.pipeNorm) *
      slowdown;
  if (steps && c.exponentials > 0)
    steps->equation("score (A3)", "score = {} + {}/{} = {} cycles",
                    {c.softmaxCycles, c.exponentials, exponentialRate, score});
  if (steps)
    steps->equation("block time (A3)",
                    "area = {}*{}; Cb = ||{}*area*{}/({}*{}), "
                    "{}*area*{}||_{}*{} = {} cycles",
                    {shape.rows, shape.columns, flops, shape.headDim, rate,
                     efficiency, passes, score, c.pipeNorm, slowdown, cycles});
  return cycles;
}

static Expected<LaunchTerms>
termsOf(ImplementationKind kind, const CostModel &model, const KernelWork &work,
        const Tiling &tiling, const KernelQuery &query) {
  const AttentionProblem &p = work.as<AttentionProblem>();
  if (auto valid = checkAttention(p); !valid)
    return fail(valid.error());
  auto shape = shapeOf(model, work, kind, tiling.tile);
  if (!shape)
    return fail(shape.error());
  auto rate = matrixRate(model.gpu(), work, shape->products);
  if (!rate)
    return fail(rate.error());
  const AttentionCoefficients &c = *shape->c;
  const Gpu &gpu = model.gpu();
  Steps *steps = query.steps;
  AttentionBlocks blocks = blocksOf(p, *shape);
  double groups = groupsOf(p, *shape);

  LaunchTerms t;
  t.computeBound = Bound::Tensor;
  t.fixed = c.fixedTime;
  t.coupled = true;
  t.inCalibratedDomain = gpu.runsFlashAttention();
  if (model.coefficients().tensorGemm)
    t.limiterDelay = model.coefficients().tensorGemm->powerLimiterDelay;
  if (groups * blocks.tiles == 0) {
    reportEmpty(query, t);
    return t;
  }

  double clock = gpu.maxClock.value(), smCount = gpu.smCount;
  double split = std::max(tiling.splitK, 1);
  double total = groups * blocks.total;
  double ctas = groups * blocks.tiles * split;
  // (A4) Busiest SM: between perfect balance and whole rounds; a causal kernel
  // starts its longest tiles last. At least the time of the longest CTA.
  double block = blockCycles(model, *shape, *rate, work, kind, steps);
  // (A14) Both edges of a window are masked tiles.
  double moreCycles = (p.backward ? c.backwardPrologue : 1) *
                      (skippedWindow(p, *shape) > 0 ? 1 + c.windowPrologue : 1);
  double prologue = c.prologueCycles * moreCycles;
  double busy = total * block + ctas * prologue;
  double longest = blocks.most / split * block + prologue;
  double rounds = std::ceil(ctas / smCount);
  double span = (1 - c.waveFraction) * busy / smCount +
                c.waveFraction * rounds * busy / ctas;
  if (p.causal && ctas > smCount)
    span += c.causalTail * longest;
  span = std::max(span, longest);
  if (double documents = documentsOf(p); steps && documents > 1)
    steps->equation(
        "documents (A16)",
        "{}/{} = {} documents: {} tiles and {} blocks of a group",
        {p.queryLength, p.document, documents, blocks.tiles, blocks.total});
  if (steps) {
    steps->equation(
        "KV blocks (A1)", "N = {}*{} = {}; n = {}*{}*{} = {}",
        {groups, blocks.total, total, groups, blocks.tiles, split, ctas});
    steps->equation("CTAs (A4)",
                    "c0 = {}*{} = {} cycles; W = N*Cb + n*c0 = {} cycles; cm = "
                    "{}/{}*Cb + c0 = {} cycles",
                    {c.prologueCycles, moreCycles, prologue, busy, blocks.most,
                     split, longest});
    steps->equation("span (A4)",
                    "span = max((1 - {})*W/{} + {}*ceil(n/{})*W/n + [n > "
                    "{}]*{}*cm, cm) = {} cycles",
                    {c.waveFraction, smCount, c.waveFraction, smCount, smCount,
                     p.causal ? c.causalTail : 0, span});
  }

  // (A5) L2 feed, operands and results in DRAM, and the write to the KV cache.
  double cacheElement = work.inputBytes();
  double queryElement = queryElementBytes(model.coefficients(), work);
  double headDim = p.headDim, batch = p.batch;
  double l2Bytes = total * 2 * shape->columns * headDim * cacheElement;
  double bytes = batch * headDim *
                 (2.0 * p.queryLength * p.heads * queryElement +
                  2.0 * p.kvLength * p.kvHeads * cacheElement);
  // (A8) Backward reads Q, K, V, O and dO, writes dQ, dK and dV, and sums dQ in
  // fp32 through the L2.
  if (p.backward) {
    bytes = batch * headDim *
            (gradientTensors * p.queryLength * p.heads * queryElement +
             gradientTensors * p.kvLength * p.kvHeads * cacheElement);
    l2Bytes *= 2;
  }
  double appended = 0, rewritten = 0;
  if ((c.writesKvCache || (query.benchmark && query.benchmark->writesCache)) &&
      !p.backward)
    appended = batch * headDim * 2.0 * p.queryLength * p.kvHeads *
               (queryElement + cacheElement);
  // (A10) A kernel before this one reads and writes the queries.
  if (c.rewritesQueries && !p.backward)
    rewritten = 2 * batch * headDim * p.queryLength * p.heads * queryElement *
                c.queryPasses;
  double cacheBytes = appended + rewritten;
  double hit =
      cubicHit(bytes + cacheBytes, c.l2Fraction * gpu.l2Capacity.value());
  double dramRate = gpu.dramBandwidth.value() * c.dramEfficiency;
  double feed = l2Bytes / (std::min(ctas, smCount) * c.l2BytesPerClock * clock);

  // (A6) The slower of compute and feed paces the kernel.
  (span / clock >= feed ? t.compute : t.l2) =
      Seconds(std::max(span / clock, feed));
  t.dram = Seconds(bytes * (1 - hit) / dramRate);
  double cacheRate = c.cacheBytesPerClock * smCount * clock;
  if (cacheBytes > 0)
    t.serialDram =
        Seconds(cacheBytes * ((1 - hit) / dramRate + hit / cacheRate));
  // (A14) Cycles of these kernels per row of a head.
  double rowCycles = batch * p.queryLength *
                     ((appended > 0 ? p.kvHeads * c.cacheRowCycles : 0) +
                      (rewritten > 0 ? p.heads * c.queryRowCycles : 0));
  t.serialIssue = Seconds(rowCycles / (smCount * clock));
  if (steps) {
    double tensors = p.backward ? gradientTensors : 2;
    steps->equation("L2 (A5)",
                    "l2b = {}*N*{}*{}*{} = {} bytes; tL = l2b/(min(n, "
                    "{})*{}*{}) = {}",
                    {tensors, shape->columns, p.headDim, cacheElement, l2Bytes,
                     smCount, c.l2BytesPerClock, gpu.maxClock, Seconds(feed)});
    steps->equation(
        "DRAM bytes (A5)", "D = {}*{}*({}*{}*{}*{} + {}*{}*{}*{}) = {} bytes",
        {batch, headDim, tensors, p.queryLength, p.heads, queryElement, tensors,
         p.kvLength, p.kvHeads, cacheElement, bytes});
    if (appended > 0)
      steps->equation("KV cache (A5)",
                      "append = {}*{}*2*{}*{}*({} + {}) = {} bytes",
                      {batch, headDim, p.queryLength, p.kvHeads, queryElement,
                       cacheElement, appended});
    if (rewritten > 0)
      steps->equation("query rewrite (A10)",
                      "rewrite = 2*{}*{}*{}*{}*{}*{} = {}",
                      {batch, headDim, p.queryLength, p.heads, queryElement,
                       c.queryPasses, rewritten});
    if (rowCycles > 0)
      steps->equation(
          "rows of the cache and the queries (A14)",
          "rowCycles = {}*{}*([{} > 0]*{}*{} + [{} > 0]*{}*{}) = {} cycles; "
          "serialIssue = rowCycles/({}*{}) = {}",
          {batch, p.queryLength, appended, p.kvHeads, c.cacheRowCycles,
           rewritten, p.heads, c.queryRowCycles, rowCycles, smCount,
           gpu.maxClock, t.serialIssue});
    steps->equation(
        "L2 hits (A5)",
        "Kc = {} + {} = {} bytes; h = 1/(1 + ((D + Kc)/({}*{}))^3) "
        "= {}",
        {appended, rewritten, cacheBytes, c.l2Fraction, gpu.l2Capacity, hit});
    steps->equation("terms (A6)",
                    std::string(span / clock >= feed ? "compute" : "l2") +
                        " = max(span/{}, tL) = {}; dram = D*(1 - h)/({}*{}) = "
                        "{}; serialDram = Kc*((1 - h)/({}*{}) + h/({}*{}*{})) "
                        "= {}",
                    {gpu.maxClock, std::max(t.compute, t.l2), gpu.dramBandwidth,
                     c.dramEfficiency, t.dram, gpu.dramBandwidth,
                     c.dramEfficiency, c.cacheBytesPerClock, smCount,
                     gpu.maxClock, t.serialDram});
  }
  // (A13) Kernels before and after the backward pass clear dQ in fp32, convert
  // it to the format of the tensors, and read O and dO to compute D.
  double aroundBytes = 0;
  if (p.backward && c.backwardTime > Seconds(0)) {
    double queries = batch * headDim * p.queryLength * p.heads;
    aroundBytes = queries * (2 * sumBytes + aroundTensors * queryElement);
    double kept = cubicHit(bytes + 2 * sumBytes * queries,
                           c.l2Fraction * gpu.l2Capacity.value());
    t.serialDram +=
        Seconds(aroundBytes * ((1 - kept) / dramRate + kept / cacheRate));
    t.fixed += c.backwardTime;
    if (steps)
      steps->equation("around the backward pass (A13)",
                      "sums = {}*{}*{}*{} = {}; Ka = sums*(2*4 + 3*{}) = {} "
                      "bytes; k = 1/(1 + ((D + 2*4*sums)/({}*{}))^3) = {}; "
                      "serialDram = Ka*((1 - k)/({}*{}) + k/({}*{}*{})) = {}",
                      {batch, headDim, p.queryLength, p.heads, queries,
                       queryElement, aroundBytes, c.l2Fraction, gpu.l2Capacity,
                       kept, gpu.dramBandwidth, c.dramEfficiency,
                       c.cacheBytesPerClock, smCount, gpu.maxClock,
                       t.serialDram});
  }
  if (split > 1)
    t.fixed += c.splitTime;
  if (steps)
    steps->equation("fixed time (A6)",
                    "fixed = {} + [{} > 0]*{} + [{} > 1]*{} = {}",
                    {c.fixedTime, aroundBytes, c.backwardTime, split,
                     c.splitTime, t.fixed});

  double scores = total * shape->rows * shape->columns;
  t.events.tensorFlops =
      static_cast<double>(scoreFlops(p.backward)) * scores * shape->headDim *
      (isFp32Attention(work)
           ? wideProducts * tensorEnergyFactor(model, NumericFormat::TF32)
           : tensorEnergyFactor(model, shape->products));
  if (const auto &counts = model.coefficients().instructions) {
    t.events.instructions =
        counts->attentionScore * scores * (p.backward ? 2 : 1);
    // The energy per FLOP of GPUs with larger instructions was measured on
    // these.
    if (kind == ImplementationKind::FlashAttention2 && hasWiderProducts(gpu))
      t.events.instructions += warpInstructionsPerFlop *
                               static_cast<double>(scoreFlops(p.backward)) *
                               scores * shape->headDim;
  }
  t.events.dramBytes = bytes + cacheBytes + aroundBytes;
  t.events.l2Bytes = l2Bytes;
  // (A7) Energies of the time-power loop.
  if (const auto &power = model.coefficients().tensorPower;
      power && query.benchmark) {
    double toggleRate = query.benchmark->toggleRate;
    t.onChip =
        Joules(toggleRate * (c.energyPerFlop.value() * t.events.tensorFlops +
                             c.energyPerScore.value() * scores +
                             power->perL2Byte.value() * l2Bytes));
    t.offChip = Joules(toggleRate * power->perDramByte.value() *
                       (bytes + cacheBytes) * (1 - hit));
  }
  bool isOwn = shape->isOwn && c.transferredFrom.empty();
  t.inCalibratedDomain =
      t.inCalibratedDomain && p.queryLength == p.kvLength && p.document == 0 &&
      (shape->isEightBit || work.inputBits >= 16) &&
      (isOwn || (!shape->isEightBit && !p.backward && !isFp32Attention(work)));
  t.groups = groupSet(shape->group);
  return t;
}

template <ImplementationKind kind>
static Expected<LaunchTerms>
attentionTerms(const CostModel &model, const KernelWork &work,
               const Tiling &tiling, const KernelQuery &query) {
  return termsOf(kind, model, work, tiling, query);
}

template <ImplementationKind kind>
static std::vector<Tiling> attentionCandidates(const CostModel &model,
                                               const KernelWork &work,
                                               const Tiling &chosen) {
  auto shape = shapeOf(model, work, kind, chosen.tile);
  if (!shape || !shape->c->splitKv || chosen.tile.m <= 0)
    return {};
  std::vector<Tiling> found;
  for (int32_t split = 1; split <= shape->c->largestSplit; split *= 2)
    found.push_back({chosen.tile, split});
  return found;
}

namespace gpucost::kernels {
#define ATTENTION(name, kind)                                                  \
  extern const KernelModel name;                                               \
  const KernelModel name = {tileAttention<ImplementationKind::kind>,           \
                            attentionTerms<ImplementationKind::kind>,          \
                            attentionCandidates<ImplementationKind::kind>};
ATTENTION(efficientAttention, EfficientAttention)
ATTENTION(eightBitAttention, EightBitAttention)
ATTENTION(tritonFlash1, TritonFlash1)
ATTENTION(flashAttention1, FlashAttention1)
ATTENTION(flashAttention2, FlashAttention2)
ATTENTION(cudnnAttention, CudnnAttention)
ATTENTION(flashCausal, FlashCausal)
ATTENTION(flashFull, FlashFull)
#undef ATTENTION
} // namespace gpucost::kernels
