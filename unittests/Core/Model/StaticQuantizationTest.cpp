//===- StaticQuantizationTest.cpp - Quantised activations (Q7) ------------===//
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
using study::timeOf;

namespace {

constexpr double us = 1e-6;

/// A stack with one CTA for each row, and one without.
QuantizeStack rowsOfVllm() {
  QuantizeStack s;
  s.gpu = "h100-sxm-80gb";
  s.matrixPath = MatrixPath::Wgmma;
  s.stackedMemory = true;
  s.software = Software::Vllm;
  s.fixedTime = Seconds(2 * us);
  s.dramEfficiency = 0.9;
  s.l2BytesPerClock = 25;
  s.rowCycles = 110;
  s.elementCycles = 0.1;
  return s;
}
QuantizeStack flatOfTrt() {
  QuantizeStack s = rowsOfVllm();
  s.software = Software::TensorRtLlm;
  s.fixedTime = Seconds(1.4 * us);
  s.dramEfficiency = 0.95;
  s.l2BytesPerClock = 19;
  s.rowCycles = s.elementCycles = 0;
  return s;
}

CostModel modelOf(Software software, std::string_view gpu = "h100-sxm-80gb") {
  Coefficients c;
  c.streaming = study::streaming();
  c.streaming->l2Fraction = 0.45;
  c.streaming->latency = Seconds(9 * us);
  c.staticQuantization.emplace().stacks = {rowsOfVllm(), flatOfTrt()};
  return study::model(
      *compiledTarget(cantFail(findCompiledTarget(gpu)).first).gpu, c,
      software);
}

KernelWork activation(int64_t rows, int64_t columns) {
  KernelWork work;
  work.family = KernelFamily::Elementwise;
  work.instructions = InstructionClass::Cast;
  work.format = NumericFormat::BF16;
  work.inputBits = 16;
  work.outputBits = 8;
  ElementsProblem problem{rows * columns};
  problem.quantizedColumns = columns;
  work.problem = problem;
  work.count.bytesRead = 2 * rows * columns;
  work.count.bytesWritten = rows * columns;
  return work;
}

ImplementationKind kindOf(const CostModel &model, const KernelWork &work) {
  return cantFail(model.selectTiling(work)).implementation;
}

// H100: 132 SMs at 1.98 GHz, 3352 GB/s, an L2 of 50 MiB of which 0.45 keeps
// data; 3 bytes for each element.
TEST(StaticQuantization, ByHand) {
  constexpr double tolerance = 1e-4;
  CostModel trt = modelOf(Software::TensorRtLlm);
  CostModel vllm = modelOf(Software::Vllm);
  // From DRAM: 201.3 MB in 63.22 us, through L2 in 40.54 us.
  EXPECT_NEAR(microseconds(trt, activation(16384, 4096)), 67.141,
              67.141 * tolerance);
  // In L2: 6.291 MB / (132 * 19 * 1.98 GHz) = 1.2669 us.
  EXPECT_NEAR(microseconds(trt, activation(4096, 512)), 2.6669,
              2.6669 * tolerance);
  // The CTA of one row of 16,384 columns: 110 + 1638.4 cycles.
  EXPECT_NEAR(microseconds(vllm, activation(1, 16384)), 2.8830,
              2.8830 * tolerance);
  // 124.12 rows of an SM: 124.12 * (110 + 3.2) cycles.
  EXPECT_NEAR(microseconds(vllm, activation(16384, 32)), 9.0963,
              9.0963 * tolerance);
  EXPECT_TRUE(timeOf(vllm, activation(1, 64)).inCalibratedDomain);
}

TEST(StaticQuantization, Choice) {
  KernelWork work = activation(64, 4096);
  using K = ImplementationKind;
  EXPECT_EQ(kindOf(modelOf(Software::Vllm), work), K::StaticQuantization);
  EXPECT_EQ(kindOf(modelOf(Software::Vllm0_14), work), K::StaticQuantization);
  // A GPU with the same tensor cores and memory takes the numbers.
  CostModel h200 = modelOf(Software::Vllm, "h200-sxm");
  EXPECT_EQ(kindOf(h200, work), K::StaticQuantization);
  EXPECT_FALSE(timeOf(h200, work).inCalibratedDomain);
  EXPECT_EQ(describeServingKernel(h200, work),
            "activations quantised with one scale: kernels of vllm as measured "
            "on h100-sxm-80gb");
  // No set for SGLang, for PyTorch, or for other GPUs.
  for (const CostModel &other :
       {modelOf(Software::Sglang), modelOf(Software::PyTorch),
        modelOf(Software::Vllm, "b200-sxm"), modelOf(Software::Vllm, "l40s")}) {
    EXPECT_EQ(kindOf(other, work), K::Pointwise);
    EXPECT_EQ(describeServingKernel(other, work), "");
  }
  // Another elementwise kernel.
  work.edit<ElementsProblem>().quantizedColumns = 0;
  EXPECT_EQ(kindOf(modelOf(Software::Vllm), work), K::Pointwise);
}

// The board itself is preferred to an earlier entry of its generation.
TEST(StaticQuantization, OwnBoard) {
  Coefficients c;
  c.streaming = study::streaming();
  QuantizeStack own = rowsOfVllm();
  own.gpu = "h200-sxm";
  own.fixedTime = Seconds(7 * us);
  c.staticQuantization.emplace().stacks = {rowsOfVllm(), own, rowsOfVllm()};
  CostModel model = study::model(
      *compiledTarget(cantFail(findCompiledTarget("h200-sxm")).first).gpu, c,
      Software::Vllm);
  EXPECT_EQ(findQuantizeStack(model, activation(1, 64))->gpu, "h200-sxm");
}

} // namespace
