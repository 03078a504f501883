//===- ScheduleTerms.h - Clocks of schedules --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Equations (F*), (I*), (Y*) and (Z*) of docs/CostModel.md for one complete
// schedule: resources, then time. Order and ratio are meant; ScheduleModel has
// the level.
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

/// The facts that the equations see, as numbers; rates per clock and SM.
struct ScheduleDevice {
  double sms = 0, clock = 0; ///< clock in Hz
  double fmaPerClock = 0;    ///< fp32 multiply-adds
  double tensorPerClock = 0; ///< multiply-adds in the format of the product
  double partitions = 0, registers = 0;
  double sharedBytes = 0, ctaSharedBytes = 0, reservedBytes = 0;
  double threads = 0, ctas = 0, clusterCtas = 1;
  double cacheBytesPerClock = 0, sharedBytesPerClock = 0;
  bool textureLoads = false;
  MatrixPath path = MatrixPath::Mma;
  double dramBandwidth = 0, l2Bytes = 0;
  /// Groups of the coefficients that all schedules share.
  const TexturePath *texture = nullptr;
  const SimtIssue *issue = nullptr;
  const TensorInstructions *instructions = nullptr;
  const TensorWaits *waits = nullptr;
  const StreamLimits *streams = nullptr;
};

/// Refers to the coefficients of `model`. An error when the board states no SM
/// facts, or the coefficients lack a group.
Expected<ScheduleDevice> describeDevice(const CostModel &model,
                                        NumericFormat format);

inline constexpr double fp32Bytes = 4;

/// `batch` products m x n x k.
struct ScheduledProduct {
  double batch = 1, m = 0, n = 0, k = 0;
  double inputBytes = fp32Bytes, weightBytes = fp32Bytes; ///< of A, B: elements
  double resultBytes = fp32Bytes; ///< of C: more when it is read, too
  bool blockScaled = false;
  bool sumsIntegers = false;
};

/// Time at the maximum clock. `cycles` scales with the clock; `total` joins the
/// two and adds `fixed`.
struct ScheduleTime {
  double total = 0, cycles = 0, dram = 0, fixed = 0;
  /// What most of `cycles` is.
  Bound bound = Bound::Unknown;
  /// `total` is a lower bound, nothing else is known.
  bool gaveUp = false;
};

/// (F3) The least of four numbers, rounded down, and at least 1.
inline double leastWhole(double a, double b, double c, double d) {
  double least = std::min(std::min(a, b), std::min(c, d));
  return std::max(1.0, roundDown(least));
}

/// What a warp does in one K element: clocks of an SM, whatever the sizes of
/// the product.
struct SimtPipes {
  double fma = -1; ///< negative: not counted yet
  double issue = 0, lsu = 0, l2 = 0;
  double latency = 0; ///< (Y5) of a warp alone
  double joined = -1; ///< (Y4); negative: not asked for yet

  bool isCounted() const { return fma >= 0; }
  /// (Y4)
  double join(double p) {
    if (joined < 0)
      joined = std::pow(std::pow(std::max(fma, issue), p) + std::pow(lsu, p) +
                            std::pow(l2, p),
                        1 / p);
    return joined;
  }
  /// Not above what `join` finds: norms fall with their exponent.
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
/// `giveUp`: a time from which on nobody is interested; the result may then be
/// a lower bound (`gaveUp`).
ScheduleTime simtTime(const ScheduleDevice &device,
                      const SimtScheduleCoefficients &c,
                      const ScheduledProduct &product, const Schedule &schedule,
                      const ScheduleFit &fit, SimtPipes &pipes,
                      double giveUp = std::numeric_limits<double>::infinity());

/// Not above the time of a schedule: without latencies and barriers.
double leastSimtTime(const ScheduleDevice &device,
                     const SimtScheduleCoefficients &c,
                     const ScheduledProduct &product, const Schedule &schedule,
                     const SimtPipes &pipes);

/// What a CTA of tensor-core instructions takes of an SM beside shared memory.
struct CtaRegisters {
  double threads = 0;   ///< of the CTA
  double registers = 0; ///< of a thread, as allocated
  double spilled = 0;   ///< registers of a thread that live in memory
  double fits = 0;      ///< CTAs that an SM holds, not yet a whole number
};
CtaRegisters allocateRegisters(const ScheduleDevice &device, int32_t warps,
                               double registers);

/// Bounds of schedules that are looked at one after the other: what those with
/// the same grid of threads share is counted once. One device and product.
class SimtLoop {
public:
  /// Not above `leastSimtTime`, without copies and spills: 0 for what
  /// contradicts itself.
  double leastTime(const ScheduleDevice &device,
                   const SimtScheduleCoefficients &c,
                   const ScheduledProduct &product, const Schedule &schedule);

private:
  /// Clocks of one operand's loads, staged or through the cache.
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
  /// Seconds per clock of a warp and K element; 0: the grid contradicts itself.
  double turns = 0;
  /// Of the products alone; of L2 with A through the cache, and staged.
  double fma = 0, issue = 0, l2[2] = {0, 0};
  /// Of A and B by the width of their loads; a bit tells which are known.
  std::array<Operand, 6> fragments;
  uint32_t known = 0;
};

/// (F3) Whether such a CTA with so many bytes of shared memory runs, and how
/// many do on an SM.
ScheduleFit occupy(const ScheduleDevice &device,
                   const TensorScheduleCoefficients &c,
                   const Schedule &schedule, double sharedBytes,
                   const CtaRegisters &cta);

/// What all schedules of a product on tensor cores share that have the same
/// tile, K step and warps: they differ in stages, split, CTAs of an SM,
/// cluster.
struct TensorTile {
  TensorTile() = default;
  TensorTile(const ScheduleDevice &device, const TensorScheduleCoefficients &c,
             const ScheduledProduct &product, const Schedule &schedule);
  bool isOf(const Schedule &s) const {
    return s.tileM == m && s.tileN == n && s.tileK == k && s.warps == warps;
  }

  int32_t m = 0, n = 0, k = 0, warps = 0;
  CtaRegisters cta;
  double stageBytes = 0;   ///< of one K step of one CTA
  double accumulators = 0; ///< of a thread
  double rows = 0;         ///< of tiles
  double tiles = 0;        ///< of the whole product
  /// (Z5) How much of the operands does not fit into L2: 0 to 1.
  double beyondL2 = 0;

  /// (Z2) Clocks of one K step of one CTA.
  double tensor = 0, cuda = 0, shared = 0, l2 = 0;
  double chain = 0; ///< (Z3) product, scaling and barrier in sequence
  double largest() const {
    return std::max(std::max(tensor, cuda), std::max(shared, l2));
  }
  /// The p-norm of the four.
  double busyClocks(double p);
  /// Not above it, since norms fall with their exponent; `hardlyBusy` is
  /// cheaper and not above `leastBusy`.
  double leastBusy(double p);
  double hardlyBusy(double p) const;
  /// Negative: not asked for yet.
  double knownLeastTime() const { return leastTime; }

private:
  /// Negative: not asked for yet.
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

/// Not above the time of any schedule that differs from `schedule` at most in
/// having more stages, up to `mostStages`, but for rounding.
double leastTensorTime(const ScheduleDevice &device,
                       const TensorScheduleCoefficients &c,
                       const ScheduledProduct &product, TensorTile &tile,
                       const Schedule &schedule, const ScheduleFit &fit,
                       int32_t mostStages);

/// Not above `leastTensorTime` of any schedule with this tile, and remembered.
double leastTensorTileTime(const ScheduleDevice &device,
                           const TensorScheduleCoefficients &c,
                           const ScheduledProduct &product, TensorTile &tile);

/// CTAs of the launch.
double countCtas(const ScheduledProduct &product, const Schedule &schedule);

/// (a^p + b^p)^(1/p) of numbers that are not negative.
double joinNorm(double a, double b, double p);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_SCHEDULES_SCHEDULETERMS_H
