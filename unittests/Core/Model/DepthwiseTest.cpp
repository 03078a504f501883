//===- DepthwiseTest.cpp - Depthwise convolutions by hand -----------------===//
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

/// 10 SMs at 1 GHz, so 10 SM cycles in a ns, and no bound by bytes.
Gpu toy() {
  Gpu gpu;
  gpu.name = "toy";
  gpu.smCount = 10;
  gpu.maxClock = gpu.boostClock = Hertz(1e9);
  gpu.minClock = Hertz(150e6);
  gpu.clockStep = Hertz(10e6);
  gpu.formats = {
      {NumericFormat::FP32, 128, FlopsPerSecond(1.28e12), std::nullopt},
      {NumericFormat::BF16, 1024, FlopsPerSecond(10.24e12), std::nullopt},
      {NumericFormat::FP16, 1024, FlopsPerSecond(10.24e12), std::nullopt}};
  gpu.dramCapacity = Bytes(16e9);
  gpu.dramBandwidth = BytesPerSecond(1e12);
  gpu.l2Capacity = Bytes(1e6);
  gpu.specialPerClock = 16;
  gpu.powerLimit = Watts(1e3);
  return gpu;
}

struct Images {
  NumericFormat format = NumericFormat::FP32;
  int64_t kernel = 3, stride = 1;
  bool channelsLast = false;
};

/// 4 images of 64 channels, 32 x 32 pixels out: 262,144 outputs.
KernelWork depthwise(Images images, ConvolutionPass pass) {
  KernelWork work;
  work.family = KernelFamily::Convolution;
  work.format = images.format;
  bool wide = images.format == NumericFormat::FP32;
  work.inputBits = work.outputBits = wide ? 32 : 16;
  ConvolutionProblem p;
  p.batch = 4;
  p.channels = p.outChannels = p.groups = 64;
  p.outHeight = p.outWidth = 32;
  p.height = p.width = 32 * images.stride;
  p.kernelHeight = p.kernelWidth = images.kernel;
  p.strideHeight = p.strideWidth = images.stride;
  p.channelsLast = images.channelsLast;
  p.pass = pass;
  work.problem = p;
  return work;
}

Coefficients streaming() {
  Coefficients c;
  c.streaming.emplace();
  c.streaming->issueWidth = 128;
  c.streaming->issueScale = c.streaming->dramEfficiency = 1;
  c.streaming->l2Fraction = 1;
  c.streaming->l2BytesPerClock = 100;
  return c;
}

/// SM cycles of the kernel.
double cyclesOf(Images images, ConvolutionPass pass) {
  CostModel model = study::model(toy(), streaming());
  KernelWork work = depthwise(images, pass);
  LaunchTerms terms = cantFail(model.launchTerms(work, Tiling()));
  return terms.issue.value() * 10 * 1e9;
}

constexpr double outputs = 262'144;

// (C5) The framework's kernels take as long in every format.
TEST(Depthwise, FrameworkByHand) {
  auto forward = ConvolutionPass::Forward;
  EXPECT_NEAR(cyclesOf({}, forward), outputs * (1.45 + 0.114 * 9), 1e-3);
  EXPECT_NEAR(cyclesOf({NumericFormat::BF16}, forward), cyclesOf({}, forward),
              1e-3);
  // 7 x 7 has no specialized code.
  EXPECT_NEAR(cyclesOf({NumericFormat::FP32, 7}, forward),
              outputs * (1.45 + 0.15 * 49), 1e-3);
  // Each element of the larger image waits for its gradient.
  auto input = ConvolutionPass::InputGradient;
  EXPECT_NEAR(cyclesOf({NumericFormat::FP32, 3, 2}, input), 4 * outputs * 4.4,
              1e-3);
  EXPECT_NEAR(cyclesOf({NumericFormat::FP32, 7}, input),
              outputs * (4.4 + 0.14 * 49), 1e-3);
}

// (C7) 64 * 9 CTAs, 58 for the busiest of 10 SMs, sum 4096 pixels each.
TEST(Depthwise, WeightGradientByHand) {
  EXPECT_NEAR(cyclesOf({}, ConvolutionPass::WeightGradient),
              10 * 58 * (0.39 * 4096 + 1600), 1e-3);
}

// (C5) cuDNN's kernels: channels-last images, and fp16 with a step of 1.
TEST(Depthwise, LibraryByHand) {
  auto forward = ConvolutionPass::Forward;
  auto input = ConvolutionPass::InputGradient;
  auto weight = ConvolutionPass::WeightGradient;
  Images half{NumericFormat::FP16, 5, 1, true};
  EXPECT_NEAR(cyclesOf(half, forward), outputs * (0.25 + 0.033 * 25), 1e-3);
  EXPECT_NEAR(cyclesOf(half, input), outputs * 0.87, 1e-3);
  EXPECT_NEAR(cyclesOf(half, weight), outputs * (0.25 + 0.04 * 25), 1e-3);
  Images wide{NumericFormat::FP32, 5, 1, true};
  EXPECT_NEAR(cyclesOf(wide, forward), outputs * (0.25 + 0.066 * 25), 1e-3);
  EXPECT_NEAR(cyclesOf(wide, input), outputs * 0.085 * 25, 1e-3);
  EXPECT_NEAR(cyclesOf(wide, weight), outputs * (0.25 + 0.14 * 25), 1e-3);
  Images rows{NumericFormat::FP16};
  EXPECT_NEAR(cyclesOf(rows, forward), outputs * 0.9, 1e-3);
  EXPECT_NEAR(cyclesOf(rows, input), outputs * 0.9, 1e-3);
  EXPECT_NEAR(cyclesOf(rows, weight), outputs * (1.1 + 0.047 * 9), 1e-3);
  // A step of 2 is the framework's.
  EXPECT_NEAR(cyclesOf({NumericFormat::FP16, 3, 2}, forward),
              outputs * (1.45 + 0.114 * 9), 1e-3);
}

// (C8) A filter of 7 x 7 in fp32, channels last: every output and tap takes 1.6
// cycles of 128 lanes in the weight gradient, and the toy's SMs have 64.
// Forward and in 16 bit cuDNN has a kernel.
TEST(Depthwise, GroupedProduct) {
  Images wide = {NumericFormat::FP32, 7, 1, true};
  EXPECT_NEAR(cyclesOf(wide, ConvolutionPass::WeightGradient),
              outputs * 49 * 1.6 * 2, 1e-2);
  EXPECT_NEAR(cyclesOf(wide, ConvolutionPass::Forward),
              outputs * (0.25 + 0.0165 * 4 * 49), 1e-2);
  Images narrow = {NumericFormat::FP16, 7, 1, true};
  EXPECT_NEAR(cyclesOf(narrow, ConvolutionPass::WeightGradient),
              outputs * (0.25 + 0.04 * 49), 1e-2);
}

} // namespace
