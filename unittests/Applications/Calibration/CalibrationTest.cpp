//===- CalibrationTest.cpp - Known coefficients are found again -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SyntheticGpu.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::calibration;
using namespace gpucost::calibration::synthetic;

/// A GPU that differs from the prior in the coefficients that calibrations fit.
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
  // the fit recovers their times.
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
  // Half the clock, which the rows record: the coefficients are the same.
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

/// Softmax whose rows stay on chip, batch normalization by cuDNN, and depthwise
/// convolutions.
static std::vector<TimedKernel> refinedKernels(const CostModel &truth) {
  std::vector<KernelWork> works;
  for (int64_t columns : {1536, 2048, 3072, 5000, 7000, 9000, 12000, 20000}) {
    RowsProblem p{100'000'000 / columns, columns};
    p.pass = RowsPass::Forward;
    works.push_back(*softmaxWork(p, NumericFormat::BF16));
  }
  for (int64_t channels : {64, 128, 256, 512})
    for (int64_t pixels : {20'000, 200'000, 400'000}) {
      KernelWork work = *softmaxWork({channels, pixels}, NumericFormat::FP16);
      work.family = KernelFamily::Reduction;
      work.instructions = InstructionClass::Reduce;
      work.count.bytesRead = 2 * channels * pixels;
      work.count.bytesWritten = 0;
      work.edit<RowsProblem>().norm = NormKind::Batch;
      work.edit<RowsProblem>().run = pixels;
      works.push_back(work);
    }
  for (int64_t kernel : {3, 5, 7, 9}) {
    ConvolutionProblem p;
    p.batch = 32;
    p.channels = p.outChannels = p.groups = 512;
    p.height = p.width = p.outHeight = p.outWidth = 64;
    p.kernelHeight = p.kernelWidth = kernel;
    for (bool last : {false, true}) {
      p.channelsLast = last;
      works.push_back(
          *convolutionWork(p, /*padding=*/kernel / 2, NumericFormat::BF16));
    }
  }
  std::vector<TimedKernel> result;
  for (const KernelWork &work : works) {
    TimedKernel kernel;
    kernel.family = "refined";
    kernel.shape = std::to_string(result.size());
    kernel.work = work;
    kernel.query.clock = truth.gpu().maxClock;
    kernel.query.reuseBytesA = kernel.query.reuseBytesB = 1e9;
    kernel.time = truth.estimate(work, kernel.query)->time.total;
    result.push_back(kernel);
  }
  return result;
}

// Refinements of single kernels can be fitted where the memory does not limit
// the kernel.
TEST(CalibrationTest, RefinementsAreFoundAgain) {
  CostModel truth = withChanged([](Coefficients &c) {
    c.softmaxOnChip->step *= 1.2;
    c.cudnnBatchNorm->forward16 *= 1.25;
    c.depthwise->nativeTap *= 1.3;
    c.depthwise->libraryByteTap *= 1.3;
  });
  CalibrationOptions options;
  for (const char *group : {"softmax_on_chip", "cudnn_batch_norm", "depthwise"})
    options.foreignGroups.insert(group);
  CalibrationResult result = run(refinedKernels(truth), options);
  const Coefficients &want = truth.coefficients(), &got = result.coefficients;
  EXPECT_NEAR(got.softmaxOnChip->step / want.softmaxOnChip->step, 1, 0.05);
  EXPECT_NEAR(got.cudnnBatchNorm->forward16 / want.cudnnBatchNorm->forward16, 1,
              0.05);
  EXPECT_NEAR(got.depthwise->nativeTap / want.depthwise->nativeTap, 1, 0.05);
  EXPECT_NEAR(got.depthwise->libraryByteTap / want.depthwise->libraryByteTap, 1,
              0.05);
  // One fit, an error for each group: depthwise has 8 of the 28 kernels.
  auto group = llvm::find_if(result.groups, [](const FittedGroup &each) {
    return each.name == "depthwise";
  });
  ASSERT_NE(group, result.groups.end());
  EXPECT_EQ(group->count, 8u);
  EXPECT_GT(group->before, 0.05);
  EXPECT_LT(group->fitted, 0.01);
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
  rows[0].work.problem = AttentionProblem{1, 8, 8, 512, 512, 64, 0, false};
  CalibrationResult result = run(rows);
  ASSERT_EQ(result.skipped.size(), 1u);
  EXPECT_NE(result.skipped[0].find("no coefficients 'attention_full'"),
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
