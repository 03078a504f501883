//===- TrainingKernelsTest.cpp - Gradients and collectives ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

constexpr double us = 1e-6;

CollectiveCoefficients links() {
  CollectiveCoefficients c;
  c.powerFraction = 0.3;
  // 5 us, 1 us a step, 1 ns per square root of a byte, 100 GB/s, b = 0.5.
  c.fits.push_back({CollectiveKind::AllReduce, 0, Seconds(5 * us),
                    Seconds(1 * us), Seconds(1e-9), BytesPerSecond(100e9),
                    0.5});
  c.fits.push_back({CollectiveKind::AllGather, 2, Seconds(3 * us), Seconds(0),
                    Seconds(0), BytesPerSecond(10e9), 0});
  c.fits.push_back({CollectiveKind::AllGather, 8, Seconds(4 * us), Seconds(0),
                    Seconds(0), BytesPerSecond(1e9), 0});
  return c;
}

Expected<KernelTime> timeOf(CollectiveKind kind, int64_t bytes,
                            int64_t worldSize) {
  Coefficients c;
  c.collectives = links();
  CostModel model = study::model(study::gpu("A100"), c);
  KernelWork work;
  work.family = KernelFamily::Collective;
  work.problem = CollectiveProblem{kind, bytes, worldSize};
  auto tiling = model.selectTiling(work);
  if (!tiling)
    return fail(tiling.error());
  return model.predictTime(work, *tiling, model.gpu().maxClock);
}

// (N1) V = 2 * 4 MB * 3 / 4 = 6 MB, 6 steps: 5 + 6 + sqrt(6e6) * 1e-3 us +
// 6e6 / (100e9 * (1 - 0.5 / 4)) s.
TEST(Collective, AllReduceByHand) {
  auto time = timeOf(CollectiveKind::AllReduce, 4'000'000, 4);
  ASSERT_TRUE(bool(time)) << time.error().message;
  double expected = 11 * us + 1e-9 * std::sqrt(6e6) + 6e6 / 87.5e9;
  EXPECT_NEAR(time->total.value(), expected, 1e-12);
  // Links do not follow the SM clock.
  EXPECT_EQ(time->compute.value(), 0);
}

TEST(Collective, FitsOfOneSize) {
  // Two GPUs: 3 us + 1 MB / 2 / 10 GB/s = 53 us; seven are nearest to eight.
  auto two = timeOf(CollectiveKind::AllGather, 1'000'000, 2);
  ASSERT_TRUE(bool(two));
  EXPECT_NEAR(two->total.value(), 53 * us, 1e-12);
  auto seven = timeOf(CollectiveKind::AllGather, 7'000'000, 7);
  ASSERT_TRUE(bool(seven));
  EXPECT_NEAR(seven->total.value(), 4 * us + 6e6 / 1e9, 1e-9);
}

TEST(Collective, OneGpuAndWhatIsMissing) {
  auto alone = timeOf(CollectiveKind::AllReduce, 4'000'000, 1);
  ASSERT_TRUE(bool(alone));
  EXPECT_EQ(alone->total.value(), 0);
  auto fails = [](CollectiveKind kind, int64_t bytes, int64_t worldSize) {
    return !timeOf(kind, bytes, worldSize);
  };
  EXPECT_TRUE(fails(CollectiveKind::AllToAll, 1, 2)); // no coefficients
  EXPECT_TRUE(fails(CollectiveKind::AllReduce, -1, 2));
  EXPECT_TRUE(fails(CollectiveKind::AllReduce, 1, 0));
}

/// 3x3 convolution, 64 to 128 channels, 56x56, batch 8, in bf16.
KernelWork convolution(ConvolutionPass pass, int64_t stride) {
  KernelWork work;
  work.family = KernelFamily::Convolution;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  int64_t out = 56 / stride;
  work.problem =
      ConvolutionProblem{8, 64, 56, 56, 128, out, out, 3, 3, stride, stride, 1};
  work.edit<ConvolutionProblem>().pass = pass;
  return work;
}

CostModel a100() {
  Coefficients c;
  c.tensorGemm = study::tensorGemm("A100");
  c.tensorPower = study::tensorPower();
  return study::model(study::gpu("A100"), c);
}

// (C6) All three products of a convolution are the same multiply-adds; the
// tensor-core events show it up to the padding of K to the tile.
TEST(ConvolutionGradient, SameWork) {
  CostModel model = a100();
  for (int64_t stride : {1, 2}) {
    double forward = 0;
    for (ConvolutionPass pass :
         {ConvolutionPass::Forward, ConvolutionPass::InputGradient,
          ConvolutionPass::WeightGradient}) {
      KernelWork work = convolution(pass, stride);
      EXPECT_EQ(countFlops(work.as<ConvolutionProblem>()),
                2LL * 8 * 128 * 56 / stride * 56 / stride * 64 * 9);
      auto tiling = model.selectTiling(work);
      ASSERT_TRUE(bool(tiling));
      auto events = model.countEvents(work, *tiling);
      ASSERT_TRUE(bool(events));
      if (pass == ConvolutionPass::Forward)
        forward = events->tensorFlops;
      EXPECT_NEAR(events->tensorFlops / forward, 1, 0.01);
    }
  }
}

TEST(ConvolutionGradient, WeightGradientSplitsItsLongSum) {
  CostModel model = a100();
  auto tiling =
      model.selectTiling(convolution(ConvolutionPass::WeightGradient, 1));
  ASSERT_TRUE(bool(tiling));
  // 128 x 576 results of sums over 25,088 pixels: few tiles, long sums.
  EXPECT_GT(tiling->splitK, 1);
}

KernelWork attention(bool backward) {
  KernelWork work;
  work.family = KernelFamily::Attention;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = AttentionProblem{4, 16, 16, 2048, 2048, 128, 0, true};
  work.edit<AttentionProblem>().backward = backward;
  return work;
}

KernelCost costOf(const KernelWork &work, AttentionMode mode) {
  Coefficients c;
  c.tensorGemm = study::tensorGemm("H100");
  c.tensorPower = study::tensorPower();
  c.attentionCausal = study::attention("H100 ctx vllm fa3", "fa3");
  CostModel model = study::model(study::gpu("H100"), c,
                                 {Software::PyTorch, Runtime::Eager, mode});
  return cantFail(model.estimate(work, study::benchmark()));
}

// (A8) Five products instead of two: 2.5 times the tensor work.
TEST(AttentionGradient, FiveProducts) {
  EXPECT_EQ(2 * countFlops(attention(true).as<AttentionProblem>()),
            5 * countFlops(attention(false).as<AttentionProblem>()));
  KernelCost forward = costOf(attention(false), AttentionMode::Flash2);
  KernelCost backward = costOf(attention(true), AttentionMode::Flash2);
  EXPECT_NEAR(backward.events.tensorFlops / forward.events.tensorFlops, 2.5,
              1e-9);
  double ratio = backward.time.total / forward.time.total;
  EXPECT_GT(ratio, 1.5);
  EXPECT_LT(ratio, 3.5);
  EXPECT_FALSE(backward.time.inCalibratedDomain);
}

// (A9) The first generation takes about twice as long.
TEST(AttentionGradient, FirstGeneration) {
  double ratio = costOf(attention(false), AttentionMode::Flash1).time.total /
                 costOf(attention(false), AttentionMode::Flash2).time.total;
  EXPECT_GT(ratio, 1.5);
  EXPECT_LE(ratio, 2.05);
}

} // namespace
