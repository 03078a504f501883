//===- TargetCostTest.cpp - Cost models of DLTI devices -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/CostAnalysis/TargetCost.h"
#include "CostAnalysisFixture.h"
#include "gpucost/Compiler/OpWork/TargetCost.h"
#include "mlir/Dialect/DLTI/DLTI.h"
#include <cmath>

using namespace gpucost;
using namespace mlir;
using opwork::Estimate;
using opwork::EstimateStatus;

namespace {

class TargetCostTest : public CostAnalysisTest {
protected:
  TargetCostTest() {
    DialectRegistry models;
    registerTargetCostModels(models);
    context.appendDialectRegistry(models);
    context.loadDialect<DLTIDialect>();
  }
  /// A product of two 1024 x 1024 matrices and a loop around a sum, on
  /// `device`.
  OwningOpRef<ModuleOp> onDevice(StringRef device,
                                 StringRef type = "tensor<1024x1024xbf16>") {
    std::string text = R"(
module attributes {dlti.target_system_spec =
    #dlti.target_system_spec<"D" = #dlti.target_device_spec<DEVICE>>} {
  func.func @f(%a: TYPE, %b: TYPE, %c: tensor<1024x1024xf32>) -> TYPE {
    %0 = linalg.matmul ins(%a, %b : TYPE, TYPE)
        outs(%c : tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    %i0 = arith.constant 0 : index
    %i1 = arith.constant 1 : index
    %i5 = arith.constant 5 : index
    %1 = scf.for %i = %i0 to %i5 step %i1 iter_args(%x = %a) -> (TYPE) {
      %2 = linalg.add ins(%x, %b : TYPE, TYPE) outs(%a : TYPE) -> TYPE
      scf.yield %2 : TYPE
    }
    %n = "test.unknown"(%1) : (TYPE) -> TYPE
    return %n : TYPE
  }
})";
    auto replace = [&](StringRef from, StringRef to) {
      for (size_t at; (at = text.find(from.str())) != std::string::npos;)
        text.replace(at, from.size(), to.str());
    };
    replace("DEVICE", device);
    replace("TYPE", type);
    context.allowUnregisteredDialects();
    return parse(text);
  }
};

constexpr const char *cpu =
    R"("vector_flops_per_second" = 1.0e12 : f64,
       "matrix_flops_per_second.bf16" = 4.0e12 : f64,
       "memory_bytes_per_second" = 1.0e11 : f64)";

/// (J12) 2 x 1024^3 FLOP at 4 TFLOP/s take 537 us, 2 + 2 + 4 + 4 MiB at 100
/// GB/s 126 us. A sum reads and writes 6 MiB, 63 us.
TEST_F(TargetCostTest, RooflineByHand) {
  auto module = onDevice(cpu);
  auto model = opwork::findCostModel(*module);
  ASSERT_TRUE(model);
  Estimate product = model->getCost(find(*module, "linalg.matmul").front());
  EXPECT_EQ(product.status, EstimateStatus::Bound);
  EXPECT_DOUBLE_EQ(product.seconds, 2147483648.0 / 4e12);
  EXPECT_TRUE(std::isinf(product.high));
  Estimate loop = model->getCost(find(*module, "scf.for").front());
  EXPECT_DOUBLE_EQ(loop.seconds, 5 * 6291456.0 / 1e11);
  Estimate all = model->getCost(firstFunction(*module));
  EXPECT_DOUBLE_EQ(all.seconds, product.seconds + loop.seconds);
  EXPECT_EQ(all.reason, "roofline of the device, without 'test.unknown'");
  Estimate unknown = model->getCost(find(*module, "test.unknown").front());
  EXPECT_EQ(unknown.status, EstimateStatus::Unknown);
  EXPECT_EQ(unknown.reason, "no work is known of 'test.unknown'");
}

/// Without a matrix unit for fp32, products run on the vector unit.
TEST_F(TargetCostTest, ProductsRunOnTheVectorUnit) {
  auto module = onDevice(cpu, "tensor<1024x1024xf32>");
  Estimate product = opwork::findCostModel(*module)->getCost(
      find(*module, "linalg.matmul").front());
  EXPECT_DOUBLE_EQ(product.seconds, 2147483648.0 / 1e12);
}

TEST_F(TargetCostTest, MissingAndWrongRatesAreNoModel) {
  for (const char *device : {R"("vector_flops_per_second" = 1.0e12 : f64)",
                             R"("vector_flops_per_second" = "fast",
           "memory_bytes_per_second" = 1.0e11 : f64)",
                             R"("vector_flops_per_second" = -1.0e12 : f64,
           "memory_bytes_per_second" = 1.0e11 : f64)"}) {
    auto module = onDevice(device);
    EXPECT_FALSE(opwork::findCostModel(*module)) << device;
    CostAnalysis costs(*module);
    Cost cost = costs.getCost(find(*module, "linalg.matmul").front());
    EXPECT_EQ(cost.status, CostStatus::Unknown);
    EXPECT_NE(cost.reason.find("no target"), std::string::npos);
  }
}

/// CostAnalysis asks the model of a CPU, and the interface the model of a GPU.
TEST_F(TargetCostTest, AnalysisAndInterfaceAgree) {
  auto onCpu = onDevice(cpu);
  Operation *op = find(*onCpu, "linalg.matmul").front();
  CostAnalysis costs(*onCpu);
  EXPECT_FALSE(costs.isValid());
  Cost cost = costs.getCost(op);
  EXPECT_EQ(cost.status, CostStatus::Bound);
  EXPECT_DOUBLE_EQ(cost.time.value(), 2147483648.0 / 4e12);
  EXPECT_TRUE(std::isnan(cost.energy.value()));
  EXPECT_DOUBLE_EQ(costs.getCost({op, op}).time.value(), 2 * cost.time.value());

  auto onGpu = onDevice(R"("gpucost.target" = "a100-bf16")");
  op = find(*onGpu, "linalg.matmul").front();
  auto model = opwork::findCostModel(op);
  ASSERT_TRUE(model);
  CostAnalysis gpuCosts(*onGpu);
  ASSERT_TRUE(gpuCosts.isValid()) << gpuCosts.whyNot().str();
  Cost expected = gpuCosts.getCost(op);
  Estimate estimate = model->getCost(op);
  EXPECT_EQ(estimate.status, EstimateStatus::Exact);
  EXPECT_EQ(estimate.seconds, expected.time.value());
  EXPECT_EQ(estimate.low, expected.low().value());
  EXPECT_EQ(estimate.high, expected.high().value());
}

} // namespace
