//===- LoadedModel.cpp - A model with its context -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Session/LoadedModel.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Import/Configuration.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace gpucost;

LoadedModel::LoadedModel() {
  DialectRegistry registry;
  registerDialects(registry);
  ownContext =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  // Unregistered ops are listed in the coverage report.
  ownContext->allowUnregisteredDialects();
}

bool LoadedModel::open(OwningOpRef<ModuleOp> module) {
  ownModule = std::move(module);
  if (ownModule)
    ownSession = std::make_unique<Session>(*ownModule);
  return static_cast<bool>(ownModule);
}

bool LoadedModel::load(llvm::StringRef path, bool keepOrigins) {
  ownPath = path.str();
  return open(loadModel(*ownContext, path, keepOrigins));
}

llvm::Error LoadedModel::loadPredictor(llvm::StringRef path) {
  llvm::Expected<std::string> text = readPredictor(path);
  if (!text)
    return text.takeError();
  return parse(*text, path) ? llvm::Error::success()
                            : llvm::createStringError(
                                  path + ": the module that predicts further "
                                         "tokens cannot be read");
}

bool LoadedModel::parse(llvm::StringRef contents, llvm::StringRef name) {
  ownPath = name.str();
  // The parsers require a null-terminated buffer.
  auto buffer = llvm::MemoryBuffer::getMemBufferCopy(contents, name);
  return open(parseModel(*ownContext, *buffer, /*keepOrigins=*/false));
}

llvm::Error LoadedModel::checkSettings(const Scenario &scenario) {
  llvm::Expected<std::optional<ScenarioTarget>> target = findTarget(scenario);
  if (!target)
    return target.takeError();
  return validate(scenario, *target);
}

llvm::Error LoadedModel::checkQuestion(const Scenario &scenario) const {
  return gpucost::checkQuestion(ownModule.get(), stateOn(stated(), scenario),
                                ownPath);
}

llvm::Error LoadedModel::checkHasFunction() const {
  return gpucost::checkHasFunction(ownModule.get(), ownPath);
}

llvm::Error LoadedModel::check(const Scenario &scenario) {
  if (llvm::Error error = checkSettings(scenario))
    return error;
  return checkQuestion(scenario);
}

Scenario LoadedModel::stated() const { return getScenario(ownModule.get()); }
