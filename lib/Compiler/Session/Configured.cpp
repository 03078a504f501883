//===- Configured.cpp - Models from a configuration -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Configured.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "gpucost/Compiler/Session/Session.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gpucost;

static OwningOpRef<ModuleOp> import(MLIRContext &context, llvm::StringRef json,
                                    llvm::StringRef name, GraphForm form,
                                    bool keepOrigins) {
  ImportOptions options;
  options.keepOrigins = keepOrigins;
  auto module = importConfiguration(context, json, name, form, options);
  if (module)
    return std::move(*module);
  mlir::emitError(UnknownLoc::get(&context))
      << llvm::toString(module.takeError());
  return nullptr;
}

OwningOpRef<ModuleOp>
gpucost::loadConfiguration(MLIRContext &context,
                           llvm::Expected<std::string> json,
                           llvm::StringRef name, bool keepOrigins) {
  auto reject = [&](const llvm::Twine &message) {
    mlir::emitError(UnknownLoc::get(&context)) << message;
    return nullptr;
  };
  if (!json)
    return reject(llvm::toString(json.takeError()));
  context.loadDialect<func::FuncDialect, onnx::OnnxDialect, GpuCostDialect>();
  OwningOpRef<ModuleOp> module =
      import(context, *json, name, GraphForm::Prompt, keepOrigins);
  if (!module)
    return nullptr;
  llvm::Expected<StoredWeights> stored = readQuantization(*json);
  if (!stored)
    return reject(name + ": " + llvm::toString(stored.takeError()));
  Scenario scenario;
  scenario.weights = stored->weights;
  scenario.weightGroup = stored->group;
  scenario.kv = stored->cache;
  if (!scenario.empty())
    setScenario(*module, scenario);
  return module;
}

std::string gpucost::modelFile(llvm::StringRef path) {
  return configurationFile(path);
}

llvm::Expected<std::string> gpucost::buildModelFile(llvm::StringRef json,
                                                    llvm::StringRef path,
                                                    llvm::StringRef form) {
  auto chosen = llvm::StringSwitch<std::optional<GraphForm>>(form)
                    .Case("prompt", GraphForm::Prompt)
                    .Case("training", GraphForm::Training)
                    .Case("cache", GraphForm::Cache)
                    .Default(std::nullopt);
  if (!chosen)
    return llvm::createStringError("unknown form '" + form +
                                   "', expected prompt, training or cache");
  if (!json.empty())
    return buildOnnx(json, path, *chosen);
  llvm::Expected<std::string> read = readConfiguration(path);
  if (!read)
    return read.takeError();
  return buildOnnx(*read, path, *chosen);
}

/// The form of the graph that the settings require.
static GraphForm chooseForm(const Scenario &scenario) {
  if (scenario.mode == IterationMode::Training)
    return GraphForm::Training;
  return scenario.past ? GraphForm::Cache : GraphForm::Prompt;
}

LogicalResult gpucost::applyForm(ModuleOp module, const Scenario &scenario) {
  auto json = module->getAttrOfType<StringAttr>(configurationAttrName);
  if (!json)
    return success();
  Scenario all = getScenario(module);
  stateAll(all, scenario);
  if (all.decode.value_or(false) && !all.past)
    return module.emitError("--decode expects --past, the tokens in the cache");
  GraphForm form = chooseForm(all);
  if (form == GraphForm::Prompt)
    return success();
  auto place = dyn_cast<FileLineColLoc>(module.getLoc());
  OwningOpRef<ModuleOp> other =
      import(*module.getContext(), json.getValue(),
             place ? place.getFilename().getValue() : "<configuration>", form,
             /*keepOrigins=*/false);
  if (!other)
    return failure();
  module.getBodyRegion().takeBody(other->getBodyRegion());
  return success();
}
