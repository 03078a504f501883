//===- OperatingPointTest.cpp - The clock solver (P6) ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/OperatingPoint.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

Gpu board() {
  Gpu gpu;
  gpu.maxClock = Hertz(1000e6);
  gpu.minClock = Hertz(205e6);
  gpu.clockStep = Hertz(10e6);
  return gpu;
}

/// A board that draws 1 W per 10 MHz.
OperatingPoint solve(double highestMhz, double watts, int *calls = nullptr) {
  return solveClock(board(), Hertz(highestMhz * 1e6), Watts(watts),
                    [&](Hertz clock) {
                      if (calls)
                        ++*calls;
                      return Watts(clock.value() / 10e6);
                    });
}

TEST(OperatingPoint, HighestClockThatKeepsTheLimit) {
  OperatingPoint free = solve(1000, 100);
  EXPECT_DOUBLE_EQ(free.clock.value(), 1000e6);
  EXPECT_FALSE(free.throttled);
  // 55.5 W allow 555 MHz; the grid below 1000 MHz has 550.
  OperatingPoint capped = solve(1000, 55.5);
  EXPECT_DOUBLE_EQ(capped.clock.value(), 550e6);
  EXPECT_TRUE(capped.throttled);
  EXPECT_FALSE(capped.limitUnreachable);
  // The grid starts at the requested clock: 997 - 45 * 10.
  EXPECT_DOUBLE_EQ(solve(997, 55.5).clock.value(), 547e6);
}

TEST(OperatingPoint, LowestClockOfTheBoard) {
  // 1000 - 79 * 10 = 210 is the last step above 205 MHz.
  OperatingPoint lowest = solve(1000, 21);
  EXPECT_DOUBLE_EQ(lowest.clock.value(), 210e6);
  EXPECT_FALSE(lowest.limitUnreachable);
  OperatingPoint never = solve(1000, 20.9);
  EXPECT_DOUBLE_EQ(never.clock.value(), 210e6);
  EXPECT_TRUE(never.throttled);
  EXPECT_TRUE(never.limitUnreachable);
  // A requested clock below the board's lowest is kept.
  EXPECT_DOUBLE_EQ(solve(100, 5).clock.value(), 100e6);
}

TEST(OperatingPoint, AsksForFewClocks) {
  int calls = 0;
  solve(1000, 55.5, &calls);
  EXPECT_GE(calls, 2);
  EXPECT_LE(calls, 2 + 7); // log2 of 79 steps
}

TEST(OperatingPoint, UnknownPowerIsNoReasonToThrottle) {
  OperatingPoint point = solveClock(board(), Hertz(1000e6), Watts(1),
                                    [](Hertz) { return Watts(std::nan("")); });
  EXPECT_FALSE(point.throttled);
}

} // namespace
