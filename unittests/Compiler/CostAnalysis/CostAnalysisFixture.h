//===- CostAnalysisFixture.h - Modules to ask about -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef UNITTESTS_COMPILER_COSTANALYSIS_COSTANALYSISFIXTURE_H
#define UNITTESTS_COMPILER_COSTANALYSIS_COSTANALYSISFIXTURE_H

#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Core/Model/CostModel.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Parser/Parser.h"
#include "gtest/gtest.h"
#include <cstdlib>
#include <filesystem>
#include <set>

namespace gpucost {

class CostAnalysisTest : public testing::Test {
protected:
  CostAnalysisTest()
      : context(registry(), mlir::MLIRContext::Threading::DISABLED) {
    mlir::DialectRegistry needed;
    CostAnalysis::insertDialects(needed);
    context.appendDialectRegistry(needed);
    for (llvm::StringRef name : needed.getDialectNames())
      context.getOrLoadDialect(name);
    context.getDiagEngine().registerHandler(
        [this](mlir::Diagnostic &d) { messages += d.str() + "\n"; });
  }

  static mlir::DialectRegistry registry() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    return registry;
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module) << messages;
    return module;
  }

  static Scenario onA100() {
    Scenario scenario;
    scenario.target = "a100-bf16";
    return scenario;
  }

  static mlir::func::FuncOp firstFunction(mlir::ModuleOp module) {
    return *module.getOps<mlir::func::FuncOp>().begin();
  }
  /// The ops of this name in `root`, in order.
  static std::vector<mlir::Operation *> find(mlir::Operation *root,
                                             llvm::StringRef name) {
    std::vector<mlir::Operation *> found;
    root->walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() == name)
        found.push_back(op);
    });
    return found;
  }
  static std::string print(mlir::Operation *op) {
    std::string text;
    llvm::raw_string_ostream os(text);
    op->print(os);
    return text;
  }

  /// The files of real front ends in the repository, and in the folder that an
  /// environment variable names.
  static std::set<std::string> frontEndFiles() {
    std::vector<std::string> folders = {GPUCOST_TEST_INPUTS "/FrontEnds"};
    if (const char *further = std::getenv("GPUCOST_FRONT_END_FILES"))
      folders.push_back(further);
    std::set<std::string> files;
    for (const std::string &folder : folders)
      for (const auto &entry :
           std::filesystem::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".mlir")
          files.insert(entry.path().string());
    return files;
  }

  mlir::MLIRContext context;
  std::string messages;
};

} // namespace gpucost

#endif // UNITTESTS_COMPILER_COSTANALYSIS_COSTANALYSISFIXTURE_H
