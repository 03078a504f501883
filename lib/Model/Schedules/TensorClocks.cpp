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
#include <algorithm>
#include <cmath>

using namespace gpucost;

static constexpr double warpLanes = 32;
static constexpr double mostThreads = 1024;  ///< of a CTA
static constexpr double mostRegisters = 255; ///< of a thread
static constexpr double registerUnit = 8;
static constexpr double sharedBytesPerClock = 128;
static constexpr int32_t leastTile = 8; ///< rows or columns of one instruction

static ScheduleFault faultOfShape(const Schedule &s) {
  if (!s.tileM || !s.tileN || !s.tileK || !s.splitK || !s.stages || !s.warps)
    return ScheduleFault::Unknown;
  if (s.tileM % leastTile || s.tileN % leastTile || s.tileK % leastTile ||
      s.tileM * s.tileN < 32 * s.warps)
    return ScheduleFault::TileShape;
  return ScheduleFault::None;
}

/// Bytes of one K step of one CTA.
static double stageBytes(const ScheduledProduct &w, const Schedule &s) {
  return (s.tileM * w.inputBytes + s.tileN * w.weightBytes) * s.tileK;
}

/// Accumulators of a thread.
static double accumulators(const Schedule &s) {
  return static_cast<double>(s.tileM) * s.tileN / (warpLanes * s.warps);
}

ScheduleFit gpucost::occupy(const ScheduleDevice &d,
                            const TensorScheduleCoefficients &c,
                            const Schedule &s, double sharedBytes,
                            double registers) {
  ScheduleFit fit;
  fit.threads = warpLanes * s.warps;
  fit.sharedBytes = sharedBytes;
  fit.spilled = std::max(registers - mostRegisters, 0.0);
  fit.registers = std::min(std::ceil(registers / registerUnit) * registerUnit,
                           mostRegisters);
  if (fit.threads > std::min(mostThreads, d.threads))
    fit.fault = ScheduleFault::Threads;
  else if (fit.sharedBytes > d.ctaSharedBytes)
    fit.fault = ScheduleFault::SharedMemory;
  else if (fit.spilled >= c.mostSpilled)
    fit.fault = ScheduleFault::Registers;
  else if (s.cluster > d.clusterCtas)
    fit.fault = ScheduleFault::Cluster;
  // (F3)
  double fits = leastWhole(d.registers / (fit.registers * fit.threads),
                           d.sharedBytes / (fit.sharedBytes + d.reservedBytes),
                           d.threads / fit.threads, d.ctas);
  fit.ctasPerSm = s.ctasPerSm ? s.ctasPerSm : fits;
  if (fit && fit.ctasPerSm > fits)
    fit.fault = ScheduleFault::CtasPerSm;
  return fit;
}

ScheduleFit gpucost::fitTensor(const ScheduleDevice &d,
                               const TensorScheduleCoefficients &c,
                               const ScheduledProduct &w, const Schedule &s) {
  ScheduleFit fit;
  fit.fault = faultOfShape(s);
  if (!fit)
    return fit;
  // (Z1) With block scales the product of one block stands beside the sum.
  return occupy(d, c, s, s.stages * stageBytes(w, s),
                accumulators(s) * (w.blockScaled ? 2 : 1) + c.baseRegisters);
}

static double fourthNorm(double a, double b) {
  double aa = a * a, bb = b * b;
  return std::sqrt(std::sqrt(aa * aa + bb * bb));
}

/// Not above the p-norm.
static double lowerNorm(double a, double b, double p) {
  return p <= 4 ? fourthNorm(a, b) : std::max(a, b);
}

namespace {

/// Clocks of one K step of one CTA.
struct Step {
  double tensor = 0, cuda = 0, shared = 0, l2 = 0;
  double chain = 0; ///< (Z3) product, scaling and barrier in sequence
  double largest() const {
    return std::max(std::max(tensor, cuda), std::max(shared, l2));
  }
  /// Not above the p-norm of the four: norms fall with their exponent.
  double least(double p) const {
    return p <= 2 ? std::sqrt(tensor * tensor + cuda * cuda + shared * shared +
                              l2 * l2)
                  : largest();
  }
  /// Closer to it, and dearer.
  double nearlyLeast(double p) const {
    if (p > 1.5)
      return least(p);
    double root =
        std::cbrt(tensor * std::sqrt(tensor) + cuda * std::sqrt(cuda) +
                  shared * std::sqrt(shared) + l2 * std::sqrt(l2));
    return root * root;
  }
};

} // namespace

static bool isWarpgroup(const ScheduleDevice &d, const Schedule &s) {
  return d.path == MatrixPath::Wgmma && s.tileM >= 64;
}

/// (Z2) The share of the peak that an instruction of `rows` rows reaches.
static double rateShare(const ScheduleDevice &d,
                        const TensorScheduleCoefficients &c, int32_t rows) {
  switch (d.path) {
  case MatrixPath::Wgmma:
    return rows >= 64 ? 1 : c.mmaShare;
  case MatrixPath::Tcgen05:
    return rows >= 128 ? 1 : rows >= 64 ? 0.5 : 0.25;
  case MatrixPath::Mma:
    return 1;
  }
  return 1;
}

/// (Z2)
static Step countStep(const ScheduleDevice &d,
                      const TensorScheduleCoefficients &c,
                      const ScheduledProduct &w, const Schedule &s,
                      const ScheduleFit &fit) {
  double area = static_cast<double>(s.tileM) * s.tileN;
  Step step;
  step.tensor = area * s.tileK / (d.tensorPerClock * rateShare(d, c, s.tileM));
  double ops =
      w.blockScaled ? c.scaleOps + (w.sumsIntegers ? c.convertOps : 0) : 0;
  double spills =
      2 * c.spillAccesses * fit.spilled / std::max(accumulators(s), 1.0);
  step.cuda = area * (ops + spills) / d.fmaPerClock;
  // The grid of warps reads A once per column of warps, B once per row; wgmma
  // reads A once, and B for each 64 rows.
  double warps = s.warps, reads;
  if (isWarpgroup(d, s)) {
    reads = s.tileM * w.inputBytes +
            s.tileN * w.weightBytes * std::max(1.0, s.tileM / 64.0);
  } else {
    double rows = std::min(std::clamp(s.tileM / 16.0, 1.0, 2.0), warps);
    double columns = std::max(1.0, warps / rows);
    reads = s.tileM * w.inputBytes * columns + s.tileN * w.weightBytes * rows;
  }
  double bytes = stageBytes(w, s);
  step.shared = (reads * s.tileK + bytes) / sharedBytesPerClock;
  step.l2 = bytes / c.l2BytesPerClock;
  step.chain = step.tensor + step.cuda + c.stepCycles + c.warpCycles * warps;
  return step;
}

static Bound boundOf(const Step &step, double resident, double alone) {
  if (alone > resident * step.largest())
    return Bound::Latency;
  if (step.l2 == step.largest())
    return Bound::L2;
  return std::max(step.cuda, step.shared) > step.tensor ? Bound::Issue
                                                        : Bound::Tensor;
}

/// (Z5) Operands of a launch whose CTAs keep `flight` bytes of B under way.
static double dramTime(const ScheduleDevice &d,
                       const TensorScheduleCoefficients &c,
                       const ScheduledProduct &w, const Schedule &s,
                       const ScheduleFit &fit, double ctas, int32_t stages) {
  double active = std::min(ctas, d.sms * fit.ctasPerSm);
  double flight =
      active * std::max(stages - 1, 0) * s.tileK * s.tileN * w.weightBytes;
  if (stages == 1)
    flight = active * 0.5 * s.tileK * s.tileN * w.weightBytes;
  double peak = d.dramBandwidth * c.dramEfficiency;
  double bandwidth = peak * flight / (flight + peak * c.memoryLatency.value());
  double bytesA = w.m * w.k * w.inputBytes, bytesB = w.n * w.k * w.weightBytes;
  double rows = std::ceil(w.m / s.tileM);
  double beyond = std::clamp((bytesA + bytesB) / d.l2Bytes - 0.5, 0.0, 1.0);
  double again =
      rows / std::clamp(std::sqrt(active), 1.0, std::max(1.0, rows)) - 1;
  double reread = 1 + c.reread * beyond * again;
  return w.batch * (bytesA + bytesB * reread + w.resultBytes * w.m * w.n) /
         bandwidth;
}

ScheduleTime gpucost::tensorTime(const ScheduleDevice &d,
                                 const TensorScheduleCoefficients &c,
                                 const ScheduledProduct &w, const Schedule &s,
                                 const ScheduleFit &fit, double giveUp) {
  Step step = countStep(d, c, w, s, fit);
  double steps = std::ceil(std::ceil(w.k / s.splitK) / s.tileK);
  double ctas = countCtas(w, s);
  // (Z4) Rounds of the busiest SM.
  double perSm = std::ceil(ctas / d.sms);
  double full = std::floor(perSm / fit.ctasPerSm);
  double rest = perSm - full * fit.ctasPerSm;
  double fill = c.fillCycles + c.stageCycles * (s.stages - 1) +
                accumulators(s) * c.epilogueCycles;
  ScheduleTime t;
  t.fixed = c.fixedTime.value();
  t.dram = dramTime(d, c, w, s, fit, ctas, s.stages);
  // (Z3) Stages hide the latency of memory, other CTAs what is left of it.
  double wait = c.memoryLatency.value() * d.clock / std::max(s.stages - 1, 1);
  double alone = fourthNorm(step.chain, wait);
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
    auto low = [&](double a, double b) { return lowerNorm(a, b, r); };
    t.total = low(clocks(step.least(q), low), t.dram) + t.fixed;
    t.gaveUp = t.total >= giveUp;
    if (t.gaveUp)
      return t;
  }
  double cuda = step.cuda > 0 ? std::pow(step.cuda, q) : 0;
  double busy = std::pow(std::pow(step.tensor, q) + cuda +
                             std::pow(step.shared, q) + std::pow(step.l2, q),
                         1 / q);
  auto join = [&](double a, double b) { return joinNorm(a, b, r); };
  t.cycles = clocks(busy, join);
  t.total = joinNorm(t.cycles, t.dram, r) + t.fixed;
  t.bound = boundOf(step, std::min(perSm, fit.ctasPerSm), alone);
  return t;
}

double gpucost::leastTensorTime(const ScheduleDevice &d,
                                const TensorScheduleCoefficients &c,
                                const ScheduledProduct &w, const Schedule &s,
                                const ScheduleFit &fit, int32_t mostStages) {
  Step step = countStep(d, c, w, s, fit);
  double steps = std::ceil(std::ceil(w.k / s.splitK) / s.tileK);
  double ctas = countCtas(w, s);
  double perSm = std::ceil(ctas / d.sms);
  double rounds = std::ceil(perSm / fit.ctasPerSm);
  double fill = c.fillCycles + c.stageCycles * (s.stages - 1) +
                accumulators(s) * c.epilogueCycles;
  double wait = c.memoryLatency.value() * d.clock / std::max(mostStages - 1, 1);
  double alone = fourthNorm(step.chain, wait);
  // A bound of several schedules may spare the terms of all of them.
  double busy = mostStages > s.stages ? step.nearlyLeast(c.pipeNorm)
                                      : step.least(c.pipeNorm);
  // The norms of all rounds add up to that of the sums at least.
  double cycles =
      (steps * lowerNorm(perSm * busy, rounds * alone, c.overlapNorm) +
       rounds * fill) /
      d.clock;
  return lowerNorm(cycles, dramTime(d, c, w, s, fit, ctas, mostStages),
                   c.overlapNorm) +
         c.fixedTime.value();
}
