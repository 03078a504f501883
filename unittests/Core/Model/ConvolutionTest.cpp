//===- ConvolutionTest.cpp - Equations (C9) to (C12), (M22) ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gtest/gtest.h"

using namespace gpucost;

namespace {

/// `batch` images of `size` x `size` pixels, filters of `taps` x `taps`, the
/// same number of channels in and out.
KernelWork convolution(NumericFormat format, ConvolutionPass pass,
                       int64_t batch, int64_t channels, int64_t size,
                       int64_t taps = 3, int64_t groups = 1) {
  KernelWork work;
  work.family = KernelFamily::Convolution;
  work.format = format;
  work.inputBits = work.outputBits = format == NumericFormat::BF16 ? 16 : 32;
  work.problem =
      ConvolutionProblem{batch, channels, size, size, channels, size,
                         size,  taps,     taps, 1,    1,        groups};
  work.edit<ConvolutionProblem>().pass = pass;
  return work;
}

LaunchTerms termsOf(const CostModel &model, const KernelWork &work) {
  return cantFail(model.launchTerms(work, cantFail(model.selectTiling(work))));
}

/// `share`: the rate of warp-level instructions; below 1 on Hopper.
CostModel tensorModel(double share) {
  Coefficients c;
  c.tensorGemm = study::tensorGemm("A100");
  c.streaming = study::streaming();
  Gpu gpu = study::gpu("A100-40");
  gpu.warpMatrixShare = share;
  return study::model(gpu, std::move(c));
}

ImplementationKind kernelOf(ConvolutionPass pass, int64_t batch,
                            int64_t channels, int64_t size, bool measured) {
  Coefficients c;
  c.simtConv = study::simtConv("V100");
  if (measured) {
    c.simtConv->winogradImages = 32;
    c.simtConv->winogradPixels = 25088;
    c.simtConv->winogradChannels = 128;
    // Slower than Winograd wherever Winograd may run.
    c.simtConv->implicitEfficiency = 0.2;
  }
  c.streaming = study::streaming();
  CostModel model = study::model(study::gpu("V100"), std::move(c));
  return cantFail(model.selectTiling(convolution(NumericFormat::FP32, pass,
                                                 batch, channels, size)))
      .implementation;
}

// (C9) 32 images and 32 * 28 * 28 = 25,088 pixels.
TEST(Convolution, WinogradNeedsImagesPixelsAndChannels) {
  constexpr auto implicit = ImplementationKind::ImplicitGemmSimt;
  constexpr auto forward = ConvolutionPass::Forward,
                 input = ConvolutionPass::InputGradient,
                 filter = ConvolutionPass::WeightGradient;
  EXPECT_NE(kernelOf(forward, 32, 128, 28, true), implicit);
  EXPECT_EQ(kernelOf(forward, 31, 128, 29, true), implicit);
  EXPECT_EQ(kernelOf(forward, 32, 128, 27, true), implicit);
  EXPECT_EQ(kernelOf(forward, 32, 127, 28, true), implicit);
  EXPECT_NE(kernelOf(input, 32, 64, 28, true), implicit);
  EXPECT_EQ(kernelOf(input, 32, 64, 27, true), implicit);
  EXPECT_EQ(kernelOf(filter, 8, 128, 56, true),
            ImplementationKind::WinogradTransforms);
  EXPECT_EQ(kernelOf(filter, 8, 127, 56, true), implicit);
  // Without these numbers the fastest one runs, and no filter's gradient.
  EXPECT_NE(kernelOf(forward, 8, 256, 14, false), implicit);
  EXPECT_EQ(kernelOf(filter, 8, 128, 56, false), implicit);
}

// (C9) Input and output of 2 * 64 * 16 * 16 = 32,768 elements, a filter of 64 *
// 64 * 9 = 36,864: 102,400 elements of 4 bytes, read and written.
TEST(Convolution, Tf32ConvertsLayoutsByGpu) {
  CostModel hopper = tensorModel(0.6), ampere = tensorModel(1);
  auto added = [&](const CostModel &model, const KernelWork &work) {
    KernelWork last = work;
    last.edit<ConvolutionProblem>().channelsLast = true;
    LaunchTerms plain = termsOf(model, last), all = termsOf(model, work);
    EXPECT_EQ(all.compute, plain.compute);
    EXPECT_EQ(all.serialIssue > plain.serialIssue ||
                  all.serialDram > plain.serialDram,
              all.fixed > plain.fixed);
    return all.events.dramBytes - plain.events.dramBytes;
  };
  constexpr auto tf32 = NumericFormat::TF32;
  KernelWork forward = convolution(tf32, ConvolutionPass::Forward, 2, 64, 16);
  KernelWork filter =
      convolution(tf32, ConvolutionPass::WeightGradient, 2, 64, 16);
  EXPECT_DOUBLE_EQ(added(hopper, forward), 2 * 4 * 102400.0);
  EXPECT_DOUBLE_EQ(added(hopper, filter), 2 * 4 * 102400.0);
  EXPECT_DOUBLE_EQ(added(ampere, forward), 0);
  EXPECT_DOUBLE_EQ(added(ampere, filter), 2 * 4 * 102400.0);
  // A product of the filter and each image: 256 pixels are a multiple of 16
  // bytes, 49 are not.
  EXPECT_DOUBLE_EQ(
      added(hopper,
            convolution(tf32, ConvolutionPass::WeightGradient, 2, 64, 16, 1)),
      0);
  EXPECT_GT(
      added(hopper, convolution(tf32, ConvolutionPass::Forward, 2, 64, 7, 1)),
      0);
  // 16-bit tensors have separate layout kernels.
  EXPECT_DOUBLE_EQ(
      added(hopper, convolution(NumericFormat::BF16, ConvolutionPass::Forward,
                                2, 64, 16)),
      0);
}

// (C10) 96 channels neither divide 128 nor are a multiple: each group takes the
// time of a dense convolution of 96 channels.
TEST(Convolution, GroupsThatDoNotFillTilesRunInTurn) {
  CostModel model = tensorModel(0.6);
  constexpr auto bf16 = NumericFormat::BF16;
  for (ConvolutionPass pass :
       {ConvolutionPass::Forward, ConvolutionPass::InputGradient,
        ConvolutionPass::WeightGradient}) {
    LaunchTerms one = termsOf(model, convolution(bf16, pass, 8, 96, 28));
    LaunchTerms four =
        termsOf(model, convolution(bf16, pass, 8, 384, 28, 3, 4));
    EXPECT_DOUBLE_EQ(four.compute.value(), 4 * one.compute.value());
    // Conversions of two operands and the result of the three other groups.
    double launches = 9 * model.coefficients().streaming->latency.value();
    EXPECT_DOUBLE_EQ(four.fixed.value(), 4 * one.fixed.value() + launches);
    EXPECT_DOUBLE_EQ(four.events.tensorFlops, 4 * one.events.tensorFlops);
  }
}

// (C11) A tile of 128 x 128 spends 128 * 128 * ct cycles outside of products:
// 8 * 28 * 28 = 6,272 rows and 128 channels are 49 tiles, one for an SM.
TEST(Convolution, WindowsStartAndEndTiles) {
  constexpr auto bf16 = NumericFormat::BF16;
  constexpr auto forward = ConvolutionPass::Forward;
  auto compute = [&](double cycles, ConvolutionPass pass, int64_t taps) {
    Coefficients c;
    c.tensorGemm = study::tensorGemm("A100");
    c.tensorGemm->latencyCycles = 0;
    c.tensorGemm->windowCycles = cycles;
    CostModel model = study::model(study::gpu("A100-40"), std::move(c));
    Tiling tiling;
    tiling.tile = {128, 128, 1, 0};
    KernelWork work = convolution(bf16, pass, 8, 128, 28, taps);
    work.edit<ConvolutionProblem>().channelsLast = true;
    double clock = model.gpu().maxClock.value();
    return cantFail(model.launchTerms(work, tiling)).compute.value() * clock;
  };
  double products = compute(0, forward, 3);
  EXPECT_NEAR(compute(0.25, forward, 3) - products, 128 * 128 * 0.25, 1e-3);
  EXPECT_EQ(compute(0.25, forward, 1), compute(0, forward, 1));
  auto filter = ConvolutionPass::WeightGradient;
  EXPECT_EQ(compute(0.25, filter, 3), compute(0, filter, 3));
}

// (C12) 2 * 8 * 8 pixels load 3 channels of 9 taps once for each 64 of 128
// channels: 6,912 elements.
TEST(Convolution, OddChannelsAreLoadedByElements) {
  Coefficients c;
  c.tensorGemm = study::tensorGemm("A100");
  c.tensorGemm->singleLoads = 2;
  CostModel model = study::model(study::gpu("A100-40"), std::move(c));
  KernelWork work =
      convolution(NumericFormat::BF16, ConvolutionPass::Forward, 2, 3, 8);
  work.edit<ConvolutionProblem>().outChannels = 128;
  work.edit<ConvolutionProblem>().channelsLast = true;
  double cycles =
      static_cast<double>(model.gpu().smCount) * model.gpu().maxClock.value();
  EXPECT_DOUBLE_EQ(termsOf(model, work).issue.value(), 6912 / (2 * cycles));
}

// (M22) 1,000,000 elements take half a cycle of an SM each.
TEST(Convolution, LayoutConversionsTransposeOnChip) {
  Coefficients c;
  c.streaming = study::streaming();
  c.streaming->layoutCycles = 0.5;
  CostModel model = study::model(study::gpu("A100-40"), std::move(c));
  KernelWork work;
  work.family = KernelFamily::DataMovement;
  work.instructions = InstructionClass::Copy;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  ElementsProblem elements{1'000'000, /*strided=*/true};
  elements.conversion = true;
  work.problem = elements;
  work.count.bytesRead = work.count.bytesWritten = 2'000'000;
  double cycles =
      static_cast<double>(model.gpu().smCount) * model.gpu().maxClock.value();
  EXPECT_DOUBLE_EQ(termsOf(model, work).issue.value(), 500'000 / cycles);
}

// (C10) 8 groups of 4 channels are one block: the product of 32 dense channels.
// 64 groups of 4 are 4 blocks of 16 groups, in one launch.
TEST(Convolution, SmallGroupsShareTiles) {
  CostModel model = tensorModel(0.6);
  constexpr auto bf16 = NumericFormat::BF16;
  constexpr auto pass = ConvolutionPass::Forward;
  LaunchTerms dense = termsOf(model, convolution(bf16, pass, 8, 32, 28));
  LaunchTerms block = termsOf(model, convolution(bf16, pass, 8, 32, 28, 3, 8));
  EXPECT_EQ(block.compute, dense.compute);
  LaunchTerms one = termsOf(model, convolution(bf16, pass, 8, 64, 28));
  LaunchTerms four = termsOf(model, convolution(bf16, pass, 8, 256, 28, 3, 64));
  EXPECT_EQ(four.fixed, one.fixed);
  // Events count the multiply-adds of the groups, not the zeros between them.
  EXPECT_DOUBLE_EQ(four.events.tensorFlops, 2.0 * 8 * 28 * 28 * 256 * 4 * 9);
}

} // namespace
