//===- SimtClocks.cpp - Schedules on CUDA cores ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (F1)-(F3) and (Y1)-(Y8) of docs/CostModel.md, per warp and K
// element of an SM.
//
//===----------------------------------------------------------------------===//

#include "LanePatterns.h"
#include "ScheduleTerms.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

static constexpr int32_t warpLanes = 32;
static constexpr double mostThreads = 1024;  ///< per CTA
static constexpr double mostRegisters = 255; ///< per thread
/// Registers are allocated in groups of this many per thread.
static constexpr double registerUnit = 8;
static constexpr double lineBytes = 128;
/// Words per widest load.
static constexpr int32_t widestVector = 4;

/// Whether all `x` are powers of two.
template <typename... T> static bool arePowersOfTwo(T... x) {
  return (x | ...) > 0 && ((x & (x - 1)) | ...) == 0;
}

/// `x` divided by the power of two `y`.
static int32_t quotient(int32_t x, int32_t y) { return x >> __builtin_ctz(y); }

/// Whether threads can stage an operand: `across` threads along the tile edge,
/// the others along K, each copying whole vectors.
static bool canCopy(int32_t across, int32_t threads, int32_t edge,
                    int32_t vector) {
  return across > 0 && arePowersOfTwo(across) && across <= threads &&
         across <= edge && quotient(edge, across) >= vector;
}

/// The fault of the sizes; resources are checked later.
static ScheduleFault faultOfShape(const Schedule &s) {
  if (!s.tileM || !s.tileN || !s.tileK || !s.splitK || !s.stages ||
      !s.threadTileM || !s.threadTileN || !s.vectorM || !s.vectorN ||
      s.stageA == OperandPath::Auto || s.stageB == OperandPath::Auto)
    return ScheduleFault::Unknown;
  if (!arePowersOfTwo(s.tileM, s.tileN, s.tileK, s.threadTileM, s.threadTileN,
                      s.vectorM, s.vectorN))
    return ScheduleFault::TileShape;
  if (s.threadTileM > s.tileM || s.threadTileN > s.tileN)
    return ScheduleFault::ThreadGrid;
  int32_t threads =
      quotient(s.tileM, s.threadTileM) * quotient(s.tileN, s.threadTileN);
  if (threads % warpLanes || s.warps != threads / warpLanes)
    return ScheduleFault::ThreadGrid;
  if (s.vectorM > s.threadTileM || s.vectorN > s.threadTileN)
    return ScheduleFault::Vector;
  if (s.stageA == OperandPath::Shared &&
      !canCopy(s.copyM, threads, s.tileM, s.vectorM))
    return ScheduleFault::Copy;
  if (s.stageB == OperandPath::Shared &&
      !canCopy(s.copyN, threads, s.tileN, s.vectorN))
    return ScheduleFault::Copy;
  return ScheduleFault::None;
}

ScheduleFit gpucost::fitSimt(const ScheduleDevice &d,
                             const SimtScheduleCoefficients &c,
                             double elementBytes, const Schedule &s) {
  ScheduleFit fit;
  fit.fault = faultOfShape(s);
  if (!fit)
    return fit;
  fit.threads = warpLanes * s.warps;
  double a = s.threadTileM, b = s.threadTileN;
  bool stagesA = s.stageA == OperandPath::Shared;
  bool stagesB = s.stageB == OperandPath::Shared;
  fit.sharedBytes = elementBytes * s.stages * s.tileK *
                    ((stagesA ? s.tileM : 0) + (stagesB ? s.tileN : 0));
  if (fit.threads > std::min(mostThreads, d.threads))
    fit.fault = ScheduleFault::Threads;
  else if (fit.sharedBytes > d.ctaSharedBytes)
    fit.fault = ScheduleFault::SharedMemory;
  else if (s.cluster > 1)
    fit.fault = ScheduleFault::Cluster;
  if (!fit)
    return fit;
  // (F1) Registers per thread; those beyond the cap are spilled.
  double need = a * b + c.fragmentCopies * (a + b) + c.baseRegisters;
  double cap = std::min(mostRegisters, d.registers / fit.threads);
  fit.spilled = std::max(need - cap, 0.0);
  fit.registers = std::min(roundUp(need / registerUnit) * registerUnit, cap);
  // (F2) Each partition allocates registers for whole warps.
  double byRegisters =
      roundDown(d.registers / d.partitions / (fit.registers * warpLanes)) *
      d.partitions / s.warps;
  // (F3)
  double shared = d.sharedBytes * c.usableSharedMemory;
  double byShared = shared / std::max(fit.sharedBytes + d.reservedBytes, 1.0);
  double fits =
      leastWhole(byRegisters, byShared, d.threads / fit.threads, d.ctas);
  fit.ctasPerSm = s.ctasPerSm ? s.ctasPerSm : fits;
  if (fit.ctasPerSm > fits)
    fit.fault = ScheduleFault::CtasPerSm;
  return fit;
}

namespace {
/// Loads of A and B by one warp, in the loop and for staging.
struct WarpLoads {
  LaneLoads a, b, copyA, copyB;
  double spills = 0; ///< accesses of spilled registers
};
} // namespace

static bool isStaged(OperandPath path) { return path == OperandPath::Shared; }

/// Lanes of a warp along m, and along n.
static std::pair<int32_t, int32_t> lanesOf(int32_t lanesM) {
  return {std::min(lanesM, warpLanes), std::max(1, warpLanes / lanesM)};
}

/// (Y3) Clocks of loads through the cache.
static double cacheClocks(const ScheduleDevice &d, const LaneLoads &loads) {
  return d.textureLoads ? textureClocks(*d.texture, loads) *
                              d.texture->bytesPerClock / d.cacheBytesPerClock
                        : loads.lines * lineBytes / d.cacheBytesPerClock;
}

/// The pipes (Y1)-(Y4), not yet combined.
static SimtPipes countPipes(const ScheduleDevice &d,
                            const SimtScheduleCoefficients &c,
                            const Schedule &s, const WarpLoads &loads) {
  double a = s.threadTileM, b = s.threadTileN, warps = s.warps;
  bool stagesA = isStaged(s.stageA), stagesB = isStaged(s.stageB);
  double shared = lineBytes / d.sharedBytesPerClock;
  auto throughCache = [&](const LaneLoads &loads) {
    return cacheClocks(d, loads);
  };
  const auto &[loadA, loadB, copyA, copyB, spills] = loads;
  SimtPipes p;
  double depth = s.tileK;
  // (Y1)
  p.fma = a * b * warpLanes / d.fmaPerClock;
  // (Y2) A load through the cache computes a 64-bit address.
  p.issue = (a * b + c.loadIssue * (loadA.instructions + loadB.instructions) +
             c.addressIssue * ((stagesA ? 0 : loadA.instructions) +
                               (stagesB ? 0 : loadB.instructions)) +
             c.loopIssue +
             c.copyIssue * (copyA.instructions + copyB.instructions) / depth +
             spills) /
            d.partitions;
  // (Y3) A spilled register is stored and loaded.
  p.lsu = (stagesA ? loadA.wavefronts * shared : throughCache(loadA)) +
          (stagesB ? loadB.wavefronts * shared : throughCache(loadB)) +
          (throughCache(copyA) + copyA.wavefronts * shared +
           throughCache(copyB) + copyB.wavefronts * shared) /
              depth +
          spills * lineBytes / d.cacheBytesPerClock;
  // (Y4)
  double again = stagesA ? 0 : c.cacheMiss * (warps - 1);
  p.l2 =
      fp32Bytes * (s.tileM * (1 + again) + s.tileN) / warps / c.l2BytesPerClock;
  return p;
}

SimtPipes gpucost::countPipes(const ScheduleDevice &d,
                              const SimtScheduleCoefficients &c,
                              const Schedule &s, const ScheduleFit &fit) {
  int32_t lanesM = quotient(s.tileM, s.threadTileM);
  auto [across, down] = lanesOf(lanesM);
  bool stagesA = isStaged(s.stageA), stagesB = isStaged(s.stageB);
  WarpLoads loads;
  loads.a = fragmentLoads(across, 1, s.threadTileM, s.vectorM);
  loads.b = fragmentLoads(down, lanesM, s.threadTileN, s.vectorN);
  auto threads = static_cast<int32_t>(fit.threads);
  if (stagesA)
    loads.copyA = copyLoads(s.copyM, threads, s.tileM, s.tileK, s.vectorM);
  if (stagesB)
    loads.copyB = copyLoads(s.copyN, threads, s.tileN, s.tileK, s.vectorN);
  loads.spills = 2 * c.spillAccesses * fit.spilled;
  SimtPipes p = ::countPipes(d, c, s, loads);
  // (Y5) All warps read the same line of A, but different lines of B.
  double fresh =
      std::min(1.0, down * double(s.threadTileN) * fp32Bytes / lineBytes);
  p.latency = c.latencyCycles +
              c.missCycles * std::max(stagesA ? 0.0 : 1 / double(s.warps),
                                      stagesB ? 0.0 : fresh);
  return p;
}

static Bound boundOf(const SimtPipes &p, double hidden) {
  constexpr double mostlyWaits = 0.5;
  if (hidden < mostlyWaits)
    return Bound::Latency;
  if (p.l2 > std::max({p.fma, p.issue, p.lsu}))
    return Bound::L2;
  return std::max(p.issue, p.lsu) > p.fma ? Bound::Issue : Bound::FP32;
}

ScheduleTime gpucost::simtTime(const ScheduleDevice &d,
                               const SimtScheduleCoefficients &c,
                               const ScheduledProduct &w, const Schedule &s,
                               const ScheduleFit &fit, SimtPipes &p,
                               double giveUp) {
  if (!p.isCounted())
    p = countPipes(d, c, s, fit);
  double steps = roundUp(roundUp(w.k / s.splitK) / s.tileK);
  double ctas = countCtas(w, s);
  double perSm = roundUp(ctas / d.sms);
  ScheduleTime t;
  if (giveUp < std::numeric_limits<double>::infinity()) {
    // Latencies and barriers only lengthen a round.
    t.total = perSm * steps * s.warps * s.tileK * p.least(c.pipeNorm) / d.clock;
    t.gaveUp = t.total >= giveUp;
    if (t.gaveUp)
      return t;
  }
  double joined = p.join(c.pipeNorm);
  double busy = d.partitions * joined / (d.partitions * joined + p.latency);
  bool staged =
      s.stageA == OperandPath::Shared || s.stageB == OperandPath::Shared;
  double hidden = 1;
  // Clocks per round of `ctas` CTAs on an SM.
  auto round = [&](double ctas) {
    // (Y5) Other warps of the partition hide the latency of a warp,
    hidden = 1 - std::pow(1 - busy, std::max(ctas * s.warps / d.partitions,
                                             d.issue->leastWarps));
    double step = ctas * s.warps * s.tileK * joined / hidden;
    // (Y6) and other CTAs hide the barrier of a CTA.
    double share = step / ctas / (step / ctas + c.barrierCycles);
    return steps * (staged ? step / (1 - std::pow(1 - share, ctas)) : step);
  };
  // (Y7) Rounds of the busiest SM.
  double full = roundDown(perSm / fit.ctasPerSm);
  double rest = perSm - full * fit.ctasPerSm;
  double cycles = (rest > 0 ? round(rest) : 0) +
                  (full > 0 ? full * round(fit.ctasPerSm) : 0);
  // (Y8) Concurrent CTAs share tile rows and columns.
  double concurrent = d.sms * fit.ctasPerSm;
  double tileRows = roundUp(w.m / s.tileM);
  double rows = std::min(tileRows, concurrent);
  double columns = std::max(1.0, concurrent / tileRows);
  double bytes = ctas / s.splitK / concurrent *
                     (rows * s.tileM * w.inputBytes * w.shareA +
                      columns * s.tileN * w.weightBytes * w.shareB) *
                     w.k +
                 w.resultBytes * w.batch * w.m * w.n;
  t.cycles = cycles / d.clock;
  t.dram = bytes / (d.dramBandwidth * c.dramEfficiency);
  auto pow4 = [](double x) { return (x * x) * (x * x); };
  t.total = std::sqrt(std::sqrt(pow4(t.cycles) + pow4(t.dram)));
  t.bound = boundOf(p, hidden);
  return t;
}

/// Seconds on the busiest SM per clock of a warp and K element.
static double busiestTurns(const ScheduleDevice &d, const ScheduledProduct &w,
                           const Schedule &s) {
  double steps = roundUp(roundUp(w.k / s.splitK) / s.tileK);
  return roundUp(countCtas(w, s) / d.sms) * steps * s.warps * s.tileK / d.clock;
}

double gpucost::leastSimtTime(const ScheduleDevice &d,
                              const SimtScheduleCoefficients &c,
                              const ScheduledProduct &w, const Schedule &s,
                              const SimtPipes &pipes) {
  return busiestTurns(d, w, s) * pipes.least(c.pipeNorm);
}

bool SimtLoop::isOf(const Schedule &s) const {
  return s.tileM == grid.tileM && s.tileN == grid.tileN &&
         s.threadTileM == grid.threadTileM &&
         s.threadTileN == grid.threadTileN && s.tileK == grid.tileK &&
         s.warps == grid.warps && s.splitK == grid.splitK;
}

void SimtLoop::begin(const ScheduleDevice &d, const SimtScheduleCoefficients &c,
                     const ScheduledProduct &w, const Schedule &s) {
  grid = s;
  known = 0;
  turns = 0;
  if (s.splitK <= 0 || s.tileK <= 0 || s.warps <= 0 ||
      !arePowersOfTwo(s.tileM, s.tileN, s.threadTileM, s.threadTileN) ||
      s.threadTileM > s.tileM || s.threadTileN > s.tileN)
    return;
  turns = busiestTurns(d, w, s);
  double a = s.threadTileM, b = s.threadTileN, warps = s.warps;
  fma = a * b * warpLanes / d.fmaPerClock;
  issue = (a * b + c.loopIssue) / d.partitions;
  for (bool staged : {false, true})
    l2[staged] =
        fp32Bytes *
        (s.tileM * (1 + (staged ? 0 : c.cacheMiss * (warps - 1))) + s.tileN) /
        warps / c.l2BytesPerClock;
}

const SimtLoop::Operand &SimtLoop::loads(const ScheduleDevice &d,
                                         const SimtScheduleCoefficients &c,
                                         bool ofB, int32_t vector) {
  vector = std::min(vector, widestVector);
  auto slot = static_cast<size_t>(2 * __builtin_ctz(vector) + ofB);
  Operand &found = fragments[slot];
  if (known >> slot & 1)
    return found;
  known |= 1U << slot;
  int32_t lanesM = quotient(grid.tileM, grid.threadTileM);
  auto [across, down] = lanesOf(lanesM);
  LaneLoads loads = ofB ? fragmentLoads(down, lanesM, grid.threadTileN, vector)
                        : fragmentLoads(across, 1, grid.threadTileM, vector);
  found.issue[true] = c.loadIssue * loads.instructions / d.partitions;
  found.issue[false] =
      (c.loadIssue + c.addressIssue) * loads.instructions / d.partitions;
  found.lsu[true] = loads.wavefronts * (lineBytes / d.sharedBytesPerClock);
  found.lsu[false] = cacheClocks(d, loads);
  return found;
}

double SimtLoop::leastTime(const ScheduleDevice &d,
                           const SimtScheduleCoefficients &c,
                           const ScheduledProduct &w, const Schedule &s) {
  if (!isOf(s))
    begin(d, c, w, s);
  if (turns == 0 || !arePowersOfTwo(s.vectorM, s.vectorN) ||
      s.vectorM > s.threadTileM || s.vectorN > s.threadTileN)
    return 0;
  const Operand &a = loads(d, c, /*ofB=*/false, s.vectorM);
  const Operand &b = loads(d, c, /*ofB=*/true, s.vectorN);
  bool stagesA = isStaged(s.stageA), stagesB = isStaged(s.stageB);
  // Like countPipes, without copies and spills.
  SimtPipes p;
  p.fma = fma;
  p.issue = issue + a.issue[stagesA] + b.issue[stagesB];
  p.lsu = a.lsu[stagesA] + b.lsu[stagesB];
  p.l2 = l2[stagesA];
  return turns * p.least(c.pipeNorm);
}
