//===- LinearAttentionTest.cpp - Equations (R6)-(R14)
//---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gtest/gtest.h"

using namespace gpucost;
using study::microseconds;
using study::timeOf;

namespace {

constexpr double us = 1e-6;

Gpu gpu(std::string_view name) {
  return *compiledTarget(cantFail(findCompiledTarget(name)).first).gpu;
}

LinearStack stack(Software software, LinearRule rule = LinearRule::GatedDelta) {
  LinearStack s;
  s.gpu = "h100-sxm-80gb";
  s.matrixPath = MatrixPath::Wgmma;
  s.stackedMemory = true;
  s.software = software;
  s.rule = rule;
  return s;
}

/// Sets of the study of linear attention, H100: SGLang, FlashInfer in vLLM, and
/// the convolution of TensorRT-LLM.
Coefficients coefficients() {
  LinearStack sglang = stack(Software::Sglang), vllm = stack(Software::Vllm),
              trt = stack(Software::TensorRtLlm, LinearRule::Sum);
  sglang.chunks = ChunkFit{Seconds(18.71 * us),
                           Seconds(19.17 * us),
                           1331,
                           2734,
                           64,
                           false,
                           0.1941,
                           0.9,
                           4.407,
                           2.63,
                           0.5,
                           1,
                           1.075,
                           1.926};
  sglang.step = StateStepFit{
      Seconds(3.943 * us), 1, 0.6392, 20, 472.3, 32.45, 0.01, 21.18, 2.4};
  sglang.convolution = ShortConvFit{Seconds(2.179 * us),
                                    Seconds(0.7712 * us),
                                    Seconds(0.4293 * us),
                                    0.3936,
                                    0.01,
                                    0.8,
                                    0.5604,
                                    10.9,
                                    6};
  sglang.convolutionStep =
      ConvStepFit{Seconds(1.62 * us), 362.4, 0.08455, 0.9869, 1.071, 12.31, 2};
  vllm.chunks = ChunkFit{Seconds(8.85 * us),
                         Seconds(0.08188 * us),
                         10,
                         5964,
                         0,
                         true,
                         0.5091,
                         0.9,
                         0.5,
                         1.403,
                         2.826,
                         8,
                         0.2425,
                         2.735};
  trt.channelConvolution = ChannelConvFit{
      Seconds(3.878 * us), 222.6, 31.4, 298.4, 1.295, 0.8, 0.05, 4, 4};
  Coefficients c;
  c.streaming = study::streaming();
  c.linearAttention.emplace();
  c.linearAttention->stacks = {sglang, vllm, trt};
  c.linearAttention->errors = {
      {ErrorClass::LinearAttention, 0.1, 0.1, 0.1},
      {ErrorClass::LinearAttentionAnyStack, 1.3, 1.3, 1.3}};
  c.errorBars.emplace();
  c.errorBars->outside = 2;
  c.errorBars->smallBelow = c.errorBars->mediumBelow = Seconds(10 * us);
  return c;
}

CostModel model(Software software, std::string_view name = "h100-sxm-80gb") {
  return study::model(gpu(name), coefficients(), software);
}

KernelWork states(int64_t batch, int64_t length,
                  LinearRule rule = LinearRule::GatedDelta,
                  int64_t snapshots = 1) {
  KernelWork w;
  w.family = KernelFamily::LinearAttention;
  w.format = NumericFormat::BF16;
  w.inputBits = w.outputBits = 16;
  w.problem =
      LinearAttentionProblem{rule, batch, length, 16, 32, 128, 128, snapshots};
  return w;
}

KernelWork convolution(int64_t batch, int64_t length, int64_t channels) {
  KernelWork w = states(1, 1);
  w.family = KernelFamily::CausalConvolution;
  w.problem = CausalConvolutionProblem{LinearRule::GatedDelta, batch, length,
                                       channels, 4};
  return w;
}

// (R6), (R7), (R8), (R9): prompts; (R10): a new token; (R11), (R12):
// convolutions of prompts; (R13): of a new token.
TEST(LinearAttention, VectorsOfTheStudy) {
  struct Vector {
    Software software;
    const char *gpu;
    KernelWork work;
    double us;
  };
  const Vector vectors[] = {
      {Software::Sglang, "h100-sxm-80gb", states(1, 4096), 437.483},
      {Software::Sglang, "h100-sxm-80gb", states(16, 100), 202.84},
      {Software::Vllm, "h100-sxm-80gb", states(1, 4096), 201.713},
      {Software::Vllm, "h200-sxm", states(8, 1024), 111.233},
      {Software::Sglang, "h100-sxm-80gb", states(1, 1), 4.7276},
      {Software::Sglang, "h100-sxm-80gb", states(256, 1), 363.453},
      {Software::Sglang, "h100-sxm-80gb", convolution(1, 5, 8192), 2.72268},
      {Software::Sglang, "h100-sxm-80gb", convolution(4, 4096, 8192), 229.275},
      {Software::Sglang, "h100-sxm-80gb", convolution(2, 8192, 4096), 116.307},
      {Software::Sglang, "h100-sxm-80gb", convolution(512, 1, 8192), 31.8318},
      {Software::TensorRtLlm, "h100-sxm-80gb", convolution(1, 100, 8192),
       13.038},
      {Software::TensorRtLlm, "h100-sxm-80gb", convolution(2, 8192, 4096),
       110.552},
  };
  for (const Vector &v : vectors)
    EXPECT_NEAR(microseconds(model(v.software, v.gpu), v.work) / v.us, 1, 2e-4)
        << v.us;
}

// (R14) PyTorch runs the Triton kernels of SGLang; its interval contains the
// time of other stacks.
TEST(LinearAttention, PyTorchRunsTritonKernels) {
  KernelWork prompt = states(1, 4096);
  KernelTime time = timeOf(model(Software::PyTorch), prompt);
  EXPECT_EQ(time.total, timeOf(model(Software::Sglang), prompt).total);
  EXPECT_TRUE(time.inCalibratedDomain);
  EXPECT_LT(time.total.value() / (1 + *time.halfWidth),
            timeOf(model(Software::Vllm), prompt).total.value());
  EXPECT_DOUBLE_EQ(*timeOf(model(Software::Sglang), prompt).halfWidth, 0.1);
}

TEST(LinearAttention, OtherBoardsRulesAndSizesAreOutsideTheDomain) {
  CostModel vllm = model(Software::Vllm);
  EXPECT_TRUE(timeOf(vllm, states(1, 4096)).inCalibratedDomain);
  KernelTime other = timeOf(model(Software::Vllm, "h200-sxm"), states(1, 4096));
  EXPECT_FALSE(other.inCalibratedDomain);
  EXPECT_DOUBLE_EQ(*other.halfWidth, 0.2);
  for (LinearRule rule : {LinearRule::ChannelDelta, LinearRule::Sum})
    EXPECT_FALSE(timeOf(vllm, states(1, 4096, rule)).inCalibratedDomain);
  KernelWork narrow = states(1, 4096);
  narrow.edit<LinearAttentionProblem>().keySize = 64;
  EXPECT_FALSE(timeOf(vllm, narrow).inCalibratedDomain);
  KernelWork taps = convolution(1, 4096, 8192);
  taps.edit<CausalConvolutionProblem>().taps = 3;
  EXPECT_FALSE(timeOf(model(Software::Sglang), taps).inCalibratedDomain);
  // vLLM has no numbers of its own for this kernel.
  EXPECT_FALSE(timeOf(vllm, states(1, 1)).inCalibratedDomain);
}

// A sum of states has no triangular inverse (R9) and fewer products (R7).
TEST(LinearAttention, SumsNeedNoInverse) {
  CostModel sglang = model(Software::Sglang);
  EXPECT_LT(microseconds(sglang, states(1, 64, LinearRule::Sum)),
            microseconds(sglang, states(1, 64)) - 19);
}

// One chain is as slow as one for each SM: 64 chunks of 5,964 cycles (R6).
TEST(LinearAttention, ChainsRunSideBySide) {
  CostModel vllm = model(Software::Vllm);
  KernelWork one = states(1, 4096);
  one.edit<LinearAttentionProblem>().heads = 1;
  one.edit<LinearAttentionProblem>().valueHeads = 2;
  double chain = 8.85 + 0.08188 + (10 + 64 * 5964) / 1980.0;
  EXPECT_NEAR(microseconds(vllm, one), chain, 0.01);
  EXPECT_NEAR(microseconds(vllm, states(1, 4096)), chain, 0.1);
}

// A state is read once and written after each token.
TEST(LinearAttention, VerificationWritesAStatePerToken) {
  CostModel sglang = model(Software::Sglang);
  double once = microseconds(sglang, states(256, 1));
  double four = microseconds(sglang, states(256, 4, LinearRule::GatedDelta, 4));
  EXPECT_NEAR(four / once, 2.5, 0.1); // (1 + 4)/(1 + 1)
}

TEST(LinearAttention, MoreIsNeverFaster) {
  for (Software software : {Software::Sglang, Software::Vllm}) {
    CostModel m = model(software);
    for (int64_t batch = 1; batch <= 64; batch *= 2)
      for (int64_t length = 2; length <= 16384; length *= 2) {
        double time = microseconds(m, states(batch, length));
        EXPECT_GE(microseconds(m, states(2 * batch, length)), time);
        EXPECT_GE(microseconds(m, states(batch, 2 * length)), time);
        time = microseconds(m, convolution(batch, length, 8192));
        EXPECT_GE(microseconds(m, convolution(2 * batch, length, 8192)), time);
        EXPECT_GE(microseconds(m, convolution(batch, 2 * length, 8192)), time);
      }
  }
}

// Few cycles more, at most: 16,384 tokens of no sequence, and none at all.
TEST(LinearAttention, EmptyProblemsCostTheirLaunch) {
  CostModel sglang = model(Software::Sglang);
  EXPECT_NEAR(microseconds(sglang, states(0, 16384)), 18.71, 1e-9);
  EXPECT_NEAR(microseconds(sglang, states(1, 0)), 3.943, 1e-9);
  EXPECT_NEAR(microseconds(sglang, convolution(1, 0, 64)), 1.62, 1e-9);
}

} // namespace
