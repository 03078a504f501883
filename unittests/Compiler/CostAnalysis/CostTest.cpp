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
  EXPECT_EQ(cost.status, CostStatus::Bound);
  EXPECT_TRUE(std::isinf(cost.high().value()));
  EXPECT_NE(cost.reason.find("arg0.0"), std::string::npos) << cost.reason;
  EXPECT_EQ(cost.reason.find("--"), std::string::npos) << cost.reason;
  // The weights are read once: 512 KiB at 2039 GB/s take 0.26 us.
  EXPECT_GT(cost.time.value(), 0.26e-6);
  EXPECT_EQ(analysis.getCost(firstFunction(*module)).status, CostStatus::Bound);
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

TEST_F(Status, SizesThatFallWithADimensionAreLowerBounds) {
  auto module = parse(R"mlir(
    func.func @main(%a: tensor<?x512xbf16>, %b: tensor<8192x512xbf16>)
        -> tensor<?x512xbf16> {
      %c0 = arith.constant 0 : index
      %c8192 = arith.constant 8192 : index
      %n = tensor.dim %a, %c0 : tensor<?x512xbf16>
      %rest = arith.subi %c8192, %n : index
      %s = tensor.extract_slice %b[%n, 0] [%rest, 512] [1, 1]
          : tensor<8192x512xbf16> to tensor<?x512xbf16>
      %empty = tensor.empty(%rest) : tensor<?x512xbf16>
      %e = linalg.exp ins(%s : tensor<?x512xbf16>)
          outs(%empty : tensor<?x512xbf16>) -> tensor<?x512xbf16>
      return %e : tensor<?x512xbf16>
    })mlir");
  CostAnalysis analysis(*module, onA100());
  Cost cost = analysis.getCost(find(*module, "linalg.exp")[0]);
  EXPECT_EQ(cost.status, CostStatus::Bound) << cost.reason;
  EXPECT_NE(cost.reason.find("arg0.0"), std::string::npos) << cost.reason;
  // 8192 - dim is 1 where dim is 8191, and 8191 where dim is 1.
  for (int64_t size : {1, 4096, 8191}) {
    Scenario bound = onA100();
    bound.bind = NamedValues{{"arg0.0", size}};
    CostAnalysis known(*module, bound);
    Cost exact = known.getCost(find(*module, "linalg.exp")[0]);
    EXPECT_EQ(exact.status, CostStatus::Exact) << exact.reason;
    EXPECT_LE(cost.time.value(), exact.time.value()) << size;
    EXPECT_LE(cost.energy.value(), exact.energy.value()) << size;
  }
}

/// An op, a loop of such ops, and an op next to other ones that no size is
/// known of.
static std::string withUnknownSizes(llvm::StringRef others) {
  return ("func.func private @outside(tensor<?x512xbf16>) -> tensor<?x512xbf16>"
          "func.func @main(%x: tensor<?x512xbf16>, %b: tensor<512x512xbf16>) "
          "-> "
          "tensor<512x512xbf16> {"
          "%c0 = arith.constant 0 : index %c1 = arith.constant 1 : index "
          "%c8 = arith.constant 8 : index " +
          others +
          "%p = linalg.matmul ins(%b, %b : tensor<512x512xbf16>, "
          "tensor<512x512xbf16>) outs(%b : tensor<512x512xbf16>) -> "
          "tensor<512x512xbf16>"
          "%r = scf.for %i = %c0 to %c8 step %c1 iter_args(%acc = %p) -> "
          "(tensor<512x512xbf16>) {"
          "%s = linalg.exp ins(%acc : tensor<512x512xbf16>) "
          "outs(%b : tensor<512x512xbf16>) -> tensor<512x512xbf16>"
          "scf.yield %s : tensor<512x512xbf16> }"
          "return %r : tensor<512x512xbf16> }")
      .str();
}

TEST_F(Status, StaticOpsNeedOnlyTheirSizes) {
  context.allowUnregisteredDialects();
  auto alone = parse(withUnknownSizes(""));
  std::vector<double> times;
  for (const char *name : {"linalg.matmul", "linalg.exp", "scf.for"}) {
    CostAnalysis analysis(*alone, onA100());
    mlir::Operation *op = find(*alone, name)[0];
    times.push_back(analysis.getCost(op).time.value());
  }
  EXPECT_GT(times[0], 0);
  EXPECT_EQ(times[1], times[2]);
  for (const char *others :
       {"%y = linalg.exp ins(%x : tensor<?x512xbf16>) outs(%x : "
        "tensor<?x512xbf16>) -> tensor<?x512xbf16>",
        "%y = call @outside(%x) : (tensor<?x512xbf16>) -> tensor<?x512xbf16>",
        "%n = tensor.dim %x, %c0 : tensor<?x512xbf16> "
        "%v = \"foreign.size\"(%n) : (index) -> index "
        "%w = tensor.empty(%v) : tensor<?x512xbf16>"
        "%y = linalg.exp ins(%w : tensor<?x512xbf16>) outs(%w : "
        "tensor<?x512xbf16>) -> tensor<?x512xbf16>"}) {
    auto module = parse(withUnknownSizes(others));
    CostAnalysis analysis(*module, onA100());
    size_t i = 0;
    for (const char *name : {"linalg.matmul", "linalg.exp", "scf.for"}) {
      Cost cost = analysis.getCost(find(*module, name).back());
      EXPECT_EQ(cost.status, CostStatus::Exact) << others << cost.reason;
      EXPECT_EQ(cost.time.value(), times[i++]) << others << name;
    }
    EXPECT_NE(analysis.getCost(firstFunction(*module)).status,
              CostStatus::Exact);
  }
  // A trip count that is unknown makes a static op in the loop a bound.
  auto loop = parse(
      withUnknownSizes("%y = linalg.exp ins(%x : tensor<?x512xbf16>) outs(%x : "
                       "tensor<?x512xbf16>) -> tensor<?x512xbf16>"));
  find(*loop, "scf.for")[0]->setOperand(1, [&] {
    mlir::OpBuilder builder(find(*loop, "linalg.matmul")[0]);
    mlir::Operation *zero = find(*loop, "arith.constant")[0];
    mlir::OperationState dim(zero->getLoc(), "tensor.dim");
    dim.addOperands({find(*loop, "func.func")[1]->getRegion(0).getArgument(0),
                     zero->getResult(0)});
    dim.addTypes(builder.getIndexType());
    return builder.create(dim)->getResult(0);
  }());
  CostAnalysis analysis(*loop, onA100());
  EXPECT_EQ(analysis.getCost(find(*loop, "linalg.matmul")[0]).time.value(),
            times[0]);
  EXPECT_EQ(analysis.getCost(find(*loop, "linalg.exp").back()).status,
            CostStatus::Bound);
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

TEST_F(Status, UnmappedLoopsSayThatTheirKernelsRunInSequence) {
  auto module = parse(R"mlir(
    func.func @main(%a: memref<32x1024xf32>, %b: memref<32x1024xf32>) {
      %c0 = arith.constant 0 : index
      %c1 = arith.constant 1 : index
      %c32 = arith.constant 32 : index
      scf.for %i = %c0 to %c32 step %c1 {
        linalg.exp ins(%a : memref<32x1024xf32>) outs(%b : memref<32x1024xf32>)
      }
      scf.forall (%i) in (32) {
        linalg.exp ins(%a : memref<32x1024xf32>) outs(%b : memref<32x1024xf32>)
        linalg.tanh ins(%a : memref<32x1024xf32>) outs(%b : memref<32x1024xf32>)
      }
      scf.parallel (%i) = (%c0) to (%c32) step (%c1) {
        linalg.exp ins(%a : memref<32x1024xf32>) outs(%b : memref<32x1024xf32>)
      }
      affine.parallel (%i) = (0) to (32) {
        linalg.exp ins(%a : memref<32x1024xf32>) outs(%b : memref<32x1024xf32>)
      }
      scf.forall (%i) in (32) {
        linalg.exp ins(%a : memref<32x1024xf32>) outs(%b : memref<32x1024xf32>)
      } {mapping = [#gpu.block<x>]}
      affine.parallel (%i, %j) = (0, 0) to (32, 1024) {
        %x = affine.load %a[%i, %j] : memref<32x1024xf32>
        affine.store %x, %b[%i, %j] : memref<32x1024xf32>
      }
      return
    })mlir");
  CostAnalysis analysis(*module, onA100());
  auto expect = [&](mlir::Operation *loop, int64_t launches,
                    const std::string &reason) {
    Cost cost = analysis.getCost(loop);
    EXPECT_EQ(cost.status, CostStatus::Exact);
    EXPECT_EQ(cost.launches, launches);
    EXPECT_EQ(cost.reason, reason);
  };
  std::string over = "' is not mapped to CTAs: its kernels run one after the "
                     "other, each over all iterations; ";
  std::string mapped = "with mapping = [#gpu.block<x>, ...] it is one kernel";
  std::string iterated = "'scf.for' is not mapped to CTAs: its kernels run in "
                         "each iteration, one after the other";
  expect(find(*module, "scf.for")[0], 32, iterated);
  expect(find(*module, "scf.forall")[0], 2, "'scf.forall" + over + mapped);
  expect(find(*module, "scf.parallel")[0], 1, "'scf.parallel" + over + mapped);
  expect(find(*module, "affine.parallel")[0], 1,
         "'affine.parallel" + over +
             "as 'scf.parallel' with a mapping to #gpu.block it is one kernel");
  expect(find(*module, "scf.forall")[1], 1, "");
  expect(find(*module, "affine.parallel")[1], 1,
         "'affine.parallel' is not mapped to CTAs: its scalar ops are one "
         "kernel, without tensor cores, and kernels run one after the other");
  // The answer for an op or for the body of a loop is not about the loop.
  expect(find(*module, "linalg.tanh")[0], 1, "");
  EXPECT_EQ(analysis.getCost(find(*module, "scf.for")[0]->getRegion(0)).reason,
            "");
  // A function names the first one.
  EXPECT_EQ(analysis.getCost(firstFunction(*module)).reason, iterated);
  EXPECT_EQ(analysis.getCost(firstFunction(*module).getBody()).reason,
            iterated);
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
