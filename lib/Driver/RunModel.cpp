//===- RunModel.cpp - A model file at one scenario ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunModel.h"
#include "SettingsFile.h"
#include "gpucost/Analysis/ModuleSettings.h"
#include "gpucost/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Scenario/CheckScenario.h"

using namespace mlir;
using namespace gpucost;

std::unique_ptr<LoadedModel> LoadedModel::load(const std::string &path) {
  auto loaded = std::make_unique<LoadedModel>();
  loaded->thePath = path;
  DialectRegistry registry;
  registerDialects(registry);
  loaded->context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  loaded->context->allowUnregisteredDialects();
  loaded->thePrinter = std::make_unique<DiagnosticPrinter>(*loaded->context);
  loaded->module = loadModel(*loaded->context, path, /*keepOrigins=*/false);
  if (!loaded->module)
    return nullptr;
  loaded->theSession = std::make_unique<Session>(*loaded->module);
  return loaded;
}

llvm::Error LoadedModel::check(const Scenario &scenario) {
  llvm::Expected<std::optional<ScenarioTarget>> target =
      findTarget(*context, scenario);
  if (!target)
    return target.takeError();
  if (llvm::Error error = validate(scenario, *target))
    return error;
  Scenario all = getScenario(*module);
  stateAll(all, scenario);
  if (!all.target && !all.targetFile && !(*module)->hasAttr(targetAttrName))
    return llvm::createStringError("no GPU for '" + thePath +
                                   "'; give one with --target=a100-bf16 "
                                   "(--list-targets shows all)");
  return llvm::Error::success();
}
