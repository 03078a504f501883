//===- ByHandTest.cpp - Equations on a toy GPU with round numbers ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 10 SMs at 1 GHz, 1024 tensor and 128 CUDA-core FLOP per clock and SM, 100
// GB/s DRAM bandwidth, 1 MB L2: each expected value can be checked by head.
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/Software.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

constexpr double us = 1e-6;

Gpu toy() {
  Gpu gpu;
  gpu.name = "toy";
  gpu.smCount = 10;
  gpu.maxClock = gpu.boostClock = Hertz(1e9);
  gpu.minClock = Hertz(150e6);
  gpu.clockStep = Hertz(10e6);
  gpu.formats = {
      {NumericFormat::FP32, 128, FlopsPerSecond(1.28e12), std::nullopt},
      {NumericFormat::BF16, 1024, FlopsPerSecond(10.24e12), std::nullopt}};
  gpu.specialPerClock = 16;
  gpu.dramCapacity = Bytes(16e9);
  gpu.dramBandwidth = BytesPerSecond(100e9);
  gpu.l2Capacity = Bytes(1e6);
  gpu.powerLimit = Watts(100);
  return gpu;
}

LaunchTerms termsOf(const Gpu &gpu, const Coefficients &c,
                    const KernelWork &work, const Tiling &tiling,
                    const KernelQuery &query = {}, KernelChoice choice = {}) {
  CostModel model = study::model(gpu, c, choice);
  return cantFail(cantFail(findImplementation(model, work, tiling, query))
                      ->model->terms(model, work, tiling, query));
}

/// Eager PyTorch with this attention.
KernelChoice attentionBy(AttentionMode mode) {
  return {Software::PyTorch, Runtime::Eager, mode};
}

KernelWork work(KernelFamily family, NumericFormat format) {
  KernelWork w;
  w.family = family;
  w.format = format;
  w.inputBits = w.outputBits = format == NumericFormat::FP32 ? 32 : 16;
  return w;
}

Coefficients tensorSet() {
  Coefficients c;
  c.tensorGemm.emplace();
  c.tensorGemm->efficiency = 1;
  c.tensorGemm->misalignedEfficiency = 1;
  c.tensorGemm->convolutionEfficiency = 1;
  c.tensorGemm->energyPerFlop = JoulesPerEvent(1e-12);
  c.tensorGemm->leastSplitDepth = 128;
  c.tensorGemm->fullRateIntensity = 32;
  c.tensorGemm->rereadL2Share = 0.5;
  c.tensorGemm->dramEfficiency = 1;
  c.tensorGemm->l2BytesPerClock = 100;
  c.tensorGemm->l2Fraction = 1;
  c.tensorGemm->fixedTime = Seconds(1 * us);
  c.tensorGemm->splitKTime = Seconds(2 * us);
  c.tensorGemm->storeExposure = 0.5;
  c.tensorGemm->fillDepth = 64;
  c.tensorGemm->tiles = {{64, 64, 1, 0}};
  c.tensorGemm->splitK = {1, 2};
  return c;
}

TEST(ByHand, TensorGemm) {
  Coefficients c = tensorSet();
  KernelWork w = work(KernelFamily::Matmul, NumericFormat::BF16);
  w.problem = MatmulProblem{1, 640, 64, 128, true};
  Tiling tiling;
  tiling.tile = c.tensorGemm->tiles.front();
  LaunchTerms t = termsOf(toy(), c, w, tiling);
  // (G1) 10 CTAs of 2 steps, one per SM. (G2) 2 * 2*64*64*64 / 1024 cycles.
  EXPECT_NEAR(t.compute.value(), 1.024 * us, 1e-15);
  // (G3) 10 * 128 * 2 * 64 * 2 B = 327680 B at 10 * 100 B/clk: 0.32768 us,
  // (G7) half of it exposed: 64 of 128 K elements fill the pipeline.
  EXPECT_NEAR(t.l2.value(), 0.16384 * us, 1e-15);
  EXPECT_NEAR(t.exposedL2.value(), 0.16384 * us, 1e-15);
  // (G5) cold: 163840 + 16384 B. (G6) 1.80224 us load, 0.8192 us store.
  EXPECT_NEAR(t.exposedDram.value(), 0.90112 * us, 1e-15);
  EXPECT_NEAR(t.dram.value(), (0.90112 + 0.4096) * us, 1e-15);
  EXPECT_NEAR(t.serialDram.value(), 0.4096 * us, 1e-15);
  // (G8) only the launch; a split adds time.
  EXPECT_NEAR(t.fixed.value(), 1 * us, 1e-15);
  tiling.splitK = 2;
  EXPECT_NEAR(termsOf(toy(), c, w, tiling).fixed.value(), 3 * us, 1e-15);
  // (G2) Latency as long as the tensor work: sqrt(2) times.
  tiling.splitK = 1;
  c.tensorGemm->latencyCycles = 512;
  EXPECT_NEAR(termsOf(toy(), c, w, tiling).compute.value(),
              1.024 * us * std::sqrt(2.0), 1e-15);
}

// (G4) 20 x 10 tiles, 10 at a time in patches of 3 x 4: each of 3 patch columns
// reads the 1280 rows of A, each of 7 patch rows reads the 640 rows of B, 256 B
// per row: 2129920 B instead of 491520.
TEST(ByHand, TensorGemmReadsOperandsAgain) {
  Coefficients c = tensorSet();
  KernelWork w = work(KernelFamily::Matmul, NumericFormat::BF16);
  w.problem = MatmulProblem{1, 1280, 640, 128, true};
  Tiling tiling;
  tiling.tile = c.tensorGemm->tiles.front();
  Gpu gpu = toy();
  gpu.l2Capacity = Bytes(1e5);
  EXPECT_NEAR(termsOf(gpu, c, w, tiling).exposedDram.value(), 10.6496 * us,
              1e-15);
  gpu.l2Capacity = Bytes(1e6); // A + B fit into half of it
  EXPECT_NEAR(termsOf(gpu, c, w, tiling).exposedDram.value(), 2.4576 * us,
              1e-15);
}

TEST(ByHand, SimtGemm) {
  Coefficients c;
  c.simtLinear.emplace();
  c.simtLinear->powerFraction = 1;
  c.simtLinear->emax = 1;
  c.simtLinear->energyPerFlop = JoulesPerEvent(1e-11);
  c.simtLinear->saturationWarps = 0.01; // one warp fills an SM
  c.simtLinear->k0 = 8;
  c.simtLinear->dramEfficiency = 1;
  c.simtLinear->l2BytesPerClock = 100;
  c.simtLinear->l2Fraction = 1;
  c.simtLinear->l2Speedup = 2;
  c.simtLinear->latency = Seconds(1 * us);
  c.simtLinear->tiles = {{64, 64, 1, 8}};
  c.simtLinear->splitK = {1};
  KernelWork w = work(KernelFamily::Matmul, NumericFormat::FP32);
  w.problem = MatmulProblem{1, 640, 64, 64, true};
  Tiling tiling;
  tiling.tile = c.simtLinear->tiles.front();
  LaunchTerms t = termsOf(toy(), c, w, tiling);
  // (S2) 2 * 64 * 64 * (64 + 8) / 128 cycles.
  EXPECT_NEAR(t.compute.value(), 4.608 * us, 1e-15);
  // (S3) 4 * (40960 + 4096 + 40960) B cold; twice as fast from L2.
  EXPECT_NEAR(t.dram.value(), 3.44064 * us, 1e-15);
  KernelQuery warm;
  warm.reuseBytesA = warm.reuseBytesB = 344064;
  EXPECT_NEAR(termsOf(toy(), c, w, tiling, warm).dram.value(), 1.72032 * us,
              1e-15);
  // (S4) 10 * 128 * 64 * 4 B at 1000 B/clk.
  EXPECT_NEAR(t.l2.value(), 0.32768 * us, 1e-15);
}

// (C2) One CTA of 8 x 16 outputs and 32 channels: (8 + 2) * 2 * 16384 / 128.
TEST(ByHand, FusedWinograd) {
  Coefficients c;
  c.simtConv.emplace();
  c.simtConv->saturationWarps = 0.01;
  c.simtConv->dramEfficiency = c.simtConv->l2BytesPerClock = 1;
  c.simtConv->l2Fraction = c.simtConv->l2Speedup = 1;
  c.simtConv->implicitEfficiency = c.simtConv->nonFusedEfficiency = 1;
  c.simtConv->fusedEfficiency = 1;
  c.simtConv->fusedPrologue = 2;
  c.simtConv->implicitTiles = c.simtConv->batchedTiles = {{64, 64, 1, 8}};
  KernelWork w = work(KernelFamily::Convolution, NumericFormat::FP32);
  w.problem = ConvolutionProblem{1, 8, 8, 16, 32, 8, 16, 3, 3, 1, 1, 1};
  Tiling tiling;
  tiling.implementation = ImplementationKind::WinogradFused;
  EXPECT_NEAR(termsOf(toy(), c, w, tiling).compute.value(), 2.56 * us, 1e-15);
}

/// One CTA per SM; forward 1024 tensor cycles in bf16 and 2048 of softmax.
Coefficients attentionSet() {
  Coefficients c;
  AttentionCoefficients &a = c.attentionFull.emplace();
  a.efficiency = a.pipeNorm = a.waveFraction = a.dramEfficiency = a.l2Fraction =
      1;
  a.softmaxCycles = 0.5;
  a.cacheBytesPerClock = a.leastSplitBlocks = a.largestSplit = 1;
  a.firstGenerationSlowdown = 2;
  a.secondGenerationSlowdown = 1.75;
  a.secondGenerationBackward = 1.6;
  a.energyPerFlop = JoulesPerEvent(1e-12);
  a.l2BytesPerClock = 1e6;
  a.tiles = {{64, 64, 64}};
  return c;
}

TEST(ByHand, Attention) {
  Coefficients c = attentionSet();
  c.attentionFull->prologueCycles = 100;
  c.attentionFull->l2BytesPerClock = 100;
  KernelWork w = work(KernelFamily::Attention, NumericFormat::BF16);
  w.problem = AttentionProblem{1, 10, 10, 64, 64, 64, 0, false};
  LaunchTerms t = termsOf(toy(), c, w, Tiling());
  // (A3) 4 * 64^3 / 1024 + 64^2 / 2 = 1024 + 2048 cycles. (A4) One CTA per SM,
  // 100 cycles of prologue. (A6) Slower than the L2 feed of 0.16384 us.
  EXPECT_NEAR(t.compute.value(), 3.172 * us, 1e-15);
  EXPECT_EQ(t.l2.value(), 0);
  // (A5) Q, K, V, O of 10 * 64 * 64 * 2 B each; x = 0.32768 of L2 touched.
  double x3 = 0.32768 * 0.32768 * 0.32768;
  EXPECT_NEAR(t.dram.value(), 3.2768 * us * x3 / (1 + x3), 1e-15);
}

// (A11) fp32 tensors: three TF32 matmuls at the rate of one warp's
// instructions, whether TF32 is on or not.
TEST(ByHand, AttentionOfWideTensors) {
  Gpu gpu = toy();
  gpu.formats.push_back(
      {NumericFormat::TF32, 512, FlopsPerSecond(5.12e12), std::nullopt});
  gpu.warpMatrixShare = 0.5;
  for (NumericFormat format : {NumericFormat::FP32, NumericFormat::TF32}) {
    KernelWork w = work(KernelFamily::Attention, format);
    w.inputBits = w.outputBits = 32;
    w.problem = AttentionProblem{1, 10, 10, 64, 64, 64, 0, false};
    // Attention settings select only 16-bit kernels.
    LaunchTerms t = termsOf(gpu, attentionSet(), w, Tiling(), {},
                            attentionBy(AttentionMode::Flash1));
    // 4 * 64^3 / (512 * 0.5 / 3) + 64^2 / 2 = 12288 + 2048 cycles.
    EXPECT_NEAR(t.compute.value(), 14.336 * us, 1e-15);
    // 10 heads * 4 * 64^3 * 3 matmuls.
    EXPECT_DOUBLE_EQ(t.events.tensorFlops, 31'457'280);
  }
  // Without TF32 this kernel does not exist.
  KernelWork w = work(KernelFamily::Attention, NumericFormat::FP32);
  w.problem = AttentionProblem{1, 10, 10, 64, 64, 64, 0, false};
  CostModel model = study::model(toy(), attentionSet());
  EXPECT_FALSE(model.launchTerms(w, Tiling()));
}

// (A9), (A12) 3072 cycles forward, 2560 + 4096 backward, each generation
// slower than the next.
TEST(ByHand, AttentionGenerations) {
  auto compute = [&](AttentionMode mode, bool backward) {
    KernelWork w = work(KernelFamily::Attention, NumericFormat::BF16);
    w.problem = AttentionProblem{1, 10, 10, 64, 64, 64, 0, false};
    w.edit<AttentionProblem>().backward = backward;
    return termsOf(toy(), attentionSet(), w, Tiling(), {}, attentionBy(mode))
        .compute.value();
  };
  using M = AttentionMode;
  EXPECT_NEAR(compute(M::Flash, false), 3.072 * us, 1e-15);
  EXPECT_NEAR(compute(M::Flash2, false), 5.376 * us, 1e-15);
  EXPECT_NEAR(compute(M::Flash1, false), 2 * 5.376 * us, 1e-15);
  EXPECT_NEAR(compute(M::Flash, true), 6.656 * us, 1e-15);
  EXPECT_NEAR(compute(M::Flash2, true), 10.6496 * us, 1e-15);
  EXPECT_NEAR(compute(M::Flash1, true), 2 * 10.6496 * us, 1e-15);
  // The first one in Triton, by the size of a head; 128 takes 4096 + 2048 and
  // 5120 + 8192 / 2 cycles of the wider tile.
  auto triton = [&](int64_t headDim, bool backward) {
    Coefficients c = attentionSet();
    c.attentionFull->tiles.push_back({128, 64, 64});
    KernelWork w = work(KernelFamily::Attention, NumericFormat::BF16);
    w.problem =
        AttentionProblem{1, 10, 10, 64, 64, headDim, 0, false, backward};
    return termsOf(toy(), c, w, Tiling(), {}, attentionBy(M::Triton1))
        .compute.value();
  };
  EXPECT_NEAR(triton(64, false), 1.33 * 5.376 * us, 1e-15);
  EXPECT_NEAR(triton(64, true), 1.71 * 10.6496 * us, 1e-15);
  EXPECT_NEAR(triton(128, false), 1.5 * 1.75 * 4.096 * us, 1e-15);
  EXPECT_NEAR(triton(128, true), 2 * 1.6 * 9.216 * us, 1e-15);
}

// (A13) Measured backward: blocks with 6656 cycles take 1.5 times as long, the
// prologue takes three times; the sums of dQ and the reads for D are separate
// kernels.
TEST(ByHand, AttentionBackwardAsMeasured) {
  Coefficients c = attentionSet();
  AttentionCoefficients &a = *c.attentionFull;
  a.backwardSlowdown = 1.5;
  a.prologueCycles = 100;
  a.backwardPrologue = 3;
  a.fixedTime = Seconds(2 * us);
  KernelWork w = work(KernelFamily::Attention, NumericFormat::BF16);
  w.problem = AttentionProblem{1, 10, 10, 64, 64, 64, 0, false, true};
  // Without a time of the kernels around it these were not measured.
  LaunchTerms t = termsOf(toy(), c, w, Tiling());
  EXPECT_NEAR(t.compute.value(), (1.5 * 6.656 + 0.3) * us, 1e-15);
  EXPECT_EQ(t.serialDram.value(), 0);
  EXPECT_NEAR(t.fixed.value(), 2 * us, 1e-15);
  a.backwardTime = Seconds(5 * us);
  t = termsOf(toy(), c, w, Tiling());
  EXPECT_NEAR(t.fixed.value(), 7 * us, 1e-15);
  // 40960 query elements, 8 + 3 * 2 bytes each; the kernel touches 655360 bytes
  // and 8 bytes of sums per element in 1 MB of L2. The bytes that stay move at
  // 1 byte per clock and SM.
  double x = 0.65536 + 0.32768, kept = 1 / (1 + x * x * x);
  EXPECT_NEAR(t.serialDram.value(),
              40960 * 14 * ((1 - kept) / 100e9 + kept / 10e9), 1e-15);
  EXPECT_DOUBLE_EQ(t.events.dramBytes, 655'360 + 40960 * 14);
}

// (A11)-(A13) Which set a kernel takes.
TEST(ByHand, AttentionSets) {
  Coefficients c = attentionSet();
  c.attentionCausal = c.attentionFull;
  auto group = [&](KernelChoice choice, NumericFormat format) {
    KernelWork w = work(KernelFamily::Attention, format);
    w.problem = AttentionProblem{1, 10, 10, 64, 64, 64, 0, true};
    CostModel model = study::model(toy(), c, choice);
    auto row = cantFail(findImplementation(model, w, Tiling(), {}));
    return groupName(
        findAttentionSet(model.coefficients(), w, row->kind).member);
  };
  KernelChoice vllm = Software::Vllm;
  EXPECT_EQ(group({}, NumericFormat::BF16), "attention_causal");
  c.attentionCudnn = c.attentionFlash2 = c.attentionFp32 = c.attentionFull;
  EXPECT_EQ(group(vllm, NumericFormat::BF16), "attention_causal");
  EXPECT_EQ(group({}, NumericFormat::BF16), "attention_cudnn");
  EXPECT_EQ(group(attentionBy(AttentionMode::Flash1), NumericFormat::BF16),
            "attention_flash2");
  EXPECT_EQ(group(Software::PyTorch2_7, NumericFormat::BF16),
            "attention_flash2");
  EXPECT_EQ(group(Software::PyTorch2_7, NumericFormat::FP32), "attention_fp32");
}

// (G14) One TF32 operand that is not contiguous along k goes through registers,
// at 0.85 of the rate; two of them run on single-warp instructions, at half the
// rate here: 2 * 2 * 64^3 / 512 cycles, twice.
TEST(ByHand, StridedTf32Products) {
  Gpu gpu = toy();
  gpu.formats.push_back(
      {NumericFormat::TF32, 512, FlopsPerSecond(5.12e12), std::nullopt});
  gpu.warpMatrixShare = 0.5;
  Coefficients c = tensorSet();
  Tiling tiling;
  tiling.tile = c.tensorGemm->tiles.front();
  auto compute = [&](NumericFormat format, bool strided, bool transA = false) {
    KernelWork w = work(KernelFamily::Matmul, format);
    w.problem = MatmulProblem{1, 640, 64, 128, true};
    w.edit<MatmulProblem>().stridedK = strided;
    w.edit<MatmulProblem>().transA = transA;
    return termsOf(gpu, c, w, tiling).compute.value();
  };
  EXPECT_NEAR(compute(NumericFormat::TF32, false), 2.048 * us, 1e-15);
  EXPECT_NEAR(compute(NumericFormat::TF32, true), 2.048 / 0.85 * us, 1e-15);
  EXPECT_NEAR(compute(NumericFormat::TF32, true, true), 4.096 * us, 1e-15);
  // 16-bit instructions of a warp group take either order.
  EXPECT_NEAR(compute(NumericFormat::BF16, true), 1.024 * us, 1e-15);
  // Two steps with 768 latency cycles; registers wait 1.75, warps 2.5 times.
  c.tensorGemm->latencyCycles = 768;
  EXPECT_NEAR(compute(NumericFormat::TF32, false), 2.56 * us, 1e-15);
  EXPECT_NEAR(compute(NumericFormat::TF32, true),
              std::hypot(2.048 / 0.85, 1.75 * 1.536) * us, 1e-15);
  EXPECT_NEAR(compute(NumericFormat::TF32, true, true),
              std::hypot(4.096, 2.5 * 1.536) * us, 1e-15);
}

/// Memory-bound kernels with round numbers.
Coefficients streaming() {
  Coefficients c;
  c.streaming.emplace();
  c.streaming->issueWidth = 128;
  c.streaming->issueScale = c.streaming->dramEfficiency = 1;
  c.streaming->l2Fraction = 0.1;
  c.streaming->l2BytesPerClock = 100;
  return c;
}

// (M2) 2 MB read and 1 MB written at 100 GB/s, of which reads reach 0.8; a
// written byte costs 1.5 read ones: 3.5 MB / 80 GB/s.
TEST(ByHand, WritesCostMore) {
  Coefficients c = streaming();
  c.streaming->dramEfficiency = 0.8;
  c.streaming->writeCost = 1.5;
  KernelWork w = work(KernelFamily::Elementwise, NumericFormat::FP32);
  w.inputBits = w.outputBits = 32;
  w.problem = ElementsProblem{250'000, /*strided=*/false};
  w.count.bytesRead = 2'000'000;
  w.count.bytesWritten = 1'000'000;
  EXPECT_NEAR(termsOf(toy(), c, w, Tiling()).dram.value(), 43.75 * us, 1e-12);
}

// (M10) A million elements read and written, 2 per clock and SM: 100 us on 10
// SMs, in 16 and in 32 bit. Others are bound by 4 MB at 100 GB/s.
TEST(ByHand, ChannelKernels) {
  Coefficients c = streaming();
  c.streaming->channelAccesses = 2;
  auto terms = [&](KernelFamily family, Problem problem, int bits) {
    KernelWork w = work(family, NumericFormat::FP16);
    w.inputBits = w.outputBits = bits;
    w.problem = problem;
    w.count.bytesRead = w.count.bytesWritten = 1'000'000 * (bits / 8);
    return termsOf(toy(), c, w, Tiling(), {}, Software::PyTorch1_13);
  };
  constexpr int64_t run = 625; // of 25 images
  ElementsProblem elements{1'000'000, /*strided=*/false, NormKind::Batch, 64,
                           run};
  RowsProblem rows{64, 15'625, NormKind::Batch, run};
  for (int bits : {16, 32}) {
    EXPECT_NEAR(terms(KernelFamily::Elementwise, elements, bits).issue.value(),
                100 * us, 1e-12);
    EXPECT_NEAR(terms(KernelFamily::Reduction, rows, bits).issue.value(),
                100 * us, 1e-12);
  }
  // 64 channels of 64 CTAs, a quarter per clock each: 16 instead of 20.
  c.streaming->channelCtaAccesses = 0.25;
  EXPECT_NEAR(terms(KernelFamily::Reduction, rows, 16).issue.value(), 125 * us,
              1e-12);
  EXPECT_NEAR(terms(KernelFamily::Elementwise, elements, 16).issue.value(),
              100 * us, 1e-12);
  elements.norm = rows.norm = NormKind::None;
  EXPECT_EQ(terms(KernelFamily::Elementwise, elements, 16).issue.value(), 0);
  EXPECT_EQ(terms(KernelFamily::Reduction, rows, 16).issue.value(), 0);
  EXPECT_NEAR(terms(KernelFamily::Elementwise, elements, 16).dram.value(),
              40 * us, 1e-12);
}

// (M15) 20 channels on 10 SMs at 1 GHz, two for each, and half of a pass's
// cycles for each of its two kernels.
TEST(ByHand, CudnnBatchNorm) {
  Coefficients c = streaming();
  auto terms = [&](KernelFamily family, int64_t columns, int64_t operands,
                   int bits) {
    KernelWork w =
        work(family, bits == 16 ? NumericFormat::FP16 : NumericFormat::FP32);
    w.inputBits = w.outputBits = bits;
    if (family == KernelFamily::Reduction)
      w.problem = RowsProblem{20, columns, NormKind::Batch, columns};
    else
      w.problem = ElementsProblem{20 * columns, /*strided=*/false,
                                  NormKind::Batch, 20, columns};
    w.count.bytesRead = 20 * columns * operands * bits / 8;
    return termsOf(toy(), c, w, Tiling());
  };
  for (KernelFamily family :
       {KernelFamily::Reduction, KernelFamily::Elementwise}) {
    auto issue = [&](int64_t columns, int64_t operands, int bits) {
      return terms(family, columns, operands, bits).issue.value();
    };
    // Channels of 100 kB stay on chip: 3260 and 15300 cycles.
    EXPECT_NEAR(issue(50'000, 1, 16), 18.56 * us, 1e-12);
    EXPECT_NEAR(issue(25'000, 1, 32), 18.56 * us, 1e-12);
    EXPECT_NEAR(issue(25'000, 2, 16), 18.56 * us, 1e-12);
    // Longer ones: 100,000 elements from the first and the second channel.
    EXPECT_NEAR(issue(100'000, 1, 16), (1.49 + 0.65) / 2 * 100 * us, 1e-12);
    EXPECT_NEAR(issue(100'000, 1, 32), (1.19 + 0.65) / 2 * 100 * us, 1e-12);
    EXPECT_NEAR(issue(100'000, 2, 32), (3 + 0.4) / 2 * 100 * us, 1e-12);
  }
  // Channels on chip are read only by the first kernel: 2 MB at 100 GB/s.
  auto dram = [&](KernelFamily family, int64_t columns) {
    return terms(family, columns, 1, 16).dram.value();
  };
  EXPECT_NEAR(dram(KernelFamily::Reduction, 50'000), 20 * us, 1e-12);
  EXPECT_EQ(dram(KernelFamily::Elementwise, 50'000), 0);
  EXPECT_NEAR(dram(KernelFamily::Elementwise, 100'000), 40 * us, 1e-12);
}

// (M13) A million elements, 1.1 cycles each where one tensor is read, 0.75
// where two are: 110 and 75 us on 10 SMs at 1 GHz.
TEST(ByHand, SumsOverPixels) {
  Coefficients c = streaming();
  auto issue = [&](int64_t operands, NormKind norm) {
    KernelWork w = work(KernelFamily::Reduction, NumericFormat::BF16);
    w.problem = RowsProblem{64, 15'625, norm, /*run=*/1};
    w.count.bytesRead = operands * 2'000'000;
    return termsOf(toy(), c, w, Tiling()).issue.value();
  };
  EXPECT_NEAR(issue(1, NormKind::Batch), 110 * us, 1e-12);
  EXPECT_NEAR(issue(2, NormKind::Batch), 75 * us, 1e-12);
  EXPECT_EQ(issue(1, NormKind::None), 0);
}

// (M11) 64 columns, 32 for a CTA: 2 CTAs with 1024 threads and 4 loads (2 bytes
// each) of both operands keep 32768 bytes in flight; 100 GB/s for 320 ns need
// 32000. All 20480 threads with 16-byte loads keep 2621440.
TEST(ByHand, FewCtasStream) {
  Coefficients c = streaming();
  c.tensorSchedule.emplace();
  c.tensorSchedule->memoryLatency = Seconds(0.32 * us);
  c.tensorSchedule->mmaShare = c.tensorSchedule->dramEfficiency = 1;
  c.tensorSchedule->pipeNorm = c.tensorSchedule->overlapNorm = 1;
  c.tensorSchedule->l2BytesPerClock = 1;
  Gpu gpu = toy();
  SmFacts &sm = gpu.sm.emplace();
  sm.registers = 65536;
  sm.sharedMemory = sm.ctaSharedMemory = Bytes(1e5);
  sm.threads = 2048;
  sm.ctas = 32;
  sm.partitions = 4;
  sm.cacheBytesPerClock = sm.sharedBytesPerClock = 128;
  auto dram = [&](RowsPass pass) {
    KernelWork w = work(KernelFamily::Reduction, NumericFormat::FP16);
    w.problem = RowsProblem{64, 15'625, NormKind::None, 0, pass};
    w.count.bytesRead = 4'000'000;
    return termsOf(gpu, c, w, Tiling()).dram.value();
  };
  EXPECT_NEAR(dram(RowsPass::Unstated), 40 * us, 1e-12);
  double all = 2'621'440.0 / (2'621'440 + 32'000), few = 32'768.0 / 64'768;
  EXPECT_NEAR(dram(RowsPass::WeightGradient), 40 * us * all / few, 1e-12);
  // Without the latency of the memory nothing is known of few CTAs.
  c.tensorSchedule.reset();
  EXPECT_NEAR(dram(RowsPass::WeightGradient), 40 * us, 1e-12);
}

TEST(ByHand, Softmax) {
  Coefficients c;
  c.streaming.emplace();
  c.streaming->issueWidth = 128;
  c.streaming->issueScale = 1;
  c.streaming->dramEfficiency = c.streaming->l2Fraction = 1;
  c.streaming->l2BytesPerClock = 10;
  c.streaming->softmaxRow0 = 100;
  c.streaming->softmaxRow1 = 10;
  auto terms = [&](int64_t columns) {
    KernelWork w = work(KernelFamily::Softmax, NumericFormat::BF16);
    w.problem = RowsProblem{10, columns};
    w.count.bytesRead = w.count.bytesWritten = 20 * columns;
    return termsOf(toy(), c, w, Tiling());
  };
  // (M5) 10 rows of 100 + 4 * 10 cycles on 10 SMs.
  EXPECT_NEAR(terms(2048).rows.value(), 0.14 * us, 1e-15);
  // (M6) 256 threads * 4 divide 2048 columns: the second pass stays on chip.
  // (M3) 81920 B at 10 * 10 B/clk. With 2050 columns, twice as much again.
  EXPECT_NEAR(terms(2048).l2.value(), 0.8192 * us, 1e-15);
  EXPECT_NEAR(terms(2050).l2.value(), (0.82 + 0.82) * us, 1e-15);
}

// (M14) 10 rows on 10 SMs at 1 GHz: one row each.
TEST(ByHand, SoftmaxInRegisters) {
  Coefficients c = streaming();
  auto terms = [&](int64_t columns, bool isForward, int64_t bits = 16) {
    KernelWork w = work(KernelFamily::Softmax, NumericFormat::BF16);
    w.inputBits = w.outputBits = bits;
    RowsProblem rows{10, columns};
    rows.pass = isForward ? RowsPass::Forward : RowsPass::Unstated;
    w.problem = rows;
    w.count.bytesRead = w.count.bytesWritten = 10 * bits / 8 * columns;
    return termsOf(toy(), c, w, Tiling());
  };
  auto issue = [&](int64_t columns, int64_t bits = 16) {
    return terms(columns, true, bits).issue.value();
  };
  EXPECT_EQ(issue(1024), 0);
  EXPECT_NEAR(issue(2000), 1.2 * us, 1e-12);                     // a warp
  EXPECT_NEAR(issue(2050), (0.56 + 3 * 0.72) * us, 1e-12);       // a CTA
  EXPECT_NEAR(issue(8192), 1.3 * (0.56 + 8 * 0.72) * us, 1e-12); // single CTA
  EXPECT_NEAR(issue(16384), 8.192 * us, 1e-12);                  // 32 KB
  EXPECT_EQ(issue(16384, 32), 0);                                // 64 KB
  // Rows on chip are read once.
  EXPECT_NEAR(terms(2050, true).l2.value() * 2, terms(2050, false).l2.value(),
              1e-12);
  EXPECT_EQ(terms(2050, false).issue.value(), 0);
}

// (M16) 1000 heads on 10 SMs at 1 GHz: 2.45 ns for each, whatever the SMs do.
TEST(ByHand, NormOfHeads) {
  Coefficients c = streaming();
  c.streaming->normRow0 = 100;
  c.streaming->normRow1 = 50;
  auto rows = [&](int64_t columns, bool ofSglang, int64_t smCount = 10) {
    KernelWork w = work(KernelFamily::Normalization, NumericFormat::BF16);
    w.problem = RowsProblem{1000, columns, NormKind::Rms};
    w.count.bytesRead = w.count.bytesWritten = 2000 * columns;
    Gpu gpu = toy();
    gpu.smCount = smCount;
    return termsOf(gpu, c, w, Tiling(), {},
                   ofSglang ? Software::Sglang : Software::Vllm)
        .rows.value();
  };
  EXPECT_NEAR(rows(128, true), 2.45 * us, 1e-12);
  EXPECT_NEAR(rows(128, true, 20), 2.45 * us, 1e-12);
  EXPECT_NEAR(rows(256, true), 2.45 * us, 1e-12); // 512 bytes
  EXPECT_NEAR(rows(257, true), 15 * us, 1e-12);   // two warps
  EXPECT_NEAR(rows(128, false), 15 * us, 1e-12);
  EXPECT_NEAR(rows(128, false, 20), 7.5 * us, 1e-12);
}

} // namespace
