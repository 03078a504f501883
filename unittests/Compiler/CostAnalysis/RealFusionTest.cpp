//===- RealFusionTest.cpp - Hypothetical kernels and fused ops ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Ops as one hypothetical kernel cost what MLIR's fusion makes of them, for
// groups drawn from the files of real front ends. The fused op has each input
// once, as `linalg-fuse-elementwise-ops` leaves it.
//
//===----------------------------------------------------------------------===//

#include "CostAnalysisFixture.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cmath>
#include <random>

using namespace gpucost;
using namespace mlir;

namespace {

constexpr const char *numberAttr = "test.number";
constexpr const char *fusedAttr = "test.fused";
/// Largest accepted ratio of the two times.
constexpr double tolerance = 1.02;

class RealFusion : public CostAnalysisTest {
protected:
  /// The module of a file in generic ops with numbers; null if it has none.
  OwningOpRef<ModuleOp> read(const std::string &file) {
    context.allowUnregisteredDialects();
    auto module = parseSourceFile<ModuleOp>(file, &context);
    PassManager passes(&context);
    passes.addPass(createLowerTosaPass());
    if (!module || failed(passes.run(*module)))
      return {};
    IRRewriter rewriter(&context);
    SmallVector<linalg::LinalgOp> named;
    module->walk([&](linalg::LinalgOp op) { named.push_back(op); });
    for (linalg::LinalgOp op : named) {
      rewriter.setInsertionPoint(op);
      if (!isa<linalg::GenericOp, linalg::FillOp>(op.getOperation()))
        (void)linalg::generalizeNamedOp(rewriter, op);
    }
    int64_t number = 0;
    module->walk([&](linalg::GenericOp op) {
      op->setAttr(numberAttr, rewriter.getI64IntegerAttr(number++));
    });
    return module;
  }

  static int64_t numberOf(Operation *op) {
    return op->getAttrOfType<IntegerAttr>(numberAttr).getInt();
  }

  /// Whether `fused` depends on a reader of `producer` other than itself. Then
  /// one op cannot compute both: the reader would run in between.
  static bool hasReaderBetween(Operation *producer, Operation *fused) {
    SmallVector<Operation *> next;
    llvm::SmallPtrSet<Operation *, 16> seen;
    for (Operation *user : producer->getUsers())
      if (user != fused)
        next.push_back(user);
    while (!next.empty()) {
      Operation *op = next.pop_back_val();
      if (op == fused)
        return true;
      if (seen.insert(op).second)
        llvm::append_range(next, op->getUsers());
    }
    return false;
  }

  /// An operand of `fused` that reads `producer`; null if there is none.
  static OpOperand *findRead(linalg::GenericOp fused, Operation *producer) {
    for (OpOperand *use : fused.getDpsInputOperands())
      if (use->get().getDefiningOp() == producer)
        return use;
    return nullptr;
  }

  /// `fused` without repeated inputs.
  linalg::GenericOp mergeInputs(linalg::GenericOp fused) {
    Operation *root = fused->getParentOp();
    fused->setAttr(fusedAttr, UnitAttr::get(&context));
    RewritePatternSet patterns(&context);
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    (void)applyOpPatternsGreedily(fused.getOperation(), std::move(patterns));
    root->walk([&](linalg::GenericOp op) {
      if (op->hasAttr(fusedAttr))
        fused = op;
    });
    fused->removeAttr(fusedAttr);
    return fused;
  }

  /// Fuses up to `most` random producers into the op with this number, and
  /// compares after each one.
  void check(ModuleOp module, CostAnalysis &analysis, int64_t number,
             size_t most, std::mt19937 &random) {
    OwningOpRef<ModuleOp> copy = module.clone();
    std::vector<Operation *> originals = find(module, "linalg.generic");
    linalg::GenericOp fused;
    copy->walk([&](linalg::GenericOp op) {
      if (numberOf(op) == number)
        fused = op;
    });
    std::set<int64_t> group = {number};
    IRRewriter rewriter(&context);
    while (group.size() <= most) {
      SmallVector<OpOperand *> uses;
      for (OpOperand *use : fused.getDpsInputOperands())
        if (auto producer = use->get().getDefiningOp<linalg::GenericOp>())
          if (producer->getNumResults() == 1 && producer->hasAttr(numberAttr) &&
              linalg::areElementwiseOpsFusable(use) &&
              !hasReaderBetween(producer, fused))
            uses.push_back(use);
      if (uses.empty())
        return;
      OpOperand *use = uses[random() % uses.size()];
      Operation *producer = use->get().getDefiningOp();
      if (!group.insert(numberOf(producer)).second)
        return;
      for (; use; use = findRead(fused, producer)) {
        rewriter.setInsertionPoint(fused);
        auto made = linalg::fuseElementwiseOps(rewriter, use);
        if (failed(made))
          return;
        for (auto [from, to] : made->replacements)
          rewriter.replaceUsesWithIf(from, to, [&](OpOperand &other) {
            return other.getOwner() != producer && other.getOwner() != fused &&
                   other.getOwner() != made->fusedOp;
          });
        rewriter.eraseOp(fused);
        fused = mergeInputs(cast<linalg::GenericOp>(made->fusedOp));
      }
      if (producer->use_empty())
        rewriter.eraseOp(producer);
      if (!seen.insert({analysis.model().gpu().name, group}).second)
        continue;
      SmallVector<Operation *> ops;
      for (int64_t each : group)
        ops.push_back(originals[each]);
      Cost hypothetical = analysis.getCostAsKernel(ops);
      CostAnalysis again(*copy, settings);
      Cost real = again.getCostAsKernel(fused.getOperation());
      if (real.status != CostStatus::Exact || real.launches == 0)
        continue;
      ++pairs;
      double ratio = hypothetical.time / real.time;
      std::string text;
      if (hypothetical.status != CostStatus::Exact ||
          std::abs(std::log(ratio)) > std::log(tolerance)) {
        ++apart;
        for (Operation *op : ops)
          text += print(op) + "\n";
        ADD_FAILURE() << text
                      << "as one kernel: " << hypothetical.time.value() * 1e6
                      << " us " << hypothetical.reason
                      << "; fused: " << real.time.value() * 1e6 << " us\n"
                      << print(fused);
      }
    }
  }

  Scenario settings = onA100();
  /// Groups of the current file by GPU.
  std::set<std::pair<std::string, std::set<int64_t>>> seen;
  int pairs = 0, apart = 0;
};

TEST_F(RealFusion, CostsWhatTheHypotheticalKernelCosts) {
  std::mt19937 random(1);
  for (const std::string &file : frontEndFiles()) {
    SCOPED_TRACE(file);
    OwningOpRef<ModuleOp> module = read(file);
    if (!module)
      continue;
    seen.clear();
    for (const char *target : {"a100-bf16", "h100-bf16", "l40s-bf16"}) {
      settings.target = target;
      CostAnalysis analysis(*module, settings);
      ASSERT_TRUE(analysis.isValid()) << analysis.whyNot().str();
      auto count = static_cast<int64_t>(find(*module, "linalg.generic").size());
      for (int draw = 0; draw < 4; ++draw)
        for (int64_t number = 0; number < count; ++number)
          check(*module, analysis, number, /*most=*/6, random);
    }
  }
  EXPECT_GE(pairs, 500);
  EXPECT_EQ(apart, 0) << "of " << pairs;
}

} // namespace
