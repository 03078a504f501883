//===- RowKernelsTest.cpp - Column sums, norms and dropout by hand --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// 10 SMs at 1 GHz with 2048 threads each, and round coefficients.
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Model/Software.h"
#include "gtest/gtest.h"

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
      {NumericFormat::FP32, 128, FlopsPerSecond(1.28e12), std::nullopt}};
  gpu.specialPerClock = 16;
  gpu.dramCapacity = Bytes(16e9);
  gpu.dramBandwidth = BytesPerSecond(100e9);
  gpu.l2Capacity = Bytes(1e6);
  gpu.powerLimit = Watts(100);
  SmFacts &sm = gpu.sm.emplace();
  sm.registers = 65536;
  sm.sharedMemory = sm.ctaSharedMemory = Bytes(1e5);
  sm.threads = 2048;
  sm.ctas = 32;
  sm.partitions = 4;
  sm.cacheBytesPerClock = sm.sharedBytesPerClock = 128;
  return gpu;
}

Coefficients coefficients() {
  Coefficients c;
  StreamingCoefficients &s = c.streaming.emplace();
  s.issueWidth = 128;
  s.issueScale = s.dramEfficiency = 1;
  s.l2Fraction = 0.1;
  s.l2BytesPerClock = 100;
  s.latency = Seconds(2 * us);
  s.normRow0 = 100;
  s.normRow1 = 50;
  ColumnSumCoefficients &sum = c.columnSum.emplace();
  sum.splitTime = Seconds(3 * us);
  sum.partCycles = 100;
  RowNormCoefficients &norm = c.rowNorm.emplace();
  norm.layerStep = 1000;
  norm.rmsRow = 40;
  norm.rmsColumns = 20;
  norm.rmsStep = 500;
  norm.singleRow = 200;
  norm.singleStep = 30;
  c.randomNumbers.emplace().elementCycles = 0.25;
  return c;
}

LaunchTerms termsOf(KernelFamily family, Problem problem,
                    KernelChoice choice = {}, const Gpu &gpu = toy(),
                    InstructionClass kind = InstructionClass::None) {
  KernelWork w;
  w.family = family;
  w.format = NumericFormat::FP16;
  w.inputBits = w.outputBits = 16;
  w.instructions = kind;
  w.problem = problem;
  w.count.bytesRead = w.count.bytesWritten = 1 << 20;
  CostModel model = study::model(gpu, coefficients(), choice);
  return cantFail(cantFail(findImplementation(model, w, Tiling(), {}))
                      ->model->terms(model, w, Tiling(), {}));
}

const KernelChoice compiled(Software::PyTorch, Runtime::Compiled);

} // namespace

// (M18) 768 sums, 4 for each thread: CTAs of 4 rows of 32 threads, 6 CTAs for
// all columns. 4096/4 = 1024 elements for each row of threads are enough to
// split, 16 CTAs fit on each of 10 SMs: ceil(160/6) = 27 CTAs for a column,
// ceil(27/4) = 7 steps of 100 cycles.
TEST(RowKernels, LongColumnsAreSplit) {
  auto sums = [](int64_t columns, int64_t rows, int64_t run = 1,
                 KernelChoice choice = {}, const Gpu &gpu = toy()) {
    RowsProblem p{columns, rows, NormKind::None, run};
    LaunchTerms t = termsOf(KernelFamily::Reduction, p, choice, gpu);
    return std::pair(t.serialIssue.value() / us, t.fixed.value() / us);
  };
  std::pair<double, double> plain(0, 2), found = sums(768, 4096);
  EXPECT_NEAR(found.first, 0.7, 1e-9);
  EXPECT_NEAR(found.second, 5, 1e-9);
  // 771 is odd: one for each thread, 16 rows of 32 threads, 25 CTAs for all
  // columns, 4 CTAs for each SM. ceil(40/25) = 2 CTAs for a column, one step.
  EXPECT_NEAR(sums(771, 8192).first, 0.1, 1e-9);
  // 1000/4 = 250 elements are too few; 20,480 columns fill the GPU.
  EXPECT_EQ(sums(768, 1000), plain);
  EXPECT_EQ(sums(20'480 + 128, 4096), plain);
  EXPECT_EQ(sums(768, 4096, 0), plain);
  EXPECT_EQ(sums(768, 4096, 1, compiled), plain);
  // Without the threads of an SM the number of CTAs is unknown.
  Gpu unknown = toy();
  unknown.sm.reset();
  EXPECT_EQ(sums(768, 4096, 1, {}, unknown), plain);
}

// 1000 rows on 10 SMs: 100 rows each.
TEST(RowKernels, NormsOfPyTorch) {
  auto norm = [](NormKind kind, int64_t columns, KernelChoice choice = {}) {
    LaunchTerms t = termsOf(KernelFamily::Normalization,
                            RowsProblem{1000, columns, kind}, choice);
    return std::pair(t.rows.value() / us, t.serialIssue.value() / us);
  };
  auto expect = [](std::pair<double, double> found, double rows,
                   double serial) {
    EXPECT_NEAR(found.first, rows, 1e-9);
    EXPECT_NEAR(found.second, serial, 1e-9);
  };
  // (M21) 100*(100 + 50*768/512) cycles, ceil(768/512) steps.
  expect(norm(NormKind::Layer, 768), 17.5, 2);
  expect(norm(NormKind::Rms, 768), 7, 1);
  // (M19) 4 does not divide 257: 100*(200 + 30*2) cycles.
  expect(norm(NormKind::Layer, 257), 26, 0);
  expect(norm(NormKind::Rms, 257), 26, 0);
  // (M5) 100*(100 + 50*ceil(768/512)) elsewhere.
  expect(norm(NormKind::Group, 768), 20, 0);
  expect(norm(NormKind::Layer, 768, compiled), 20, 0);
  expect(norm(NormKind::Layer, 768, Software::Vllm), 20, 0);
  expect(norm(NormKind::Rms, 257, Software::Vllm), 15, 0);
  // RMS norm has a kernel since 2.8.
  expect(norm(NormKind::Rms, 768, Software::PyTorch2_7), 20, 0);
  expect(norm(NormKind::Layer, 768, Software::PyTorch2_7), 17.5, 2);
}

// (M20) A million elements of a quarter of a cycle on 10 SMs.
TEST(RowKernels, DropoutDrawsRandomNumbers) {
  auto serial = [](InstructionClass kind, KernelChoice choice = {}) {
    return termsOf(KernelFamily::Elementwise, ElementsProblem{1'000'000},
                   choice, toy(), kind)
               .serialIssue.value() /
           us;
  };
  EXPECT_NEAR(serial(InstructionClass::Dropout), 25, 1e-9);
  EXPECT_EQ(serial(InstructionClass::Dropout, compiled), 0);
  EXPECT_EQ(serial(InstructionClass::Mul), 0);
}
