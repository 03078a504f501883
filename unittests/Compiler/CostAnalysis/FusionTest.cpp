//===- FusionTest.cpp - One kernel or two, this schedule or that ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostAnalysisFixture.h"
#include "mlir/IR/Builders.h"
#include <cmath>

using namespace gpucost;

namespace {

static constexpr const char *chain = R"mlir(
  func.func @main(%a: tensor<4096x4096xf32>, %b: tensor<4096x4096xf32>,
                  %c: tensor<4096x4096xf32>)
      -> (tensor<4096x4096xf32>, tensor<4096x4096xf32>) {
    %empty = tensor.empty() : tensor<4096x4096xf32>
    %sum = linalg.add ins(%a, %b : tensor<4096x4096xf32>, tensor<4096x4096xf32>)
        outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %exp = linalg.exp ins(%sum : tensor<4096x4096xf32>)
        outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %p = linalg.matmul ins(%exp, %c : tensor<4096x4096xf32>, tensor<4096x4096xf32>)
        outs(%a : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %q = linalg.matmul ins(%p, %c : tensor<4096x4096xf32>, tensor<4096x4096xf32>)
        outs(%a : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %s = linalg.mul ins(%q, %b : tensor<4096x4096xf32>, tensor<4096x4096xf32>)
        outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    %t = linalg.sub ins(%q, %b : tensor<4096x4096xf32>, tensor<4096x4096xf32>)
        outs(%empty : tensor<4096x4096xf32>) -> tensor<4096x4096xf32>
    return %s, %t : tensor<4096x4096xf32>, tensor<4096x4096xf32>
  })mlir";

class Fusion : public CostAnalysisTest {
protected:
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(chain);
  CostAnalysis analysis{*module, onA100()};
  mlir::Operation *sum = find(*module, "linalg.add")[0],
                  *exp = find(*module, "linalg.exp")[0],
                  *first = find(*module, "linalg.matmul")[0],
                  *second = find(*module, "linalg.matmul")[1],
                  *mul = find(*module, "linalg.mul")[0],
                  *sub = find(*module, "linalg.sub")[0];
};

TEST_F(Fusion, OfAChainSavesItsTraffic) {
  FusionBenefit benefit = analysis.getFusionBenefit(sum, exp);
  EXPECT_EQ(benefit.whyNot(), "");
  EXPECT_EQ(benefit.recomputations, 0);
  // Five passes over 64 MiB become three: 2 reads + write, read + write; then
  // 2 reads + write. At large sizes time is traffic.
  EXPECT_NEAR(benefit.fused.time / benefit.unfused.time, 3.0 / 5, 0.02);
  EXPECT_TRUE(benefit.isBetter());
  Cost asKernel = analysis.getCostAsKernel({sum, exp});
  EXPECT_EQ(asKernel.time, benefit.fused.time);
  EXPECT_EQ(asKernel.launches, 1);
  EXPECT_EQ((analysis.getCost(sum).time + analysis.getCost(exp).time),
            benefit.unfused.time);
}

TEST_F(Fusion, OfOneProducerIntoTwoConsumersComputesItTwice) {
  FusionBenefit benefit = analysis.getFusionBenefit(second, {mul, sub});
  EXPECT_EQ(benefit.whyNot(), "");
  EXPECT_EQ(benefit.recomputations, 1);
  // Two matmuls for one.
  EXPECT_GT(benefit.fused.time, benefit.unfused.time * 1.5);
  EXPECT_FALSE(benefit.isBetter(0.5));
  // With one of them the other one still needs the matmul.
  FusionBenefit one = analysis.getFusionBenefit(second, mul);
  EXPECT_EQ(one.recomputations, 1);
  EXPECT_GT(one.fused.time, one.unfused.time * 1.5);
}

TEST_F(Fusion, SaysWhyNot) {
  auto whyNot = [&](mlir::Operation *producer, mlir::Operation *consumer) {
    return analysis.getFusionBenefit(producer, consumer).whyNot();
  };
  EXPECT_EQ(
      whyNot(first, second),
      "each tile of the second matrix product needs the complete first result");
  EXPECT_EQ(whyNot(sum, mul), "'linalg.mul' does not read 'linalg.add'");
  EXPECT_EQ(whyNot(sum, sum), "an op cannot be fused with itself");
  EXPECT_EQ(whyNot(find(*module, "tensor.empty")[0], sum),
            "'tensor.empty' launches nothing");
  EXPECT_EQ(analysis.getFusionBenefit(sum, {}).whyNot(), "no consumers");
  // Into a matmul: counted once, a bound, never certainly better.
  FusionBenefit prologue = analysis.getFusionBenefit(exp, first);
  EXPECT_EQ(prologue.whyNot(), "");
  EXPECT_EQ(prologue.fused.status, CostStatus::Bound);
  EXPECT_FALSE(prologue.isBetter(0.1));
}

// torch-mlir widens the operands of convolutions in bf16.
TEST_F(Fusion, OfWidenedConvolutionRunsOnTensorCores) {
  auto module = parse(R"mlir(
    #all = affine_map<(a, b, c, d) -> (a, b, c, d)>
    #image = affine_map<(n, y, x, f, u, v, c) -> (n, y + u, x + v, c)>
    #filter = affine_map<(n, y, x, f, u, v, c) -> (u, v, c, f)>
    #result = affine_map<(n, y, x, f, u, v, c) -> (n, y, x, f)>
    func.func @apart(%a: tensor<8x30x30x128xbf16>, %b: tensor<3x3x128x128xbf16>)
        -> tensor<8x28x28x128xf32> {
      %zero = arith.constant 0.0 : f32
      %ea = tensor.empty() : tensor<8x30x30x128xf32>
      %eb = tensor.empty() : tensor<3x3x128x128xf32>
      %e = tensor.empty() : tensor<8x28x28x128xf32>
      %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x28x28x128xf32>)
          -> tensor<8x28x28x128xf32>
      %wa = linalg.generic {indexing_maps = [#all, #all],
          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%a : tensor<8x30x30x128xbf16>) outs(%ea : tensor<8x30x30x128xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %wide = arith.extf %in : bf16 to f32
          linalg.yield %wide : f32
      } -> tensor<8x30x30x128xf32>
      %wb = linalg.generic {indexing_maps = [#all, #all],
          iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
          ins(%b : tensor<3x3x128x128xbf16>) outs(%eb : tensor<3x3x128x128xf32>) {
        ^bb0(%in: bf16, %out: f32):
          %wide = arith.extf %in : bf16 to f32
          linalg.yield %wide : f32
      } -> tensor<3x3x128x128xf32>
      %r = linalg.conv_2d_nhwc_hwcf
          ins(%wa, %wb : tensor<8x30x30x128xf32>, tensor<3x3x128x128xf32>)
          outs(%init : tensor<8x28x28x128xf32>) -> tensor<8x28x28x128xf32>
      return %r : tensor<8x28x28x128xf32>
    }
    func.func @fused(%a: tensor<8x30x30x128xbf16>, %b: tensor<3x3x128x128xbf16>)
        -> tensor<8x28x28x128xf32> {
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<8x28x28x128xf32>
      %init = linalg.fill ins(%zero : f32) outs(%e : tensor<8x28x28x128xf32>)
          -> tensor<8x28x28x128xf32>
      %r = linalg.generic {indexing_maps = [#image, #filter, #result],
          iterator_types = ["parallel", "parallel", "parallel", "parallel",
                            "reduction", "reduction", "reduction"]}
          ins(%a, %b : tensor<8x30x30x128xbf16>, tensor<3x3x128x128xbf16>)
          outs(%init : tensor<8x28x28x128xf32>) {
        ^bb0(%x: bf16, %y: bf16, %out: f32):
          %p = arith.extf %x : bf16 to f32
          %q = arith.extf %y : bf16 to f32
          %m = arith.mulf %p, %q : f32
          %s = arith.addf %out, %m : f32
          linalg.yield %s : f32
      } -> tensor<8x28x28x128xf32>
      return %r : tensor<8x28x28x128xf32>
    })mlir");
  CostAnalysis analysis(*module, onA100());
  auto generics = find(*module, "linalg.generic");
  mlir::Operation *conv = find(*module, "linalg.conv_2d_nhwc_hwcf")[0];
  Cost fused = analysis.getCostAsKernel(generics[2]);
  // 1.85 GFLOP take 6 us on tensor cores at 312 TFLOP/s, 95 us in fp32.
  EXPECT_LT(fused.time, Seconds(30e-6));
  EXPECT_NEAR(analysis.getCostAsKernel({generics[0], generics[1], conv}).time /
                  fused.time,
              1, 0.02);
  // The ops that widen belong to the kernel, listed or not.
  EXPECT_NEAR(analysis.getCostAsKernel(conv).time / fused.time, 1, 0.02);
}

TEST_F(Fusion, IsInfeasibleAroundAnotherOp) {
  auto module = parse(R"mlir(
    func.func @main(%a: tensor<64x4096xf32>) -> tensor<64x4096xf32> {
      %empty = tensor.empty() : tensor<64x4096xf32>
      %exp = linalg.exp ins(%a : tensor<64x4096xf32>)
          outs(%empty : tensor<64x4096xf32>) -> tensor<64x4096xf32>
      %flat = tensor.collapse_shape %exp [[0, 1]]
          : tensor<64x4096xf32> into tensor<262144xf32>
      %long = tensor.empty() : tensor<262144xf32>
      %log = linalg.log ins(%flat : tensor<262144xf32>)
          outs(%long : tensor<262144xf32>) -> tensor<262144xf32>
      %back = tensor.expand_shape %log [[0, 1]] output_shape [64, 4096]
          : tensor<262144xf32> into tensor<64x4096xf32>
      %sum = linalg.add ins(%exp, %back : tensor<64x4096xf32>, tensor<64x4096xf32>)
          outs(%empty : tensor<64x4096xf32>) -> tensor<64x4096xf32>
      return %sum : tensor<64x4096xf32>
    })mlir");
  CostAnalysis analysis(*module, onA100());
  mlir::Operation *exp = find(*module, "linalg.exp")[0];
  mlir::Operation *log = find(*module, "linalg.log")[0];
  mlir::Operation *sum = find(*module, "linalg.add")[0];
  Cost around = analysis.getCostAsKernel({exp, sum});
  EXPECT_EQ(around.status, CostStatus::Infeasible);
  EXPECT_EQ(around.reason,
            "'linalg.log' is not listed, but runs between the ops: it depends "
            "on one of them and another one on it");
  // Views between the ops need not be listed.
  EXPECT_EQ(analysis.getCostAsKernel({exp, log, sum}).status,
            CostStatus::Exact);
  EXPECT_EQ(analysis.getCostAsKernel({exp, log}).status, CostStatus::Exact);
}

TEST_F(Fusion, RunsOverTheSameElements) {
  auto module = parse(R"mlir(
    #all = affine_map<(i, j) -> (i, j)>
    #row = affine_map<(i, j) -> (i)>
    #vector = affine_map<(i, j) -> (j)>
    func.func @main(%a: tensor<64x32768xf32>, %v: tensor<32768xf32>)
        -> (tensor<64x32768xf32>, tensor<64x32768xf32>) {
      %zero = arith.constant 0.0 : f32
      %empty = tensor.empty() : tensor<64x32768xf32>
      %flat = tensor.empty() : tensor<32768xf32>
      %rows = tensor.empty() : tensor<64xf32>
      %init = linalg.fill ins(%zero : f32) outs(%rows : tensor<64xf32>)
          -> tensor<64xf32>
      %exp = linalg.exp ins(%v : tensor<32768xf32>)
          outs(%flat : tensor<32768xf32>) -> tensor<32768xf32>
      %product = linalg.generic {indexing_maps = [#all, #vector, #all],
                                 iterator_types = ["parallel", "parallel"]}
          ins(%a, %exp : tensor<64x32768xf32>, tensor<32768xf32>)
          outs(%empty : tensor<64x32768xf32>) {
        ^bb0(%l: f32, %r: f32, %o: f32):
          %s = arith.mulf %l, %r : f32
          linalg.yield %s : f32
      } -> tensor<64x32768xf32>
      %sum = linalg.generic {indexing_maps = [#all, #row],
                             iterator_types = ["parallel", "reduction"]}
          ins(%a : tensor<64x32768xf32>) outs(%init : tensor<64xf32>) {
        ^bb0(%l: f32, %o: f32):
          %s = arith.addf %l, %o : f32
          linalg.yield %s : f32
      } -> tensor<64xf32>
      %quotient = linalg.generic {indexing_maps = [#all, #row, #all],
                                  iterator_types = ["parallel", "parallel"]}
          ins(%a, %sum : tensor<64x32768xf32>, tensor<64xf32>)
          outs(%empty : tensor<64x32768xf32>) {
        ^bb0(%l: f32, %r: f32, %o: f32):
          %s = arith.divf %l, %r : f32
          linalg.yield %s : f32
      } -> tensor<64x32768xf32>
      return %product, %quotient : tensor<64x32768xf32>, tensor<64x32768xf32>
    })mlir");
  CostAnalysis analysis(*module, onA100());
  auto generics = find(*module, "linalg.generic");
  // Each element of the vector would be computed 64 times.
  EXPECT_EQ(
      analysis.getFusionBenefit(find(*module, "linalg.exp")[0], generics[0])
          .whyNot(),
      "the ops run over different elements");
  EXPECT_EQ(analysis.getFusionBenefit(generics[1], generics[2]).whyNot(),
            "'linalg.generic' reduces rows that are too long for one CTA or of "
            "unknown length");
}

// As torch-mlir writes a layer in bf16: the ops that widen operands and the
// cast of the result are parts of the matmul's kernel.
TEST_F(Fusion, PartsOfTheKernelOfAProductStay) {
  auto generic = [](const char *result, const char *input, const char *from,
                    const char *to, const char *shape, const char *body) {
    std::string type = std::string("tensor<") + shape + "x";
    return std::string(result) + "_e = tensor.empty() : " + type + to + "> " +
           result +
           " = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, "
           "affine_map<(i, j) -> (i, j)>], iterator_types = [\"parallel\", "
           "\"parallel\"]} ins(" +
           input + " : " + type + from + ">) outs(" + result + "_e : " + type +
           to + ">) { ^bb0(%in: " + from + ", %out: " + to + "): " + body +
           " } -> " + type + to + "> ";
  };
  const char *widen = "%w = arith.extf %in : bf16 to f32 linalg.yield %w : f32",
             *narrow =
                 "%w = arith.truncf %in : f32 to bf16 linalg.yield %w : bf16",
             *exponent = "%w = math.exp %in : bf16 linalg.yield %w : bf16";
  auto layer = parse(
      "func.func @main(%a: tensor<512x1024xbf16>, %b: tensor<1024x4096xbf16>, "
      "%c: tensor<512x4096xf32>) -> tensor<512x4096xbf16> { " +
      generic("%x", "%a", "bf16", "bf16", "512x1024", exponent) +
      generic("%y", "%x", "bf16", "f32", "512x1024", widen) +
      generic("%z", "%b", "bf16", "f32", "1024x4096", widen) +
      "%zero = arith.constant 0.0 : f32 %f = linalg.fill ins(%zero : f32) "
      "outs(%c : tensor<512x4096xf32>) -> tensor<512x4096xf32> "
      "%p = linalg.matmul ins(%y, %z : tensor<512x1024xf32>, "
      "tensor<1024x4096xf32>) outs(%f : tensor<512x4096xf32>) -> "
      "tensor<512x4096xf32> " +
      generic("%q", "%p", "f32", "bf16", "512x4096", narrow) +
      generic("%r", "%q", "bf16", "bf16", "512x4096", exponent) +
      "return %r : tensor<512x4096xbf16> }");
  CostAnalysis of(*layer, onA100());
  std::vector<mlir::Operation *> ops = find(*layer, "linalg.generic");
  ASSERT_EQ(ops.size(), 5u);
  EXPECT_EQ(of.getFusionBenefit(ops[0], ops[1]).whyNot(),
            "'linalg.generic' launches nothing");
  EXPECT_EQ(of.getFusionBenefit(ops[3], ops[4]).whyNot(),
            "'linalg.generic' is part of the kernel of 'linalg.matmul'");
  // A product of widened operands runs on tensor cores, alone as in its
  // function.
  mlir::Operation *product = find(*layer, "linalg.matmul")[0];
  Cost alone = of.getCostAsKernel(product);
  EXPECT_EQ(alone.status, CostStatus::Exact) << alone.reason;
  EXPECT_NEAR(alone.time / of.getCost(product).time, 1, 0.1);
  EXPECT_EQ(of.getTopSchedules(product, {}, 1)[0].schedule.threadTileM, 0);
}

TEST_F(Fusion, SchedulesSayWhyTheyAreFasterThanTheLibrary) {
  // The library takes its largest tiles for as many CTAs as (4096, 1024) has,
  // but not for 4096 x 4096.
  constexpr double unexplained = 1.05;
  int faster = 0;
  for (int64_t n : {1024, 4096})
    for (int64_t k : {1024, 4096}) {
      auto type = [](int64_t rows, int64_t columns) {
        return "tensor<" + std::to_string(rows) + "x" +
               std::to_string(columns) + "xbf16>";
      };
      std::string a = type(4096, k), b = type(k, n), c = type(4096, n);
      auto product = parse(
          "func.func @main(%a: " + a + ", %b: " + b + ", %c: " + c + ") -> " +
          c + " { %p = linalg.matmul ins(%a, %b : " + a + ", " + b +
          ") outs(%c : " + c + ") -> " + c + " return %p : " + c + " }");
      mlir::Operation *op = find(*product, "linalg.matmul")[0];
      CostAnalysis of(*product, onA100());
      Cost library = of.getCost(op);
      std::vector<Candidate> best = of.getTopSchedules(op, {}, 1);
      ASSERT_EQ(best.size(), 1u);
      bool isFaster = library.time > best[0].cost.time * unexplained;
      faster += isFaster;
      EXPECT_EQ(best[0].cost.reason.find("by a heuristic on the shape") !=
                    std::string::npos,
                isFaster)
          << n << "x" << k << ": " << best[0].cost.reason;
      EXPECT_EQ(of.getCostAsKernel(op, best[0].schedule).reason,
                best[0].cost.reason);
      Schedule oneWarp = best[0].schedule;
      oneWarp.tileM = 16;
      oneWarp.tileN = 64;
      oneWarp.warps = 1;
      oneWarp.ctasPerSm = 0;
      Cost few = of.getCostAsKernel(op, oneWarp);
      EXPECT_EQ(few.status, CostStatus::Exact) << few.reason;
      EXPECT_NE(few.reason.find("warps=1 is outside the set"),
                std::string::npos)
          << few.reason;
    }
  EXPECT_EQ(faster, 2);
}

TEST_F(Fusion, SchedulesOfOneOp) {
  ScheduleSpace space;
  std::vector<Candidate> best = analysis.getTopSchedules(first, space, 5);
  ASSERT_EQ(best.size(), 5u);
  for (size_t i = 0; i < best.size(); ++i) {
    // Each equals the cost of the op with this schedule.
    Cost again = analysis.getCostAsKernel(first, best[i].schedule);
    EXPECT_EQ(again.time, best[i].cost.time);
    if (i)
      EXPECT_GE(best[i].cost.time, best[i - 1].cost.time);
  }
  // The least energy is at most the energy of the fastest.
  std::vector<Candidate> saving = analysis.getTopSchedules(
      first, space, 1, {Objective::Energy, std::nullopt});
  ASSERT_EQ(saving.size(), 1u);
  EXPECT_LE(saving[0].cost.energy, best[0].cost.energy);
  // Within a limit that nothing keeps.
  std::string why;
  EXPECT_TRUE(analysis
                  .getTopSchedules(first, space, 1,
                                   {Objective::Energy, Seconds(1e-9)}, &why)
                  .empty());
  EXPECT_EQ(why, "no schedule meets the time limit");
  Schedule huge;
  huge.tileM = huge.tileN = 512;
  huge.tileK = 64;
  huge.ctasPerSm = 32;
  Cost cost = analysis.getCostAsKernel(first, huge);
  EXPECT_EQ(cost.status, CostStatus::Infeasible);
  EXPECT_EQ(cost.reason.rfind("infeasible schedule", 0), 0u) << cost.reason;
}

/// (U6) by hand: two times are told apart with 80 % if their logs differ by
/// 0.8416 deviations of the difference.
TEST_F(Fusion, RanksCosts) {
  auto module = parse("module {}");
  CostAnalysis analysis(*module, onA100());
  double common = analysis.model().coefficients().errorBars->correlation;
  double deviation = std::sqrt((1 - common * common) * 2) * 0.1 / 1.2815516;
  double factor = std::exp(0.8416212 * deviation);
  auto cost = [](double micros, CostStatus status = CostStatus::Exact) {
    Cost each;
    each.status = status;
    each.time = Seconds(micros * 1e-6);
    each.halfWidth = std::expm1(0.1);
    return each;
  };
  Ranking ranking = analysis.rank(
      {cost(100 * factor * 1.001), cost(100), cost(1, CostStatus::Bound),
       cost(100 * factor * 0.999), cost(1, CostStatus::Infeasible)});
  std::vector<size_t> order, groups;
  for (const RankedCandidate &each : ranking.order) {
    order.push_back(each.index);
    groups.push_back(each.group);
  }
  EXPECT_EQ(order, (std::vector<size_t>{1, 3, 0}));
  EXPECT_EQ(groups, (std::vector<size_t>{0, 0, 1}));
  EXPECT_EQ(ranking.worthMeasuring, 2u);
  // With a confidence of 50 % the order of the predictions decides.
  EXPECT_EQ(analysis.rank({cost(101), cost(100)}, 0.5).worthMeasuring, 1u);
  EXPECT_TRUE(analysis.rank({}).order.empty());
}

} // namespace
