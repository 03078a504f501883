//===- TensorGemm.cpp - Tensor-core GEMM equations (G*) -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorGemmSetup.h"
#include "gpucost/Core/Model/Steps.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace gpucost;

/// K elements that one pipeline step of a CTA consumes.
static constexpr double stepDepth = 64;

Expected<double> gpucost::tensorRate(const Gpu &gpu, NumericFormat format) {
  // FP32 matmuls run on CUDA cores.
  double rate = format == NumericFormat::FP32 ? 0.0 : gpu.flopsPerClock(format);
  if (rate > 0)
    return rate;
  return fail("'" + gpu.name + "' has no tensor cores for format '" +
              std::string(stringifyNumericFormat(format)) + "'");
}

double gpucost::tensorEnergyFactor(const CostModel &model,
                                   NumericFormat format) {
  // Without event energies the factor is not used.
  if (!model.coefficients().power)
    return 1.0;
  const PowerCoefficients &power = *model.coefficients().power;
  const std::optional<double> factors[] = {
#define FORMAT(Case, text, bits, block, scaleBits, rows, rate, load, energy,   \
               ...)                                                            \
  energy,
#include "gpucost/Core/Vocabulary/Formats.def"
  };
  return factors[static_cast<size_t>(format)].value_or(
      std::numeric_limits<double>::quiet_NaN());
}

double gpucost::cubicHit(double bytes, double capacity) {
  double x = bytes / capacity;
  return 1.0 / (1.0 + x * x * x);
}

std::string gpucost::needsTile(const char *kernel, const Tiling &tiling) {
  return std::string("expected a tile and a split of K for a ") + kernel +
         ", but got " + std::to_string(tiling.tile.m) + " x " +
         std::to_string(tiling.tile.n) + ", " + std::to_string(tiling.splitK);
}

void gpucost::countWaves(Tiling &tiling, double ctas, int64_t smCount) {
  constexpr double largest = 9.0e18; // below INT64_MAX
  double perSm = std::max(tiling.tile.ctasPerSm, 1);
  double rounds = std::ceil(ctas / smCount);
  tiling.ctas = static_cast<int64_t>(std::min(ctas, largest));
  tiling.waves = static_cast<int64_t>(
      std::min(std::ceil(ctas / (smCount * perSm)), largest));
  tiling.smUtilization = rounds > 0 ? ctas / (rounds * smCount) : 0.0;
}

namespace {

/// Values that depend on the tile, not on the split.
struct TileState {
  double ctas = 0;       ///< without split-K
  double stepCycles = 0; ///< a CTA's tensor cycles in one 64-deep step
  double edgeCycles = 0; ///< (C11) of a CTA, at its start and end
  double perStepBytes = 0;
  double loadBytes = 0, loadTime = 0;
};

struct Candidate {
  double compute = 0, l2Time = 0, storeTime = 0, exposed = 0, fixed = 0;
  double ctas = 0, l2Bytes = 0;
};

} // namespace

/// (G4) Factor on the operand bytes when A and B of one batch item exceed half
/// of the L2: the concurrent CTAs form a gm x gn patch. Patches in the same row
/// read the same rows of A, patches in the same column the same columns of
/// B.
static double rereadFactor(const GemmSetup &p, const Tile &tile, double rows,
                           double columns, Steps *steps) {
  double operands = p.gemm.bytesA + p.gemm.bytesB;
  if (!p.gemm.rereads || operands <= p.c.rereadL2Share * p.l2Capacity)
    return 1.0;
  double tiles = rows * columns;
  double concurrent = std::min(tiles, p.smCount * tile.ctasPerSm);
  double edge = std::clamp(std::sqrt(concurrent * tile.n / tile.m), 1.0, rows);
  double gn = std::min(std::ceil(concurrent / edge), columns);
  double gm = std::min(std::ceil(concurrent / gn), rows);
  double factor = (p.gemm.bytesA * std::ceil(columns / gn) +
                   p.gemm.bytesB * std::ceil(rows / gm)) /
                  operands;
  if (steps) {
    steps->equation("re-reads (G4)",
                    "G = min({}, {}*{}) = {}; g = clamp(sqrt(G*{}/{}), 1, "
                    "{}) = {}; gn = min(ceil(G/g), {}) = {}; gm = "
                    "min(ceil(G/gn), {}) = {}",
                    {tiles, p.smCount, tile.ctasPerSm, concurrent, tile.n,
                     tile.m, rows, edge, columns, gn, rows, gm});
    steps->equation(
        "re-reads (G4)", "rr = ({}*ceil({}/gn) + {}*ceil({}/gm))/{} = {}",
        {p.gemm.bytesA, columns, p.gemm.bytesB, rows, operands, factor});
  }
  return factor;
}

/// Inlined for the same reason as `evaluate`.
[[gnu::always_inline]] static inline TileState
prepareTile(const GemmSetup &p, const Tile &tile, Steps *steps = nullptr) {
  double rows = std::ceil(p.gemm.m / tile.m);
  double columns = std::ceil(p.gemm.n / tile.n);
  double area = static_cast<double>(tile.m) * tile.n;
  double intensity = area / (tile.m + tile.n);
  TileState s;
  s.ctas = p.gemm.batch * rows * columns;
  s.stepCycles = 2 * area * stepDepth /
                 (p.rate * std::min(1.0, intensity / p.c.fullRateIntensity));
  s.edgeCycles = area * p.windowCycles;
  s.perStepBytes =
      (tile.m * p.gemm.inputBytes + tile.n * p.gemm.weightBytes) * stepDepth;
  double rereads = rereadFactor(p, tile, rows, columns, steps);
  s.loadBytes = p.gemm.batch * (p.missA + p.missB) * rereads;
  s.loadTime = s.loadBytes / p.dramRate;
  if (steps) {
    steps->equation("tiles (G1)", "tiles = {}*ceil({}/{})*ceil({}/{}) = {}",
                    {p.gemm.batch, p.gemm.m, tile.m, p.gemm.n, tile.n, s.ctas});
    steps->equation("step (G2)",
                    "I = {}*{}/({} + {}) = {}; Cs = 2*{}*{}*64/(Re*min(1, "
                    "I/{})) = {} cycles",
                    {tile.m, tile.n, tile.m, tile.n, intensity, tile.m, tile.n,
                     p.c.fullRateIntensity, s.stepCycles});
    if (s.edgeCycles > 0)
      steps->equation("start and end of a tile (C11)",
                      "ce = {}*{}*{} = {} cycles",
                      {tile.m, tile.n, p.windowCycles, s.edgeCycles});
    steps->equation("step (G3)", "Ls = ({}*{} + {}*{})*64 = {} bytes",
                    {tile.m, p.gemm.inputBytes, tile.n, p.gemm.weightBytes,
                     s.perStepBytes});
    steps->equation("DRAM load (G6)",
                    "load = {}*(A + B)*{} = {} bytes; tD = load/Rd = {}",
                    {p.gemm.batch, rereads, s.loadBytes, Seconds(s.loadTime)});
  }
  return s;
}

/// (G1)-(G3), (G6), (G7) of one candidate. Inlined: the search over candidates
/// reports nothing, and is most of a query.
[[gnu::always_inline]] static inline Candidate
evaluate(const GemmSetup &p, const TensorGemmCoefficients &c,
         const TileState &s, double ctasPerSm, double split,
         Steps *steps = nullptr) {
  Candidate r;
  // (G1) K steps of a CTA; CTAs; rounds of the busiest SM.
  double depth = std::ceil(p.gemm.k / split / stepDepth);
  r.ctas = s.ctas * split;
  double perSm = std::ceil(r.ctas / p.smCount);
  double full = std::floor(perSm / ctasPerSm);
  double rest = perSm - full * ctasPerSm;
  // (G2) Co-resident CTAs share the tensor pipe and hide each other's latency.
  double tensor = s.stepCycles * depth + s.edgeCycles;
  double latency = depth * p.latencyCycles;
  auto roundCycles = [&](double ctas) {
    double busy = ctas * tensor;
    return std::sqrt(busy * busy + latency * latency);
  };
  double cycles = full > 0 ? full * roundCycles(ctasPerSm) : 0.0;
  if (rest > 0)
    cycles += roundCycles(rest);
  r.compute = cycles / p.clock;
  // (G3) Operand feed from L2, and the fp32 partial sums of a split.
  r.l2Bytes = r.ctas * s.perStepBytes * depth;
  double partials =
      split > 1 ? partialBytes * p.gemm.batch * p.gemm.m * p.gemm.n * split
                : 0.0;
  double feed = std::min(r.ctas, p.smCount) * p.l2Rate;
  r.l2Time = (r.l2Bytes + partials) / feed;
  // (G6) Result stores: DRAM or the path to L2, whichever is slower.
  r.storeTime = std::max(p.storeBytes / p.dramRate, p.resultBytes / feed);
  // (G7) Fraction of the operand feed that the pipeline fill exposes.
  r.exposed = std::min(1.0, c.fillDepth / (stepDepth * depth));
  r.fixed = c.fixedTime.value() + (split > 1 ? c.splitKTime.value() : 0.0);
  if (steps) {
    steps->equation("tiles (G1)",
                    "nk = ceil({}/{}/64) = {}; T = tiles*{} = {}; q = "
                    "ceil(T/{}) = {}; fw = floor(q/{}) = {}; r = q - fw*{} = "
                    "{}",
                    {p.gemm.k, split, depth, split, r.ctas, p.smCount, perSm,
                     ctasPerSm, full, ctasPerSm, rest});
    std::string cycleText = s.edgeCycles > 0 ? "Cc = Cs*nk + ce" : "Cc = Cs*nk";
    steps->equation("compute (G2)",
                    cycleText +
                        " = {} cycles; Lc = nk*lk = {} cycles; cycles = "
                        "fw*||{}*Cc, Lc||_2 + [r > 0]*||r*Cc, Lc||_2 = {} "
                        "cycles; compute = cycles/{} = {}",
                    {tensor, latency, ctasPerSm, cycles, Hertz(p.clock),
                     Seconds(r.compute)});
    steps->equation("tensor feed (G3)",
                    "l2b = T*Ls*nk = {} bytes; tL = (l2b + [{} > "
                    "1]*8*{}*{}*{}*{})/(min(T, {})*Rl) = {}",
                    {r.l2Bytes, split, p.gemm.batch, p.gemm.m, p.gemm.n, split,
                     p.smCount, Seconds(r.l2Time)});
    steps->equation("stores (G6)", "tS = max(C/Rd, {}/(min(T, {})*Rl)) = {}",
                    {p.resultBytes, p.smCount, Seconds(r.storeTime)});
    steps->equation("pipeline fill (G7)", "xf = min(1, {}/(64*nk)) = {}",
                    {c.fillDepth, r.exposed});
    steps->equation("fixed time (G8)", "fixed = {} + [{} > 1]*{} = {}",
                    {c.fixedTime, split, c.splitKTime, Seconds(r.fixed)});
  }
  return r;
}

/// (G8) as time terms.
static LaunchTerms combine(const TensorGemmCoefficients &c, const TileState &s,
                           const Candidate &r) {
  LaunchTerms t;
  t.computeBound = Bound::Tensor;
  t.compute = Seconds(r.compute);
  t.l2 = Seconds((1 - r.exposed) * r.l2Time);
  t.dram = Seconds((1 - r.exposed) * s.loadTime +
                   (1 - c.storeExposure) * r.storeTime);
  t.exposedL2 = Seconds(r.exposed * r.l2Time);
  t.exposedDram = Seconds(r.exposed * s.loadTime);
  t.serialDram = Seconds(c.storeExposure * r.storeTime);
  t.fixed = Seconds(r.fixed);
  return t;
}

static bool isEmpty(const TensorGemm &g) {
  return g.batch == 0 || g.m == 0 || g.n == 0 || g.k == 0;
}

/// (G12) Whether a library that selects by shape tries `tile`: its area is
/// `largest`, that of the largest candidates, and it fits in the result.
static bool isWholeTile(const TensorGemm &g, const Tile &tile,
                        int64_t largest) {
  return int64_t(tile.m) * tile.n == largest && tile.m <= g.m && tile.n <= g.n;
}

/// (G12) Area of the only tiles that a library tries; 0: it tries all.
static int64_t wholeTileArea(const TensorGemmCoefficients &c,
                             const TensorGemm &g, int64_t smCount) {
  if (c.wholeTileWaves == 0 || g.batch != 1 || g.convolution)
    return 0;
  int64_t largest = 0;
  for (const Tile &tile : c.tiles)
    largest = std::max(largest, int64_t(tile.m) * tile.n);
  for (const Tile &tile : c.tiles)
    if (isWholeTile(g, tile, largest) &&
        std::ceil(g.m / tile.m) * std::ceil(g.n / tile.n) >
            c.wholeTileWaves * static_cast<double>(smCount))
      return largest;
  return 0;
}

/// (G17) The only tile that a library which selects by rows tries; null: it
/// tries all.
static const Tile *tileOfRows(const TensorGemmCoefficients &c,
                              const TensorGemm &g) {
  if (c.rowLimits.empty())
    return nullptr;
  size_t chosen = 0;
  for (int64_t limit : c.rowLimits)
    chosen += g.m > limit;
  return &c.tiles[std::min(chosen, c.tiles.size() - 1)];
}

/// (C11) Whether the tiles of a library's convolutions include `tile`.
static bool isConvolutionTile(const TensorGemm &g,
                              const TensorGemmCoefficients &c,
                              const Tile &tile) {
  constexpr int32_t fewestRows = 64, fewestColumns = 32;
  auto isPowerOfTwo = [](int32_t size) { return (size & (size - 1)) == 0; };
  return !g.convolution || c.windowCycles == 0 ||
         (tile.m >= fewestRows && tile.n >= fewestColumns &&
          isPowerOfTwo(tile.m) && isPowerOfTwo(tile.n));
}

/// (G1) Whether a split leaves less than `least` of k to each part.
static bool isTooDeep(const TensorGemm &g, int32_t split, double least) {
  return split > 1 && g.k / split < least;
}

Expected<Tiling> gpucost::selectTensorTiling(const CostModel &model,
                                             const TensorGemm &gemm,
                                             const KernelQuery &query) {
  Expected<double> rate = tensorGemmRate(model, gemm);
  if (!rate)
    return fail(rate.error());
  Tiling best;
  if (isEmpty(gemm))
    return best;
  const TensorGemmCoefficients &c = coefficientsOf(model, gemm);
  GemmSetup p = prepareTensorGemm(model, gemm, *rate, query);
  double bestTime = std::numeric_limits<double>::infinity();
  double bestCtas = 0;
  double fixed = c.fixedTime.value();
  double leastStore = p.storeBytes / p.dramRate;
  int64_t wholeArea =
      query.bestTile ? 0 : wholeTileArea(c, gemm, model.gpu().smCount);
  const Tile *ofRows = query.bestTile ? nullptr : tileOfRows(c, gemm);
  double leastDepth =
      std::max(c.leastSplitDepth, wholeArea != 0 ? c.wholeSplitDepth : 0.0);
  // Tables list small tiles first; large ones give the better early bound. If
  // several candidates are equally fast, the first in the table is chosen.
  for (auto it = c.tiles.rbegin(); it != c.tiles.rend(); ++it) {
    const Tile &tile = *it;
    if ((wholeArea != 0 && !isWholeTile(gemm, tile, wholeArea)) ||
        (ofRows && &tile != ofRows) || !isConvolutionTile(gemm, c, tile))
      continue;
    TileState s = prepareTile(p, tile);
    // No split of this tile can beat the best so far: a candidate takes at
    // least its DRAM time and its evenly spread tensor work and L2 feed.
    double work = s.ctas * gemm.k / (stepDepth * p.smCount);
    double least =
        std::max({s.loadTime + leastStore, work * s.stepCycles / p.clock,
                  work * s.perStepBytes / p.l2Rate});
    if (least + fixed > bestTime)
      continue;
    double tileTime = bestTime, tileCtas = 0;
    int32_t tileSplit = 0;
    for (int32_t split : c.splitK) {
      if (isTooDeep(gemm, split, leastDepth))
        continue;
      Candidate r = evaluate(p, c, s, tile.ctasPerSm, split);
      if (std::max({r.compute, r.l2Time, s.loadTime + r.storeTime}) + r.fixed >
          tileTime)
        continue;
      double time = timeAt(combine(c, s, r), 1.0).value();
      if (time < tileTime || (time == tileTime && tileSplit == 0)) {
        tileTime = time;
        tileCtas = r.ctas;
        tileSplit = split;
      }
    }
    if (tileSplit == 0)
      continue;
    bestTime = tileTime;
    bestCtas = tileCtas;
    best.tile = tile;
    best.splitK = tileSplit;
  }
  countWaves(best, bestCtas, model.gpu().smCount);
  return best;
}

std::vector<Tiling> gpucost::tensorCandidates(const CostModel &model,
                                              const TensorGemm &gemm) {
  std::vector<Tiling> found;
  const TensorGemmCoefficients &c = coefficientsOf(model, gemm);
  for (const Tile &tile : c.tiles)
    for (int32_t split : c.splitK)
      if (isConvolutionTile(gemm, c, tile) &&
          !isTooDeep(gemm, split, c.leastSplitDepth))
        found.push_back({tile, split});
  return found;
}

Expected<LaunchTerms> gpucost::tensorGemmTerms(const CostModel &model,
                                               const TensorGemm &gemm,
                                               const Tiling &tiling,
                                               const KernelQuery &query) {
  Expected<double> rate = tensorGemmRate(model, gemm);
  if (!rate)
    return fail(rate.error());
  const TensorGemmCoefficients &c = coefficientsOf(model, gemm);
  LaunchTerms t;
  t.computeBound = Bound::Tensor;
  t.fixed = c.fixedTime;
  t.coupled = true;
  t.limiterDelay = c.powerLimiterDelay;
  if (isEmpty(gemm)) {
    reportEmpty(query, t);
    return t;
  }
  if (tiling.tile.m <= 0 || tiling.tile.n <= 0 || tiling.tile.ctasPerSm <= 0 ||
      tiling.splitK <= 0)
    return fail(needsTile("tensor-core GEMM", tiling));
  GemmSetup p = prepareTensorGemm(model, gemm, *rate, query);
  TileState s = prepareTile(p, tiling.tile, query.steps);
  Candidate r =
      evaluate(p, c, s, tiling.tile.ctasPerSm, tiling.splitK, query.steps);
  t = combine(c, s, r);
  t.coupled = true;
  t.limiterDelay = c.powerLimiterDelay;
  // (G18) The kernel that quantises A takes time for its rows and elements.
  double rows = gemm.batch * gemm.m;
  double quantise = rows * (c.rowCycles + c.elementCycles * gemm.k);
  t.serialIssue = Seconds(quantise / (p.smCount * p.clock));

  double flops = 2 * gemm.batch * gemm.m * gemm.n * gemm.k;
  t.events.tensorFlops = flops * tensorEnergyFactor(model, gemm.format);
  t.events.l2Bytes = r.l2Bytes;
  t.events.dramBytes = gemm.batch * (gemm.bytesA + gemm.bytesB + gemm.bytesC);
  // (G9) Energies of the loop at the reference clock.
  if (const auto &power = model.coefficients().tensorPower;
      power && query.benchmark) {
    double toggleRate = query.benchmark->toggleRate;
    t.onChip =
        Joules(toggleRate * (c.energyPerFlop.value() * t.events.tensorFlops +
                             power->perL2Byte.value() * r.l2Bytes));
    t.offChip = Joules(toggleRate * power->perDramByte.value() *
                       (s.loadBytes + p.storeBytes));
  }
  t.inCalibratedDomain = gemm.own ? gemm.own->transferredFrom.empty()
                                  : gemm.format == NumericFormat::FP16 ||
                                        gemm.format == NumericFormat::BF16;
  if (takesStridedOperands(model.gpu(), gemm))
    t.groups = groupSet(CoefficientGroup::tf32Strided);
  if (query.steps && quantise > 0)
    query.steps->equation("quantised rows (G18)",
                          "serialIssue = {}*({} + {}*{})/({}*{}) = {}",
                          {rows, c.rowCycles, c.elementCycles, gemm.k,
                           p.smCount, Hertz(p.clock), t.serialIssue});
  if (query.steps)
    query.steps->equation(
        "terms (G8)",
        "l2 = (1 - xf)*tL = {}; exposedL2 = xf*tL = {}; dram = (1 - xf)*tD + "
        "(1 - {})*tS = {}; exposedDram = xf*tD = {}; serialDram = {}*tS = {}",
        {t.l2, t.exposedL2, c.storeExposure, t.dram, t.exposedDram,
         c.storeExposure, t.serialDram});
  return t;
}
