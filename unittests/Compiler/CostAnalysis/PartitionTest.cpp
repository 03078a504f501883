//===- PartitionTest.cpp - Hypothetical kernels and formed ones -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A fusion query for the ops of a kernel agrees with the pass that formed the
// kernel, for all kernels of the shipped models.
//
//===----------------------------------------------------------------------===//

#include "CostAnalysisFixture.h"
#include "gpucost/Compiler/Analysis/Kernels/KernelPartition.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "mlir/Pass/PassManager.h"
#include <filesystem>
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

} // namespace
