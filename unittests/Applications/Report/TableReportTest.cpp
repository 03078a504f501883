//===- TableReportTest.cpp - The report for people ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SampleReport.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/TextTable.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <limits>

using namespace gpucost;

static const char golden[] = R"(
bert.onnx on a100-sxm-80gb, bf16
inference, pytorch, eager runtime, attention as-is, tensors cast to bf16
batch=16 seq=128

  time        1.60 ms     GPU busy 1.58 ms, host 1.00 ms for 74 launches
  power        350 W      average; the limit is 400 W
  energy       560 mJ     per iteration
  clock       1335 MHz    power limit reached: clock lowered to 1335 MHz
  80 % PI  1.28 ms to 2.00 ms, 250 W to 404 W, 509 mJ to 616 mJ; 10.0 % of GPU time outside the
           calibrated domain
  accuracy this GPU was measured
  work         207 GFLOP  FLOP = 2 x MAC; 206 GFLOP of it in matrix products
  DRAM         700 MB     after L2; every operand once is 830 MB
  MFU         41.3 %      matrix FLOPs / (dense peak x time); bf16 peak 312 TFLOP/s
  memory       309 MiB    parameters 209 MiB (109M) + activations 100 MiB
  device       900 MiB    reserved 300 MiB + context; 709 MiB to 1.07 GiB; fits in 80 GiB
  bound    tensor; of GPU time: tensor 75.9 %, dram 24.1 %
  coverage all 74 ops modelled

  all 3 distinct kernels
     %   n  1x us  all ms  family       op          shape              tile/spl   waves  bound     W
  75.0  48  25.00   1.200  matmul       MatMul+Add  m2048 n1024 k1024  128x256/2      2  tensor  390
  22.5  24  15.00   0.360  softmax      Softmax     rows24576 cols128  -              -  dram    240
   1.2   2  10.00   0.020  elementwise  Gelu        rows24576 cols128  -              -  dram    240
   1.3   -      -   0.020  waits        -           for the host       -              -  -         -

  - FLOP = 2 x MAC; causal attention counts the half it computes
)";

static bool contains(const std::string &text, llvm::StringRef part) {
  return llvm::StringRef(text).contains(part);
}

static void expectNarrow(const std::string &text) {
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(text).split(lines, '\n');
  for (llvm::StringRef line : lines) {
    EXPECT_LE(line.size(), reportWidth) << line.str();
    EXPECT_FALSE(line.ends_with(" ")) << line.str();
  }
}

TEST(TableReport, Golden) {
  std::string text = sample::write("table", sample::report());
  EXPECT_EQ("\n" + text, golden);
  expectNarrow(text);
}

TEST(TableReport, TopLimitsTheKernels) {
  ReportOptions options;
  options.top = 1;
  std::string text = sample::write("table", sample::report(), options);
  EXPECT_TRUE(
      contains(text, "top 1 of 3 distinct kernels, 75.0 % of the time"));
  EXPECT_FALSE(contains(text, "Gelu"));
  // 24 and 2 launches, 24 * 15 us + 2 * 10 us.
  for (const char *cell : {" 26 ", "others", "kernels not listed"})
    EXPECT_TRUE(contains(text, cell)) << cell;
  options.top = 0;
  EXPECT_FALSE(
      contains(sample::write("table", sample::report(), options), "kernels,"));
}

TEST(TableReport, HostBoundIsObvious) {
  IterationReport report = sample::report();
  report.bound = Bound::Host;
  report.host = Seconds(3.9e-3);
  report.time = Seconds(3.95e-3); // waits 1 - 1.58 / 3.95 = 60 %
  std::string text = sample::write("table", report);
  EXPECT_TRUE(contains(text, "host-bound: the GPU waits 60.0 % of the time"));
}

TEST(TableReport, Power) {
  IterationReport report = sample::report();
  EXPECT_TRUE(contains(sample::write("table", report),
                       "power limit reached: clock lowered to 1335 MHz"));
  report.throttled = false;
  EXPECT_TRUE(contains(sample::write("table", report),
                       "the power limit is not reached"));
  report.limitUnreachable = true;
  EXPECT_TRUE(contains(sample::write("table", report),
                       "NO CLOCK KEEPS THE POWER LIMIT of 400 W"));
}

TEST(TableReport, MemoryThatDoesNotFit) {
  IterationReport report = sample::report();
  report.memoryCapacity = report.memoryTotal = report.memoryUsable =
      Bytes(0x1p28);
  report.fitsInMemory = false;
  EXPECT_TRUE(
      contains(sample::write("table", report), "DOES NOT FIT in 256 MiB"));
  // The share that the software takes, and the total that CUDA reports.
  report.memoryCapacity = Bytes(0x1p30);
  report.memoryTotal = Bytes(0x1p29);
  EXPECT_EQ(memoryLimitText(report.memoryCapacity, report.memoryTotal,
                            report.memoryUsable.value()),
            "256 MiB (of 512 MiB; nominal 1 GiB)");
  EXPECT_TRUE(contains(sample::write("table", report), "(of 512"));
}

TEST(TableReport, MemoryBounds) {
  IterationReport report = sample::report();
  report.memoryVerdict = MemoryVerdict::MayNotFit;
  EXPECT_TRUE(
      contains(sample::write("table", report), "; may not fit in 80 GiB"));
}

TEST(TableReport, CoverageIsLoud) {
  IterationReport report = sample::report();
  report.modelled.ops = 71;
  report.fallback = {
      2,
      0.1,
      0.2,
      {{"onnx.NonMaxSuppression", 2, "no cost rule", Seconds(5e-6), 4000000}}};
  report.unmodelled = {
      1, 0, 0, {{"com.example::Foo", 1, "unknown op", Seconds(0), 0}}};
  std::string text = sample::write("table", report);
  EXPECT_TRUE(contains(text, "3 of 74 ops NOT FULLY MODELLED"));
  EXPECT_TRUE(contains(text, ">= 1.60 ms"));
  EXPECT_TRUE(contains(text, "FALLBACK: 2 ops, 10.0 % of GPU time, 20.0 % of "
                             "bytes; counted by bytes, a lower bound"));
  EXPECT_TRUE(
      contains(text, "onnx.NonMaxSuppression     x2  5.00 us  4.00 MB"));
  EXPECT_TRUE(contains(text, "UNMODELLED: 1 op, not in any total above"));
  EXPECT_TRUE(contains(text, "com.example::Foo"));
  expectNarrow(text);
  // Without any kernel the totals are not numbers.
  report.kernels.clear();
  text = sample::write("table", report);
  EXPECT_TRUE(contains(
      text, "  time     <unknown>: the kernels of all ops are unknown"));
  EXPECT_FALSE(contains(text, "per iteration"));
}

TEST(TableReport, WhatIsCountedAtMost) {
  IterationReport report = sample::report();
  report.assumed = {1, 0, 0, {{"onnx.If", 1, "unknown", Seconds(0), 0}}};
  std::string text = sample::write("table", report);
  EXPECT_TRUE(contains(text, "ASSUMED: 1 op, counted at most"));
  EXPECT_FALSE(contains(text, ">="));
}

// (H4) 1600 us are 1500 us of kernels, 80 us of gaps, and 20 us in which the
// GPU waits for the host. Collectives add 400 us.
TEST(TableReport, RowsMakeTheTime) {
  IterationReport report = sample::report();
  report.phases[0].kernelTime = Seconds(1500e-6);
  PhaseTotals links;
  links.phase = Phase::Communication;
  links.gpuBusy = links.kernelTime = Seconds(400e-6);
  links.time = report.exposedCommunication = Seconds(400e-6);
  report.phases.push_back(links);
  report.kernels[2].phase = Phase::Communication;
  report.time += links.time;
  EXPECT_NEAR(report.kernelTime().value(), 1500e-6, 1e-12);
  EXPECT_NEAR(report.gap().value(), 80e-6, 1e-12);
  EXPECT_NEAR(report.hostWait().value(), 20e-6, 1e-12);
  std::string text = sample::write("table", report);
  // 1200 us of 2000 us; a collective has no part; 80, 20 and 400 us.
  for (const char *row :
       {"60.0  48", "   -   2", " 4.0   -", " 1.0   -", "20.0   -"})
    EXPECT_TRUE(contains(text, row)) << row;
  for (const char *row : {"gaps", "between kernels", "waits", "exposed"})
    EXPECT_TRUE(contains(text, row)) << row;
}

TEST(TableReport, PhasesWhenThereIsMoreThanOne) {
  IterationReport report = sample::report();
  EXPECT_FALSE(contains(sample::write("table", report), "phase "));
  PhaseTotals backward = report.phases[0];
  backward.phase = Phase::Backward;
  backward.time = Seconds(3.2e-3);
  report.phases.push_back(backward);
  std::string text = sample::write("table", report);
  EXPECT_TRUE(contains(text, "  phase     time ms  GPU busy ms  host ms  "
                             "energy mJ  power W  kernels"));
  EXPECT_TRUE(contains(text, "  backward     3.20         1.58     1.00        "
                             "560      175       74"));
  expectNarrow(text);
}

TEST(TableReport, LongNamesAndManyBindings) {
  IterationReport report = sample::report();
  report.model = "/m/" + std::string(300, 'n') + ".onnx";
  for (int i = 0; i < 40; ++i)
    report.bindings.emplace_back("dimension" + std::to_string(i), 1 << 20);
  report.kernels[0].label = std::string(90, 'l');
  report.kernels[0].shape =
      "n=16 c=256 hw=14x14 oc=256 k=3x3 s=1 g=32 and more";
  report.notes.push_back(std::string(120, 'w') + " " + std::string(20, 'v'));
  expectNarrow(sample::write("table", report));
}

TEST(TableReport, UnknownNumbers) {
  IterationReport report = sample::report();
  report.time = Seconds(std::numeric_limits<double>::quiet_NaN());
  report.energy = Joules(std::numeric_limits<double>::infinity());
  report.peak = FlopsPerSecond(0);
  std::string text = sample::write("table", report);
  EXPECT_TRUE(contains(text, "<unknown>"));
  EXPECT_FALSE(contains(text, "nan"));
  EXPECT_FALSE(contains(text, " inf"));
  EXPECT_FALSE(sample::write("table", IterationReport()).empty());
}
