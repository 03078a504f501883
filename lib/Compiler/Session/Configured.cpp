//===- Configured.cpp - Models from a configuration -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Configured.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/ExportAttrs.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Compiler/Support/SettingsJson.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace gpucost;

static OwningOpRef<ModuleOp> import(MLIRContext &context, llvm::StringRef json,
                                    llvm::StringRef name, GraphForm form,
                                    const Adapters &adapters,
                                    bool keepOrigins) {
  ImportOptions options;
  options.keepOrigins = keepOrigins;
  auto module =
      importConfiguration(context, json, name, form, adapters, options);
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
      import(context, *json, name, GraphForm::Prompt, {}, keepOrigins);
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

static Adapters adaptersOf(const Scenario &scenario) {
  Adapters adapters;
  adapters.rank = scenario.loraRank.value_or(0);
  adapters.modules = scenario.loraModules.value_or(adapters.modules);
  adapters.base = scenario.loraBase.value_or(adapters.base);
  return adapters;
}

std::string gpucost::modelFile(llvm::StringRef path) {
  return configurationFile(path);
}

llvm::Expected<std::string> gpucost::buildModelFile(llvm::StringRef json,
                                                    llvm::StringRef path,
                                                    llvm::StringRef form,
                                                    const Scenario &scenario) {
  auto chosen = llvm::StringSwitch<std::optional<GraphForm>>(form)
                    .Case("prompt", GraphForm::Prompt)
                    .Case("training", GraphForm::Training)
                    .Case("cache", GraphForm::Cache)
                    .Default(std::nullopt);
  if (!chosen)
    return llvm::createStringError("unknown form '" + form +
                                   "', expected prompt, training or cache");
  if (!json.empty())
    return buildOnnx(json, path, *chosen, adaptersOf(scenario));
  llvm::Expected<std::string> read = readConfiguration(path);
  if (!read)
    return read.takeError();
  return buildOnnx(*read, path, *chosen, adaptersOf(scenario));
}

/// The form of the graph that the settings require.
static GraphForm chooseForm(const Scenario &scenario) {
  if (scenario.mode == IterationMode::Training)
    return GraphForm::Training;
  return scenario.past ? GraphForm::Cache : GraphForm::Prompt;
}

Scenario gpucost::stateOn(const Scenario &own, const Scenario &given) {
  Scenario scenario = own;
  stateAll(scenario, given);
  if (scenario.mode == IterationMode::Training) {
    scenario.weights = given.weights;
    scenario.weightGroup = given.weightGroup;
    scenario.kv = given.kv;
  }
  return scenario;
}

/// What training from a configuration with the settings `all` states: weights
/// are not quantised as in the checkpoint, except below adapters, and all other
/// parameters than those of adapters are frozen. Returns the adapters.
static FailureOr<Adapters> stateTraining(ModuleOp module, llvm::StringRef json,
                                         const Scenario &all) {
  Adapters adapters = adaptersOf(all);
  llvm::Expected<StoredWeights> stored = readQuantization(json);
  if (!stored)
    return module.emitError(llvm::toString(stored.takeError()));
  Scenario follows = getScenario(module);
  if (stored->weights && follows.weights == stored->weights)
    follows.weights.reset();
  follows.kv.reset();
  if (adapters.rank && stored->base && !all.loraBase) {
    follows.loraBase = adapters.base = *stored->base;
    Scenario derived = all;
    derived.weights = follows.weights;
    derived.loraBase = follows.loraBase;
    if (llvm::Error error = validate(derived, std::nullopt))
      return module.emitError(llvm::toString(std::move(error)));
  }
  if (adapters.rank && !all.trainable)
    follows.trainable = adapterPatterns.str();
  setScenario(module, follows);
  return adapters;
}

/// Adds a note on the settings of an exported module that `stated` does not
/// replace.
static void addAppliedNote(ModuleOp module, const Scenario &stated) {
  auto lines = module->getAttrOfType<ArrayAttr>(importTrainingNotesAttrName);
  if (!lines)
    return;
  llvm::StringSet<> replaced;
  forEachSetting([&](const auto &row) {
    if (stated.*row.stated)
      replaced.insert(row.key());
  });
  std::string applied;
  for (auto line : lines.getAsValueRange<StringAttr>())
    if (!replaced.contains(line.take_until([](char c) { return c == '='; })))
      applied += (applied.empty() ? "" : ", ") + line.str();
  if (applied.empty())
    return;
  SmallVector<Attribute> notes;
  if (auto others = module->getAttrOfType<ArrayAttr>(importNotesAttrName))
    llvm::append_range(notes, others);
  notes.push_back(
      StringAttr::get(module.getContext(), "from the module: " + applied));
  module->setAttr(importNotesAttrName,
                  ArrayAttr::get(module.getContext(), notes));
}

/// States the settings that an exported module has for training, unless others
/// are stated.
static LogicalResult applyTrainingSettings(ModuleOp module,
                                           const Scenario &scenario) {
  auto json = module->getAttrOfType<StringAttr>(trainingSettingsAttrName);
  if (!json)
    return success();
  Scenario stated = getScenario(module), all = stated;
  stateAll(all, scenario);
  if (all.mode != IterationMode::Training)
    return success();
  llvm::Expected<RecordedSettings> own = readSettings(json.getValue());
  if (!own)
    return module.emitError("metadata '")
           << exportKeyPrefix
           << "training': " << llvm::toString(own.takeError());
  Scenario settings = own->given;
  stateAll(settings, stated);
  setScenario(module, settings);
  addAppliedNote(module, all);
  return success();
}

LogicalResult gpucost::applyForm(ModuleOp module, const Scenario &scenario) {
  if (failed(applyTrainingSettings(module, scenario)))
    return failure();
  auto json = module->getAttrOfType<StringAttr>(configurationAttrName);
  Scenario all = getScenario(module);
  stateAll(all, scenario);
  if (!json)
    return all.loraRank ? module.emitError(
                              "--lora-rank needs the configuration of a model; "
                              "a graph has its adapters, which --trainable "
                              "names")
                        : success();
  if (all.decode.value_or(false) && !all.past)
    return module.emitError("--decode expects --past, the tokens in the cache");
  GraphForm form = chooseForm(all);
  if (form == GraphForm::Prompt)
    return success();
  FailureOr<Adapters> adapters = Adapters();
  if (form == GraphForm::Training)
    adapters = stateTraining(module, json.getValue(), all);
  if (failed(adapters))
    return failure();
  auto place = dyn_cast<FileLineColLoc>(module.getLoc());
  OwningOpRef<ModuleOp> other =
      import(*module.getContext(), json.getValue(),
             place ? place.getFilename().getValue() : "<configuration>", form,
             *adapters, /*keepOrigins=*/false);
  if (!other)
    return failure();
  module.getBodyRegion().takeBody(other->getBodyRegion());
  if (Attribute notes = (*other)->getAttr(importNotesAttrName))
    module->setAttr(importNotesAttrName, notes);
  return success();
}
