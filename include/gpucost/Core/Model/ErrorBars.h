//===- ErrorBars.h - Prediction intervals --------------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prediction intervals, equations (U*) of docs/CostModel.md. A half-width h
// means: with a probability of 80 % the measured value lies within
// [x / (1 + h), x (1 + h)] of the prediction x. Half-widths are fitted to
// residuals of public measurements; without
// measurements, the interval is absent and not of width 0.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_ERRORBARS_H
#define GPUCOST_CORE_MODEL_ERRORBARS_H

#include "gpucost/Core/Model/CostModel.h"

namespace gpucost {

/// The class whose residuals `work` shares when the kernel of `tiling` runs it.
ErrorClass errorClassOf(const KernelWork &work, const Tiling &tiling);

/// (U1) Fills `halfWidth` and `inCalibratedDomain` of `time`.
void addErrorBar(const CostModel &model, const KernelWork &work,
                 const Tiling &tiling, bool inCalibratedDomain,
                 KernelTime &time);

/// (U2) Half-width for several launches together: errors within a class have a
/// common part, errors of different classes are independent.
class ErrorSum {
public:
  explicit ErrorSum(const Coefficients &fitted) : fitted(&fitted) {}
  void add(ErrorClass kind, const KernelTime &time, int64_t count);
  /// Relative to the sum of times; nullopt when a launch has none.
  std::optional<double> halfWidth() const;
  /// Fraction of the time within the calibrated domain, 0..1; 1 of nothing.
  double calibratedFraction() const;

private:
  struct Sum {
    double width = 0, squares = 0;
  };
  const Coefficients *fitted;
  std::array<Sum, getMaxEnumValForErrorClass() + 1> sums;
  double seconds = 0, calibratedSeconds = 0;
  bool known = true;
};

/// Ends of the interval around `x`.
template <typename Quantity> Quantity lowEnd(Quantity x, double halfWidth) {
  return x / (1 + halfWidth);
}
template <typename Quantity> Quantity highEnd(Quantity x, double halfWidth) {
  return x * (1 + halfWidth);
}

/// Half-widths of an iteration's totals.
struct IterationErrorBars {
  double time = 0, power = 0, energy = 0;
};

/// Inputs of the half-widths of an iteration.
struct IterationErrorTerms {
  /// Half-width of the GPU's time: kernels and exposed communication.
  double busy = 0;
  Seconds time, busyTime, hostTime;
  Seconds exposedTime; ///< communication; `busyTime` does not include it
  Seconds gapTime;     ///< between two steps (H10)
  bool gapStated = false;
  bool training = false;
  bool hostStated = false; ///< the user gave the launch cost
  bool throttled = false;
  /// (X19) Half-width of a step with a stack for many GPUs; 0: none.
  double levelWidth = 0;
  double idleFraction = 0; ///< of the energy
  double coreFraction = 0; ///< of the energy: not idle, not DRAM
  double voltage = 0;      ///< relative standard deviation of V at this clock
  int64_t gpus = 1;        ///< whose power is averaged
  /// d ln time / d ln power of a board at its limit; 0 below it.
  double limitedTime = 0;
};

/// (U3)-(U5) nullopt without error bars.
std::optional<IterationErrorBars>
iterationErrorBars(const Coefficients &fitted,
                   const IterationErrorTerms &terms);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_ERRORBARS_H
