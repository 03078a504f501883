//===- NearbyClock.h - Clock solver that begins at a guess ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ITERATION_NEARBYCLOCK_H
#define GPUCOST_LIB_CORE_ITERATION_NEARBYCLOCK_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include <algorithm>
#include <cmath>
#include <cstdint>

namespace gpucost {

/// Like `solveClock`, with the same result, but usually with 1 to 3 calls of
/// `powerAt`: begins at the clock that `guess` contains from the last call.
template <typename PowerAt>
OperatingPoint solveNearbyClock(const Gpu &gpu, Hertz highest, Watts limit,
                                ClockGuess &guess, PowerAt powerAt) {
  auto clockAt = [&](int64_t step) {
    return highest - gpu.clockStep * static_cast<double>(step);
  };
  auto last = static_cast<int64_t>(
      std::max(0.0, std::floor((highest - gpu.minClock) / gpu.clockStep)));
  // `exceeds` exceeds the limit, and `within` does not.
  int64_t step = std::clamp(guess.step, int64_t(0), last), exceeds = -1,
          within = last + 1;
  auto found = [&](int64_t step, bool isWithin) {
    guess.step = step;
    return OperatingPoint{clockAt(step), step > 0 || !isWithin, !isWithin};
  };
  int64_t before = 0;
  Watts powerBefore(0);
  for (bool isFirst = true;; isFirst = false) {
    Watts power = powerAt(clockAt(step));
    if (!isFirst && power > Watts(0))
      if (Watts slope = (powerBefore - power) / double(step - before);
          slope > Watts(0))
        guess.perStep = slope;
    before = step;
    powerBefore = power;
    (power > limit ? exceeds : within) = step;
    if (exceeds == last)
      return found(last, /*isWithin=*/false);
    if (within == exceeds + 1)
      return found(within, /*isWithin=*/true);
    double distance = guess.perStep > Watts(0)
                          ? std::ceil((power - limit) / guess.perStep)
                          : static_cast<double>(last) / 2;
    auto span = static_cast<double>(last + 1);
    step += static_cast<int64_t>(std::clamp(distance, -span, span));
    step = power > limit ? std::max(step, exceeds + 1)
                         : std::min(step, within - 1);
    step = std::clamp(step, exceeds + 1, within - 1);
  }
}

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ITERATION_NEARBYCLOCK_H
