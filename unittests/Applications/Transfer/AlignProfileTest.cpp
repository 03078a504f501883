//===- AlignProfileTest.cpp - Measured and predicted kernels --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleRun.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::transfer;
using sample::launch;

static constexpr const char *gemm = "ampere_sgemm_64x64_tn",
                            *elementwise = "vectorized_elementwise_kernel",
                            *softmax = "cunn_SoftMaxForward";

static Profile traceOf(std::vector<MeasuredKernel> kernels) {
  Profile profile;
  profile.isTrace = true;
  profile.kernels = std::move(kernels);
  return profile;
}

static Alignment align(const Profile &profile) {
  llvm::Expected<Alignment> alignment = alignProfile(profile, sample::run());
  if (alignment)
    return std::move(*alignment);
  ADD_FAILURE() << llvm::toString(alignment.takeError());
  return {};
}

TEST(AlignProfile, TheWholeSequence) {
  Alignment all =
      align(traceOf({launch(gemm, 100), launch(elementwise, 12),
                     launch(gemm, 110), launch(softmax, 20), launch(gemm, 120),
                     launch(elementwise, 8), launch(elementwise, 5)}));
  EXPECT_EQ(all.matched, 1);
  EXPECT_EQ(all.kernels[0].launches, 3);
  EXPECT_DOUBLE_EQ(all.kernels[0].meanUs(), 110);
  EXPECT_EQ(all.kernels[0].tile, "64x64");
  EXPECT_EQ(all.kernels[1].launches, 2);
  EXPECT_DOUBLE_EQ(all.kernels[1].meanUs(), 10);
  EXPECT_EQ(all.kernels[3].launches, 1);
  EXPECT_TRUE(all.extra.empty());
}

TEST(AlignProfile, OrderIsKeptAroundWhatIsMissing) {
  // The softmax never runs and something unknown does, before the last matmul:
  // one pair of two families that never mix (matmul) stays impossible.
  Alignment part = align(
      traceOf({launch(gemm, 100), launch(elementwise, 10), launch(gemm, 100),
               launch("ncclDevKernel_AllReduce", 40), launch(gemm, 100),
               launch(elementwise, 10), launch(elementwise, 5)}));
  EXPECT_EQ(part.kernels[2].launches, 0);
  ASSERT_EQ(part.extra.size(), 1u);
  EXPECT_EQ(part.extra[0].family, KernelFamily::Collective);
  EXPECT_DOUBLE_EQ(part.extra[0].totalUs, 40);
  // 325 of 365 us have a prediction.
  EXPECT_DOUBLE_EQ(part.matched, 325.0 / 365);
}

TEST(AlignProfile, TimesBreakTies) {
  // One of the last two elementwise kernels is gone: 5.5 us is the addition of
  // 5 us, not the Gelu of 10 us.
  Alignment tie = align(traceOf({launch(gemm, 100), launch(elementwise, 10),
                                 launch(gemm, 100), launch(softmax, 20),
                                 launch(gemm, 100), launch(elementwise, 5.5)}));
  EXPECT_EQ(tie.kernels[1].launches, 1);
  EXPECT_EQ(tie.kernels[3].launches, 1);
}

TEST(AlignProfile, RowsOfATableNeedNoOrder) {
  Profile table;
  MeasuredKernel byName = launch("softmax", 30), byShape, other;
  byShape.family = KernelFamily::Matmul;
  byShape.shape = "m=64 n=32 k=16";
  byShape.timeUs = 50;
  other.family = KernelFamily::Matmul;
  other.shape = "m=64 n=32 k=17";
  other.timeUs = 7;
  MeasuredKernel again = byShape;
  again.timeUs = 70;
  table.kernels = {byName, byShape, other, again};
  Alignment rows = align(table);
  // Two rows of one kernel are averaged; the model has the launch count.
  EXPECT_EQ(rows.kernels[0].launches, 3);
  EXPECT_DOUBLE_EQ(rows.kernels[0].meanUs(), 60);
  EXPECT_DOUBLE_EQ(rows.kernels[2].meanUs(), 30);
  ASSERT_EQ(rows.extra.size(), 1u);
  EXPECT_DOUBLE_EQ(rows.extra[0].totalUs, 7);
}

TEST(AlignProfile, AFamilyWithoutShapesIsOneSum) {
  Profile table;
  MeasuredKernel sum;
  sum.op = "aten::gelu";
  sum.family = KernelFamily::Elementwise;
  sum.timeUs = 9;
  sum.count = 3;
  table.kernels = {sum};
  Alignment rows = align(table);
  EXPECT_DOUBLE_EQ(rows.familyUs[KernelFamily::Elementwise], 27);
}

TEST(AlignProfile, NothingInCommonIsAnError) {
  llvm::Expected<Alignment> none = alignProfile(
      traceOf({launch("ncclDevKernel_AllReduce", 4)}), sample::run());
  ASSERT_FALSE(static_cast<bool>(none));
  EXPECT_NE(llvm::toString(none.takeError()).find("no measured kernel fits"),
            std::string::npos);
  PredictedRun endless = sample::run();
  endless.sequence.clear();
  llvm::Expected<Alignment> tooLong =
      alignProfile(traceOf({launch(gemm, 4)}), endless);
  ASSERT_FALSE(static_cast<bool>(tooLong));
  EXPECT_NE(llvm::toString(tooLong.takeError()).find("too many to align"),
            std::string::npos);
}

TEST(AlignProfile, Shapes) {
  EXPECT_TRUE(isSameShape("rows=8 cols=4", "rows=8 cols=4 per_channel=0"));
  EXPECT_TRUE(isSameShape("b=1 m=2", "m=2"));
  EXPECT_FALSE(isSameShape("b=2 m=2", "m=2"));
  EXPECT_FALSE(isSameShape("m=2", "m=3"));
  EXPECT_FALSE(isSameShape("", ""));
}

TEST(LaunchOrder, PassesRunOneAfterAnother) {
  // Two launches with two passes each, one of them twice a pass in a loop, and
  // one launch after them.
  std::vector<Launch> launches(3);
  launches[0].count = 2;
  launches[0].passes = 2;
  launches[1].count = 4;
  launches[1].passes = 2;
  launches[2].count = 1;
  EXPECT_EQ(launchOrder(launches),
            (std::vector<uint32_t>{0, 1, 1, 0, 1, 1, 2}));
}
