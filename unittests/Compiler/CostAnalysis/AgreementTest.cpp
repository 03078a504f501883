//===- AgreementTest.cpp - The analysis and the report --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The costs of a function's ops add up to the kernels of the report, and the
// cost of the function is the report, in every way of reading the ops.
//
//===----------------------------------------------------------------------===//

#include "CostAnalysisFixture.h"
#include "mlir/IR/PatternMatch.h"

using namespace gpucost;

namespace {

class Agreement : public CostAnalysisTest {
protected:
  /// Compares every op, the function and the module with the report of
  /// `module`, which is not changed.
  void compare(mlir::ModuleOp module, Scenario scenario) {
    if (!scenario.runtime)
      for (Runtime runtime : {Runtime::Eager, Runtime::AsWritten}) {
        scenario.runtime = runtime;
        compareOne(module, scenario);
      }
    else
      compareOne(module, std::move(scenario));
  }

  void compareOne(mlir::ModuleOp module, Scenario scenario) {
    scenario.precisionMode = PrecisionMode::AsIs;
    std::string before = print(module);
    Session session(module);
    mlir::FailureOr<IterationReport> report = session.analyze(scenario);
    ASSERT_TRUE(mlir::succeeded(report)) << messages;
    ASSERT_FALSE(report->throttled) << "the sum needs one clock";
    CostAnalysis analysis(module, scenario);
    ASSERT_TRUE(analysis.isValid()) << analysis.whyNot().str();
    Seconds sum;
    int64_t launches = 0;
    for (auto function : module.getOps<mlir::func::FuncOp>())
      for (mlir::Operation &op : function.front()) {
        Cost cost = analysis.getCost(&op);
        EXPECT_TRUE(cost.hasNumbers()) << print(&op) << cost.reason;
        EXPECT_EQ(cost.runtime, scenario.runtime);
        sum += cost.time;
        launches += cost.launches;
      }
    // The cost of one op omits tensors that leave L2 before the next read
    // (M12).
    auto agrees = [&](Seconds time) {
      double ratio = time / report->kernelTime();
      EXPECT_LE(ratio, 1 + 1e-12);
      EXPECT_GT(ratio, 1 - 1e-4);
    };
    agrees(sum);
    int64_t kernels = 0;
    for (const KernelRow &row : report->kernels)
      kernels += row.count;
    EXPECT_EQ(launches, kernels);
    mlir::func::FuncOp function = firstFunction(module);
    Cost region = analysis.getCost(function.getBody());
    agrees(region.time);
    EXPECT_EQ(region.launches, kernels);
    for (Cost whole : {analysis.getCost(function), analysis.getCost(module)}) {
      EXPECT_EQ(whole.time, report->time);
      EXPECT_EQ(whole.energy, report->energy);
      EXPECT_EQ(whole.launches, kernels);
      EXPECT_EQ(whole.runtime, scenario.runtime);
      EXPECT_EQ(whole.status == CostStatus::Bound, report->isLowerBound());
    }
    EXPECT_TRUE(print(module) == before);
  }

  void compareFile(const std::string &file, Scenario scenario) {
    SCOPED_TRACE(file);
    mlir::OwningOpRef<mlir::ModuleOp> module = loadModel(context, file);
    ASSERT_TRUE(module) << messages;
    compare(*module, std::move(scenario));
  }
};

TEST_F(Agreement, OfLinalg) {
  // Slow enough that no kernel needs the power limit.
  Scenario scenario = onA100();
  scenario.clock = Hertz(900e6);
  compareFile(GPUCOST_MODELS "/linalg-matmul-chain.mlir", scenario);
  scenario.target = "v100-fp32";
  compareFile(GPUCOST_MODELS "/linalg-conv.mlir", scenario);
}

TEST_F(Agreement, OfOnnx) {
  Scenario scenario = onA100();
  scenario.clock = Hertz(900e6);
  compareFile(GPUCOST_MODELS "/matmul-gelu.mlir", scenario);
  scenario.batch = 2;
  scenario.seq = 64;
  compareFile(GPUCOST_MODELS "/bert-base.onnx", scenario);
}

TEST_F(Agreement, OfTosa) {
  Scenario scenario = onA100();
  scenario.clock = Hertz(900e6);
  auto module = parse(R"mlir(
    func.func @main(%a: tensor<8x512x512xf16>, %b: tensor<8x512x512xf16>)
        -> tensor<8x512x512xf16> {
      %zero = "tosa.const"() {values = dense<0.0> : tensor<1xf16>}
          : () -> tensor<1xf16>
      %p = tosa.matmul %a, %b, %zero, %zero
          : (tensor<8x512x512xf16>, tensor<8x512x512xf16>, tensor<1xf16>,
             tensor<1xf16>) -> tensor<8x512x512xf16>
      %t = tosa.tanh %p : (tensor<8x512x512xf16>) -> tensor<8x512x512xf16>
      return %t : tensor<8x512x512xf16>
    })mlir");
  compare(*module, scenario);
  CostAnalysis analysis(*module, scenario);
  EXPECT_EQ(analysis.getCost(find(*module, "tosa.matmul")[0]).launches, 1);
  EXPECT_EQ(analysis.getCost(find(*module, "tosa.tanh")[0]).launches, 1);
}

static constexpr const char *loops = R"mlir(
  func.func @main(%a: tensor<2048x1024xbf16>, %b: tensor<1024x4096xbf16>,
                  %bias: tensor<4096xbf16>, %x: tensor<2048x4096xbf16>)
      -> (tensor<2048x4096xbf16>, tensor<2048x4096xbf16>) {
    %zero = arith.constant 0.0 : bf16
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c5 = arith.constant 5 : index
    %empty = tensor.empty() : tensor<2048x4096xbf16>
    %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<2048x4096xbf16>)
        -> tensor<2048x4096xbf16>
    %product = scf.forall (%i, %j) = (0, 0) to (2048, 4096) step (128, 128)
        shared_outs(%out = %init) -> (tensor<2048x4096xbf16>) {
      %at = tensor.extract_slice %a[%i, 0] [128, 1024] [1, 1]
          : tensor<2048x1024xbf16> to tensor<128x1024xbf16>
      %bt = tensor.extract_slice %b[0, %j] [1024, 128] [1, 1]
          : tensor<1024x4096xbf16> to tensor<1024x128xbf16>
      %ot = tensor.extract_slice %out[%i, %j] [128, 128] [1, 1]
          : tensor<2048x4096xbf16> to tensor<128x128xbf16>
      %tile = linalg.matmul ins(%at, %bt : tensor<128x1024xbf16>, tensor<1024x128xbf16>)
          outs(%ot : tensor<128x128xbf16>) -> tensor<128x128xbf16>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %tile into %out[%i, %j] [128, 128] [1, 1]
            : tensor<128x128xbf16> into tensor<2048x4096xbf16>
      }
    } {mapping = [#gpu.block<y>, #gpu.block<x>]}
    %sums = scf.for %i = %c0 to %c5 step %c1 iter_args(%acc = %x)
        -> (tensor<2048x4096xbf16>) {
      %e = linalg.exp ins(%acc : tensor<2048x4096xbf16>)
          outs(%empty : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
      %s = linalg.add ins(%e, %product : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>)
          outs(%empty : tensor<2048x4096xbf16>) -> tensor<2048x4096xbf16>
      scf.yield %s : tensor<2048x4096xbf16>
    }
    %sum = arith.addf %sums, %x : tensor<2048x4096xbf16>
    return %sums, %sum : tensor<2048x4096xbf16>, tensor<2048x4096xbf16>
  })mlir";

TEST_F(Agreement, OfLoopsAndNests) {
  Scenario scenario = onA100();
  scenario.clock = Hertz(900e6);
  auto module = parse(loops);
  compare(*module, scenario);
  CostAnalysis analysis(*module, scenario);
  // One kernel for all CTAs; five launches for each op in the loop.
  EXPECT_EQ(analysis.getCost(find(*module, "scf.forall")[0]).launches, 1);
  Cost loop = analysis.getCost(find(*module, "scf.for")[0]);
  EXPECT_EQ(loop.launches, 10);
  Cost exponential = analysis.getCost(find(*module, "linalg.exp")[0]);
  Cost sum = analysis.getCost(find(*module, "linalg.add")[0]);
  EXPECT_EQ(exponential.launches, 5);
  EXPECT_NEAR((exponential.time + sum.time) / loop.time, 1, 1e-12);
  EXPECT_EQ(analysis.getCost(find(*module, "arith.addf").back()).launches, 1);
  EXPECT_EQ(analysis.getCost(*find(*module, "scf.for")[0]->getRegions().begin())
                .launches,
            10);
}

TEST_F(Agreement, OfCompiledExecution) {
  Scenario scenario = onA100();
  scenario.clock = Hertz(900e6);
  scenario.runtime = Runtime::Compiled;
  auto module = parse(loops);
  compare(*module, scenario);
}

TEST_F(Agreement, OfCompiledExecutionInPlace) {
  Scenario scenario = onA100();
  scenario.clock = Hertz(900e6);
  scenario.runtime = Runtime::Compiled;
  auto module = parse(R"mlir(
    #all = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    func.func @main(%a: tensor<4096x2048xf32>, %b: tensor<4096x2048xf32>)
        -> (tensor<4096x2048xf32>, tensor<4096x2048xf32>) {
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<4096x2048xf32>
      %rows = tensor.empty() : tensor<4096xf32>
      %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<4096xf32>)
          -> tensor<4096xf32>
      %exp = linalg.exp ins(%a : tensor<4096x2048xf32>)
          outs(%empty : tensor<4096x2048xf32>) -> tensor<4096x2048xf32>
      %sum = linalg.generic {indexing_maps = [#all, #row],
                             iterator_types = ["parallel", "reduction"]}
          ins(%exp : tensor<4096x2048xf32>) outs(%init : tensor<4096xf32>) {
        ^bb0(%l: f32, %o: f32):
          %s = arith.addf %l, %o : f32
          linalg.yield %s : f32
      } -> tensor<4096xf32>
      %quotient = linalg.generic {indexing_maps = [#all, #row, #all],
                                  iterator_types = ["parallel", "parallel"]}
          ins(%exp, %sum : tensor<4096x2048xf32>, tensor<4096xf32>)
          outs(%empty : tensor<4096x2048xf32>) {
        ^bb0(%l: f32, %r: f32, %o: f32):
          %s = arith.divf %l, %r : f32
          linalg.yield %s : f32
      } -> tensor<4096x2048xf32>
      %other = linalg.mul ins(%quotient, %b : tensor<4096x2048xf32>, tensor<4096x2048xf32>)
          outs(%empty : tensor<4096x2048xf32>) -> tensor<4096x2048xf32>
      return %quotient, %other : tensor<4096x2048xf32>, tensor<4096x2048xf32>
    })mlir");
  compare(*module, scenario);
  CostAnalysis analysis(*module, scenario);
  mlir::Operation *exp = find(*module, "linalg.exp")[0];
  mlir::Operation *quotient = find(*module, "linalg.generic")[1];
  mlir::Operation *mul = find(*module, "linalg.mul")[0];
  // One kernel: exp and b are read, the quotient and its product are written.
  EXPECT_EQ(analysis.getCost(quotient).launches, 1);
  for (mlir::Operation *part : {exp, mul}) {
    EXPECT_EQ(analysis.getCost(part).launches, 0);
    EXPECT_EQ(analysis.getCost(part).reason,
              "part of the kernel of 'linalg.generic'");
  }
  // The product reads something else: nothing is left that it continues.
  mlir::IRRewriter rewriter(&context, analysis.getListener());
  rewriter.modifyOpInPlace(
      mul, [&] { mul->setOperand(0, firstFunction(*module).getArgument(0)); });
  EXPECT_EQ(analysis.getCost(mul).launches, 1);
  compare(*module, scenario);
}

} // namespace
