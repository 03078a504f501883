//===- DetailsTest.cpp - Why, when and where of an iteration --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/Details.h"
#include "StudySets.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

/// Target files do not state this: bytes between L2 and SMs also cost energy.
constexpr double picojoulesPerL2Byte = 4;

CostModel a100() {
  Coefficients c = study::a100().coefficients();
  c.runtime = RuntimeCoefficients();
  c.runtime->hostNorm = 6;
  c.power->perL2Byte = JoulesPerEvent(picojoulesPerL2Byte * 1e-12);
  return study::model(study::a100().gpu(), std::move(c));
}

/// A small addition, then two launches of a matmul, which reads a weight.
PreparedModel twoKernels() {
  PreparedModel model;
  KernelWork relu;
  relu.family = KernelFamily::Elementwise;
  relu.instructions = InstructionClass::Relu;
  relu.format = NumericFormat::BF16;
  relu.inputBits = relu.outputBits = 16;
  relu.problem = ElementsProblem{1 << 20, false};
  relu.count.fp32Flops = 1 << 20;
  relu.count.bytesRead = relu.count.bytesWritten = 2 << 20;
  KernelWork gemm;
  gemm.family = KernelFamily::Matmul;
  gemm.format = NumericFormat::BF16;
  gemm.inputBits = gemm.outputBits = 16;
  MatmulProblem problem{1, 4096, 4096, 4096, true};
  gemm.problem = problem;
  gemm.count.tensorFlops = countFlops(problem);
  gemm.count.bytesRead = 4 << 24;
  gemm.count.bytesWritten = 2 << 24;
  model.works = {relu, gemm};
  model.kinds.resize(2);
  model.kinds[1].work = 1;
  model.nodes = {"node_relu", "node_mm"};
  model.nodeWeights = {"", "layer.0.weight"};
  model.launches.resize(2);
  model.launches[1].kind = model.launches[1].work = model.launches[1].node = 1;
  model.launches[1].count = 2;
  // 100 bytes are live while the first runs, 100 and 30 while the second runs.
  model.memory.trace.sizes = {100, 30};
  model.memory.trace.events = {1, 2, -1, -2};
  model.launches[0].memoryEvents = 1;
  model.launches[1].memoryEvents = 2;
  return model;
}

class Details : public ::testing::Test {
protected:
  Details() {
    options.clock = Hertz(900e6);
    placed = cantFail(PlacedModel::create(
        std::make_shared<const PreparedModel>(twoKernels()), a100()));
    report = placed->evaluate(options);
    details = explainIteration(*placed, report);
  }

  Settings options;
  std::optional<PlacedModel> placed;
  IterationReport report;
  IterationDetails details;
};

// (W1) at the clock of the iteration, term by term.
TEST_F(Details, TermsAreTheTime) {
  ASSERT_EQ(details.kernels.size(), 2u);
  for (size_t i = 0; i < 2; ++i) {
    const TimeTerms &terms = details.kernels[i].time;
    double sum = 0;
    for (Seconds term : {terms.compute, terms.l2, terms.issue, terms.rows,
                         terms.dram, terms.powerRoof})
      sum += std::pow(term.value(), terms.norm);
    double time = std::pow(sum, 1 / terms.norm) + terms.exposed.value() +
                  terms.serial.value() + terms.fixed.value();
    EXPECT_NEAR(time / report.kernels[i].time.total.value(), 1, 1e-9);
  }
}

// (P5): the parts are the energy of a kernel below the limit.
TEST_F(Details, PartsAreTheEnergy) {
  EXPECT_FALSE(report.throttled);
  for (size_t i = 0; i < 2; ++i) {
    const KernelDetails &kernel = details.kernels[i];
    const EnergyParts &parts = kernel.energy;
    Joules sum = parts.idle + parts.tensor + parts.fp32 + parts.instructions +
                 parts.smCycles + parts.l2 + parts.dram;
    EXPECT_NEAR(sum / report.kernels[i].energy, 1, 1e-9);
    EXPECT_DOUBLE_EQ(parts.idle.value(),
                     details.idlePower.value() *
                         report.kernels[i].time.total.value());
    // At the core's voltage.
    double v = placed->model().voltageRatio(report.clock);
    double scale =
        std::pow(v, placed->model().coefficients().power->voltageExponent);
    EXPECT_NEAR(parts.l2.value(),
                picojoulesPerL2Byte * 1e-12 * kernel.l2Bytes * scale,
                1e-9 * parts.l2.value());
  }
  // The row of the matmul, which counts them.
  EXPECT_GT(details.kernels[0].energy.l2, Joules(0));
}

// The matmul takes longer and comes first; the launches stay in order.
TEST_F(Details, LaunchesAreInProgramOrder) {
  ASSERT_EQ(details.launches.size(), 2u);
  EXPECT_EQ(report.kernels[0].family, KernelFamily::Matmul);
  EXPECT_EQ(details.launches[0].kernel, 1u);
  EXPECT_EQ(details.launches[0].liveBytes, 100);
  EXPECT_EQ(details.launches[1].kernel, 0u);
  EXPECT_EQ(details.launches[1].count, 2);
  EXPECT_EQ(details.launches[1].liveBytes, 130);
  EXPECT_EQ(details.nodeWeights[details.launches[1].node], "layer.0.weight");
}

// Peaks and L2 follow the clock; the groups are those that the kernels use.
TEST_F(Details, RoofsAndSources) {
  const Gpu &gpu = placed->model().gpu();
  EXPECT_EQ(details.peaks.front().first, "bf16");
  EXPECT_NEAR(
      details.peaks.front().second.value(),
      gpu.peak(NumericFormat::BF16).value() * 900e6 / gpu.maxClock.value(), 1);
  ASSERT_EQ(details.l2Bandwidths.size(), 1u);
  EXPECT_EQ(details.l2Bandwidths.front().first, "tensor_gemm");
  auto uses = [&](size_t kernel, const std::string &name) {
    for (uint32_t group : details.kernels[kernel].coefficients)
      if (details.coefficients[group].name == name)
        return true;
    return false;
  };
  EXPECT_TRUE(uses(0, "tensor_gemm"));
  EXPECT_TRUE(uses(0, "power"));
  EXPECT_FALSE(uses(0, "streaming"));
  EXPECT_TRUE(uses(1, "streaming"));
  EXPECT_FALSE(uses(1, "tensor_gemm"));
}

} // namespace
