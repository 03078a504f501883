//===- ModuleSettings.cpp - The settings of a module ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/CoefficientAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuAttrs.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostScenarioAttr.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Model/Coefficients.h"

using namespace mlir;
using namespace gpucost;

ScenarioTarget gpucost::getScenarioTarget(TargetAttr target,
                                          const Coefficients &coefficients) {
  return getScenarioTarget(target->gpu, coefficients, target->format);
}

/// Sets with a network are attributes, not names. A set is large: passes must
/// not copy it.
static const Coefficients &coefficientsOf(ModuleOp module) {
  static const Coefficients none;
  auto set = module->getAttrOfType<CoefficientsAttr>(coefficientsAttrName);
  return set ? set.getValue() : none;
}

std::optional<ScenarioTarget> gpucost::getScenarioTarget(ModuleOp module) {
  auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
  if (!target)
    return std::nullopt;
  return getScenarioTarget(target, coefficientsOf(module));
}

Scenario gpucost::getScenario(ModuleOp module) {
  auto scenario = module->getAttrOfType<ScenarioAttr>(scenarioAttrName);
  return scenario ? scenario.getValue() : Scenario();
}

void gpucost::setScenario(ModuleOp module, const Scenario &scenario) {
  module.getContext()->getOrLoadDialect<GpuCostDialect>();
  module->setAttr(scenarioAttrName,
                  ScenarioAttr::get(module.getContext(), scenario));
}

Settings gpucost::getSettings(ModuleOp module) {
  return resolve(getScenario(module), getScenarioTarget(module));
}

FailureOr<Settings> gpucost::stateSettings(ModuleOp module,
                                           const Scenario &stated) {
  Scenario scenario = getScenario(module);
  stateAll(scenario, stated);
  std::optional<ScenarioTarget> target = getScenarioTarget(module);
  if (llvm::Error error = checkValues(scenario, target))
    return module.emitError(llvm::toString(std::move(error)));
  if (!stated.empty())
    setScenario(module, scenario);
  return resolve(scenario, target);
}

void gpucost::recordFormation(ModuleOp module) {
  auto scenario = module->getAttrOfType<ScenarioAttr>(scenarioAttrName);
  module->setAttr(
      formedForAttrName,
      scenario ? scenario : ScenarioAttr::get(module.getContext(), Scenario()));
  if (Attribute target = module->getAttr(targetAttrName))
    module->setAttr(formedOnAttrName, target);
}

Runtime gpucost::getDefaultRuntime(ModuleOp module) {
  if (auto formed = module->getAttrOfType<ScenarioAttr>(formedForAttrName))
    return resolve(formed.getValue(), std::nullopt).runtime;
  return getScenario(module).runtime.value_or(Runtime::AsWritten);
}

LogicalResult gpucost::checkFormation(ModuleOp module) {
  auto formed = module->getAttrOfType<ScenarioAttr>(formedForAttrName);
  if (!formed)
    return success();
  std::optional<ScenarioTarget> target = getScenarioTarget(module),
                                then = target;
  if (auto on = module->getAttrOfType<TargetAttr>(formedOnAttrName))
    then = getScenarioTarget(on, coefficientsOf(module));
  std::string others =
      findOtherKernels(resolve(formed.getValue(), then), getSettings(module));
  if (others.empty())
    return success();
  return module.emitError()
         << "the kernels were formed for other settings (" << others
         << "); run 'gpucost-form-kernels' with the new settings on the module "
            "before kernel formation";
}

void gpucost::recordTiling(ModuleOp module) {
  module->setAttr(tiledForAttrName, module->getAttr(targetAttrName));
}

LogicalResult gpucost::checkTiling(ModuleOp module) {
  auto tiled = module->getAttrOfType<TargetAttr>(tiledForAttrName);
  auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
  if (!tiled || !target || tiled == target)
    return success();
  bool sameName =
      tiled->gpu.name == target->gpu.name && tiled->format == target->format;
  return module.emitError()
         << "the kernels have tilings for '" << tiled->gpu.name << "' in "
         << stringifyNumericFormat(tiled->format)
         << (sameName ? " with other facts" : "") << ", not for '"
         << target->gpu.name << "' in "
         << stringifyNumericFormat(target->format)
         << "; set the target before 'gpucost-select-tiling'";
}
