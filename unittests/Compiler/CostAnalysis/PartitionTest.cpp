//===- PartitionTest.cpp - Hypothetical kernels and formed ones -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fusion query for the ops of a kernel agrees with the pass that formed the
// kernel, for all kernels of the shipped models, and with a kernel that a
// compiler forms of these ops, for groups drawn from the files of real front
// ends.
//
//===----------------------------------------------------------------------===//

#include "CostAnalysisFixture.h"
#include "gpucost/Compiler/Analysis/Kernels/KernelPartition.h"
#include "gpucost/Compiler/Analysis/Kernels/WidenedOperands.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <cmath>
#include <filesystem>
#include <random>
#include <regex>
#include <set>

using namespace gpucost;

namespace {

class Partition : public CostAnalysisTest {
protected:
  /// The kernels of compiled execution with all open sizes 64.
  mlir::OwningOpRef<mlir::ModuleOp> formKernels(const std::string &file) {
    Scenario scenario = onA100();
    scenario.runtime = Runtime::Compiled;
    for (bool isBound : {false, true}) {
      messages.clear();
      auto module = loadModel(context, file);
      mlir::PassManager passes(&context);
      buildPreparePipeline(passes, scenario);
      if (module && mlir::succeeded(passes.run(*module)))
        return module;
      std::smatch open;
      std::regex advice("--bind='([^']*)'");
      if (isBound || !std::regex_search(messages, open, advice))
        break;
      std::string sizes =
          std::regex_replace(open[1].str(), std::regex("<n>"), "64");
      llvm::cantFail(state(scenario, "bind", sizes));
    }
    return {};
  }

  void check(CostAnalysis &analysis, KernelOp kernel) {
    if (kernel.getCoverage() != Coverage::Modelled)
      return;
    mlir::Block &body = kernel.getBody().front();
    std::vector<mlir::Operation *> ops, launching;
    KernelPartition partition(body, PartitionOptions());
    for (mlir::Operation &op : body.without_terminator()) {
      ops.push_back(&op);
      if (partition.launches(&op))
        launching.push_back(&op);
    }
    if (launching.size() < 2)
      return;
    ++fused;
    KernelGroup group = partition.groupOfOne(launching.front());
    for (mlir::Operation *op : llvm::drop_begin(launching)) {
      EXPECT_EQ(partition.whyNotJoined(group, op), "") << print(kernel);
      partition.extend(group, op);
    }
    Cost formed = analysis.getCostAsKernel(kernel.getOperation());
    EXPECT_TRUE(formed.hasNumbers()) << print(kernel) << formed.reason;
    EXPECT_EQ(analysis.getCostAsKernel(ops).time, formed.time) << print(kernel);
    if (ops.size() != 2)
      return;
    FusionBenefit benefit = analysis.getFusionBenefit(ops[0], ops[1]);
    EXPECT_EQ(benefit.whyNot(), "") << print(kernel);
    // Where only the consumer's result leaves the kernel.
    if (benefit.recomputations == 0) {
      ++pairs;
      EXPECT_EQ(benefit.fused.time, formed.time) << print(kernel);
    }
  }

  /// Adds up to `most` random producers to the group of `op`, if one kernel can
  /// compute them all; in the order of the block.
  static std::vector<mlir::Operation *> draw(const KernelPartition &partition,
                                             mlir::Operation *op, size_t most,
                                             std::mt19937 &random) {
    std::vector<mlir::Operation *> group = {op};
    while (group.size() <= most) {
      std::vector<mlir::Operation *> producers;
      for (mlir::Operation *member : group)
        for (mlir::Value operand : member->getOperands())
          if (mlir::Operation *def = operand.getDefiningOp();
              mlir::isa_and_nonnull<mlir::linalg::LinalgOp>(def) &&
              partition.launches(def) && !llvm::is_contained(group, def))
            producers.push_back(def);
      if (producers.empty())
        break;
      std::vector<mlir::Operation *> grown = group;
      grown.push_back(producers[random() % producers.size()]);
      llvm::sort(grown, [](mlir::Operation *a, mlir::Operation *b) {
        return a->isBeforeInBlock(b);
      });
      if (!isOneKernel(partition, grown))
        break;
      group = grown;
    }
    return group;
  }

  /// Whether a kernel can compute `ops`, and no op in between depends on one
  /// and is read by another.
  static bool isOneKernel(const KernelPartition &partition,
                          llvm::ArrayRef<mlir::Operation *> ops) {
    KernelGroup group = partition.groupOfOne(ops.front());
    for (mlir::Operation *op : ops.drop_front()) {
      if (!partition.whyNotJoined(group, op).empty())
        return false;
      partition.extend(group, op);
    }
    llvm::SmallPtrSet<mlir::Operation *, 16> dependent;
    for (mlir::Operation *op = ops.front(); op != ops.back();
         op = op->getNextNode()) {
      bool isMember = llvm::is_contained(ops, op);
      bool depends = llvm::any_of(op->getOperands(), [&](mlir::Value value) {
        return value.getDefiningOp() &&
               dependent.contains(value.getDefiningOp());
      });
      if (isMember && depends)
        return false;
      if (depends ||
          (!isMember && llvm::any_of(op->getOperands(), [&](mlir::Value value) {
            return llvm::is_contained(ops, value.getDefiningOp());
          })))
        dependent.insert(op);
    }
    return llvm::none_of(ops.back()->getOperands(), [&](mlir::Value value) {
      return value.getDefiningOp() && dependent.contains(value.getDefiningOp());
    });
  }

  /// (L14) `ops` and the ops that widen operands of their matrix products.
  static std::vector<mlir::Operation *>
  withWidening(std::vector<mlir::Operation *> ops) {
    for (size_t i = 0; i < ops.size(); ++i)
      for (const WidenedOperand &operand : findWidenedOperands(ops[i]))
        for (mlir::Operation *step : operand.path)
          if (!llvm::is_contained(ops, step))
            ops.push_back(step);
    llvm::sort(ops, [](mlir::Operation *a, mlir::Operation *b) {
      return a->isBeforeInBlock(b);
    });
    return ops;
  }

  /// Moves `ops` into a kernel in front of the last one.
  static KernelOp form(llvm::ArrayRef<mlir::Operation *> ops) {
    mlir::OpBuilder builder(ops.back());
    llvm::SmallVector<mlir::Value> results;
    llvm::SmallVector<mlir::Type> types;
    for (mlir::Operation *op : ops)
      for (mlir::Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](mlir::Operation *user) {
              return !llvm::is_contained(ops, user);
            })) {
          results.push_back(result);
          types.push_back(result.getType());
        }
    auto kernel =
        KernelOp::create(builder, ops.back()->getLoc(), types, "drawn");
    mlir::Block *body = &kernel.getBody().emplaceBlock();
    for (mlir::Operation *op : ops)
      op->moveBefore(body, body->end());
    for (auto [from, to] : llvm::zip_equal(results, kernel->getResults()))
      from.replaceUsesWithIf(to, [&](mlir::OpOperand &use) {
        return use.getOwner()->getBlock() != body;
      });
    mlir::OpBuilder inside = mlir::OpBuilder::atBlockEnd(body);
    YieldOp::create(inside, kernel.getLoc(), results);
    return kernel;
  }

  int fused = 0, pairs = 0;
};

TEST_F(Partition, HypotheticalKernelsAreThoseOfThePass) {
  std::set<std::string> files;
  for (const auto &entry : std::filesystem::directory_iterator(GPUCOST_MODELS))
    if (entry.path().extension() == ".onnx")
      files.insert(entry.path().string());
  int formed = 0;
  for (const std::string &file : files) {
    SCOPED_TRACE(file);
    auto module = formKernels(file);
    if (!module)
      continue;
    ++formed;
    CostAnalysis analysis(*module);
    ASSERT_TRUE(analysis.isValid()) << analysis.whyNot().str();
    module->walk([&](KernelOp kernel) { check(analysis, kernel); });
  }
  EXPECT_GT(formed, 80) << messages;
  EXPECT_GT(fused, 1000);
  EXPECT_GT(pairs, 500);
}

// The same for the files of real front ends.
TEST_F(Partition, HypotheticalKernelsOfFrontEnds) {
  int kernels = 0;
  for (const std::string &file : frontEndFiles()) {
    SCOPED_TRACE(file);
    auto module = formKernels(file);
    if (!module)
      continue;
    for (const char *target : {"a100-bf16", "h100-bf16", "l40s-bf16"}) {
      Scenario settings;
      settings.target = target;
      CostAnalysis analysis(*module, settings);
      ASSERT_TRUE(analysis.isValid()) << analysis.whyNot().str();
      module->walk([&](KernelOp kernel) {
        std::vector<mlir::Operation *> ops;
        for (mlir::Operation &op :
             kernel.getBody().front().without_terminator())
          ops.push_back(&op);
        if (kernel.getCoverage() != Coverage::Modelled || ops.size() < 2)
          return;
        ++kernels;
        Cost formed = analysis.getCostAsKernel(kernel.getOperation());
        EXPECT_TRUE(formed.hasNumbers()) << print(kernel) << formed.reason;
        EXPECT_NEAR(analysis.getCostAsKernel(ops).time / formed.time, 1, 0.02)
            << print(kernel);
      });
    }
  }
  EXPECT_GT(kernels, 10);
}

// Kernels that another compiler forms of the same ops.
TEST_F(Partition, HypotheticalKernelsAreThoseFormedOfTheirOps) {
  constexpr const char *numberAttr = "test.number";
  // Each run draws the same groups.
  std::mt19937 random(1); // NOLINT(bugprone-random-generator-seed)
  int apart = 0;
  context.allowUnregisteredDialects();
  for (const std::string &file : frontEndFiles()) {
    SCOPED_TRACE(file);
    auto module = mlir::parseSourceFile<mlir::ModuleOp>(file, &context);
    mlir::PassManager passes(&context);
    passes.addPass(createLowerTosaPass());
    if (!module || mlir::failed(passes.run(*module)))
      continue;
    std::vector<mlir::Operation *> ops;
    module->walk([&](mlir::Operation *op) {
      op->setAttr(numberAttr, mlir::OpBuilder(op).getI64IntegerAttr(
                                  static_cast<int64_t>(ops.size())));
      ops.push_back(op);
    });
    for (const char *target : {"a100-bf16", "h100-bf16", "l40s-bf16"}) {
      Scenario settings;
      settings.target = target;
      CostAnalysis analysis(*module, settings);
      ASSERT_TRUE(analysis.isValid()) << analysis.whyNot().str();
      std::set<std::vector<mlir::Operation *>> seen;
      for (mlir::Operation *op : ops) {
        if (!mlir::isa<mlir::linalg::LinalgOp>(op))
          continue;
        KernelPartition partition(*op->getBlock(), PartitionOptions());
        for (int turn = 0; turn < 4 && partition.launches(op); ++turn) {
          std::vector<mlir::Operation *> group =
              withWidening(draw(partition, op, /*most=*/6, random));
          if (group.size() < 2 || !seen.insert(group).second)
            continue;
          Cost hypothetical = analysis.getCostAsKernel(group);
          mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
          std::vector<mlir::Operation *> members(group.size());
          copy->walk([&](mlir::Operation *each) {
            auto number = each->getAttrOfType<mlir::IntegerAttr>(numberAttr);
            auto at = llvm::find(group, ops[number.getInt()]);
            if (at != group.end())
              members[at - group.begin()] = each;
          });
          KernelOp kernel = form(members);
          CostAnalysis again(*copy, settings);
          Cost formed = again.getCostAsKernel(kernel.getOperation());
          if (formed.status != CostStatus::Exact || formed.launches == 0)
            continue;
          ++pairs;
          if (hypothetical.status == CostStatus::Exact &&
              std::abs(std::log(hypothetical.time / formed.time)) <=
                  std::log(1.02))
            continue;
          ++apart;
          ADD_FAILURE() << "as one kernel: " << hypothetical.time.value() * 1e6
                        << " us " << hypothetical.reason
                        << "; formed: " << formed.time.value() * 1e6 << " us\n"
                        << print(kernel);
        }
      }
    }
  }
  EXPECT_GE(pairs, 500);
  EXPECT_EQ(apart, 0) << "of " << pairs;
}

} // namespace
