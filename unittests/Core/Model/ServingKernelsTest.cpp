//===- ServingKernelsTest.cpp - Equations (E2)-(E5), (K6)-(K11) ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ServingKernels.h"
#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "gpucost/Core/Targets/TargetData.h"
#include "gtest/gtest.h"

using namespace gpucost;
using study::microseconds;
using study::timeOf;

namespace {

constexpr double us = 1e-6;

// Sets of the study of Blackwell.
ExpertStack blockExperts() {
  ExpertStack s;
  s.gpu = "h100-sxm-80gb";
  s.matrixPath = MatrixPath::Wgmma;
  s.software = Software::TensorRtLlm;
  s.kernel = "moe_torch_flow_cutlass";
  s.format = NumericFormat::FP8BLOCK;
  s.weights = NumericFormat::FP8BLOCK;
  s.fixedTime = Seconds(22.2 * us);
  s.efficiency = 0.3724;
  s.ctaCycles = 2150;
  s.latencyCycles = 42.86;
  s.leastRows = 8;
  s.waveFraction = 0.827;
  s.l2BytesPerClock = 73.5;
  s.l2Fraction = 0.1423;
  s.dramEfficiency = 0.9133;
  s.overlapNorm = 2.408;
  s.pairCycles = 388.8;
  s.choiceCycles = 0.4586;
  s.expertCycles = 3e+04;
  s.pairBytes = 27.09;
  s.tokenBytes = 4.04;
  s.awakeRate = 1.15;
  s.loadExponent = 0.3333;
  return s;
}

ExpertStack fourBitExperts() {
  ExpertStack s;
  s.gpu = "b200-sxm";
  s.matrixPath = MatrixPath::Tcgen05;
  s.software = Software::Sglang;
  s.kernel = "sglang_flashinfer_trtllm_moe";
  s.format = NumericFormat::NVFP4;
  s.weights = NumericFormat::NVFP4;
  s.fixedTime = Seconds(17.46 * us);
  s.efficiency = 0.6304;
  s.ctaCycles = 1053;
  s.latencyCycles = 15.86;
  s.leastRows = 16;
  s.waveFraction = 0.7183;
  s.l2BytesPerClock = 195.4;
  s.l2Fraction = 0.01247;
  s.dramEfficiency = 0.8949;
  s.overlapNorm = 1.647;
  s.pairCycles = 108.8;
  s.choiceCycles = 189.7;
  s.expertCycles = 3.025;
  s.pairBytes = 1.203;
  s.tokenBytes = 10.26;
  s.awakeRate = 0.9529;
  s.loadExponent = 0.3085;
  return s;
}

LatentStack hopperTrt() {
  LatentStack s;
  s.gpu = "h100-sxm-80gb";
  s.matrixPath = MatrixPath::Wgmma;
  s.software = Software::TensorRtLlm;
  s.bits = 16;
  LatentStepFit &step = s.step.emplace();
  step.fixedTime = Seconds(4.781 * us);
  step.splitTime = Seconds(1.909 * us);
  step.dramEfficiency = 0.9398;
  step.l2BytesPerClock = 282.4;
  step.l2Fraction = 0.3092;
  step.hitExponent = 30;
  step.tileRows = 64;
  step.leastRows = 8;
  step.prologueCycles = 1.383e+04;
  step.rowCycles = 122.6;
  step.blockCycles = 166.9;
  step.blockRowCycles = 12.44;
  step.ctasPerSm = 1.939;
  step.overlapNorm = 1.323;
  step.combineCycles = 4.31;
  step.leastSplitBlocks = 3.275;
  step.latencyCycles = 1.659e+04;
  step.blockLatencyCycles = 565.5;
  step.exposedShare = 0.09319;
  step.waveFraction = 0.3914;
  return s;
}

LatentStack hopperSglang() {
  LatentStack s;
  s.gpu = "h100-sxm-80gb";
  s.matrixPath = MatrixPath::Wgmma;
  s.software = Software::Sglang;
  s.bits = 16;
  LatentPromptFit &prompt = s.prompt.emplace();
  prompt.absorbedKeys = 576;
  prompt.absorbedValues = 512;
  prompt.tileRows = 64;
  prompt.efficiency = 0.5933;
  prompt.softmaxCycles = 0.0587;
  prompt.pipeNorm = 3.37;
  prompt.prologueCycles = 8408;
  prompt.waveFraction = 0.1913;
  prompt.causalTail = 0.2237;
  prompt.fixedTime = Seconds(5.631 * us);
  prompt.dramEfficiency = 1;
  prompt.l2BytesPerClock = 36.09;
  prompt.l2Fraction = 0.3171;
  prompt.headCycles = 0.001;
  return s;
}

LatentStack hopperVllm() {
  LatentStack s;
  s.gpu = "h100-sxm-80gb";
  s.matrixPath = MatrixPath::Wgmma;
  s.software = Software::Vllm;
  s.bits = 16;
  LatentProductFit keys, values;
  keys.n = 512;
  keys.k = 128;
  keys.fixedTime = Seconds(2.57 * us);
  keys.efficiency = 0.8268;
  keys.dramEfficiency = 1;
  keys.ctaCycles = 2558;
  keys.latencyCycles = 6.187;
  keys.overlapNorm = 4.442;
  values.n = 128;
  values.k = 512;
  values.fixedTime = Seconds(0.5 * us);
  values.efficiency = 0.9642;
  values.dramEfficiency = 0.8356;
  values.ctaCycles = 4560;
  values.latencyCycles = 510.6;
  values.overlapNorm = 3.681;
  s.products = {keys, values};
  return s;
}

LatentStack blackwellTrt() {
  LatentStack s;
  s.gpu = "b200-sxm";
  s.matrixPath = MatrixPath::Tcgen05;
  s.software = Software::TensorRtLlm;
  s.bits = 8;
  LatentPromptFit &prompt = s.prompt.emplace();
  prompt.products = NumericFormat::FP8;
  prompt.tileRows = 256;
  prompt.efficiency = 0.6625;
  prompt.softmaxCycles = 0.02311;
  prompt.pipeNorm = 3.989;
  prompt.prologueCycles = 2586;
  prompt.waveFraction = 0.006339;
  prompt.causalTail = 0.7672;
  prompt.fixedTime = Seconds(16.36 * us);
  prompt.dramEfficiency = 1;
  prompt.l2BytesPerClock = 12.04;
  prompt.l2Fraction = 0.2743;
  prompt.headCycles = 129.5;
  return s;
}

LatentStack blackwellSglang() {
  LatentStack s;
  s.gpu = "b200-sxm";
  s.matrixPath = MatrixPath::Tcgen05;
  s.software = Software::Sglang;
  s.bits = 8;
  LatentStepFit &step = s.step.emplace();
  step.fixedTime = Seconds(6.274 * us);
  step.splitTime = Seconds(3.037 * us);
  step.dramEfficiency = 0.8954;
  step.l2BytesPerClock = 992.4;
  step.l2Fraction = 0.4058;
  step.hitExponent = 30;
  step.tileRows = 128;
  step.leastRows = 8;
  step.prologueCycles = 7572;
  step.rowCycles = 40.63;
  step.blockCycles = 1;
  step.blockRowCycles = 6.269;
  step.ctasPerSm = 0.8381;
  step.overlapNorm = 1.03;
  step.combineCycles = 14.08;
  step.leastSplitBlocks = 6.733;
  step.latencyCycles = 5991;
  step.blockLatencyCycles = 1.213;
  step.exposedShare = 0.01;
  step.waveFraction = 0.964;
  return s;
}

CostModel modelOf(Software software, std::string_view gpu = "h100-sxm-80gb") {
  Coefficients c;
  c.streaming = study::streaming();
  c.fusedExperts.emplace().stacks = {blockExperts(), fourBitExperts()};
  c.latentAttention.emplace().stacks = {hopperTrt(), hopperSglang(),
                                        hopperVllm(), blackwellTrt(),
                                        blackwellSglang()};
  return study::model(
      *compiledTarget(cantFail(findCompiledTarget(gpu)).first).gpu, c,
      software);
}

/// A layer of DeepSeek-V3: `tokens` of all `shards`, `inner` hidden units on
/// each GPU; balanced choices.
KernelWork layer(NumericFormat format, int64_t tokens, int64_t shards,
                 int64_t inner, bool skewed = false) {
  constexpr int64_t hidden = 7168, experts = 256, choices = 8;
  int64_t pairs = tokens * choices / shards, local = experts / shards;
  MatmulProblem p;
  p.batch = std::min(pairs, local);
  p.m = pairs / p.batch;
  p.n = 3 * inner;
  p.k = hidden;
  p.linear = false;
  p.experts = local;
  p.choices = choices;
  p.shards = shards;
  p.inner = inner;
  p.gated = true;
  p.skewed = skewed;
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = format;
  work.inputBits = infoOf(format).bits;
  work.outputBits = 16;
  work.count.tensorFlops = 2 * pairs * 3 * inner * hidden;
  work.problem = p;
  return work;
}

KernelWork latent(int64_t batch, int64_t heads, int64_t queries, int64_t keys,
                  int64_t bits) {
  AttentionProblem p;
  p.batch = batch;
  p.heads = heads;
  p.queryLength = queries;
  p.kvLength = keys;
  p.causal = true;
  bool isStep = queries == 1;
  p.kvHeads = isStep ? 1 : heads;
  p.headDim = isStep ? 576 : 192;
  p.valueDim = isStep ? 512 : 128;
  KernelWork work;
  work.family = KernelFamily::Attention;
  work.format = NumericFormat::BF16;
  work.inputBits = bits;
  work.outputBits = 16;
  work.problem = p;
  return work;
}

KernelWork projection(int64_t tokens, int64_t heads, int64_t n, int64_t k) {
  MatmulProblem p;
  p.batch = heads;
  p.m = tokens;
  p.n = n;
  p.k = k;
  p.linear = false;
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = p;
  return work;
}

// (E2), (E3), (E4): balanced choices; (E5): tokens of all GPUs, and choices of
// unequal probability.
TEST(ServingKernels, ExpertLayersOfTheStudy) {
  constexpr double tolerance = 5e-4;
  CostModel hopper = modelOf(Software::TensorRtLlm);
  auto block = NumericFormat::FP8BLOCK;
  for (auto [tokens, skewed, expected] :
       {std::tuple(64, false, 494.007), std::tuple(64, true, 452.042),
        std::tuple(4096, false, 965.797), std::tuple(4096, true, 1617.75)})
    EXPECT_NEAR(microseconds(hopper, layer(block, tokens, 8, 2048, skewed)),
                expected, tolerance * expected);
  CostModel blackwell = modelOf(Software::Sglang, "b200-sxm");
  EXPECT_NEAR(
      microseconds(blackwell, layer(NumericFormat::NVFP4, 1024, 1, 256)),
      209.384, tolerance * 209.384);
}

// (K6), (K7), (K8): new tokens; (K9), (K10): prompts, absorbed in SGLang on
// Hopper; (K11): projections.
TEST(ServingKernels, LatentAttentionOfTheStudy) {
  constexpr double tolerance = 5e-4;
  auto expect = [](const CostModel &model, const KernelWork &work,
                   double expected) {
    EXPECT_NEAR(microseconds(model, work), expected, tolerance * expected);
  };
  CostModel trt = modelOf(Software::TensorRtLlm);
  expect(trt, latent(16, 128, 1, 4096, 16), 55.228);
  expect(trt, latent(1, 16, 1, 32768, 16), 31.1464);
  expect(trt, latent(256, 16, 1, 1024, 16), 122.881);
  expect(modelOf(Software::Sglang, "b200-sxm"), latent(64, 128, 1, 8192, 8),
         88.2696);
  CostModel sglang = modelOf(Software::Sglang);
  expect(sglang, latent(1, 16, 4096, 4096, 16), 543.533);
  expect(sglang, latent(8, 128, 512, 512, 16), 928.401);
  CostModel blackwell = modelOf(Software::TensorRtLlm, "b200-sxm");
  expect(blackwell, latent(1, 16, 4096, 4096, 8), 129.943);
  expect(blackwell, latent(8, 128, 512, 512, 8), 352.9);
  CostModel vllm = modelOf(Software::Vllm);
  expect(vllm, projection(64, 128, 512, 128), 11.2052);
  expect(vllm, projection(64, 128, 128, 512), 10.3692);
}

// (D10) 4 new tokens of 16 heads are as many rows as 64 heads.
TEST(ServingKernels, LatentNewTokensAreRows) {
  CostModel trt = modelOf(Software::TensorRtLlm);
  KernelWork verify = latent(16, 16, 1, 4096, 16);
  AttentionProblem p = verify.as<AttentionProblem>();
  p.queryLength = 4;
  verify.problem = p;
  EXPECT_DOUBLE_EQ(microseconds(trt, verify),
                   microseconds(trt, latent(16, 64, 1, 4096, 16)));
  EXPECT_FALSE(timeOf(trt, verify).inCalibratedDomain);
}

LaunchTerms termsOf(const CostModel &model, const KernelWork &work) {
  Tiling tiling = cantFail(model.selectTiling(work));
  return cantFail(model.launchTerms(work, tiling));
}

// (K6) A step reads the 2,048 keys that an indexer chose; fewer are all read.
// Scores of an indexer, whose values have one element, are another kernel.
TEST(ServingKernels, ChosenKeysOfLatentAttention) {
  CostModel trt = modelOf(Software::TensorRtLlm, "b200-sxm");
  KernelWork chosen = latent(256, 128, 1, 4097, 8);
  chosen.edit<AttentionProblem>().window = 2048;
  EXPECT_DOUBLE_EQ(microseconds(trt, chosen),
                   microseconds(trt, latent(256, 128, 1, 2048, 8)));
  chosen.edit<AttentionProblem>().window = 8192;
  EXPECT_DOUBLE_EQ(microseconds(trt, chosen),
                   microseconds(trt, latent(256, 128, 1, 4097, 8)));
  chosen.edit<AttentionProblem>().valueDim = 1;
  EXPECT_EQ(findLatentKernel(trt, chosen).step, nullptr);
}

// (K6) A stack that multiplies chosen keys in 16 bits converts a cache of 8
// bits: its steps have the numbers of 16 bits.
TEST(ServingKernels, StepsOfConvertedCaches) {
  CostModel trt = modelOf(Software::TensorRtLlm);
  Coefficients c = trt.coefficients();
  LatentStack narrow = hopperTrt();
  narrow.bits = 8;
  c.latentAttention->stacks.push_back(narrow);
  SparseStack sparse;
  sparse.gpu = narrow.gpu;
  sparse.matrixPath = narrow.matrixPath;
  sparse.software = narrow.software;
  sparse.bits = 8;
  sparse.prompt.emplace() = {576, 512, NumericFormat::BF16, 64, Seconds(0),
                             0.4, 40};
  c.sparseAttention.emplace().stacks = {sparse};
  auto bitsOf = [&](bool chosen, int64_t bits) {
    KernelWork work;
    work.family = KernelFamily::Attention;
    work.format = NumericFormat::BF16;
    work.inputBits = bits;
    AttentionProblem p{64, 16, 1, 1, 8192, 576, 2048, /*causal=*/true};
    p.valueDim = 512;
    p.chosen = chosen;
    work.problem = p;
    CostModel model = study::model(trt.gpu(), c, Software::TensorRtLlm);
    return findLatentKernel(model, work).stack->bits;
  };
  EXPECT_EQ(bitsOf(true, 16), 16);
  EXPECT_EQ(bitsOf(false, 8), 8);
  EXPECT_EQ(bitsOf(true, 8), 16);
  c.sparseAttention->stacks[0].prompt->products = NumericFormat::FP8;
  EXPECT_EQ(bitsOf(true, 8), 8);
}

// (K6) vLLM until 0.17 pads 16 heads to 128 on Blackwell: the time of 128
// heads, apart from their queries and results, and 7 padded FLOPs for each of
// the 16.
TEST(ServingKernels, PaddedHeads) {
  CostModel old = modelOf(Software::Vllm0_14, "b200-sxm");
  CostModel current = modelOf(Software::Vllm, "b200-sxm");
  KernelWork few = latent(32, 16, 1, 8192, 8);
  KernelWork many = latent(32, 128, 1, 8192, 8);
  EXPECT_GT(microseconds(old, few), 1.1 * microseconds(current, few));
  EXPECT_DOUBLE_EQ(microseconds(old, few), microseconds(old, many));
  EXPECT_DOUBLE_EQ(microseconds(old, many), microseconds(current, many));
  KernelEvents events = termsOf(old, few).events;
  EXPECT_DOUBLE_EQ(events.tensorFlops, 2.0 * 32 * 16 * 8192 * (576 + 512));
  EXPECT_DOUBLE_EQ(events.paddedFlops, 7 * events.tensorFlops);
  EXPECT_EQ(termsOf(current, few).events.paddedFlops, 0);
  EXPECT_NE(describeServingKernel(old, few).find("pads heads to 128"),
            std::string::npos);
  CostModel hopper = modelOf(Software::Vllm0_14);
  KernelWork wide = latent(32, 16, 1, 8192, 16);
  EXPECT_DOUBLE_EQ(microseconds(hopper, wide),
                   microseconds(modelOf(Software::Vllm), wide));
}

TEST(ServingKernels, StackOfSoftwareThenBoard) {
  KernelWork work = layer(NumericFormat::FP8BLOCK, 64, 8, 2048);
  CostModel trt = modelOf(Software::TensorRtLlm);
  ASSERT_TRUE(findExpertStack(trt, work));
  EXPECT_TRUE(timeOf(trt, work).inCalibratedDomain);
  // Another stack, and another board of the generation.
  for (const CostModel &model :
       {modelOf(Software::Vllm), modelOf(Software::TensorRtLlm, "h200-sxm")}) {
    ASSERT_TRUE(findExpertStack(model, work));
    EXPECT_FALSE(timeOf(model, work).inCalibratedDomain);
    EXPECT_NE(
        describeServingKernel(model, work).find("as measured on h100-sxm-80gb"),
        std::string::npos);
  }
  // PyTorch has no such kernel, nor have other generations or formats.
  EXPECT_FALSE(findExpertStack(modelOf(Software::PyTorch), work));
  EXPECT_FALSE(
      findExpertStack(modelOf(Software::TensorRtLlm, "a100-sxm-80gb"), work));
  EXPECT_FALSE(findExpertStack(trt, layer(NumericFormat::BF16, 64, 8, 2048)));
  EXPECT_FALSE(findLatentKernel(trt, latent(1, 16, 1, 4096, 8)).stack);
}

// (E6): 64 pairs in 32 tiles of 8 rows, 192 of which have no pair. (X28): the
// busiest of 8 GPUs has 64 pairs if all have 54.25 tokens, t + 1.435 *
// sqrt(0.851 * t); the mean GPU has 54.25 pairs and reads 0.8214 of the
// experts.
TEST(ServingKernels, EventsOfExperts) {
  CostModel model = modelOf(Software::TensorRtLlm);
  KernelWork work = layer(NumericFormat::FP8BLOCK, 64, 8, 2048);
  KernelEvents all = termsOf(model, work).events;
  EXPECT_DOUBLE_EQ(all.paddedFlops, 3 * all.tensorFlops);
  EXPECT_EQ(all.instructions, 0);
  work.edit<MatmulProblem>().busiest = true;
  KernelEvents mean = termsOf(model, work).events;
  EXPECT_NEAR(mean.tensorFlops / all.tensorFlops, 0.84768, 1e-4);
  EXPECT_NEAR(mean.l2Bytes / all.l2Bytes, 0.82136, 1e-4);
  EXPECT_LT(mean.dramBytes, all.dramBytes);
  EXPECT_DOUBLE_EQ(
      timeOf(model, work).total.value(),
      timeOf(model, layer(NumericFormat::FP8BLOCK, 64, 8, 2048)).total.value());
}

// A query states an expert layer by its sizes; experts are chosen as in (E1).
TEST(ServingKernels, QueriedLayer) {
  MatmulProblem sizes;
  sizes.m = 16;
  sizes.n = 2048;
  sizes.k = 7168;
  sizes.experts = 256;
  sizes.choices = 8;
  sizes.shards = 8;
  sizes.gated = true;
  EXPECT_FALSE(findSizeFault(sizes, 3));
  EXPECT_TRUE(findSizeFault(sizes, 4));
  KernelWork work = *expertsWork(sizes, NumericFormat::FP8BLOCK);
  const auto &p = work.as<MatmulProblem>();
  // 128 tokens read 251.6 of 256 experts, an eighth on this GPU.
  EXPECT_EQ(p.batch, 32);
  EXPECT_EQ(p.m, 4);
  EXPECT_EQ(p.experts, 32);
  EXPECT_EQ(work.count.tensorFlops, 2 * 16 * 8 * 3 * 2048 * int64_t(7168));
  sizes.shards = 3;
  EXPECT_TRUE(findSizeFault(sizes, 3));
}

} // namespace
