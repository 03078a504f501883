//===- InvalidationTest.cpp - IR that changes under the analysis ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CostAnalysisFixture.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include <random>
#include <thread>

using namespace gpucost;

namespace {

static constexpr const char *layers = R"mlir(
  #matrix = affine_map<(i, j) -> (i, j)>
  #vector = affine_map<(i, j) -> (j)>
  func.func @main(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>,
                  %v: tensor<512xf32>) -> tensor<512x512xf32> {
    %zero = arith.constant 0.0 : f32
    %empty = tensor.empty() : tensor<512x512xf32>
    %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>)
        -> tensor<512x512xf32>
    %p = linalg.matmul ins(%x, %w : tensor<512x512xf32>, tensor<512x512xf32>)
        outs(%init : tensor<512x512xf32>) -> tensor<512x512xf32>
    %b = linalg.generic {indexing_maps = [#matrix, #vector, #matrix],
                         iterator_types = ["parallel", "parallel"]}
        ins(%p, %v : tensor<512x512xf32>, tensor<512xf32>)
        outs(%empty : tensor<512x512xf32>) {
      ^bb0(%l: f32, %r: f32, %o: f32):
        %s = arith.addf %l, %r : f32
        linalg.yield %s : f32
    } -> tensor<512x512xf32>
    %e = linalg.exp ins(%b : tensor<512x512xf32>)
        outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
    %t = linalg.tanh ins(%e : tensor<512x512xf32>)
        outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
    return %t : tensor<512x512xf32>
  })mlir";

class Invalidation : public CostAnalysisTest {
protected:
  /// Every op has the same cost as in a fresh analysis.
  void expectFresh(CostAnalysis &analysis, mlir::ModuleOp module) {
    CostAnalysis fresh(module, onA100());
    for (mlir::Operation &op : firstFunction(module).front()) {
      Cost have = analysis.getCost(&op), want = fresh.getCost(&op);
      EXPECT_EQ(have.time, want.time) << print(&op);
      EXPECT_EQ(have.energy, want.energy) << print(&op);
      EXPECT_EQ(have.reason, want.reason) << print(&op);
      EXPECT_EQ(have.launches, want.launches) << print(&op);
    }
  }
};

// A broadcast that only elementwise ops read is a view of its source, whose
// bytes they read. The reshape makes it a copy.
TEST_F(Invalidation, OfABroadcastWithAnotherReader) {
  auto module = parse(R"mlir(
    func.func @main(%v: tensor<512xf32>)
        -> (tensor<512x512xf32>, tensor<262144xf32>) {
      %empty = tensor.empty() : tensor<512x512xf32>
      %b = linalg.broadcast ins(%v : tensor<512xf32>)
          outs(%empty : tensor<512x512xf32>) dimensions = [0]
      %e = linalg.exp ins(%b : tensor<512x512xf32>)
          outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
      %t = linalg.tanh ins(%e : tensor<512x512xf32>)
          outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
      %r = tensor.collapse_shape %b [[0, 1]]
          : tensor<512x512xf32> into tensor<262144xf32>
      return %t, %r : tensor<512x512xf32>, tensor<262144xf32>
    })mlir");
  CostAnalysis analysis(*module, onA100());
  expectFresh(analysis, *module);
  mlir::Operation *reshape = find(*module, "tensor.collapse_shape")[0];
  mlir::Operation *end = firstFunction(*module).front().getTerminator();
  mlir::IRRewriter rewriter(&context, analysis.getListener());
  rewriter.setInsertionPoint(reshape);
  mlir::Operation *other = mlir::tensor::EmptyOp::create(
      rewriter, reshape->getLoc(), mlir::ArrayRef<int64_t>{262144},
      rewriter.getF32Type());
  rewriter.modifyOpInPlace(end,
                           [&] { end->setOperand(1, other->getResult(0)); });
  rewriter.eraseOp(reshape);
  expectFresh(analysis, *module);
}

TEST_F(Invalidation, OfAnEpilogue) {
  auto module = parse(layers);
  CostAnalysis analysis(*module, onA100());
  mlir::Operation *bias = find(*module, "linalg.generic")[0];
  mlir::Operation *product = find(*module, "linalg.matmul")[0];
  EXPECT_EQ(analysis.getCost(bias).launches, 0);
  EXPECT_EQ(analysis.getCost(bias).reason,
            "part of the kernel of 'linalg.matmul'");
  expectFresh(analysis, *module);
  // A second reader of the matmul: the bias is a separate kernel.
  mlir::IRRewriter rewriter(&context, analysis.getListener());
  rewriter.setInsertionPointAfter(find(*module, "linalg.tanh")[0]);
  mlir::Operation *copy = rewriter.clone(*find(*module, "linalg.exp")[0]);
  rewriter.modifyOpInPlace(copy,
                           [&] { copy->setOperand(0, product->getResult(0)); });
  EXPECT_EQ(analysis.getCost(bias).launches, 1);
  expectFresh(analysis, *module);
  rewriter.eraseOp(copy);
  EXPECT_EQ(analysis.getCost(bias).launches, 0);
  expectFresh(analysis, *module);
  // The bias reads something else.
  rewriter.modifyOpInPlace(bias, [&] {
    bias->setOperand(0, firstFunction(*module).getArgument(0));
  });
  expectFresh(analysis, *module);
}

TEST_F(Invalidation, OfAFillThatIsRead) {
  auto module = parse(layers);
  CostAnalysis analysis(*module, onA100());
  mlir::Operation *fill = find(*module, "linalg.fill")[0];
  EXPECT_EQ(analysis.getCost(fill).launches, 0);
  expectFresh(analysis, *module);
  // Not only an accumulator any more.
  mlir::IRRewriter rewriter(&context, analysis.getListener());
  mlir::Operation *tanh = find(*module, "linalg.tanh")[0];
  rewriter.modifyOpInPlace(tanh,
                           [&] { tanh->setOperand(0, fill->getResult(0)); });
  expectFresh(analysis, *module);
}

// A launch may depend on a distant op, such as the op that computes a vector.
TEST_F(Invalidation, OfAVectorBehindViews) {
  auto module = parse(R"mlir(
    #matrix = affine_map<(i, j) -> (i, j)>
    #vector = affine_map<(i, j) -> (j)>
    func.func @main(%x: tensor<512x512xf32>, %w: tensor<512x512xf32>,
                    %v: tensor<512xf32>) -> tensor<512x512xf32> {
      %empty = tensor.empty() : tensor<512x512xf32>
      %flat = tensor.empty() : tensor<512xf32>
      %other = linalg.exp ins(%v : tensor<512xf32>) outs(%flat : tensor<512xf32>)
          -> tensor<512xf32>
      %wide = tensor.expand_shape %v [[0, 1]] output_shape [8, 64]
          : tensor<512xf32> into tensor<8x64xf32>
      %high = tensor.expand_shape %wide [[0, 1], [2]] output_shape [2, 4, 64]
          : tensor<8x64xf32> into tensor<2x4x64xf32>
      %again = tensor.collapse_shape %high [[0, 1], [2]]
          : tensor<2x4x64xf32> into tensor<8x64xf32>
      %back = tensor.collapse_shape %again [[0, 1]]
          : tensor<8x64xf32> into tensor<512xf32>
      %p = linalg.matmul ins(%x, %w : tensor<512x512xf32>, tensor<512x512xf32>)
          outs(%x : tensor<512x512xf32>) -> tensor<512x512xf32>
      %b = linalg.generic {indexing_maps = [#matrix, #vector, #matrix],
                           iterator_types = ["parallel", "parallel"]}
          ins(%p, %back : tensor<512x512xf32>, tensor<512xf32>)
          outs(%empty : tensor<512x512xf32>) {
        ^bb0(%l: f32, %r: f32, %o: f32):
          %s = arith.addf %l, %r : f32
          linalg.yield %s : f32
      } -> tensor<512x512xf32>
      return %b : tensor<512x512xf32>
    })mlir");
  CostAnalysis analysis(*module, onA100());
  mlir::Operation *bias = find(*module, "linalg.generic")[0];
  mlir::Operation *view = find(*module, "tensor.expand_shape")[0];
  mlir::Operation *exp = find(*module, "linalg.exp")[0];
  EXPECT_EQ(analysis.getCost(bias).launches, 0);
  expectFresh(analysis, *module);
  // A kernel computes the vector: it may run after the product.
  mlir::IRRewriter rewriter(&context, analysis.getListener());
  rewriter.modifyOpInPlace(view,
                           [&] { view->setOperand(0, exp->getResult(0)); });
  EXPECT_EQ(analysis.getCost(bias).launches, 1);
  expectFresh(analysis, *module);
  rewriter.modifyOpInPlace(view, [&] {
    view->setOperand(0, firstFunction(*module).getArgument(2));
  });
  EXPECT_EQ(analysis.getCost(bias).launches, 0);
  expectFresh(analysis, *module);
}

// After any sequence of changes, all costs equal those of a new analysis.
TEST_F(Invalidation, OfRandomChanges) {
  auto module = parse(layers);
  CostAnalysis analysis(*module, onA100());
  mlir::IRRewriter rewriter(&context, analysis.getListener());
  std::mt19937 random(7);
  auto &block = firstFunction(*module).front();
  mlir::Type type = block.getArgument(0).getType();
  for (int change = 0; change < 60; ++change) {
    std::vector<mlir::Value> values = {block.getArgument(0)};
    std::vector<mlir::Operation *> ops;
    for (mlir::Operation &op : block.without_terminator())
      if (op.getNumOperands()) {
        ops.push_back(&op);
        if (op.getResult(0).getType() == type)
          values.push_back(op.getResult(0));
      }
    mlir::Operation *op = ops[random() % ops.size()];
    mlir::Value value = values[random() % values.size()];
    mlir::Operation *maker = value.getDefiningOp();
    bool isEarlier = !maker || maker->isBeforeInBlock(op);
    if (random() % 3 == 0) {
      rewriter.setInsertionPointAfter(op);
      rewriter.clone(*op);
    } else if (op->use_empty() && random() % 2 == 0) {
      rewriter.eraseOp(op);
    } else if (isEarlier && op->getOperand(0).getType() == type) {
      rewriter.modifyOpInPlace(op, [&] { op->setOperand(0, value); });
    }
    expectFresh(analysis, *module);
  }
}

TEST_F(Invalidation, OfFusedOps) {
  auto module = parse(layers);
  CostAnalysis analysis(*module, onA100());
  expectFresh(analysis, *module);
  mlir::IRRewriter rewriter(&context, analysis.getListener());
  for (const char *name : {"linalg.exp", "linalg.tanh"}) {
    auto op = mlir::cast<mlir::linalg::LinalgOp>(find(*module, name)[0]);
    rewriter.setInsertionPoint(op);
    ASSERT_TRUE(mlir::succeeded(mlir::linalg::generalizeNamedOp(rewriter, op)));
  }
  expectFresh(analysis, *module);
  // exp into tanh.
  auto consumer = mlir::cast<mlir::linalg::GenericOp>(
      find(*module, "linalg.generic").back());
  rewriter.setInsertionPoint(consumer);
  auto fused = mlir::linalg::fuseElementwiseOps(rewriter,
                                                consumer.getDpsInputOperand(0));
  ASSERT_TRUE(mlir::succeeded(fused));
  mlir::Operation *producer = consumer->getOperand(0).getDefiningOp();
  rewriter.replaceOp(consumer, fused->fusedOp->getResults().back());
  rewriter.eraseOp(producer);
  expectFresh(analysis, *module);
}

TEST_F(Invalidation, FromManyThreads) {
  auto module = parse(layers);
  CostAnalysis analysis(*module, onA100());
  CostAnalysis alone(*module, onA100());
  std::vector<Seconds> expected;
  for (mlir::Operation &op : firstFunction(*module).front())
    expected.push_back(alone.getCost(&op).time);
  std::vector<std::thread> threads;
  std::atomic<int> wrong = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        size_t next = 0;
        for (mlir::Operation &op : firstFunction(*module).front())
          wrong += analysis.getCost(&op).time != expected[next++];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}

} // namespace
