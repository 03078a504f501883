//===- GapsTest.cpp - Why times differ, and what is carried ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleRun.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::transfer;
using sample::launch;

/// The sample's launches: products of `product` us, and the rest.
static Profile measured(double product, double gelu, double softmax,
                        double add) {
  Profile profile;
  profile.isTrace = true;
  auto gemm = [&] { return launch("ampere_sgemm_128x64_tn", product); };
  auto elementwise = [](double us) {
    return launch("vectorized_elementwise_kernel", us);
  };
  profile.kernels = {gemm(),          elementwise(gelu),
                     gemm(),          launch("cunn_SoftMaxForward", softmax),
                     gemm(),          elementwise(gelu),
                     elementwise(add)};
  return profile;
}

static ProfileGaps gapsOf(const Profile &profile) {
  PredictedRun run = sample::run();
  llvm::Expected<Alignment> alignment = alignProfile(profile, run);
  if (!alignment) {
    ADD_FAILURE() << llvm::toString(alignment.takeError());
    return {};
  }
  return explainGaps(profile, *alignment, run);
}

static const KernelGap &gapOf(const ProfileGaps &gaps, size_t kernel) {
  for (const KernelGap &gap : gaps.kernels)
    if (gap.kernel == kernel)
      return gap;
  ADD_FAILURE() << "no gap of kernel " << kernel;
  return gaps.kernels.front();
}

TEST(Gaps, AddUpToTheMeasuredIteration) {
  // Matmuls take 130 instead of 100 us (+90 us), the softmax 21 instead of 20.
  // 436 us of kernels, 100 us idle instead of 35.
  Profile profile = measured(130, 10, 21, 5);
  profile.iterationUs = 536;
  profile.idleUs = 100;
  ProfileGaps gaps = gapsOf(profile);
  EXPECT_DOUBLE_EQ(gaps.predictedUs, 380);
  EXPECT_DOUBLE_EQ(gaps.kernelsUs, 91);
  EXPECT_DOUBLE_EQ(gaps.idleUs, 65);
  EXPECT_DOUBLE_EQ(gaps.overlapUs, 0);
  EXPECT_DOUBLE_EQ(gaps.predictedUs + gaps.kernelsUs + gaps.extraUs -
                       gaps.missingUs + gaps.idleUs - gaps.overlapUs,
                   gaps.measuredUs);
  // 65 us in addition to the gaps are 12 % of 536 us.
  EXPECT_TRUE(gaps.hostBound);
  EXPECT_EQ(gaps.kernels.front().kernel, 0u);
  EXPECT_EQ(gapOf(gaps, 0).reason, GapReason::OtherAlgorithm);
  EXPECT_EQ(gapOf(gaps, 2).reason, GapReason::Agrees); // 5 % of 10 %
}

TEST(Gaps, MissingAndExtraKernels) {
  Profile profile = measured(100, 10, 20, 5);
  profile.kernels.erase(profile.kernels.begin() + 3);
  profile.kernels.push_back(launch("multi_tensor_apply_kernel", 50));
  // 345 - 20 + 50 us of kernels and 35 us between them.
  profile.iterationUs = 410;
  profile.idleUs = 35;
  ProfileGaps gaps = gapsOf(profile);
  EXPECT_EQ(gapOf(gaps, 2).reason, GapReason::Missing);
  EXPECT_DOUBLE_EQ(gaps.missingUs, 20);
  EXPECT_DOUBLE_EQ(gaps.extraUs, 50);
  EXPECT_DOUBLE_EQ(gaps.idleUs, 0);
  EXPECT_FALSE(gaps.hostBound);
}

TEST(Gaps, ATileTellsTheAlgorithm) {
  Profile profile = measured(150, 14, 20, 4);
  for (MeasuredKernel &kernel : profile.kernels)
    if (kernel.family == KernelFamily::Matmul)
      kernel.tile = "32x32";
  ProfileGaps gaps = gapsOf(profile);
  EXPECT_EQ(gapOf(gaps, 0).detail, "tile 32x32, predicted 128x64");
  EXPECT_EQ(gapOf(gaps, 1).reason, GapReason::Slower); // 14 of 10 us
  EXPECT_EQ(gapOf(gaps, 3).reason, GapReason::Faster); // 4 of 5 us
}

TEST(Gaps, AClockSlowsWhatItBounds) {
  PredictedRun run = sample::run();
  for (size_t i = 0; i < 3; ++i) // two more products
    run.kernels.push_back(run.kernels[0]);
  Alignment alignment;
  alignment.kernels.resize(run.kernels.size());
  for (size_t i = 0; i < run.kernels.size(); ++i) {
    bool product = run.kernels[i].family == KernelFamily::Matmul;
    alignment.kernels[i].launches = 1;
    alignment.kernels[i].totalUs =
        run.kernels[i].row.timeUs * (product ? 1.25 : 1.0);
  }
  ProfileGaps gaps = explainGaps(Profile(), alignment, run);
  ASSERT_TRUE(gaps.clockRatio.has_value());
  EXPECT_DOUBLE_EQ(*gaps.clockRatio, 1.25);
  EXPECT_EQ(gapOf(gaps, 0).reason, GapReason::Clock);
  EXPECT_EQ(gapOf(gaps, 2).reason, GapReason::Agrees);
  // Copies are slower as well: the clock is not the reason.
  for (size_t i = 1; i < 4; ++i)
    alignment.kernels[i].totalUs *= 1.25;
  EXPECT_FALSE(explainGaps(Profile(), alignment, run).clockRatio.has_value());
}

TEST(SharedError, FollowsTheRule) {
  PredictedRun a = sample::run(), clock = a, sister = a, other = a;
  clock.clockMHz = 900;
  sister.gpu = "made-up-pcie";
  other.gpu = "another";
  other.die = "AN100";
  EXPECT_EQ(sharedError(a, a).weight, 1);
  EXPECT_EQ(sharedError(a, a).remaining(), 0);
  EXPECT_EQ(sharedError(a, clock).weight, 0.75);
  EXPECT_EQ(sharedError(a, sister).weight, 0.75);
  // sqrt(1 + 0.75^2 - 2 x 0.75 x 0.5) and sqrt(1 + 0.5^2).
  EXPECT_DOUBLE_EQ(sharedError(a, clock).remaining(), std::sqrt(0.8125));
  EXPECT_EQ(sharedError(a, other).weight, 0.5);
  EXPECT_DOUBLE_EQ(sharedError(a, other).remaining(), std::sqrt(1.25));
}
