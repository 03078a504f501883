//===- SimtGemm.cpp - CUDA-core GEMM equations (S*) -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimtGemm.h"
#include "TensorGemm.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

/// K is padded to the unrolled depth of the kernels' main loop.
static constexpr double loopDepth = 8;

SimtGemmParameters gpucost::simtGemmParameters(const SimtGemmCoefficients &c,
                                               bool stridedK) {
  return {c.emax,
          c.k0,
          c.saturationWarps,
          c.dramEfficiency,
          c.l2BytesPerClock,
          c.l2Fraction,
          c.l2Speedup,
          c.latency,
          c.energyPerFlop,
          c.powerFraction,
          c.tiles,
          c.splitK,
          stridedK ? c.leastDepth : std::max(c.leastDepth, c.leastLayerDepth),
          stridedK ? c.stridedEnergy : 1};
}

double gpucost::simtMemoryTime(const Gpu &gpu, const SimtGemmParameters &c,
                               double bytes, double footprint, Steps *steps) {
  // (S3) Linear hit law: everything hits up to the usable fraction of L2,
  // nothing beyond twice that size.
  double capacity = c.l2Fraction * gpu.l2Capacity.value();
  double hit = std::clamp(2 - footprint / capacity, 0.0, 1.0);
  double time = bytes * ((1 - hit) + hit / c.l2Speedup) /
                (gpu.dramBandwidth.value() * c.dramEfficiency);
  if (steps)
    steps->equation("DRAM and L2 (S3)",
                    "hit = clamp(2 - {}/({}*{}), 0, 1) = {}; tM = {}*((1 - "
                    "hit) + hit/{})/({}*{}) = {}",
                    {footprint, c.l2Fraction, gpu.l2Capacity, hit, bytes,
                     c.l2Speedup, gpu.dramBandwidth, c.dramEfficiency,
                     Seconds(time)});
  return time;
}

/// Issue fraction of an SM that holds `ctas` CTAs of `warps` warps.
static double issueFraction(double ctas, double warps, double saturationWarps) {
  if (saturationWarps <= 0)
    return 1.0;
  return 1 - std::exp(-ctas * warps / saturationWarps);
}

static LaunchTerms evaluate(const Gpu &gpu, const SimtGemmParameters &c,
                            const SimtGemm &g, const Tile &tile, double split,
                            double memoryTime, double powerTime,
                            Steps *steps = nullptr) {
  double clock = gpu.maxClock.value();
  double smCount = gpu.smCount;
  double depth = std::ceil(g.k / split / loopDepth) * loopDepth;
  double ctas =
      g.batch * std::ceil(g.m / tile.m) * std::ceil(g.n / tile.n) * split;
  // (S1) Rounds of the busiest SM; a round takes longer if its warps are too
  // few to fill the issue slots.
  double perSm = std::ceil(ctas / smCount);
  double full = std::floor(perSm / tile.ctasPerSm);
  double rest = perSm - full * tile.ctasPerSm;
  double weightedRounds = 0;
  if (full > 0)
    weightedRounds +=
        full * tile.ctasPerSm /
        issueFraction(tile.ctasPerSm, tile.warps, c.saturationWarps);
  if (rest > 0)
    weightedRounds += rest / issueFraction(rest, tile.warps, c.saturationWarps);
  // (S2) Compute, with k0 extra K elements of prologue and epilogue.
  double compute =
      2.0 * tile.m * tile.n * (depth + c.k0) * weightedRounds /
      (gpu.flopsPerClock(NumericFormat::FP32) * c.efficiency * clock);
  // (S4) Operand feed from L2.
  double l2Bytes = ctas * (tile.m + tile.n) * depth * g.inputBytes;
  LaunchTerms t;
  t.computeBound = Bound::FP32;
  t.compute = Seconds(compute);
  t.l2 =
      Seconds(l2Bytes / (std::min(smCount, ctas) * clock * c.l2BytesPerClock));
  double partials =
      split > 1 ? partialBytes * split * g.batch * g.m * g.n : 0.0;
  t.dram = Seconds(memoryTime + partials / (gpu.dramBandwidth.value() *
                                            c.dramEfficiency * c.l2Speedup));
  t.powerRoof = Seconds(powerTime);
  t.fixed = c.latency * (split > 1 ? 2.0 : 1.0);
  t.events.l2Bytes = l2Bytes;
  if (steps) {
    steps->equation("tiles (S1)",
                    "Kc = ceil({}/{}/8)*8 = {}; T = "
                    "{}*ceil({}/{})*ceil({}/{})*{} = {}; q = ceil(T/{}) = {}; "
                    "fw = floor(q/{}) = {}; r = q - fw*{} = {}",
                    {g.k, split, depth, g.batch, g.m, tile.m, g.n, tile.n,
                     split, ctas, smCount, perSm, tile.ctasPerSm, full,
                     tile.ctasPerSm, rest});
    if (c.saturationWarps > 0)
      steps->equation("occupancy (S1)",
                      "occ = fw*{}/(1 - exp(-{}*{}/{})) + r/(1 - exp(-max(r, "
                      "1)*{}/{})) = {}",
                      {tile.ctasPerSm, tile.ctasPerSm, tile.warps,
                       c.saturationWarps, tile.warps, c.saturationWarps,
                       weightedRounds});
    else
      steps->equation("occupancy (S1)", "occ = fw*{} + r = {}",
                      {tile.ctasPerSm, weightedRounds});
    steps->equation(
        "compute (S2)", "compute = 2*{}*{}*(Kc + {})*occ/({}*{}*{}) = {}",
        {tile.m, tile.n, c.k0, gpu.flopsPerClock(NumericFormat::FP32),
         c.efficiency, gpu.maxClock, t.compute});
    steps->equation("L2 (S4)", "l2 = T*({} + {})*Kc*{}/(min({}, T)*{}*{}) = {}",
                    {tile.m, tile.n, g.inputBytes, smCount, gpu.maxClock,
                     c.l2BytesPerClock, t.l2});
    steps->equation("DRAM (S3)",
                    "dram = tM + [{} > 1]*8*{}*{}*{}*{}/({}*{}*{}) = {}",
                    {split, split, g.batch, g.m, g.n, gpu.dramBandwidth,
                     c.dramEfficiency, c.l2Speedup, t.dram});
    steps->equation("fixed time (S6)", "fixed = {}*(1 + [{} > 1]) = {}",
                    {c.latency, split, t.fixed});
  }
  return t;
}

/// (S5) Time below which the board would exceed its power limit.
static double powerTime(const CostModel &model, const SimtGemmParameters &c,
                        double flops, const KernelQuery &query) {
  if (!query.usesPowerRoof() || c.powerFraction <= 0)
    return 0.0;
  Watts limit = query.powerLimit.value_or(model.gpu().powerLimit);
  double time = flops * c.energyPerFlop.value() * query.benchmark->toggleRate /
                (c.powerFraction * limit.value());
  if (query.steps)
    query.steps->equation("power roof (S5)",
                          "powerRoof = {}*{}*{}/({}*{}) = {}",
                          {flops, c.energyPerFlop, query.benchmark->toggleRate,
                           c.powerFraction, limit, Seconds(time)});
  return time;
}

static double footprint(const SimtGemm &g, const KernelQuery &query) {
  return g.footprint ? *g.footprint
                     : std::max(query.reuseBytesA, query.reuseBytesB);
}

static bool isEmpty(const SimtGemm &g) {
  return g.batch == 0 || g.m == 0 || g.n == 0 || g.k == 0;
}

/// (S6) Whether a split leaves too little of k to each part.
static bool isTooDeep(const SimtGemm &g, int32_t split, const SimtSplit &all,
                      const SimtGemmParameters &c) {
  return split > 1 && g.k / split < std::max(all.leastDepth, c.leastDepth);
}

Expected<Tiling> gpucost::selectSimtTiling(const CostModel &model,
                                           const SimtGemmParameters &c,
                                           const SimtGemm &g,
                                           const KernelQuery &query) {
  Tiling best;
  if (isEmpty(g))
    return best;
  const auto &splits = model.coefficients().simtSplit;
  if (!splits)
    return missingGroup(model, "simt_split");
  const Gpu &gpu = model.gpu();
  double memoryTime = simtMemoryTime(gpu, c, g.bytes, footprint(g, query));
  double roof = powerTime(model, c, 2 * g.batch * g.m * g.n * g.k, query);
  double bestTime = std::numeric_limits<double>::infinity();
  for (const Tile &tile : c.tiles) {
    for (int32_t split : c.splitK) {
      if (isTooDeep(g, split, *splits, c))
        continue;
      // (S6) The library is assumed to pick the fastest candidate.
      double time =
          timeAt(evaluate(gpu, c, g, tile, split, memoryTime, roof), 1.0)
              .value();
      if (time < bestTime) {
        bestTime = time;
        best.tile = tile;
        best.splitK = split;
      }
    }
  }
  double ctas = g.batch * std::ceil(g.m / best.tile.m) *
                std::ceil(g.n / best.tile.n) * best.splitK;
  countWaves(best, ctas, gpu.smCount);
  return best;
}

std::vector<Tiling> gpucost::simtCandidates(const CostModel &model,
                                            const SimtGemmParameters &c,
                                            const SimtGemm &g) {
  std::vector<Tiling> found;
  const auto &splits = model.coefficients().simtSplit;
  for (const Tile &tile : c.tiles)
    for (int32_t split : c.splitK)
      if (splits && !isTooDeep(g, split, *splits, c))
        found.push_back({tile, split});
  return found;
}

Expected<LaunchTerms> gpucost::simtGemmTerms(const CostModel &model,
                                             const SimtGemmParameters &c,
                                             const SimtGemm &g,
                                             const Tiling &tiling,
                                             const KernelQuery &query) {
  LaunchTerms t;
  t.computeBound = Bound::FP32;
  t.fixed = c.latency;
  if (isEmpty(g)) {
    reportEmpty(query, t);
    return t;
  }
  if (tiling.tile.m <= 0 || tiling.tile.n <= 0 || tiling.tile.ctasPerSm <= 0 ||
      tiling.splitK <= 0)
    return fail(needsTile("CUDA-core GEMM", tiling));
  double flops = 2 * g.batch * g.m * g.n * g.k;
  t = evaluate(
      model.gpu(), c, g, tiling.tile, tiling.splitK,
      simtMemoryTime(model.gpu(), c, g.bytes, footprint(g, query), query.steps),
      powerTime(model, c, flops, query), query.steps);
  t.events.fp32Flops = flops * c.relativeEnergy;
  t.events.dramBytes = g.bytes;
  return t;
}

LaunchTerms gpucost::matrixVectorTerms(const CostModel &model,
                                       const SimtGemmParameters &c,
                                       const SimtGemm &g, double efficiency,
                                       const KernelQuery &query) {
  const Gpu &gpu = model.gpu();
  double cycles = gpu.smCount * gpu.maxClock.value();
  double flops = 2 * g.batch * g.m * g.n * g.k;
  LaunchTerms t;
  t.computeBound = Bound::FP32;
  t.compute = Seconds(
      flops / (cycles * gpu.flopsPerClock(NumericFormat::FP32) * efficiency));
  // It streams: the rates and latency of the set apply to tiles.
  const auto &stream = model.coefficients().streaming;
  t.l2 = Seconds(g.bytes / (cycles * (stream ? stream->l2BytesPerClock
                                             : c.l2BytesPerClock)));
  t.dram =
      Seconds(g.bytes / (gpu.dramBandwidth.value() *
                         (stream ? stream->dramEfficiency : c.dramEfficiency)));
  t.powerRoof = Seconds(powerTime(model, c, flops, query));
  t.fixed = stream ? stream->latency : c.latency;
  t.events.fp32Flops = flops * c.relativeEnergy;
  t.events.dramBytes = g.bytes;
  t.events.l2Bytes = g.bytes;
  if (query.steps)
    query.steps->equation(
        efficiency == 1 ? "matrix-vector kernel (S7)"
                        : "few rows or columns (S8)",
        "compute = 2*{}*{}*{}*{}/({}*{}*{}*{}) = {}; l2 = {}/({}*{}*{}) = {}; "
        "dram = {}/({}*{}) = {}; fixed = {}",
        {g.batch, g.m, g.n, g.k, gpu.smCount, gpu.maxClock,
         gpu.flopsPerClock(NumericFormat::FP32), efficiency, t.compute, g.bytes,
         gpu.smCount, gpu.maxClock,
         stream ? stream->l2BytesPerClock : c.l2BytesPerClock, t.l2, g.bytes,
         gpu.dramBandwidth, stream ? stream->dramEfficiency : c.dramEfficiency,
         t.dram, t.fixed});
  return t;
}
