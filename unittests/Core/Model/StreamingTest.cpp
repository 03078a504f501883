//===- StreamingTest.cpp - Equations (M1)-(M7) against the study ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

CostModel modelOf() {
  Coefficients c;
  c.streaming = study::streaming();
  return study::model(study::gpu("A100"), std::move(c));
}

void setProblem(KernelWork &work, int64_t rows, int64_t columns) {
  work.problem = ElementsProblem{rows * columns};
  if (!problemFits(work.family, work.problem))
    work.problem = RowsProblem{rows, columns};
}

KernelWork stream(KernelFamily family, InstructionClass kind, int64_t rows,
                  int64_t columns, int inputs = 1) {
  KernelWork work;
  work.family = family;
  work.instructions = kind;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  setProblem(work, rows, columns);
  work.count.bytesRead = 2 * rows * columns * inputs;
  work.count.bytesWritten = 2 * rows * columns;
  return work;
}

KernelTime timeOf(const CostModel &model, const KernelWork &work,
                  double clockFraction = 1.0) {
  Tiling tiling = cantFail(model.selectTiling(work));
  return cantFail(
      model.predictTime(work, tiling, model.gpu().maxClock * clockFraction));
}

// (M1)-(M7) on A100 in bf16.
TEST(Streaming, ReproducesStudy) {
  struct Row {
    KernelWork work;
    double seconds;
  };
  CostModel model = modelOf();
  for (const Row &row :
       {Row{stream(KernelFamily::Elementwise, InstructionClass::Add, 4096, 4096,
                   2),
            6.9319e-5},
        Row{stream(KernelFamily::Elementwise, InstructionClass::Gelu, 16384,
                   5120),
            3.9608e-4},
        Row{stream(KernelFamily::Softmax, InstructionClass::None, 65536, 1024),
            4.1715e-4},
        Row{stream(KernelFamily::Softmax, InstructionClass::Softmax, 32768,
                   1600),
            3.3749e-4},
        Row{stream(KernelFamily::Normalization, InstructionClass::None, 8192,
                   4096),
            1.8291e-4}})
    EXPECT_NEAR(timeOf(model, row.work).total.value(), row.seconds,
                1e-3 * row.seconds);
}

// (M1): 4 MB stay in L2 (40 MiB) together with their neighbours, and leave it
// if a query states that 1 GB was touched in between. 1 MB again changes
// nothing.
TEST(Streaming, FootprintOfAQueryDecidesWhatL2Keeps) {
  CostModel model = modelOf();
  KernelWork copy =
      stream(KernelFamily::Elementwise, InstructionClass::Copy, 1024, 1024);
  KernelQuery cold, warm;
  cold.reuseBytesA = cold.reuseBytesB = 1e9;
  warm.reuseBytesA = warm.reuseBytesB = 1e6;
  auto dram = [&](const KernelQuery &query) {
    return cantFail(
               model.predictTime(copy, Tiling(), model.gpu().maxClock, query))
        .dram;
  };
  EXPECT_EQ(dram({}), Seconds(0));
  EXPECT_EQ(dram(warm), Seconds(0));
  // 2 x 2 MiB at the efficient fraction of the bandwidth.
  double rate = model.gpu().dramBandwidth.value() *
                model.coefficients().streaming->dramEfficiency;
  EXPECT_NEAR(dram(cold).value(), 4.0 * 1024 * 1024 / rate, 1e-12);
}

// (M7): a row is read again after the L2 has lost it: 16 rows with 16384
// columns on each of 108 SMs are 57 MB, three times the bytes that stay in L2.
// Only the stored result of a fused sum is read again; with half a row for each
// SM nothing is lost.
TEST(Streaming, RereadRows) {
  CostModel model = modelOf();
  double rate = model.gpu().dramBandwidth.value() *
                model.coefficients().streaming->dramEfficiency;
  KernelQuery cold;
  cold.reuseBytesA = cold.reuseBytesB = 1e9;
  auto tensors = [&](int64_t rows, int64_t read, int64_t written) {
    KernelWork work = stream(KernelFamily::Normalization,
                             InstructionClass::None, rows, 16384);
    int64_t each = 2 * rows * 16384;
    work.count.bytesRead = read * each;
    work.count.bytesWritten = written * each;
    Seconds dram =
        cantFail(model.predictTime(work, Tiling(), model.gpu().maxClock, cold))
            .dram;
    return dram.value() * rate / static_cast<double>(each);
  };
  EXPECT_NEAR(tensors(8192, 1, 1), 3, 1e-9); // once more
  EXPECT_NEAR(tensors(8192, 2, 1), 5, 1e-9); // both operands of a sum
  EXPECT_NEAR(tensors(8192, 2, 2), 5, 1e-9); // the sum
  EXPECT_NEAR(tensors(54, 1, 1), 2, 1e-9);
  EXPECT_NEAR(tensors(54, 2, 2), 4, 1e-9);
}

// (M2): at half the clock all but DRAM takes twice as long.
TEST(Streaming, ClockScalesAllButDram) {
  CostModel model = modelOf();
  KernelWork work =
      stream(KernelFamily::Elementwise, InstructionClass::Gelu, 8192, 8192);
  KernelTime full = timeOf(model, work), half = timeOf(model, work, 0.5);
  EXPECT_DOUBLE_EQ(half.dram.value(), full.dram.value());
  EXPECT_DOUBLE_EQ(half.l2.value(), 2 * full.l2.value());
  EXPECT_DOUBLE_EQ(half.compute.value(), 2 * full.compute.value());
  EXPECT_DOUBLE_EQ(half.fixed.value(), 1.5e-6);
  // 60 slots * 1.5 per bf16 element: instruction issue is the limit.
  EXPECT_EQ(full.bound, Bound::Issue);
}

// (M1): 2 MB fit into 0.44 of 40 MiB and do not reach DRAM.
TEST(Streaming, SmallTensorsStayInL2) {
  KernelTime time =
      timeOf(modelOf(), stream(KernelFamily::Elementwise,
                               InstructionClass::Relu, 512, 1024));
  EXPECT_EQ(time.dram.value(), 0);
  EXPECT_GT(time.l2.value(), 0);
}

// (M4): index arithmetic of a broadcast costs 90 issue slots instead of 40.
TEST(Streaming, StridedIndexing) {
  CostModel model = modelOf();
  KernelWork plain =
      stream(KernelFamily::Elementwise, InstructionClass::Add, 512, 1024);
  KernelWork strided = plain;
  strided.edit<ElementsProblem>().strided = true;
  EXPECT_DOUBLE_EQ(timeOf(model, strided).compute /
                       timeOf(model, plain).compute,
                   90.0 / 40.0);
}

TEST(Streaming, EveryFamilyHasATime) {
  CostModel model = modelOf();
  for (KernelFamily family :
       {KernelFamily::Softmax, KernelFamily::Normalization,
        KernelFamily::Elementwise, KernelFamily::Reduction,
        KernelFamily::DataMovement, KernelFamily::Embedding,
        KernelFamily::Pooling, KernelFamily::Optimizer, KernelFamily::Opaque}) {
    KernelWork work = stream(family, InstructionClass::None, 4096, 4096);
    // 2 * 2 * 4096^2 B at 2039 GB/s and 0.92 take at least 35.8 us.
    EXPECT_GT(timeOf(model, work).total.value(), 35.7e-6);
    KernelWork empty = stream(family, InstructionClass::None, 0, 4096);
    EXPECT_DOUBLE_EQ(timeOf(model, empty).total.value(), 1.5e-6);
    int64_t huge = int64_t(1) << 40;
    work.problem = ElementsProblem{huge};
    if (!problemFits(family, work.problem))
      work.problem = RowsProblem{huge, huge};
    EXPECT_TRUE(std::isfinite(timeOf(model, work).total.value()));
  }
}

TEST(Streaming, AForeignProblemIsAnError) {
  KernelWork work;
  work.family = KernelFamily::Softmax;
  work.problem = ElementsProblem{4096};
  auto tiling = modelOf().selectTiling(work);
  ASSERT_FALSE(bool(tiling));
  EXPECT_EQ(tiling.error().message,
            "expected the problem of kernel family 'softmax'");
}

} // namespace
