//===- TensorClocks.cpp - Schedules on tensor cores -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (Z1)-(Z5) of docs/CostModel.md, per CTA and K step.
//
//===----------------------------------------------------------------------===//

#include "ScheduleTerms.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include <algorithm>
#include <cmath>

using namespace gpucost;

static constexpr double mostThreads = 1024; ///< per CTA
static constexpr double registerUnit = 8;
static constexpr double sharedBytesPerClock = 128;
static constexpr int32_t leastTile = 8; ///< rows or columns per instruction
/// Rows per warpgroup instruction, and per warp instruction.
static constexpr double wgmmaRows = 64, mmaRows = 16;

static ScheduleFault faultOfShape(const ScheduleDevice &d, const Schedule &s) {
  if (!s.tileM || !s.tileN || !s.tileK || !s.splitK || !s.stages || !s.warps)
    return ScheduleFault::Unknown;
  if (s.tileM % leastTile || s.tileN % leastTile || s.tileK % leastTile ||
      s.tileM * s.tileN < d.lanes * s.warps)
    return ScheduleFault::TileShape;
  return ScheduleFault::None;
}

CtaRegisters gpucost::allocateRegisters(const ScheduleDevice &d, int32_t warps,
                                        double registers) {
  CtaRegisters cta;
  cta.threads = d.lanes * warps;
  cta.spilled = std::max(registers - d.threadRegisters, 0.0);
  cta.registers = std::min(roundUp(registers / registerUnit) * registerUnit,
                           d.threadRegisters);
  cta.fits = std::min(std::min(d.registers / (cta.registers * cta.threads),
                               d.threads / cta.threads),
                      d.ctas);
  return cta;
}

ScheduleFit gpucost::occupy(const ScheduleDevice &d,
                            const TensorScheduleCoefficients &c,
                            const Schedule &s, double sharedBytes,
                            const CtaRegisters &cta) {
  ScheduleFit fit;
  fit.threads = cta.threads;
  fit.sharedBytes = sharedBytes;
  fit.spilled = cta.spilled;
  fit.registers = cta.registers;
  if (fit.threads > std::min(mostThreads, d.threads))
    fit.fault = ScheduleFault::Threads;
  else if (fit.sharedBytes > d.ctaSharedBytes)
    fit.fault = ScheduleFault::SharedMemory;
  else if (fit.spilled >= c.mostSpilled)
    fit.fault = ScheduleFault::Registers;
  else if (s.cluster > d.clusterCtas)
    fit.fault = ScheduleFault::Cluster;
  // (F3)
  double shared = d.sharedBytes / (fit.sharedBytes + d.reservedBytes);
  double fits = std::max(1.0, roundDown(std::min(shared, cta.fits)));
  fit.ctasPerSm = s.ctasPerSm ? s.ctasPerSm : fits;
  if (fit && fit.ctasPerSm > fits)
    fit.fault = ScheduleFault::CtasPerSm;
  return fit;
}

ScheduleFit gpucost::fitTensor(const ScheduleDevice &d,
                               const TensorScheduleCoefficients &c,
                               const TensorTile &tile, const Schedule &s) {
  ScheduleFit fit;
  fit.fault = faultOfShape(d, s);
  if (!fit)
    return fit;
  return occupy(d, c, s, s.stages * tile.stageBytes, tile.cta);
}

/// (Z3) Combines the chain of a K step and the memory latency.
static double joinWaits(double a, double b, double p) {
  if (p != LaunchTerms::commonNorm)
    return joinNorm(a, b, p);
  double aa = a * a, bb = b * b;
  return std::sqrt(std::sqrt(aa * aa + bb * bb));
}

namespace {

/// Lower bound of (a^p + b^p)^(1/p) that uses only multiplications, because
/// many schedules must be excluded. With u = (low/high)^p, (1 + u)^(1/p) is
/// above its chord 1 + (2^(1/p) - 1) u.
class NormBound {
public:
  explicit NormBound(double p)
      : whole(p >= 1 && p < mostFactors ? static_cast<int>(p) : 0),
        rest(p - whole) {
    // 2^y is above the start of its series.
    constexpr double ln2 = 0.69314718, thirdTerm = 3;
    double y = ln2 / p;
    if (whole > 0)
      chord = y * (1 + y / 2 * (1 + y / thirdTerm));
  }
  double operator()(double a, double b) const {
    double high = std::max(a, b);
    if (whole == 0 || high <= 0)
      return high;
    double x = std::min(a, b) / high;
    double below = 1; // x^(whole - 1)
    for (int i = 1; i < whole; ++i)
      below *= x;
    // x^rest is at least x, and 1 + rest ln(x) at least 1 + rest (1 - 1/x).
    double u = below * std::max(x * x, x + rest * (x - 1));
    return high + high * chord * u;
  }

private:
  static constexpr int mostFactors = 16;
  int whole;
  double rest, chord = 0;
};

} // namespace

double TensorTile::hardlyBusy(double p) const {
  return p > 2 ? largest()
               : std::sqrt(tensor * tensor + cuda * cuda + shared * shared +
                           l2 * l2);
}

double TensorTile::leastBusy(double p) {
  constexpr double threeHalves = 1.5;
  if (p > threeHalves)
    return hardlyBusy(p);
  if (least < 0) {
    double root =
        std::cbrt(tensor * std::sqrt(tensor) + cuda * std::sqrt(cuda) +
                  shared * std::sqrt(shared) + l2 * std::sqrt(l2));
    least = root * root;
  }
  return least;
}

double TensorTile::busyClocks(double p) {
  if (busy < 0) {
    double second = cuda > 0 ? std::pow(cuda, p) : 0;
    busy = std::pow(std::pow(tensor, p) + second + std::pow(shared, p) +
                        std::pow(l2, p),
                    1 / p);
  }
  return busy;
}

static bool isWarpgroup(const ScheduleDevice &d, const Schedule &s) {
  return d.path == MatrixPath::Wgmma && s.tileM >= wgmmaRows;
}

/// (Z2) Fraction of the peak that an instruction with `rows` rows reaches.
static double rateShare(const ScheduleDevice &d,
                        const TensorScheduleCoefficients &c, int32_t rows) {
  switch (d.path) {
  case MatrixPath::Wgmma:
    return rows >= wgmmaRows ? 1 : c.mmaShare;
  case MatrixPath::Tcgen05:
    return rows >= 2 * wgmmaRows ? 1
           : rows >= wgmmaRows   ? d.instructions->tcgen05Half
                                 : d.instructions->tcgen05Quarter;
  case MatrixPath::Mma:
    return 1;
  }
  return 1;
}

/// (Z2)
static void countStep(const ScheduleDevice &d,
                      const TensorScheduleCoefficients &c,
                      const ScheduledProduct &w, const Schedule &s,
                      TensorTile &tile) {
  double area = static_cast<double>(s.tileM) * s.tileN;
  tile.tensor = area * s.tileK / (d.tensorPerClock * rateShare(d, c, s.tileM));
  double ops =
      w.blockScaled ? c.scaleOps + (w.sumsIntegers ? c.convertOps : 0) : 0;
  double spills =
      2 * c.spillAccesses * tile.cta.spilled / std::max(tile.accumulators, 1.0);
  tile.cuda = area * (ops + spills) / d.fmaPerClock;
  // The warp grid reads A once per warp column and B once per warp row; wgmma
  // reads A once, and B once per 64 rows.
  double warps = s.warps, reads;
  if (isWarpgroup(d, s)) {
    reads = s.tileM * w.inputBytes +
            s.tileN * w.weightBytes * std::max(1.0, s.tileM / wgmmaRows);
  } else {
    double rows = std::min(std::clamp(s.tileM / mmaRows, 1.0, 2.0), warps);
    double columns = std::max(1.0, warps / rows);
    reads = s.tileM * w.inputBytes * columns + s.tileN * w.weightBytes * rows;
  }
  tile.shared = (reads * s.tileK + tile.stageBytes) / sharedBytesPerClock;
  tile.l2 = tile.stageBytes / c.l2BytesPerClock;
  tile.chain = tile.tensor + tile.cuda + c.stepCycles + c.warpCycles * warps;
}

TensorTile::TensorTile(const ScheduleDevice &d,
                       const TensorScheduleCoefficients &c,
                       const ScheduledProduct &w, const Schedule &s)
    : m(s.tileM), n(s.tileN), k(s.tileK), warps(s.warps) {
  if (!m || !n || !k || !warps)
    return;
  stageBytes = (m * w.inputBytes + n * w.weightBytes) * k;
  accumulators = static_cast<double>(m) * n / (d.lanes * warps);
  // (Z1) With block scales, registers hold the product of one block in addition
  // to the sum.
  cta = allocateRegisters(
      d, warps, accumulators * (w.blockScaled ? 2 : 1) + c.baseRegisters);
  rows = roundUp(w.m / m);
  tiles = w.batch * rows * roundUp(w.n / n);
  double operands = w.bytesA() + w.bytesB();
  beyondL2 =
      std::clamp(operands / d.l2Bytes - d.waits->rereadL2Share, 0.0, 1.0);
  countStep(d, c, w, s, *this);
}

static Bound boundOf(const TensorTile &tile, double resident, double alone) {
  if (alone > resident * tile.largest())
    return Bound::Latency;
  if (tile.l2 == tile.largest())
    return Bound::L2;
  return std::max(tile.cuda, tile.shared) > tile.tensor ? Bound::Issue
                                                        : Bound::Tensor;
}

/// (Z5) DRAM time of a launch whose CTAs keep `flight` bytes of B in flight.
static double dramTime(const ScheduleDevice &d,
                       const TensorScheduleCoefficients &c,
                       const ScheduledProduct &w, const TensorTile &tile,
                       const Schedule &s, const ScheduleFit &fit, double ctas,
                       int32_t stages) {
  double active = std::min(ctas, d.sms * fit.ctasPerSm);
  double flight =
      active * std::max(stages - 1, 0) * s.tileK * s.tileN * w.weightBytes;
  if (stages == 1)
    flight =
        active * d.waits->oneStageShare * s.tileK * s.tileN * w.weightBytes;
  double peak = d.dramBandwidth * c.dramEfficiency;
  double bandwidth = peak * flight / (flight + peak * c.memoryLatency.value());
  double reread = 1;
  if (tile.beyondL2 > 0) {
    double again = tile.rows / std::clamp(std::sqrt(active), 1.0,
                                          std::max(1.0, tile.rows)) -
                   1;
    reread = 1 + c.reread * tile.beyondL2 * again;
  }
  return w.batch *
         (w.bytesA() + w.bytesB() * reread + w.resultBytes * w.m * w.n) /
         bandwidth;
}

ScheduleTime gpucost::tensorTime(const ScheduleDevice &d,
                                 const TensorScheduleCoefficients &c,
                                 const ScheduledProduct &w, TensorTile &tile,
                                 const Schedule &s, const ScheduleFit &fit,
                                 double giveUp) {
  double steps = roundUp(roundUp(w.k / s.splitK) / s.tileK);
  double ctas = tile.tiles * s.splitK;
  // (Z4) Rounds of the busiest SM.
  double perSm = roundUp(ctas / d.sms);
  double full = roundDown(perSm / fit.ctasPerSm);
  double rest = perSm - full * fit.ctasPerSm;
  double fill = c.fillCycles + c.stageCycles * (s.stages - 1) +
                tile.accumulators * c.epilogueCycles;
  ScheduleTime t;
  t.fixed = c.fixedTime.value();
  t.dram = dramTime(d, c, w, tile, s, fit, ctas, s.stages);
  // (Z3) Stages hide the memory latency, other CTAs the remaining part.
  double wait = c.memoryLatency.value() * d.clock / std::max(s.stages - 1, 1);
  double alone = joinWaits(tile.chain, wait, d.waits->norm);
  auto clocks = [&](double busy, auto join) {
    double all = 0;
    if (full > 0)
      all += full * (steps * join(fit.ctasPerSm * busy, alone) + fill);
    if (rest > 0)
      all += steps * join(rest * busy, alone) + fill;
    return all / d.clock;
  };
  double q = c.pipeNorm, r = c.overlapNorm;
  if (giveUp < std::numeric_limits<double>::infinity()) {
    NormBound low(r);
    t.total = low(clocks(tile.leastBusy(q), low), t.dram) + t.fixed;
    t.gaveUp = t.total >= giveUp;
    if (t.gaveUp)
      return t;
  }
  auto join = [&](double a, double b) { return joinNorm(a, b, r); };
  t.cycles = clocks(tile.busyClocks(q), join);
  t.total = joinNorm(t.cycles, t.dram, r) + t.fixed;
  t.bound = boundOf(tile, std::min(perSm, fit.ctasPerSm), alone);
  return t;
}

double gpucost::leastTensorTime(const ScheduleDevice &d,
                                const TensorScheduleCoefficients &c,
                                const ScheduledProduct &w, TensorTile &tile,
                                const Schedule &s, const ScheduleFit &fit,
                                int32_t mostStages) {
  double steps = roundUp(roundUp(w.k / s.splitK) / s.tileK);
  double ctas = tile.tiles * s.splitK;
  double perSm = roundUp(ctas / d.sms);
  double rounds = roundUp(perSm / fit.ctasPerSm);
  double fill = c.fillCycles + c.stageCycles * (s.stages - 1) +
                tile.accumulators * c.epilogueCycles;
  double wait = c.memoryLatency.value() * d.clock / std::max(mostStages - 1, 1);
  double alone = NormBound(d.waits->norm)(tile.chain, wait);
  NormBound low(c.overlapNorm);
  // The sum of the rounds' norms is at least the norm of the sums.
  double cycles =
      (steps * low(perSm * tile.leastBusy(c.pipeNorm), rounds * alone) +
       rounds * fill) /
      d.clock;
  return low(cycles, dramTime(d, c, w, tile, s, fit, ctas, mostStages)) +
         c.fixedTime.value();
}

double gpucost::leastTensorTileTime(const ScheduleDevice &d,
                                    const TensorScheduleCoefficients &c,
                                    const ScheduledProduct &w,
                                    TensorTile &tile) {
  if (tile.leastTime >= 0)
    return tile.leastTime;
  if (tile.cta.spilled >= c.mostSpilled)
    return tile.leastTime = std::numeric_limits<double>::infinity();
  NormBound low(c.overlapNorm);
  // K steps per SM, independent of the split; at most the CTAs that fit hide a
  // chain.
  double steps = w.k / tile.k * tile.tiles / d.sms;
  double hidden = std::max(1.0, roundDown(tile.cta.fits));
  double cycles =
      steps * low(tile.hardlyBusy(c.pipeNorm), tile.chain / hidden) +
      c.fillCycles + tile.accumulators * c.epilogueCycles;
  double bytes =
      w.batch * (w.bytesA() + w.bytesB() + w.resultBytes * w.m * w.n);
  tile.leastTime =
      low(cycles / d.clock, bytes / (d.dramBandwidth * c.dramEfficiency)) +
      c.fixedTime.value();
  return tile.leastTime;
}
