//===- OperatingPoint.h - Clock under a power limit -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The clock solver (P6): finds the clock in the board's grid that stays within
// a power limit. Kernels, phases and iterations all use it; only the power as a
// function of the clock differs. Section "Power" of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_OPERATINGPOINT_H
#define GPUCOST_CORE_MODEL_OPERATINGPOINT_H

#include "gpucost/Core/Model/Gpu.h"
#include <algorithm>
#include <cmath>

namespace gpucost {

/// Clock of the board and the effect of the power limit.
struct OperatingPoint {
  Hertz clock;
  /// The power limit lowers the clock below the requested one.
  bool throttled = false;
  /// The board exceeds the limit even at its lowest clock: time is a lower
  /// bound.
  bool limitUnreachable = false;
};

/// The highest clock that the driver supports and that does not exceed `asked`:
/// the maximum minus whole steps. `asked` is between the lowest and the maximum
/// clock.
inline Hertz settableClock(const Gpu &gpu, Hertz asked) {
  if (!(gpu.clockStep > Hertz(0)))
    return asked;
  // A clock at most 1 Hz below a step counts as that step.
  double steps = std::ceil((gpu.maxClock - asked - Hertz(1)) / gpu.clockStep);
  Hertz clock = gpu.maxClock - gpu.clockStep * std::max(steps, 0.0);
  return clock < gpu.minClock ? clock + gpu.clockStep : clock;
}

/// (P6) The highest clock in the grid `highest`, `highest` - step, ... that is
/// not below the board's lowest and at which `powerAt(clock)` is at most
/// `limit`. Power must not decrease with the clock. Calls `powerAt` at most 2 +
/// `interpolations` + log2(number of steps) times, and usually 6 times, because
/// power is smooth.
template <typename PowerAt>
OperatingPoint solveClock(const Gpu &gpu, Hertz highest, Watts limit,
                          PowerAt powerAt) {
  // The NaN power of an empty kernel does not exceed any limit.
  Watts above = powerAt(highest);
  if (!(above > limit))
    return {highest};
  auto clockAt = [&](int64_t step) {
    return highest - gpu.clockStep * static_cast<double>(step);
  };
  double span = (highest - gpu.minClock) / gpu.clockStep;
  auto high = static_cast<int64_t>(std::max(0.0, std::floor(span)));
  Watts below = powerAt(clockAt(high));
  if (below > limit)
    return {clockAt(high), true, true};
  // Invariant: step `low` exceeds the limit with power `above`, step `high`
  // does not and has power `below`.
  constexpr int interpolations = 4;
  int64_t low = 0;
  for (int tries = 0; high - low > 1; ++tries) {
    int64_t middle = low + (high - low) / 2;
    double share = (above - limit) / (above - below);
    if (tries < interpolations && share >= 0 && share <= 1)
      middle = low + std::clamp(static_cast<int64_t>(std::ceil(
                                    share * static_cast<double>(high - low))),
                                int64_t(1), high - low - 1);
    Watts power = powerAt(clockAt(middle));
    (power > limit ? low : high) = middle;
    (power > limit ? above : below) = power;
  }
  return {clockAt(high), true, false};
}

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_OPERATINGPOINT_H
