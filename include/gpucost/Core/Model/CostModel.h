//===- CostModel.h - Time, power and energy of kernels -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pure cost model: work + GPU + coefficients -> tiling, time, events,
// power. No IR, no I/O, no globals; const methods are thread-safe and do not
// allocate. docs/CostModel.md numbers the equations; one file per kernel family
// implements them (lib/Core/Model/Families).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_COSTMODEL_H
#define GPUCOST_CORE_MODEL_COSTMODEL_H

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Model/Gpu.h"
#include "gpucost/Core/Model/Implementations.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "gpucost/Core/Model/OperatingPoint.h"
#include "gpucost/Core/Model/Software.h"
#include "gpucost/Core/Model/Tiling.h"
#include "gpucost/Core/Support/Expected.h"
#include "gpucost/Core/Support/Quantity.h"
#include "gpucost/Core/Vocabulary/KernelChoice.h"
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace gpucost {

class Steps;

/// A benchmark of one kernel: only this kernel runs, back to back. Its
/// power follows the time-power loop (G9)-(G11), or the power roof (S5) for a
/// CUDA-core GEMM whose clock is not given; both were fitted to such
/// benchmarks.
struct BenchmarkProtocol {
  /// Toggle rate of the operands: 1 random data, 0.7 a trained network, 0.5
  /// zeros.
  double toggleRate = 1.0;
  /// Length of the timed burst; shorter ones run before the power limiter acts.
  /// nullopt: steady state.
  std::optional<Seconds> burst;
  /// Time that the kernel already ran before the burst.
  Seconds warmUp;
  /// Decode: fraction of the keys and values that the kernel reads from memory;
  /// less than 1 if the pages of the benchmark's cache are the same page (D7).
  double cacheShare = 1.0;
  /// Causal attention: the timed call also appends the keys and values to a
  /// cache.
  bool writesCache = false;
};

/// How a kernel is run, where it differs from "once, inside a network".
struct KernelQuery {
  /// SM clock; nullopt = the GPU's maximum.
  std::optional<Hertz> clock;
  /// Board power limit; nullopt = the GPU's.
  std::optional<Watts> powerLimit;
  /// Bytes touched since the operands were last used (infinity = cold).
  double reuseBytesA = std::numeric_limits<double>::infinity();
  double reuseBytesB = std::numeric_limits<double>::infinity();
  /// Fraction of a memory-bound kernel's bytes that are in L2 when the kernel
  /// accesses them (M12); nullopt = derived from the bytes touched (M1).
  std::optional<double> keptShare;
  /// nullopt: the kernel runs as in an iteration, at one clock and with the
  /// event energies (P*).
  std::optional<BenchmarkProtocol> benchmark;
  /// The fastest tile of the table, not the one that a library takes (G12):
  /// for a compiler that chooses itself.
  bool bestTile = false;
  /// Where `launchTerms` reports its equations; null: nowhere.
  Steps *steps = nullptr;
  /// The kernel that runs, whoever runs it by default; `None`: the choice of
  /// Implementations.h.
  ImplementationKind implementation = ImplementationKind::None;

  /// (S5) limits the time of a CUDA-core GEMM in place of a solved clock.
  bool usesPowerRoof() const { return benchmark && !clock; }
};

/// Where the time of one launch goes, and how sure that is.
struct KernelTime : TimeParts {
  /// Half-width of the 80 % interval of `total`; nullopt: unknown.
  std::optional<double> halfWidth;
  bool inCalibratedDomain =
      true; ///< false: no measurements confirm this kernel's prediction
};

/// Events of one launch that take energy; independent of the clock.
struct KernelEvents {
  double tensorFlops = 0; ///< bf16-equivalent: tf32 counts 2, fp8/int8 0.5
  double fp32Flops = 0;
  double instructions = 0; ///< thread instructions
  double dramBytes = 0;    ///< after L2 filtering
  double l2Bytes = 0;      ///< L2 -> SM operand traffic
  double paddedFlops = 0;  ///< of query rows that only fill a tile, in 16 bit
  KernelEvents &operator+=(const KernelEvents &o);
  KernelEvents operator*(double n) const;
};

/// One launch, complete.
struct KernelCost {
  Tiling tiling;
  KernelTime time;
  KernelEvents events;
  Hertz clock;
  Watts power;
  Joules energy;
  bool throttled = false;
  /// See OperatingPoint: time is a lower bound, and `power` exceeds the limit.
  bool limitUnreachable = false;
};

struct LaunchTerms;

/// The model of one GPU in one set of coefficients.
class CostModel {
public:
  /// Fails when a required coefficient group is absent or not physical.
  static Expected<CostModel> create(Gpu gpu, Coefficients coefficients,
                                    KernelChoice choice = {});

  const Gpu &gpu() const { return device; }
  /// With the attention of `software`.
  const Coefficients &coefficients() const { return fitted; }
  /// Those that `coefficients` has.
  const GroupSet &groups() const { return present; }
  const KernelChoice &choice() const { return kernels; }
  Software software() const { return kernels.software; }
  const AttentionOrigin &attentionOrigin() const { return origin; }

  /// Error when the hardware or the coefficients lack what `work` needs.
  Expected<Tiling> selectTiling(const KernelWork &work,
                                const KernelQuery &query = {}) const;
  /// Time of one launch at a fixed clock (no power limit applied).
  Expected<KernelTime> predictTime(const KernelWork &work, const Tiling &tiling,
                                   Hertz clock,
                                   const KernelQuery &query = {}) const;
  /// The terms of a launch's time, valid for every clock (KernelFamily.h). DRAM
  /// events exclude hits in L2 (P2).
  Expected<LaunchTerms> launchTerms(const KernelWork &work,
                                    const Tiling &tiling,
                                    const KernelQuery &query = {}) const;
  Expected<KernelEvents> countEvents(const KernelWork &work,
                                     const Tiling &tiling,
                                     const KernelQuery &query = {}) const;
  /// One launch at the operating point that it would hold the board at, were it
  /// repeated: the clock keeps the power limit, energy is power x time.
  Expected<KernelCost> estimate(const KernelWork &work,
                                const KernelQuery &query = {}) const;
  /// The same of a launch whose `tiling` and `terms` are known.
  Expected<KernelCost> estimate(const KernelWork &work, const Tiling &tiling,
                                const LaunchTerms &terms,
                                const KernelQuery &query = {}) const;

  // Power equations (P*), usable on sums of events.

  /// (P2) Fraction of bytes that come from DRAM when `touched` bytes have been
  /// touched since they were last; 1 without power coefficients.
  double missFraction(double touched) const;
  /// (M1) The share of a tensor that a memory-bound kernel finds in L2 when
  /// `touched` bytes were touched since the tensor was; 0 without coefficients.
  double keptShare(double touched) const;

  /// (P5) Energy of `time` with `events`, SMs busy for `busy`: idle power and
  /// dynamic energy.
  Joules energy(const KernelEvents &events, Seconds time, Seconds busy,
                Hertz clock) const;

  /// V(f) / V(f_ref).
  double voltageRatio(Hertz clock) const;
  Watts idlePower(Hertz clock) const;
  /// Relative standard deviation of the voltage at `clock`.
  double voltageDeviation(Hertz clock) const;
  /// (P9) Power that the limiter of a board with this limit allows: a fraction
  /// of the limit.
  Watts regulatedPower(Watts limit) const;
  /// Why drivers reject `limit` on this board; "" if they accept it.
  std::string refusePowerLimit(Watts limit) const;
  /// The clock that the board runs at instead of `clock`; "" if it has this
  /// clock.
  std::string describeClock(std::optional<Hertz> clock) const;
  /// Why the power limit (nullopt: the board's) is not kept at `point`, where
  /// the board consumes `power`: drivers reject it, or every clock exceeds it;
  /// "" if it is kept.
  std::string describeBrokenLimit(std::optional<Watts> limit,
                                  const OperatingPoint &point,
                                  Watts power) const;
  /// Dynamic energy of `events` while SMs are busy for `busy`.
  Joules dynamicEnergy(const KernelEvents &events, Seconds busy,
                       Hertz clock) const;

private:
  CostModel(Gpu gpu, Coefficients fitted, KernelChoice choice)
      : device(std::move(gpu)), fitted(std::move(fitted)), kernels(choice),
        origin(selectStacks(this->fitted, choice.software)),
        present(presentGroups(this->fitted)),
        transferred(transferredGroups(this->fitted)),
        referenceVoltage(findReferenceVoltage()) {}
  /// The cost at the highest clock up to `start` that the power limit allows.
  Expected<KernelCost> estimateFrom(Hertz start, const KernelWork &work,
                                    const Tiling &tiling,
                                    const LaunchTerms &terms,
                                    const KernelQuery &query) const;
  /// (P3) Voltage at the clock of the event energies; 1 without them.
  double findReferenceVoltage() const;

  Gpu device;
  Coefficients fitted;
  KernelChoice kernels;
  AttentionOrigin origin;
  GroupSet present;
  GroupSet transferred; ///< those measured on another die
  double referenceVoltage;
};

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_COSTMODEL_H
