//===- OperatingPoint.h - Clock under a power limit -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The one clock solver (P6): which clock of the board's grid keeps a power
// limit. Kernels, phases and iterations use it alike; only the power as a
// function of the clock differs. Section "Power" of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_OPERATINGPOINT_H
#define GPUCOST_CORE_MODEL_OPERATINGPOINT_H

#include "gpucost/Core/Model/Gpu.h"
#include <algorithm>
#include <cmath>

namespace gpucost {

/// What the board runs at.
struct OperatingPoint {
  Hertz clock;
  /// The power limit holds the clock below the one that was asked for.
  bool throttled = false;
  /// Not even the lowest clock of the board keeps the limit: time is a lower
  /// bound, and the board draws its limit.
  bool limitUnreachable = false;
};

/// The highest clock that the driver of the board sets and that is at most
/// `asked`: the maximum less whole steps. `asked` is from the lowest clock to
/// the maximum.
inline Hertz settableClock(const Gpu &gpu, Hertz asked) {
  if (!(gpu.clockStep > Hertz(0)))
    return asked;
  // Clocks of 1 Hz less than a step are that step.
  double steps = std::ceil((gpu.maxClock - asked - Hertz(1)) / gpu.clockStep);
  Hertz clock = gpu.maxClock - gpu.clockStep * std::max(steps, 0.0);
  return clock < gpu.minClock ? clock + gpu.clockStep : clock;
}

/// (P6) The highest clock of the grid `highest`, `highest` - step, ... that is
/// not below the board's lowest and at which `powerAt(clock)` is at most
/// `limit`. Power must not fall with the clock. Calls `powerAt` 2 + log2(number
/// of steps) times at most.
template <typename PowerAt>
OperatingPoint solveClock(const Gpu &gpu, Hertz highest, Watts limit,
                          PowerAt powerAt) {
  // Written so that the unknown power of an empty kernel keeps every limit.
  auto exceeds = [&](Hertz clock) { return powerAt(clock) > limit; };
  if (!exceeds(highest))
    return {highest};
  auto clockAt = [&](int64_t step) {
    return highest - gpu.clockStep * static_cast<double>(step);
  };
  double span = (highest - gpu.minClock) / gpu.clockStep;
  auto high = static_cast<int64_t>(std::max(0.0, std::floor(span)));
  if (exceeds(clockAt(high)))
    return {clockAt(high), true, true};
  // Invariant: step `low` exceeds the limit, step `high` keeps it.
  int64_t low = 0;
  while (high - low > 1) {
    int64_t middle = low + (high - low) / 2;
    (exceeds(clockAt(middle)) ? low : high) = middle;
  }
  return {clockAt(high), true, false};
}

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_OPERATINGPOINT_H
