//===- CalibrationTest.cpp - Known coefficients are found again -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SyntheticGpu.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::calibration;
using namespace gpucost::calibration::synthetic;

/// A GPU that differs from the prior in what calibrations are for.
static void change(Coefficients &c) {
  c.tensorGemm->efficiency *= 0.85;
  c.tensorGemm->dramEfficiency *= 1.1;
  c.tensorGemm->fixedTime *= 0.75;
  c.simtLinear->emax *= 0.88;
  c.streaming->dramEfficiency *= 0.87;
  c.streaming->latency *= 1.4;
}

static CalibrationResult run(const std::vector<TimedKernel> &kernels,
                             const CalibrationOptions &options = {}) {
  Measurements measurements;
  measurements.kernels = kernels;
  auto result = calibrate(prior(), measurements, options);
  EXPECT_TRUE(bool(result));
  return std::move(*result);
}

TEST(CalibrationTest, ThirtyKernelsRecoverWhatChanged) {
  constexpr double noise = 0.03;
  CostModel truth = withChanged(change);
  CalibrationResult result = run(kernels(truth, noise));
  const Coefficients &want = truth.coefficients(), &got = result.coefficients;
  EXPECT_NEAR(got.tensorGemm->efficiency / want.tensorGemm->efficiency, 1,
              0.05);
  EXPECT_NEAR(got.tensorGemm->dramEfficiency / want.tensorGemm->dramEfficiency,
              1, 0.05);
  EXPECT_NEAR(got.tensorGemm->fixedTime / want.tensorGemm->fixedTime, 1, 0.2);
  EXPECT_NEAR(got.simtLinear->emax / want.simtLinear->emax, 1, 0.06);
  EXPECT_NEAR(got.streaming->latency / want.streaming->latency, 1, 0.15);
  // The L2 and DRAM rates of streaming kernels are nearly the same on this GPU:
  // what is found again is the time that they give.
  auto fitted = CostModel::create(prior().gpu(), got);
  ASSERT_TRUE(bool(fitted));
  for (const TimedKernel &kernel : kernels(truth, 0)) {
    auto cost = fitted->estimate(kernel.work, kernel.query);
    ASSERT_TRUE(bool(cost));
    EXPECT_NEAR(cost->time.total / kernel.time, 1, 2 * noise);
  }
  for (const FamilyError &family : result.families) {
    EXPECT_GT(family.before, family.fitted) << family.family;
    EXPECT_LT(family.fitted, noise) << family.family;
  }
  for (const char *family : {"matmul bf16", "matmul fp32", "elementwise"})
    EXPECT_GT(find(result, family).before, 0.05) << family;
  // Nothing has moved further than a healthy GPU may.
  for (const FittedParameter &p : result.parameters)
    EXPECT_LT(std::abs(p.deviations), suspectDeviations) << p.field;
}

TEST(CalibrationTest, HeldOutErrorIsThatOfTheNoise) {
  constexpr double noise = 0.03;
  CalibrationResult result = run(kernels(withChanged(change), noise));
  const FamilyError &products = find(result, "matmul bf16");
  ASSERT_TRUE(products.heldOut);
  EXPECT_LT(*products.heldOut, 1.3 * noise);
  EXPECT_GT(*products.heldOut, products.fitted);
  EXPECT_LT(*products.heldOut, products.before / 2);
}

TEST(CalibrationTest, ExactMeasurementsOfThePriorMoveNothing) {
  CalibrationResult result = run(kernels(prior(), 0));
  for (const FittedParameter &p : result.parameters)
    EXPECT_NEAR(p.deviations, 0, 1e-3) << p.field;
}

TEST(CalibrationTest, SharedGpuIsSuspect) {
  // Everything takes 1.7 times as long, at a clock that looks healthy.
  std::vector<TimedKernel> slow = kernels(prior(), 0.03);
  for (TimedKernel &kernel : slow)
    kernel.time *= 1.7;
  CalibrationResult result = run(slow);
  EXPECT_GT(llvm::count_if(result.parameters,
                           [](const FittedParameter &p) {
                             return std::abs(p.deviations) > suspectDeviations;
                           }),
            0);
  EXPECT_TRUE(find(result, "tensor_gemm", "dram_efficiency").physical);
  EXPECT_FALSE(find(result, "streaming", "latency").physical);
}

TEST(CalibrationTest, RecordedClockExplainsAThrottledGpu) {
  // Half the clock, and the rows say so: the coefficients are the same.
  std::vector<TimedKernel> rows = kernels(prior(), 0);
  for (TimedKernel &kernel : rows) {
    kernel.query.clock = prior().gpu().maxClock * 0.5;
    kernel.time = prior().estimate(kernel.work, kernel.query)->time.total;
  }
  CalibrationResult result = run(rows);
  for (const FittedParameter &p : result.parameters)
    EXPECT_NEAR(p.deviations, 0, 1e-3) << p.field;
}

TEST(CalibrationTest, OtherGpusPriorIsWeaker) {
  std::vector<TimedKernel> rows = kernels(
      withChanged([](Coefficients &c) { c.streaming->dramEfficiency *= 0.7; }),
      0);
  double own = run(rows).coefficients.streaming->dramEfficiency;
  CalibrationOptions options;
  options.foreignGroups.insert("streaming");
  double foreign = run(rows, options).coefficients.streaming->dramEfficiency;
  double truth = prior().coefficients().streaming->dramEfficiency * 0.7;
  EXPECT_LT(std::abs(foreign - truth), std::abs(own - truth));
}

TEST(CalibrationTest, ARowThatIsWrongPullsLittle) {
  std::vector<TimedKernel> rows = kernels(prior(), 0.02);
  rows[1].time *= 20; // another process came between
  CalibrationResult result = run(rows);
  EXPECT_NEAR(result.coefficients.tensorGemm->efficiency /
                  prior().coefficients().tensorGemm->efficiency,
              1, 0.08);
}

TEST(CalibrationTest, WhatTheModelLacksIsSkippedByName) {
  std::vector<TimedKernel> rows = kernels(prior(), 0);
  rows[0].work.family = KernelFamily::Attention;
  rows[0].work.problem =
      AttentionProblem{1, 8, 8, 512, 512, 64, 0, false, false, 2};
  CalibrationResult result = run(rows);
  ASSERT_EQ(result.skipped.size(), 1u);
  EXPECT_NE(result.skipped[0].find("no coefficients for full attention"),
            std::string::npos);
  EXPECT_EQ(find(result, "matmul bf16").count, 11u);
}

TEST(CalibrationTest, NothingToUseIsAnError) {
  auto result = calibrate(prior(), {}, {});
  ASSERT_FALSE(bool(result));
  EXPECT_EQ(result.error().message, "no measurement can be used");
}

TEST(CalibrationTest, HostLaunchIsTakenAsMeasured) {
  Measurements measurements;
  measurements.kernels = kernels(prior(), 0);
  measurements.hostLaunch = Seconds(4e-6);
  Coefficients c = prior().coefficients();
  c.runtime.emplace();
  c.runtime->hostLaunch = Seconds(9e-6);
  c.runtime->libraryWeight = 1.1;
  c.runtime->hostNorm = 6;
  CostModel model = cantFail(CostModel::create(prior().gpu(), c));
  auto result = calibrate(model, measurements, {});
  ASSERT_TRUE(bool(result));
  EXPECT_EQ(result->coefficients.runtime->hostLaunch, Seconds(4e-6));
}
