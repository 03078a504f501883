//===- EightBitAttentionTest.cpp - Equation (A15) -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/ErrorBars.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/Software.h"
#include "gtest/gtest.h"

using namespace gpucost;

namespace {

constexpr double us = 1e-6;

KernelWork attention(int64_t queries, int64_t keys, int64_t bits = 8,
                     NumericFormat format = NumericFormat::BF16) {
  KernelWork work;
  work.family = KernelFamily::Attention;
  work.format = format;
  work.inputBits = bits;
  work.outputBits = infoOf(format).bits;
  work.problem = AttentionProblem{1, 1, 1, queries, keys, 64, 0, true};
  return work;
}

/// One SM at 1 GHz.
Gpu oneSm() {
  Gpu gpu = study::gpu("H100");
  gpu.smCount = 1;
  gpu.maxClock = gpu.boostClock = Hertz(1e9);
  return gpu;
}

/// One tile of 128 queries and 128 keys with heads of 64: products only.
AttentionCoefficients promptSet(double fixedUs) {
  AttentionCoefficients c;
  c.leastSplitBlocks = c.largestSplit = c.firstGenerationSlowdown = 1;
  c.energyPerFlop = JoulesPerEvent(1e-12);
  c.efficiency = c.pipeNorm = c.dramEfficiency = c.l2Fraction = 1;
  c.l2BytesPerClock = c.cacheBytesPerClock = 1e6;
  c.fixedTime = Seconds(fixedUs * us);
  c.tiles = {{64, 128, 128}};
  return c;
}

DecodeCoefficients decodeSet(double fixedUs) {
  DecodeCoefficients c;
  c.kernel = DecodeKernel::Packed;
  c.dramEfficiency = c.l2Fraction = c.hitExponent = c.overlapNorm = 1;
  c.l2BytesPerClock = 1e6;
  c.ctasPerSm = c.leastSplitBlocks = c.largestSplit = 1;
  c.fixedTime = Seconds(fixedUs * us);
  return c;
}

AttentionStack stackOf(Software software, NumericFormat products,
                       double fixedUs) {
  AttentionStack stack;
  stack.software = software;
  stack.products = products;
  stack.causal = promptSet(fixedUs);
  stack.decode = decodeSet(fixedUs);
  return stack;
}

/// 16-bit sets of 1 us; in 8 bits vLLM 2 us, with products in bf16, SGLang 3
/// us, and TensorRT-LLM 4 us for fp8 and 5 us for bf16.
Coefficients coefficients() {
  Coefficients all;
  all.attentionFull = all.attentionCausal = promptSet(1);
  all.decode = decodeSet(1);
  all.eightBitAttention = {
      stackOf(Software::Vllm, NumericFormat::BF16, 2),
      stackOf(Software::Sglang, NumericFormat::FP8, 3),
      stackOf(Software::TensorRtLlm, NumericFormat::FP8, 4),
      stackOf(Software::TensorRtLlm, NumericFormat::BF16, 5)};
  all.eightBitAttention[3].decode.reset();
  return all;
}

LaunchTerms termsOf(const KernelWork &work, Software software,
                    Coefficients all = coefficients()) {
  KernelChoice choice;
  choice.software = software;
  CostModel model = study::model(oneSm(), std::move(all), choice);
  return cantFail(model.launchTerms(work, cantFail(model.selectTiling(work))));
}

double fixedOf(const KernelWork &work, Software software) {
  return termsOf(work, software).fixed.value() / us;
}

TEST(EightBitAttention, BelongsToSoftware) {
  EXPECT_NEAR(fixedOf(attention(128, 128), Software::Vllm), 2, 1e-9);
  EXPECT_NEAR(fixedOf(attention(128, 128), Software::Vllm0_19), 2, 1e-9);
  EXPECT_NEAR(fixedOf(attention(128, 128), Software::Sglang), 3, 1e-9);
  EXPECT_NEAR(fixedOf(attention(1, 128), Software::Sglang), 3, 1e-9);
  // PyTorch has none: the first ones stand in.
  EXPECT_NEAR(fixedOf(attention(128, 128), Software::PyTorch), 2, 1e-9);
  EXPECT_NEAR(fixedOf(attention(1, 128), Software::PyTorch), 2, 1e-9);
}

// The query selects the width of the products where a stack has both.
TEST(EightBitAttention, WidthOfProducts) {
  EXPECT_NEAR(fixedOf(attention(128, 128), Software::TensorRtLlm), 5, 1e-9);
  EXPECT_NEAR(fixedOf(attention(128, 128, 8, NumericFormat::FP8),
                      Software::TensorRtLlm),
              4, 1e-9);
  // Decoding has one entry.
  EXPECT_NEAR(fixedOf(attention(1, 128), Software::TensorRtLlm), 4, 1e-9);
  EXPECT_NEAR(
      fixedOf(attention(128, 128, 8, NumericFormat::FP8), Software::Vllm), 2,
      1e-9);
}

// A stack may have a set for one head dimension and width only.
TEST(EightBitAttention, HeadDimensions) {
  Coefficients all = coefficients();
  AttentionStack wide;
  wide.software = Software::Sglang;
  wide.products = NumericFormat::BF16;
  wide.causalOfDims = {promptSet(6)};
  wide.causalOfDims[0].headDims = {64};
  all.eightBitAttention.push_back(wide);
  auto fixed = [&](int64_t headDim) {
    KernelWork work = attention(128, 128);
    work.edit<AttentionProblem>().headDim = headDim;
    return termsOf(work, Software::Sglang, all).fixed.value() / us;
  };
  EXPECT_NEAR(fixed(64), 6, 1e-9);
  EXPECT_NEAR(fixed(32), 3, 1e-9);
}

// Other widths, products in int8, full attention and backward passes keep the
// 16-bit sets.
TEST(EightBitAttention, OtherKernels) {
  for (int64_t bits : {16, 4})
    for (int64_t queries : {1, 128})
      EXPECT_NEAR(fixedOf(attention(queries, 128, bits), Software::Vllm), 1,
                  1e-9);
  EXPECT_NEAR(
      fixedOf(attention(1, 128, 8, NumericFormat::INT8), Software::Vllm), 1,
      1e-9);
  KernelWork work = attention(128, 128);
  work.edit<AttentionProblem>().causal = false;
  EXPECT_NEAR(fixedOf(work, Software::Vllm), 1, 1e-9);
  work = attention(128, 128);
  work.edit<AttentionProblem>().backward = true;
  EXPECT_EQ(findEightBitAttention(coefficients(), work), nullptr);
}

// (A3) 128*128 scores: 4*64*16384/4096 = 1024 cycles in bf16, 512 in fp8,
// whatever the query computes in.
TEST(EightBitAttention, RateOfProducts) {
  auto cycles = [](const KernelWork &work, Software software) {
    return termsOf(work, software).compute.value() * 1e9;
  };
  EXPECT_DOUBLE_EQ(cycles(attention(128, 128), Software::Vllm), 1024);
  EXPECT_DOUBLE_EQ(cycles(attention(128, 128), Software::Sglang), 512);
  EXPECT_DOUBLE_EQ(
      cycles(attention(128, 128, 8, NumericFormat::FP8), Software::Vllm), 1024);
}

// (A5), (D3) Keys and values of one byte, queries and results of two:
// 64*(2*128*2
// + 2*128*1), decoding 64*(2*128*1 + 2*2*2).
TEST(EightBitAttention, Bytes) {
  for (NumericFormat format : {NumericFormat::BF16, NumericFormat::FP8}) {
    EXPECT_DOUBLE_EQ(termsOf(attention(128, 128, 8, format), Software::Sglang)
                         .events.dramBytes,
                     64 * (2 * 128 * 2 + 2 * 128 * 1));
    EXPECT_DOUBLE_EQ(termsOf(attention(1, 128, 8, format), Software::Sglang)
                         .events.dramBytes,
                     64 * (2 * 128 * 1 + 2 * 2 * 2));
  }
}

TEST(EightBitAttention, DomainAndNotes) {
  Coefficients all = coefficients();
  EXPECT_TRUE(
      termsOf(attention(128, 128), Software::Sglang).inCalibratedDomain);
  EXPECT_TRUE(termsOf(attention(1, 128), Software::Sglang).inCalibratedDomain);
  KernelWork prompt = attention(128, 128);
  const AttentionStack *vllm = findEightBitAttention(all, prompt);
  ASSERT_TRUE(vllm);
  EXPECT_EQ(describeEightBit(*vllm, prompt, Software::Vllm, "h100"), "");
  EXPECT_EQ(describeEightBit(*vllm, prompt, Software::PyTorch, "h100"),
            "prompt attention with keys and values in 8 bits: none of pytorch "
            "was measured on h100; vllm stands in");
  Coefficients moved = transferTo(oneSm(), study::gpu("H100"), all, "H100 SXM");
  EXPECT_EQ(describeEightBit(*findEightBitAttention(moved, prompt), prompt,
                             Software::Vllm, "h200"),
            "prompt attention with keys and values in 8 bits: as measured on "
            "H100 SXM with vllm");
  EXPECT_FALSE(termsOf(prompt, Software::Sglang, moved).inCalibratedDomain);
  EXPECT_FALSE(
      termsOf(attention(1, 128), Software::Sglang, moved).inCalibratedDomain);
  // A board with measured 16-bit kernels only.
  moved.attentionCausal->transferredFrom.clear();
  EXPECT_FALSE(termsOf(prompt, Software::Sglang, moved).inCalibratedDomain);
  EXPECT_TRUE(termsOf(attention(128, 128, 16), Software::Sglang, moved)
                  .inCalibratedDomain);
}

// (U1) The intervals are those of the set.
TEST(EightBitAttention, Intervals) {
  Coefficients all = coefficients();
  all.errorBars.emplace();
  all.errorBars->smallBelow = all.errorBars->mediumBelow = Seconds(1);
  all.errorBars->outside = 2;
  all.errorBars->kernels = {{ErrorClass::Decode, 0.5, 0.5, 0.5}};
  all.eightBitAttention[0].decode->errors = {
      {ErrorClass::Decode, 0.1, 0.2, 0.3}};
  CostModel model = study::model(oneSm(), all, KernelChoice());
  auto width = [&](const KernelWork &work) {
    KernelTime time;
    Tiling tiling;
    tiling.implementation = ImplementationKind::DecodePacked;
    addErrorBar(model, work, tiling, /*inCalibratedDomain=*/true, time);
    return time.halfWidth.value_or(0);
  };
  EXPECT_DOUBLE_EQ(width(attention(1, 128)), 0.1);
  EXPECT_DOUBLE_EQ(width(attention(1, 128, 16)), 0.5);
}

} // namespace
