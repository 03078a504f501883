//===- ScheduleTerms.h - Clocks of schedules --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (F*), (I*), (Y*) and (Z*) of docs/CostModel.md for one complete
// schedule: resources, then time. Only order and ratio are meaningful;
// ScheduleModel determines the level.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_SCHEDULES_SCHEDULETERMS_H
#define GPUCOST_LIB_CORE_MODEL_SCHEDULES_SCHEDULETERMS_H

#include "LanePatterns.h"
#include "Rounding.h"
#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Model/Schedule.h"
#include <algorithm>
#include <array>
#include <cmath>

namespace gpucost {

/// The facts that the equations use, as numbers; rates are per clock and SM.
struct ScheduleDevice {
  double sms = 0, clock = 0; ///< clock in Hz
  double fmaPerClock = 0;    ///< fp32 multiply-adds
  double tensorPerClock = 0; ///< multiply-adds in the problem's format
  double partitions = 0, registers = 0;
  double lanes = 0, threadRegisters = 0; ///< of a subgroup, of a thread
  double sharedBytes = 0, ctaSharedBytes = 0, reservedBytes = 0;
  double threads = 0, ctas = 0, clusterCtas = 1;
  double cacheBytesPerClock = 0, sharedBytesPerClock = 0;
  bool textureLoads = false;
  MatrixPath path = MatrixPath::Mma;
  double dramBandwidth = 0, l2Bytes = 0;
  /// Coefficient groups that all schedules share.
  const TexturePath *texture = nullptr;
  const SimtIssue *issue = nullptr;
  const TensorInstructions *instructions = nullptr;
  const TensorWaits *waits = nullptr;
  const StreamLimits *streams = nullptr;
};

/// The result refers to the coefficients of `model`. Fails if the board does
/// not state SM facts, or if the coefficients lack a group.
Expected<ScheduleDevice> describeDevice(const CostModel &model,
                                        NumericFormat format);

inline constexpr double fp32Bytes = 4;

/// `batch` matrix products m x n x k.
struct ScheduledProduct {
  double batch = 1, m = 0, n = 0, k = 0;
  double inputBytes = fp32Bytes, weightBytes = fp32Bytes; ///< per element of A,
                                                          ///< B
  double resultBytes = fp32Bytes; ///< per element of C; more if it is also read
  bool blockScaled = false;
  bool sumsIntegers = false;
  /// Bytes of A and B in DRAM relative to their elements: less than 1 for an
  /// implicit GEMM, whose taps read a pixel several times.
  double shareA = 1, shareB = 1;

  /// Of one batch item in DRAM.
  double bytesA() const { return m * k * inputBytes * shareA; }
  double bytesB() const { return n * k * weightBytes * shareB; }
};

/// Time at the maximum clock. `cycles` scales with the clock; `total` combines
/// `cycles` and `dram` and adds `fixed`.
struct ScheduleTime {
  double total = 0, cycles = 0, dram = 0, fixed = 0;
  /// The largest part of `cycles`.
  Bound bound = Bound::Unknown;
  /// `total` is a lower bound; the other members are not set.
  bool gaveUp = false;
};

/// (F3) The minimum of four numbers, rounded down, and at least 1.
inline double leastWhole(double a, double b, double c, double d) {
  double least = std::min(std::min(a, b), std::min(c, d));
  return std::max(1.0, roundDown(least));
}

/// Work per warp and K element in SM clocks, independent of the problem size.
struct SimtPipes {
  double fma = -1; ///< negative: not yet computed
  double issue = 0, lsu = 0, l2 = 0;
  double latency = 0; ///< (Y5) of a single resident warp
  double joined = -1; ///< (Y4); negative: not yet computed

  bool isCounted() const { return fma >= 0; }
  /// (Y4)
  double join(double p) {
    if (joined < 0)
      joined = std::pow(std::pow(std::max(fma, issue), p) + std::pow(lsu, p) +
                            std::pow(l2, p),
                        1 / p);
    return joined;
  }
  /// Lower bound of `join`: norms decrease with their exponent.
  double least(double p) const {
    double first = std::max(fma, issue);
    return p <= 2 ? std::sqrt(first * first + lsu * lsu + l2 * l2)
                  : std::max(std::max(first, lsu), l2);
  }
};
SimtPipes countPipes(const ScheduleDevice &device,
                     const SimtScheduleCoefficients &c,
                     const Schedule &schedule, const ScheduleFit &fit);

ScheduleFit fitSimt(const ScheduleDevice &device,
                    const SimtScheduleCoefficients &c, double elementBytes,
                    const Schedule &schedule);
/// If the time is at least `giveUp`, the result may be a lower bound
/// (`gaveUp`).
ScheduleTime simtTime(const ScheduleDevice &device,
                      const SimtScheduleCoefficients &c,
                      const ScheduledProduct &product, const Schedule &schedule,
                      const ScheduleFit &fit, SimtPipes &pipes,
                      double giveUp = std::numeric_limits<double>::infinity());

/// Lower bound of a schedule's time, without latencies and barriers.
double leastSimtTime(const ScheduleDevice &device,
                     const SimtScheduleCoefficients &c,
                     const ScheduledProduct &product, const Schedule &schedule,
                     const SimtPipes &pipes);

/// SM resources of a CTA with tensor-core instructions, except shared memory.
struct CtaRegisters {
  double threads = 0;   ///< per CTA
  double registers = 0; ///< per thread, as allocated
  double spilled = 0;   ///< spilled registers per thread
  double fits = 0;      ///< CTAs that fit on an SM, not yet rounded
};
CtaRegisters allocateRegisters(const ScheduleDevice &device, int32_t warps,
                               double registers);

/// Bounds for consecutive schedules of one device and problem; parts that
/// depend only on the thread grid are computed once.
class SimtLoop {
public:
  /// Lower bound of `leastSimtTime`, without copies and spills; 0 for
  /// contradictory schedules.
  double leastTime(const ScheduleDevice &device,
                   const SimtScheduleCoefficients &c,
                   const ScheduledProduct &product, const Schedule &schedule);

private:
  /// Clocks of an operand's loads, staged or through the cache.
  struct Operand {
    double issue[2], lsu[2];
  };
  bool isOf(const Schedule &schedule) const;
  void begin(const ScheduleDevice &device, const SimtScheduleCoefficients &c,
             const ScheduledProduct &product, const Schedule &schedule);
  const Operand &loads(const ScheduleDevice &device,
                       const SimtScheduleCoefficients &c, bool ofB,
                       int32_t vector);

  Schedule grid;
  /// Seconds per clock of a warp and K element; 0: the grid is contradictory.
  double turns = 0;
  /// Multiply-adds and their issue slots; L2 with A through the cache, and
  /// staged.
  double fma = 0, issue = 0, l2[2] = {0, 0};
  /// Loads of A and B by vector width; `known` has a bit per computed element.
  std::array<Operand, 6> fragments;
  uint32_t known = 0;
};

/// (F3) Whether such a CTA with the given shared memory fits, and how many fit
/// on an SM.
ScheduleFit occupy(const ScheduleDevice &device,
                   const TensorScheduleCoefficients &c,
                   const Schedule &schedule, double sharedBytes,
                   const CtaRegisters &cta);

/// Data shared by all tensor-core schedules with the same tile, K step and
/// warps, which differ in stages, split, CTAs per SM and cluster.
struct TensorTile {
  TensorTile() = default;
  TensorTile(const ScheduleDevice &device, const TensorScheduleCoefficients &c,
             const ScheduledProduct &product, const Schedule &schedule);
  bool isOf(const Schedule &s) const {
    return s.tileM == m && s.tileN == n && s.tileK == k && s.warps == warps;
  }

  int32_t m = 0, n = 0, k = 0, warps = 0;
  CtaRegisters cta;
  double stageBytes = 0;   ///< per K step and CTA
  double accumulators = 0; ///< per thread
  double rows = 0;         ///< rows of tiles
  double tiles = 0;        ///< in the whole problem
  /// (Z5) Fraction of the operands that does not fit in L2, 0 to 1.
  double beyondL2 = 0;

  /// (Z2) Clocks per K step and CTA.
  double tensor = 0, cuda = 0, shared = 0, l2 = 0;
  double chain = 0; ///< (Z3) matrix product, scaling and barrier in sequence
  double largest() const {
    return std::max(std::max(tensor, cuda), std::max(shared, l2));
  }
  /// The p-norm of the four.
  double busyClocks(double p);
  /// Lower bound of `busyClocks`, since norms decrease with their exponent;
  /// `hardlyBusy` is a cheaper lower bound of `leastBusy`.
  double leastBusy(double p);
  double hardlyBusy(double p) const;
  /// Negative: not yet computed.
  double knownLeastTime() const { return leastTime; }

private:
  /// Negative: not yet computed.
  double busy = -1, least = -1;
  friend double leastTensorTileTime(const ScheduleDevice &,
                                    const TensorScheduleCoefficients &,
                                    const ScheduledProduct &, TensorTile &);
  double leastTime = -1;
};

ScheduleFit fitTensor(const ScheduleDevice &device,
                      const TensorScheduleCoefficients &c,
                      const TensorTile &tile, const Schedule &schedule);
ScheduleTime
tensorTime(const ScheduleDevice &device, const TensorScheduleCoefficients &c,
           const ScheduledProduct &product, TensorTile &tile,
           const Schedule &schedule, const ScheduleFit &fit,
           double giveUp = std::numeric_limits<double>::infinity());

/// Lower bound, except for rounding, of the time of `schedule`; also valid with
/// more stages, up to `mostStages`.
double leastTensorTime(const ScheduleDevice &device,
                       const TensorScheduleCoefficients &c,
                       const ScheduledProduct &product, TensorTile &tile,
                       const Schedule &schedule, const ScheduleFit &fit,
                       int32_t mostStages);

/// Lower bound of `leastTensorTime` for all schedules with this tile; cached.
double leastTensorTileTime(const ScheduleDevice &device,
                           const TensorScheduleCoefficients &c,
                           const ScheduledProduct &product, TensorTile &tile);

/// CTAs of the launch.
double countCtas(const ScheduledProduct &product, const Schedule &schedule);

/// (a^p + b^p)^(1/p) of non-negative numbers.
double joinNorm(double a, double b, double p);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_SCHEDULETERMS_H
