//===- MeasuredKernelTest.cpp - Names of measure.py -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrateKernel.h"
#include "SyntheticGpu.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::calibration;

static MeasuredKernel read(llvm::StringRef words, llvm::StringRef dtype) {
  auto kernel = readMeasuredKernel(words, dtype, synthetic::prior().gpu());
  EXPECT_TRUE(bool(kernel));
  return *kernel;
}

static KernelWork work(llvm::StringRef words, llvm::StringRef dtype = "bf16") {
  MeasuredKernel kernel = read(words, dtype);
  EXPECT_EQ(kernel.skipped, "");
  return kernel.kernel ? kernel.kernel->work : KernelWork();
}

TEST(MeasuredKernelTest, ProductsWithAWeightAndOfActivations) {
  EXPECT_TRUE(work("matmul linear m=16 n=32 k=64 variant=bias")
                  .as<MatmulProblem>()
                  .linear);
  KernelWork batched = work("matmul bmm batch=4 m=16 n=32 k=64", "fp32");
  EXPECT_FALSE(batched.as<MatmulProblem>().linear);
  EXPECT_EQ(batched.as<MatmulProblem>().batch, 4);
  EXPECT_EQ(batched.format, NumericFormat::FP32);
  EXPECT_NE(read("matmul triton m=16 n=32 k=64 layout=TN", "bf16").skipped, "");
}

TEST(MeasuredKernelTest, GradientsOfConvolutions) {
  llvm::StringRef shape =
      " n=2 c=8 h=8 w=8 oc=16 kh=3 kw=3 stride=1 pad=1 groups=1 layout=";
  KernelWork dgrad = work(("conv2d dgrad" + shape + "NHWC").str());
  EXPECT_EQ(dgrad.as<ConvolutionProblem>().pass,
            ConvolutionPass::InputGradient);
  EXPECT_TRUE(dgrad.as<ConvolutionProblem>().channelsLast);
  EXPECT_NE(read(("conv2d wgrad" + shape + "NCHW").str(), "bf16").skipped, "");
  // TF32 kernels convert NCHW tensors inside the call (C9).
  EXPECT_EQ(read(("conv2d wgrad" + shape + "NCHW").str(), "tf32").skipped, "");
  EXPECT_EQ(read(("conv2d wgrad" + shape + "NCHW").str(), "fp32").skipped, "");
}

TEST(MeasuredKernelTest, GroupedConvolutions) {
  llvm::StringRef shape = "conv2d forward n=2 c=8 h=8 w=8 oc=16 kh=3 kw=3 "
                          "stride=1 pad=1 groups=2 layout=NHWC";
  EXPECT_EQ(work(shape).as<ConvolutionProblem>().groups, 2);
  EXPECT_NE(read(shape, "fp32").skipped, "");
}

TEST(MeasuredKernelTest, BytesOfMemoryBoundKernels) {
  // 64 x (4 read + 2 written).
  KernelWork cast = work("elementwise cast elements=64 variant=bf16", "fp32");
  EXPECT_EQ(cast.count.bytesRead, 256);
  MeasuredKernelName name{"elementwise", "cast", "fp32",
                          "elements=64", "",     "to bf16"};
  auto toBf16 = readMeasuredKernel(name, synthetic::prior().gpu());
  ASSERT_TRUE(toBf16 && toBf16->kernel);
  EXPECT_EQ(toBf16->kernel->work.count.bytesWritten, 128);
  // The input and the gradient, 2 bytes each; one result.
  KernelWork backward = work("elementwise gelu_backward elements=100");
  EXPECT_EQ(backward.count.bytesRead, 400);
  EXPECT_EQ(backward.count.bytesWritten, 200);
  // Read along the other axis than written: no access of the model is like it.
  EXPECT_NE(read("data_movement transpose rows=3 cols=5", "bf16").skipped, "");
  // 2 x 3 x 5 x 7 elements in runs of 7.
  KernelWork heads =
      work("data_movement split_heads batch=2 heads=3 q_len=5 head_dim=7");
  EXPECT_EQ(heads.as<ElementsProblem>().elements, 210);
  EXPECT_TRUE(heads.as<ElementsProblem>().strided);
  // 8 rows of 16: one result each.
  KernelWork sum = work("reduction sum rows=8 cols=16", "fp32");
  EXPECT_EQ(sum.family, KernelFamily::Reduction);
  EXPECT_EQ(sum.count.bytesRead, 8 * 16 * 4);
  EXPECT_EQ(sum.count.bytesWritten, 8 * 4);
}

TEST(MeasuredKernelTest, WhatHasNoQueryIsSkippedByName) {
  EXPECT_EQ(
      read("pooling max n=1 c=1 h=4 w=4 kh=2 kw=2 stride=2", "bf16").skipped,
      "no kernel query for 'pooling max'");
  EXPECT_EQ(read("attention forward heads=8 q_len=16 kv_len=16 head_dim=64 "
                 "variant=math",
                 "bf16")
                .skipped,
            "attention by 'math' is not modelled for bf16");
  EXPECT_EQ(
      read("elementwise mask_where batch=1 heads=2 q_len=8 kv_len=8", "bf16")
          .skipped,
      "no kernel query for 'mask_where'");
  EXPECT_EQ(read("reduction channel_sum n=1 c=8 h=4 w=4", "fp16").skipped,
            "no kernel query for 'channel_sum'");
}

TEST(MeasuredKernelTest, NonsenseIsAnError) {
  for (const char *words :
       {"matmul linear m=16 n=32 k=", "matmul linear m=16 n=32",
        "matmul linear m=16 n=32 k=8 q=7", "matmul linear m=x n=32 k=8"}) {
    auto kernel = readMeasuredKernel(words, "bf16", synthetic::prior().gpu());
    EXPECT_FALSE(bool(kernel)) << words;
    llvm::consumeError(kernel.takeError());
  }
}
