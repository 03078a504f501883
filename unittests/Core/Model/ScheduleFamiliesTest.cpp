//===- ScheduleFamiliesTest.cpp - Convolutions and decoding ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Schedules of implicit GEMMs and of attention with one query token, equations
// (Z6), (Y12) and (Y13), and the launch time of CUDA cores (V1).
//
//===----------------------------------------------------------------------===//

#include "ScheduleFixture.h"
#include "Schedules/AttentionSchedule.h"
#include "gpucost/Core/Model/Schedule.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace gpucost;
using study::product;

namespace {

/// A100 with matmuls, convolutions, decoding and schedules.
CostModel modelOf(DecodeKernel kernel = DecodeKernel::Packed) {
  CostModel plain = study::scheduleModel("A100", 25.6, study::smFacts(164));
  Coefficients c = plain.coefficients();
  c.simtConv = study::simtConv("V100");
  c.attentionFull = c.attentionCausal =
      study::attention("A100 ctx sglang fa2", "fa2");
  DecodeCoefficients &d = c.decode.emplace();
  d.kernel = kernel;
  d.fixedTime = Seconds(5e-6);
  d.splitTime = Seconds(2e-6);
  d.dramEfficiency = 0.8;
  d.l2BytesPerClock = 40;
  d.l2Fraction = 0.5;
  d.prologueCycles = 1000;
  d.rowCycles = 10;
  d.blockCycles = 400;
  d.ctasPerSm = 1;
  d.overlapNorm = 4;
  d.hitExponent = 8;
  d.tileRows = 64;
  d.latencyCycles = 2000;
  d.blockLatencyCycles = 100;
  d.latencyExponent = 0.5;
  d.leastSplitBlocks = 2;
  d.largestSplit = 128;
  return study::model(plain.gpu(), std::move(c));
}

/// Convolution of `batch` images of `edge` x `edge` pixels, stride 1.
KernelWork convolution(NumericFormat format, int64_t batch, int64_t in,
                       int64_t out, int64_t edge, int64_t taps,
                       ConvolutionPass pass = ConvolutionPass::Forward) {
  KernelWork work;
  work.family = KernelFamily::Convolution;
  work.format = format;
  work.inputBits = work.outputBits = format == NumericFormat::FP32 ? 32 : 16;
  work.problem = ConvolutionProblem{batch, in,   edge, edge, out, edge,
                                    edge,  taps, taps, 1,    1,   1};
  auto &p = work.edit<ConvolutionProblem>();
  p.pass = pass;
  p.channelsLast = format != NumericFormat::FP32;
  work.count.tensorFlops = countFlops(p);
  return work;
}

KernelWork decode(int64_t batch, int64_t heads, int64_t kvHeads, int64_t keys) {
  KernelWork work;
  work.family = KernelFamily::Attention;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = AttentionProblem{batch, heads, kvHeads, 1, keys, 128};
  work.count.tensorFlops = countFlops(work.as<AttentionProblem>());
  return work;
}

Schedule tile(int32_t m, int32_t n, int32_t k, int32_t split = 1) {
  Schedule s;
  s.tileM = m, s.tileN = n, s.tileK = k, s.splitK = split;
  s.warps = 4, s.stages = 3, s.cluster = 1;
  return s;
}

Seconds libraryTime(const CostModel &model, const KernelWork &work) {
  return cantFail(model.predictTime(work, cantFail(model.selectTiling(work)),
                                    model.gpu().maxClock))
      .total;
}

// (Z6) A filter of one tap on channels-last pixels is a matmul of 8 * 56 * 56
// pixels.
TEST(ScheduleFamilies, OneTapIsAMatmul) {
  CostModel model = modelOf();
  ScheduleModel filter = cantFail(ScheduleModel::create(
      model, convolution(NumericFormat::BF16, 8, 256, 128, 56, 1)));
  ScheduleModel matmul = cantFail(ScheduleModel::create(
      model, product(int64_t(8) * 56 * 56, 128, 256, NumericFormat::BF16)));
  Schedule small = tile(64, 64, 32), large = tile(128, 128, 64);
  for (const Schedule &each : {small, large})
    EXPECT_EQ(filter.timeOf(each), matmul.timeOf(each));
}

// (Z6) Nine taps read a pixel nine times from L2, and once from DRAM: 2^20 x
// 576 elements of A, a ninth of them in DRAM, 576 x 64 of B, 2^20 x 64 results.
TEST(ScheduleFamilies, TapsReadAPixelOnce) {
  CostModel model = modelOf();
  ScheduleDevice device = cantFail(describeDevice(model, NumericFormat::BF16));
  const TensorScheduleCoefficients &c = *model.coefficients().tensorSchedule;
  ScheduledProduct w;
  w.m = 1 << 20, w.n = 64, w.k = 576;
  w.inputBytes = w.weightBytes = w.resultBytes = 2;
  double taps = 9;
  Schedule s = tile(128, 64, 64);
  auto dram = [&] {
    TensorTile of(device, c, w, s);
    return tensorTime(device, c, w, of, s, fitTensor(device, c, of, s)).dram;
  };
  // B is smaller than L2, but A + B are not, so rows of CTAs read B again: the
  // difference is A.
  double all = dram();
  w.shareA = 1 / taps;
  double once = dram();
  double stages = 2, rows = 8192, sms = 108;
  TensorTile of(device, c, w, s);
  double active = std::min(rows, sms * fitTensor(device, c, of, s).ctasPerSm);
  double flight = active * stages * 64 * 64 * 2;
  double peak = model.gpu().dramBandwidth.value() * c.dramEfficiency;
  double bandwidth = peak * flight / (flight + peak * c.memoryLatency.value());
  double a = static_cast<double>(1 << 20) * 576 * 2;
  EXPECT_NEAR((all - once) * bandwidth / (a * (1 - 1 / taps)), 1, 1e-3);
}

// (V1) On tensor cores and CUDA cores; Winograd may be faster than the implicit
// GEMM.
TEST(ScheduleFamilies, FastestConvolutionHasTheLevelOfTheImplicitGemm) {
  CostModel model = modelOf();
  for (auto format : {NumericFormat::BF16, NumericFormat::FP32})
    for (auto pass : {ConvolutionPass::Forward, ConvolutionPass::InputGradient,
                      ConvolutionPass::WeightGradient}) {
      KernelWork work = convolution(format, 16, 64, 128, 56, 3, pass);
      KernelQuery implicit;
      implicit.implementation = format == NumericFormat::FP32
                                    ? ImplementationKind::ImplicitGemmSimt
                                    : ImplementationKind::ImplicitGemmTensor;
      KernelCost library = cantFail(model.estimate(work, implicit));
      ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
      ScheduledCost best = schedules.top(schedules.candidates(), 1)[0];
      if (format == NumericFormat::BF16)
        EXPECT_NEAR(best.cost.time.total / library.time.total, 1, 1e-3);
      else // the reference only has the tiles of the library's table, some of
           // which are not candidates
        EXPECT_LE(best.cost.time.total / library.time.total, 1.05)
            << stringifyConvolutionPass(pass);
      // Events are those of the convolution.
      EXPECT_EQ(best.cost.events.fp32Flops, library.events.fp32Flops);
      EXPECT_FALSE(best.cost.time.inCalibratedDomain);
    }
}

// A gradient of a filter sums over 16 * 56 * 56 pixels: all splits of the
// library's table are candidates, and the best one is split.
TEST(ScheduleFamilies, FilterGradientsSplitPixels) {
  CostModel model = modelOf();
  ScheduleModel schedules = cantFail(ScheduleModel::create(
      model, convolution(NumericFormat::BF16, 16, 64, 64, 56, 3,
                         ConvolutionPass::WeightGradient)));
  std::set<int32_t> splits, table;
  for (const Schedule &s : schedules.candidates())
    splits.insert(s.splitK);
  for (int32_t split : model.coefficients().tensorGemm->splitK)
    table.insert(split);
  EXPECT_EQ(splits, table);
  EXPECT_GT(schedules.complete({}).splitK, 1);
  EXPECT_GT(schedules.timeOf(tile(64, 64, 64, 1)),
            schedules.timeOf(tile(64, 64, 64, 8)));
}

TEST(ScheduleFamilies, RejectsOtherConvolutions) {
  CostModel model = modelOf();
  auto errorOf = [&](const KernelWork &work) {
    auto schedules = ScheduleModel::create(model, work);
    return schedules ? "" : schedules.error().message;
  };
  KernelWork groups = convolution(NumericFormat::BF16, 1, 288, 288, 14, 3);
  groups.edit<ConvolutionProblem>().groups = 3;
  EXPECT_NE(errorOf(groups).find("expected groups that fill tiles"),
            std::string::npos);
  KernelWork none = convolution(NumericFormat::BF16, 0, 64, 64, 14, 3);
  EXPECT_NE(errorOf(none).find("an empty one has no schedule"),
            std::string::npos);
}

// (V1) On CUDA cores a schedule does not change the launch, so that a tiny
// matmul takes hardly less than the library's kernel.
TEST(ScheduleFamilies, LaunchTimeStays) {
  CostModel model = modelOf();
  KernelWork work = product(40, 40, 24, NumericFormat::FP32);
  Seconds launch = model.coefficients().simtLinear->latency;
  Seconds library = libraryTime(model, work);
  ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
  Schedule best = schedules.complete({});
  EXPECT_GT(schedules.timeOf(best), launch);
  EXPECT_LE(schedules.timeOf(best), library);
  // Twice the K steps take twice the rest.
  ScheduleModel deeper = cantFail(
      ScheduleModel::create(model, product(40, 40, 4096, NumericFormat::FP32)));
  EXPECT_GT(deeper.timeOf(best) - launch, (schedules.timeOf(best) - launch));
}

// (Y13) 32 query heads share a head of the cache. A tile of 16 rows reads it
// twice: 2 * 4 * 2 CTAs, 4 times as many with a split of 4.
TEST(ScheduleFamilies, DecodeCountsTiles) {
  CostModel model = modelOf();
  KernelWork work = decode(2, 128, 4, 4096);
  ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
  Schedule s;
  s.tileM = 16, s.tileN = 64, s.splitK = 4, s.warps = 4, s.stages = 2;
  ScheduledCost narrow = cantFail(schedules.estimate(s));
  EXPECT_EQ(narrow.cost.tiling.ctas, 2 * 4 * 2 * 4);
  // Keys and values of 2 * 4 heads, 4096 keys, 128 elements of 2 bytes, twice.
  EXPECT_DOUBLE_EQ(narrow.cost.events.l2Bytes,
                   2.0 * 2 * 2 * 4 * 4096 * 128 * 2);
  s.tileM = 32;
  ScheduledCost wide = cantFail(schedules.estimate(s));
  EXPECT_EQ(wide.cost.tiling.ctas, 2 * 4 * 4);
  EXPECT_DOUBLE_EQ(wide.cost.events.l2Bytes, narrow.cost.events.l2Bytes / 2);
  // (Y11) 2 * 128 * (32 + 2 * 2 * 64) bytes.
  EXPECT_EQ(wide.fit.sharedBytes, 2 * 128 * (32 + 2 * 2 * 64));
  EXPECT_FALSE(schedules.isValidated());
}

// (D1) TensorRT-LLM runs groups of more than 32 heads one by one: 2 * 33 CTAs.
// FlashInfer runs groups of 3 on CUDA cores, but together: 2.
TEST(ScheduleFamilies, DecodeOfSingleHeads) {
  for (auto [kernel, ctas] : {std::pair(DecodeKernel::GeneratedOrMasked, 66),
                              std::pair(DecodeKernel::FlashInfer, 2)}) {
    CostModel model = modelOf(kernel);
    KernelWork work = decode(2, 33, 1, 256);
    if (kernel == DecodeKernel::FlashInfer)
      work.edit<AttentionProblem>().heads = 3;
    ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
    Schedule s;
    s.splitK = 1;
    EXPECT_EQ(cantFail(schedules.estimate(s)).cost.tiling.ctas, ctas);
    s.tileM = 16;
    auto wide = schedules.estimate(s);
    EXPECT_EQ(static_cast<bool>(wide), kernel == DecodeKernel::FlashInfer);
    if (!wide)
      EXPECT_NE(wide.error().message.find("expected tile_m = 8"),
                std::string::npos);
  }
}

// (Y13) The best split takes the library's time; few sequences need a split;
// blocks are whole.
TEST(ScheduleFamilies, DecodeHasTheLibrarysLevel) {
  CostModel model = modelOf();
  KernelWork work = decode(1, 32, 8, 16384);
  Seconds library = libraryTime(model, work);
  ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
  ScheduledCost best = schedules.top(schedules.candidates(), 1)[0];
  EXPECT_NEAR(best.cost.time.total / library, 1, 1e-9);
  EXPECT_GT(best.schedule.splitK, 1);
  Schedule whole = best.schedule;
  whole.splitK = 1;
  whole.ctasPerSm = 0;
  EXPECT_GT(schedules.timeOf(whole), best.cost.time.total * 2);
  // 16384 keys are 256 blocks.
  whole.tileN = 64;
  whole.splitK = 257;
  auto cost = schedules.estimate(whole);
  ASSERT_FALSE(cost);
  EXPECT_EQ(cost.error().message,
            "infeasible schedule: 16384 keys in blocks of 64 split into 257 "
            "parts");
  // Every candidate that can run has a time, none two entries.
  std::vector<Schedule> space = schedules.candidates();
  std::set<std::string> texts;
  for (const Schedule &each : space)
    EXPECT_TRUE(texts.insert(describeSchedule(each)).second);
}

// (Y12) Clocks per score, d = 128, bf16 on A100: products 2 * m * n * 128 / r,
// reads and writes of keys and values 2 * n * 128 * 2 * (1 + max(1, m / 32)) /
// 128 B/clk; then the barrier of a step. A larger tile is not faster.
TEST(ScheduleFamilies, SmallTilesOfAttentionAreSlower) {
  CostModel model = modelOf();
  ScheduleDevice device = cantFail(describeDevice(model, NumericFormat::BF16));
  TensorScheduleCoefficients c = *model.coefficients().tensorSchedule;
  c.pipeNorm = 1;
  c.stepCycles = 100;
  ScheduledAttention attention;
  attention.headDim = 128;
  attention.tile.m = 128;
  attention.tile.n = 64;
  auto clocks = [&](double m, double n) {
    return (2 * m * n * 128 / device.tensorPerClock +
            2 * n * 128 * 2 * (1 + std::max(1.0, m / 32)) / 128 + 100) /
           (m * n);
  };
  Schedule s;
  s.tileM = 16, s.tileN = 64;
  EXPECT_NEAR(blockSlowdown(device, c, attention, s),
              clocks(16, 64) / clocks(128, 64), 1e-12);
  s.tileM = 128;
  EXPECT_EQ(blockSlowdown(device, c, attention, s), 1);
  s.tileM = 256;
  EXPECT_EQ(blockSlowdown(device, c, attention, s), 1);
}

} // namespace
