//===- SetScenario.cpp - gpucost-set-scenario -----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetOnModule.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"

namespace gpucost {
#define GEN_PASS_DEF_SETSCENARIOPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct SetScenarioPass
    : public gpucost::impl::SetScenarioPassBase<SetScenarioPass> {
  using SetScenarioPassBase::SetScenarioPassBase;
  SetScenarioPass() = default;
  SetScenarioPass(const SetScenarioPass &other) : SetScenarioPassBase(other) {}
  explicit SetScenarioPass(const Scenario &scenario) { options.give(scenario); }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    Scenario stated = options.stated();
    Scenario scenario = getScenario(module);
    stateAll(scenario, stated);
    bool isComplete = module->hasAttr(targetAttrName) &&
                      module->hasAttr(coefficientsAttrName);
    // Only newly stated settings replace a target on the module.
    if (failed(setTarget(module, isComplete ? stated : scenario)))
      return signalPassFailure();
    if (llvm::Error error = validate(scenario, getScenarioTarget(module))) {
      module.emitError(llvm::toString(std::move(error)));
      return signalPassFailure();
    }
    setScenario(module, scenario);
  }

private:
  SettingOptions options{*this};
};
} // namespace

std::unique_ptr<Pass> gpucost::createSetScenarioPass(const Scenario &scenario) {
  return std::make_unique<SetScenarioPass>(scenario);
}
