//===- AnalyzeInPlace.cpp - gpucost-analyze in a compiler -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pipeline is designed for reports: it removes the functions that are not
// part of the iteration. In a compiler's module they must remain.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/CostAnalysis/Passes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "gpucost/Core/Scenario/Scenario.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace gpucost;

namespace {

/// Runs `gpucost-analyze` and restores the functions that it removes.
struct AnalyzeInPlacePass
    : public PassWrapper<AnalyzeInPlacePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AnalyzeInPlacePass)

  AnalyzeInPlacePass(const Scenario &scenario, bool predict)
      : scenario(scenario), predict(predict) {}
  StringRef getName() const override { return "AnalyzeInPlacePass"; }

  void getDependentDialects(DialectRegistry &registry) const override {
    OpPassManager passes(ModuleOp::getOperationName());
    buildAnalyzePipeline(passes, scenario, predict);
    passes.getDependentDialects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    SmallVector<OwningOpRef<Operation *>> functions;
    for (auto function : module.getOps<FunctionOpInterface>())
      functions.push_back(function->clone());
    // By default an inference keeps its formats and each op is one kernel.
    Scenario asked = getScenario(module);
    stateAll(asked, scenario);
    Scenario own = scenario;
    if (asked.mode != IterationMode::Training) {
      if (!asked.precisionMode)
        own.precisionMode = PrecisionMode::AsIs;
      if (!scenario.runtime)
        own.runtime = getDefaultRuntime(module);
    }
    OpPassManager passes(ModuleOp::getOperationName());
    buildAnalyzePipeline(passes, own, predict);
    if (failed(runPipeline(passes, module)))
      return signalPassFailure();
    SymbolTable symbols(module);
    for (OwningOpRef<Operation *> &function : functions)
      if (!symbols.lookup(SymbolTable::getSymbolName(*function)))
        symbols.insert(function.release());
  }

private:
  Scenario scenario;
  bool predict;
};

} // namespace

void gpucost::registerPipelinesInPlace() {
  PassPipelineRegistration<AnalyzeOptions>(
      "gpucost-analyze",
      "predict time, power and energy of a module on a GPU, by default as "
      "written; keeps other functions and the tensor formats",
      [](OpPassManager &pm, const AnalyzeOptions &options) {
        pm.addPass(std::make_unique<AnalyzeInPlacePass>(
            options.settings.stated(), options.predict));
      });
}
