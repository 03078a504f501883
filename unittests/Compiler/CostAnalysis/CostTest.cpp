//===- CostTest.cpp - Intervals, statuses, targets ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostAnalysisFixture.h"
#include "gpucost/Compiler/Targets/ModuleTarget.h"

using namespace gpucost;

namespace {

Cost makeCost(double seconds, double halfWidth) {
  Cost cost;
  cost.time = Seconds(seconds);
  cost.halfWidth = halfWidth;
  cost.launches = 1;
  return cost;
}

TEST(Cost, OrderNeedsDistance) {
  // Both known to a factor of 1.2 with 80 %: ln 1.2 = 1.2816 deviations. The
  // difference of the logs has sqrt(2) times the deviation; with a ratio of
  // 1.2 it is 1.2816 / sqrt(2) = 0.9062 deviations: 81.76 %.
  Cost a = makeCost(1, 0.2), b = makeCost(1.2, 0.2);
  EXPECT_NEAR(a.probabilityFaster(b), 0.81759, 2e-5);
  EXPECT_NEAR(b.probabilityFaster(a), 1 - 0.81759, 2e-5);
  EXPECT_TRUE(a.isFasterThan(b, 0.8));
  EXPECT_FALSE(a.isFasterThan(b, 0.9));
  EXPECT_FALSE(b.isFasterThan(a, 0));
  EXPECT_DOUBLE_EQ(a.low().value(), 1 / 1.2);
  EXPECT_DOUBLE_EQ(a.high().value(), 1.2);
}

TEST(Cost, BoundsAndUnknownsAreNotFaster) {
  Cost exact = makeCost(1, 0.1), bound = makeCost(0.5, 0.1);
  bound.status = CostStatus::Bound;
  EXPECT_FALSE(bound.isFasterThan(exact, 0.5));
  // Something that takes longer than an answer does so, however long it takes.
  bound.time = Seconds(2);
  EXPECT_TRUE(exact.isFasterThan(bound, 0.99));
  Cost vague = makeCost(2, 0.1);
  vague.halfWidth = std::nullopt;
  EXPECT_FALSE(exact.isFasterThan(vague, 0.1));
  EXPECT_FALSE(exact.isFasterThan(Cost(), 0.1));
}

TEST(Cost, Objectives) {
  Cost cost = makeCost(2, 0.1);
  cost.energy = Joules(3);
  EXPECT_EQ(valueOf(cost, {Objective::Time, std::nullopt}), 2);
  EXPECT_EQ(valueOf(cost, {Objective::Energy, std::nullopt}), 3);
  EXPECT_EQ(valueOf(cost, {Objective::EnergyDelay, std::nullopt}), 6);
  EXPECT_TRUE(std::isinf(valueOf(cost, {Objective::Energy, Seconds(1)})));
}

class Status : public CostAnalysisTest {};

TEST_F(Status, WithoutTarget) {
  auto module = parse("func.func @main() { return }");
  CostAnalysis analysis(*module);
  EXPECT_FALSE(analysis.isValid());
  EXPECT_NE(analysis.whyNot().find("no target"), llvm::StringRef::npos);
  EXPECT_EQ(analysis.getCost(*module).status, CostStatus::Unknown);
  Scenario wrong;
  wrong.target = "a1000";
  EXPECT_NE(CostAnalysis(*module, wrong).whyNot().find("unknown target"),
            llvm::StringRef::npos);
}

static constexpr const char *dynamic = R"mlir(
  func.func @main(%a: tensor<?x512xbf16>, %b: tensor<512x512xbf16>)
      -> tensor<?x512xbf16> {
    %c0 = arith.constant 0 : index
    %zero = arith.constant 0.0 : bf16
    %n = tensor.dim %a, %c0 : tensor<?x512xbf16>
    %empty = tensor.empty(%n) : tensor<?x512xbf16>
    %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<?x512xbf16>)
        -> tensor<?x512xbf16>
    %p = linalg.matmul ins(%a, %b : tensor<?x512xbf16>, tensor<512x512xbf16>)
        outs(%init : tensor<?x512xbf16>) -> tensor<?x512xbf16>
    return %p : tensor<?x512xbf16>
  })mlir";

TEST_F(Status, DynamicSizesNameTheSymbol) {
  auto module = parse(dynamic);
  CostAnalysis analysis(*module, onA100());
  mlir::Operation *product = find(*module, "linalg.matmul")[0];
  Cost cost = analysis.getCost(product);
  EXPECT_EQ(cost.status, CostStatus::Unknown);
  EXPECT_NE(cost.reason.find("arg0.0"), std::string::npos) << cost.reason;
  EXPECT_EQ(messages, "");

  Scenario bound = onA100();
  bound.bind = NamedValues{{"arg0.0", 2048}};
  CostAnalysis known(*module, bound);
  cost = known.getCost(product);
  EXPECT_EQ(cost.status, CostStatus::Exact);
  auto fixed = parse(R"mlir(
    func.func @main(%a: tensor<2048x512xbf16>, %b: tensor<512x512xbf16>,
                    %c: tensor<2048x512xbf16>) -> tensor<2048x512xbf16> {
      %p = linalg.matmul ins(%a, %b : tensor<2048x512xbf16>, tensor<512x512xbf16>)
          outs(%c : tensor<2048x512xbf16>) -> tensor<2048x512xbf16>
      return %p : tensor<2048x512xbf16>
    })mlir");
  CostAnalysis other(*fixed, onA100());
  EXPECT_EQ(cost.tiling.tile,
            other.getCost(find(*fixed, "linalg.matmul")[0]).tiling.tile);
}

TEST_F(Status, UnknownOpsAreBounds) {
  context.allowUnregisteredDialects();
  auto module = parse(R"mlir(
    func.func @main(%a: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
      %r = "foreign.op"(%a) : (tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
      return %r : tensor<1024x1024xf32>
    })mlir");
  CostAnalysis analysis(*module, onA100());
  mlir::Operation *op = find(*module, "foreign.op")[0];
  Cost cost = analysis.getCost(op);
  EXPECT_EQ(cost.status, CostStatus::Bound);
  EXPECT_EQ(cost.reason, "'foreign.op': no cost rule");
  // 4 MiB in and 4 MiB out at 2039 GB/s take 4.1 us at least.
  EXPECT_GT(cost.time.value(), 4.1e-6);
  EXPECT_EQ(analysis.getCost(firstFunction(*module)).status, CostStatus::Bound);
}

TEST_F(Status, CostsNameTheirRuntime) {
  auto module = parse(R"mlir(
    func.func @main(%a: tensor<64x64xf32>) -> tensor<64x64xf32> {
      %e = tensor.empty() : tensor<64x64xf32>
      %x = linalg.exp ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>)
          -> tensor<64x64xf32>
      %t = linalg.tanh ins(%x : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>)
          -> tensor<64x64xf32>
      return %t : tensor<64x64xf32>
    })mlir");
  mlir::Operation *exp = find(*module, "linalg.exp")[0],
                  *tanh = find(*module, "linalg.tanh")[0];
  Scenario scenario = onA100();
  for (Runtime runtime : {Runtime::AsWritten, Runtime::Eager,
                          Runtime::CudaGraph, Runtime::Compiled}) {
    // As written is the default.
    if (runtime != Runtime::AsWritten)
      scenario.runtime = runtime;
    CostAnalysis analysis(*module, scenario);
    EXPECT_EQ(analysis.getCost(exp).runtime, runtime);
    EXPECT_EQ(analysis.getCost({exp, tanh}).runtime, runtime);
    EXPECT_EQ(analysis.getCost(*module).runtime, runtime);
    EXPECT_EQ(analysis.getCost(firstFunction(*module).getBody()).runtime,
              runtime);
    EXPECT_EQ(analysis.getCostAsKernel(exp).runtime, runtime);
    // A kernel of several ops is a compiled one.
    EXPECT_EQ(analysis.getCostAsKernel({exp, tanh}).runtime, Runtime::Compiled);
    EXPECT_EQ(analysis.getCostAsKernel({}).runtime, runtime);
    FusionBenefit benefit = analysis.getFusionBenefit(exp, tanh);
    EXPECT_EQ(benefit.unfused.runtime, runtime);
    EXPECT_EQ(benefit.fused.runtime, Runtime::Compiled);
  }
  scenario.runtime = Runtime::Eager;
  scenario.target = "a1000";
  EXPECT_EQ(CostAnalysis(*module, scenario).getCost(exp).runtime,
            Runtime::Eager);
}

TEST_F(Status, SettingsOfTheModule) {
  auto module = parse(R"mlir(
    module attributes {gpucost.scenario = #gpucost.scenario<target = "h100-bf16">} {
      func.func @main() { return }
    })mlir");
  CostAnalysis analysis(*module);
  ASSERT_TRUE(analysis.isValid()) << analysis.whyNot().str();
  EXPECT_EQ(analysis.model().gpu().name, "h100-sxm-80gb");
  EXPECT_EQ(CostAnalysis(*module, onA100()).model().gpu().name,
            "a100-sxm-80gb");
}

} // namespace
