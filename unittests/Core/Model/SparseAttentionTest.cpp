//===- SparseAttentionTest.cpp - Chosen keys (K12)-(K14) ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/ServingKernels.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gtest/gtest.h"

using namespace gpucost;
using study::microseconds;

namespace {

constexpr double us = 1e-6;
constexpr double tolerance = 1e-4;
using K = ImplementationKind;

SparseStack stack() {
  SparseStack s;
  s.gpu = "h100-sxm-80gb";
  s.matrixPath = MatrixPath::Wgmma;
  s.software = Software::TensorRtLlm;
  s.bits = 16;
  s.scores = KeyScoresFit{Seconds(5 * us), 0.5, 0.8};
  s.choice = KeyChoiceFit{Seconds(4 * us), 10000, 0.5};
  SparsePromptFit &prompt = s.prompt.emplace();
  prompt.latentKeys = 576;
  prompt.latentValues = 512;
  prompt.tileRows = 64;
  prompt.fixedTime = Seconds(10 * us);
  prompt.efficiency = 0.4;
  prompt.l2BytesPerClock = 40;
  return s;
}

CostModel modelOf(Software software, std::string_view gpu = "h100-sxm-80gb") {
  Coefficients c;
  c.streaming = study::streaming();
  c.streaming->l2Fraction = 0.45;
  c.streaming->dramEfficiency = 0.9;
  c.streaming->l2BytesPerClock = 20;
  c.sparseAttention.emplace().stacks = {stack()};
  return study::model(
      *compiledTarget(cantFail(findCompiledTarget(gpu)).first).gpu, c,
      software);
}

KernelWork attention(int64_t batch, int64_t heads, int64_t queries,
                     int64_t keys, int64_t size, int64_t valueSize,
                     int64_t window = 0) {
  KernelWork work;
  work.family = KernelFamily::Attention;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  AttentionProblem p{batch,          heads, 1, queries, keys, size, window,
                     /*causal=*/true};
  p.valueDim = valueSize;
  p.chosen = valueSize > 1;
  work.problem = p;
  return work;
}

KernelWork withCache(KernelWork work, int64_t bits) {
  work.inputBits = bits;
  return work;
}

KernelWork choice(int64_t rows, int64_t keys) {
  KernelWork work;
  work.family = KernelFamily::Reduction;
  work.instructions = InstructionClass::Compare;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  RowsProblem p{rows, keys};
  p.pass = RowsPass::Choice;
  work.problem = p;
  work.count.bytesRead = 2 * rows * keys;
  work.count.bytesWritten = 10 * rows * 2048;
  return work;
}

K kindOf(const CostModel &model, const KernelWork &work) {
  return cantFail(model.selectTiling(work)).implementation;
}

// (K12) on H100, 8192 fp8 FLOPs per clock and SM. A step reads 64 * 65,536
// keys of 132 bytes, 553.6 MB; a prompt of 8,192 tokens has 33.6 million pairs
// of 64 heads, 549.8 GFLOP.
TEST(SparseAttention, Scores) {
  CostModel model = modelOf(Software::TensorRtLlm);
  EXPECT_NEAR(microseconds(model, attention(64, 64, 1, 65536, 128, 1)),
              211.9425, 211.9425 * tolerance);
  EXPECT_NEAR(microseconds(model, attention(1, 64, 8192, 8192, 128, 1)),
              518.5985, 518.5985 * tolerance);
  // Half of the keys before the prompt: 3 times as many pairs, less the
  // triangle.
  EXPECT_GT(microseconds(model, attention(1, 64, 4096, 8192, 128, 1)),
            0.7 * microseconds(model, attention(1, 64, 8192, 8192, 128, 1)));
}

// (K13) One row for each SM takes as long as a single row: 42,768 cycles of
// 65,536 keys; 1,024 rows take 7.76 times as long.
TEST(SparseAttention, Choice) {
  CostModel model = modelOf(Software::TensorRtLlm);
  EXPECT_NEAR(microseconds(model, choice(1, 65536)), 25.6, 25.6 * tolerance);
  EXPECT_NEAR(microseconds(model, choice(132, 65536)),
              microseconds(model, choice(1, 65536)), 1e-2);
  EXPECT_NEAR(microseconds(model, choice(1024, 65536)), 171.9755,
              171.9755 * tolerance);
}

// (K14) 8,192 queries of 16 heads, padded to 64: the first 2,048 see 2.1
// million keys, the others 2,048 each, 14.7 million pairs.
TEST(SparseAttention, Prompt) {
  CostModel model = modelOf(Software::TensorRtLlm);
  KernelWork prompt = attention(1, 16, 8192, 8192, 576, 512, 2048);
  EXPECT_NEAR(microseconds(model, prompt), 4800.266, 4800.266 * tolerance);
  EXPECT_DOUBLE_EQ(
      microseconds(model, prompt),
      microseconds(model, attention(1, 64, 8192, 8192, 576, 512, 2048)));
  Tiling tiling = cantFail(model.selectTiling(prompt));
  KernelEvents events = cantFail(model.launchTerms(prompt, tiling)).events;
  EXPECT_DOUBLE_EQ(events.tensorFlops, 2.0 * 16 * 14681088 * (576 + 512));
  EXPECT_DOUBLE_EQ(events.paddedFlops, 3 * events.tensorFlops);
}

TEST(SparseAttention, Kernels) {
  CostModel model = modelOf(Software::TensorRtLlm);
  KernelWork scores = attention(1, 64, 64, 8192, 128, 1);
  KernelWork prompt = attention(1, 16, 64, 8192, 576, 512, 2048);
  EXPECT_EQ(kindOf(model, scores), K::KeyScores);
  EXPECT_EQ(kindOf(model, choice(64, 8192)), K::KeyChoice);
  EXPECT_EQ(kindOf(model, prompt), K::SparsePrompt);
  EXPECT_EQ(describeServingKernel(model, scores),
            "scores of an indexer: kernels of tensorrt-llm");
  EXPECT_EQ(describeServingKernel(modelOf(Software::Vllm), prompt),
            "prompts with chosen keys: kernels of tensorrt-llm as measured on "
            "h100-sxm-80gb");
  // A step with chosen keys is latent attention (K6), a window of neighbours
  // another kernel, and so is a cache of 8 bits without a set.
  EXPECT_FALSE(
      findSparseKernel(model, attention(1, 16, 1, 8192, 576, 512, 2048)).stack);
  KernelWork window = prompt;
  window.edit<AttentionProblem>().chosen = false;
  EXPECT_FALSE(findSparseKernel(model, window).stack);
  EXPECT_FALSE(findSparseKernel(model, withCache(prompt, 8)).stack);
  // PyTorch and other generations.
  EXPECT_FALSE(findSparseKernel(modelOf(Software::PyTorch), scores).stack);
  EXPECT_FALSE(
      findSparseKernel(modelOf(Software::TensorRtLlm, "b200-sxm"), scores)
          .stack);
  EXPECT_EQ(kindOf(modelOf(Software::PyTorch), choice(64, 8192)), K::Reduce);
}

// Prompts of at most the chosen number of keys, of which each query sees those
// before it.
TEST(SparseAttention, AllKeys) {
  CostModel model = modelOf(Software::TensorRtLlm);
  KernelWork prompt = attention(1, 16, 1024, 1024, 576, 512);
  EXPECT_FALSE(findSparseKernel(model, prompt).stack);
  Coefficients c = model.coefficients();
  c.sparseAttention->stacks[0].prompt->allKeys = true;
  CostModel all = study::model(model.gpu(), c, Software::TensorRtLlm);
  EXPECT_EQ(kindOf(all, prompt), K::SparsePrompt);
  EXPECT_DOUBLE_EQ(
      microseconds(all, prompt),
      microseconds(all, attention(1, 16, 1024, 1024, 576, 512, 2048)));
}

// The scores of a cache of 8 bits have the entry of its width, without one
// that of 16 bits.
TEST(SparseAttention, ScoresByCache) {
  CostModel model = modelOf(Software::TensorRtLlm);
  KernelWork scores = attention(64, 64, 1, 65536, 128, 1);
  KernelWork narrow = withCache(scores, 8);
  EXPECT_DOUBLE_EQ(microseconds(model, narrow), microseconds(model, scores));
  Coefficients c = model.coefficients();
  SparseStack eight = stack();
  eight.bits = 8;
  eight.scores->fixedTime = Seconds(25 * us);
  c.sparseAttention->stacks.push_back(eight);
  CostModel both = study::model(model.gpu(), c, Software::TensorRtLlm);
  EXPECT_NEAR(microseconds(both, narrow), microseconds(both, scores) + 20,
              1e-9);
}

} // namespace
