//===- ErrorBarsTest.cpp - Equations (U1)-(U5) by hand --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ErrorBars.h"
#include "StudySets.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

/// Matmuls 5, 10, 20 % (large to small), streaming 3 % everywhere.
Coefficients coefficients() {
  Coefficients c;
  c.errorBars.emplace();
  ErrorBarCoefficients &bars = *c.errorBars;
  bars.correlation = 1;
  bars.outside = 2;
  bars.host = 0.1;
  bars.hostUnknown = 0.8;
  bars.timeInference = 0.03;
  bars.timeTraining = 0.12;
  bars.power = 0.05;
  bars.smallBelow = Seconds(10e-6);
  bars.mediumBelow = Seconds(100e-6);
  bars.kernels.push_back({ErrorClass::TensorMatmul, 0.2, 0.1, 0.05});
  bars.kernels.push_back({ErrorClass::Streaming, 0.03, 0.03, 0.03});
  c.runtime.emplace();
  c.runtime->hostNorm = 6;
  return c;
}

KernelWork product(NumericFormat format = NumericFormat::BF16) {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = format;
  return work;
}

CostModel modelOf(const Coefficients &fitted, std::string gpu = "A100") {
  Gpu board = study::gpu("A100");
  board.name = std::move(gpu);
  return study::model(board, fitted, KernelChoice());
}

KernelTime micros(double us) {
  KernelTime time;
  time.total = Seconds(us * 1e-6);
  return time;
}

TEST(ErrorBars, ClassesTellFormatsAndDecodeApart) {
  using K = ImplementationKind;
  auto classOf = [](const KernelWork &work, K kind) {
    Tiling tiling;
    tiling.implementation = kind;
    return errorClassOf(work, tiling);
  };
  KernelWork fp32 = product(NumericFormat::FP32);
  // A tiling written by hand has the class of the format's general kernel.
  EXPECT_EQ(classOf(product(), K::None), ErrorClass::TensorMatmul);
  EXPECT_EQ(classOf(fp32, K::None), ErrorClass::Fp32Matmul);
  EXPECT_EQ(classOf(fp32, K::NativeDepthwise), ErrorClass::Fp32Convolution);
  EXPECT_EQ(classOf(product(), K::NativeDepthwise),
            ErrorClass::TensorConvolution);
  EXPECT_EQ(classOf(product(), K::FlashFull), ErrorClass::Attention);
  EXPECT_EQ(classOf(product(), K::DecodeXqa), ErrorClass::Decode);
  EXPECT_EQ(classOf(product(), K::NativeNorm), ErrorClass::RowWise);
  EXPECT_EQ(classOf(product(), K::Gather), ErrorClass::Streaming);
}

// (U1) Regions end at 10 and 100 us; twice as wide outside the calibrated
// domain.
TEST(ErrorBars, KernelByRegion) {
  Coefficients c = coefficients();
  auto widthAt = [&](double us, bool inCalibratedDomain = true) {
    KernelTime time = micros(us);
    addErrorBar(modelOf(c), product(), {}, inCalibratedDomain, time);
    EXPECT_EQ(time.inCalibratedDomain, inCalibratedDomain);
    return *time.halfWidth;
  };
  EXPECT_DOUBLE_EQ(widthAt(9.9), 0.2);
  EXPECT_DOUBLE_EQ(widthAt(10.1), 0.1);
  EXPECT_DOUBLE_EQ(widthAt(99), 0.1);
  EXPECT_DOUBLE_EQ(widthAt(101), 0.05);
  EXPECT_DOUBLE_EQ(widthAt(101, /*inCalibratedDomain=*/false), 0.1);
}

// (U1) A board with its own rows has their half-widths.
TEST(ErrorBars, KernelByBoard) {
  Coefficients c = coefficients();
  c.errorBars->kernels.push_back({ErrorClass::TensorMatmul, 1, 2, 3, "B200"});
  c.errorBars->kernels.push_back({ErrorClass::TensorMatmul, 4, 5, 6, "H100"});
  auto widthOn = [&](const std::string &gpu) {
    KernelTime time = micros(50);
    addErrorBar(modelOf(c, gpu), product(), {}, true, time);
    return *time.halfWidth;
  };
  EXPECT_DOUBLE_EQ(widthOn("A100"), 0.1);
  EXPECT_DOUBLE_EQ(widthOn("B200"), 2);
  EXPECT_DOUBLE_EQ(widthOn("H100"), 5);
}

TEST(ErrorBars, NoGroupNoInterval) {
  Coefficients c = coefficients();
  c.errorBars.reset();
  KernelTime time = micros(50);
  addErrorBar(modelOf(c), product(), {}, true, time);
  EXPECT_FALSE(time.halfWidth);
  ErrorSum sum(c);
  sum.add(ErrorClass::TensorMatmul, time, 3);
  EXPECT_FALSE(sum.halfWidth());
  EXPECT_FALSE(iterationErrorBars(c, IterationErrorTerms()));
}

// (U2) 4 x 100 us at 10 % and 2 x 50 us at 20 % of one class, 500 us at 3 % of
// another one.
TEST(ErrorBars, SumOfLaunches) {
  Coefficients c = coefficients();
  auto sumOf = [&] {
    ErrorSum sum(c);
    KernelTime a = micros(100), b = micros(50), s = micros(500);
    a.halfWidth = 0.1;
    b.halfWidth = 0.2;
    b.inCalibratedDomain = false;
    s.halfWidth = 0.03;
    sum.add(ErrorClass::TensorMatmul, a, 4);
    sum.add(ErrorClass::TensorMatmul, b, 2);
    sum.add(ErrorClass::Streaming, s, 1);
    EXPECT_DOUBLE_EQ(sum.calibratedFraction(), 0.9); // 900 of 1000 us
    return *sum.halfWidth();
  };
  // Alike: 40 + 20 = 60 us; 15 us.
  EXPECT_NEAR(sumOf(), std::hypot(60, 15) / 1000, 1e-12);
  // Independent: 40 and 20 us; 15 us.
  c.errorBars->correlation = 0;
  EXPECT_NEAR(sumOf(), std::sqrt(40 * 40 + 20 * 20 + 15 * 15) / 1000, 1e-12);
  // r = 0.6: 0.36 x the correlated sum, 0.64 x the independent one.
  c.errorBars->correlation = 0.6;
  EXPECT_NEAR(sumOf(), std::sqrt(0.36 * 3600 + 0.64 * 2000 + 225) / 1000,
              1e-12);
}

// (U3), (U4), (U5): 5 % of time (3, 4, 5). A quarter of the energy is idle, so
// that power loses 3/4 of the error of time and energy has 1/4 of it.
TEST(ErrorBars, Iteration) {
  Coefficients c = coefficients();
  IterationErrorTerms s;
  s.busy = 0.04;
  s.time = s.busyTime = Seconds(10e-3);
  s.hostTime = Seconds(0);
  s.idleFraction = 0.25;
  IterationErrorBars bars = *iterationErrorBars(c, s);
  EXPECT_NEAR(bars.time, 0.05, 1e-12);
  EXPECT_NEAR(bars.power, std::hypot(0.05, 0.0375), 1e-12);
  EXPECT_NEAR(bars.energy, std::hypot(0.05, 0.0125), 1e-12);
  // Power follows 2/3 of it: 3/4 * 2/3 = 1/2.
  c.errorBars->powerFollowsTime = 2.0 / 3;
  bars = *iterationErrorBars(c, s);
  EXPECT_NEAR(bars.power, std::hypot(0.05, 0.025), 1e-12);
  EXPECT_NEAR(bars.energy, std::hypot(0.05, 0.025), 1e-12);
  // At the limit power does not depend on the time.
  s.throttled = true;
  EXPECT_NEAR(iterationErrorBars(c, s)->power, 0.05, 1e-12);
  EXPECT_NEAR(iterationErrorBars(c, s)->energy, std::hypot(0.05, 0.05), 1e-12);
  s.training = true;
  EXPECT_NEAR(iterationErrorBars(c, s)->time, std::hypot(0.04, 0.12), 1e-12);
  // Host-bound: the launch cost decides, and who stated it.
  s.training = false;
  s.busyTime = Seconds(0);
  s.hostTime = s.time;
  EXPECT_NEAR(iterationErrorBars(c, s)->time, std::hypot(0.8, 0.03), 1e-12);
  s.hostStated = true;
  EXPECT_NEAR(iterationErrorBars(c, s)->time, std::hypot(0.1, 0.03), 1e-12);
}

// (U4) Of the power 60 % is the core's and 30 % idle. 4 GPUs: 0.6 x (0.08 / 2
// and 0.03) = 0.6 x 0.05 = 0.03, 0.3 x 0.04 / 2 = 0.006; the voltage 2 x 0.6 x
// 0.03 = 0.036; 1.2816 deviations contain 80 %.
TEST(ErrorBars, UnknownBoard) {
  Coefficients c = coefficients();
  c.boards.emplace();
  c.boards->deviation = 0.08;
  c.boards->meanDeviation = 0.03;
  c.boards->idleDeviation = 0.04;
  IterationErrorTerms s;
  s.busy = 0.04;
  s.time = s.busyTime = Seconds(10e-3);
  s.coreFraction = 0.6;
  s.idleFraction = 0.3;
  s.gpus = 4;
  s.voltage = 0.03;
  double board =
      1.2816 * std::sqrt(0.03 * 0.03 + 0.006 * 0.006 + 0.036 * 0.036);
  // The dynamic 70 % of the error of time, 5 %.
  EXPECT_NEAR(iterationErrorBars(c, s)->power,
              std::hypot(0.05, board, 0.7 * 0.05), 1e-12);
  EXPECT_NEAR(iterationErrorBars(c, s)->time, 0.05, 1e-12);
  // At the limit the clock makes up for it: 0.4 % of time per 1 % of power.
  s.throttled = true;
  s.limitedTime = 0.4;
  EXPECT_DOUBLE_EQ(iterationErrorBars(c, s)->power, 0.05);
  EXPECT_NEAR(iterationErrorBars(c, s)->time, std::hypot(0.05, 0.4 * board),
              1e-12);
}

// (U3) 6 of 10 ms are exposed communication: 0.4 of the time is the join of
// kernels and host, and the width of the GPU's time includes the width of the
// collectives.
TEST(ErrorBars, ExposedCommunication) {
  Coefficients c = coefficients();
  IterationErrorTerms s;
  s.busy = 0.04;
  s.time = Seconds(10e-3);
  s.exposedTime = Seconds(6e-3);
  s.busyTime = Seconds(4e-3);
  s.hostTime = Seconds(0);
  // Kernels and collectives are all of it, as without communication.
  EXPECT_NEAR(iterationErrorBars(c, s)->time, 0.05, 1e-12);
  // The host determines the kernels' part: 0.4 x 0.8, and 0.6 x 0.04.
  s.busyTime = Seconds(0);
  s.hostTime = Seconds(4e-3);
  EXPECT_NEAR(iterationErrorBars(c, s)->time,
              std::sqrt(0.024 * 0.024 + 0.32 * 0.32 + 0.03 * 0.03), 1e-12);
  // Nothing but communication.
  s.exposedTime = s.time;
  EXPECT_NEAR(iterationErrorBars(c, s)->time, 0.05, 1e-12);
}

TEST(ErrorBars, Ends) {
  EXPECT_DOUBLE_EQ(lowEnd(10.0, 0.25), 8.0);
  EXPECT_DOUBLE_EQ(highEnd(10.0, 0.25), 12.5);
}

} // namespace
