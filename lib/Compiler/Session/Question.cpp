//===- Question.cpp - Checks of an analysis request -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Session/Session.h"
#include "gpucost/Compiler/Support/Errors.h"
#include "gpucost/Compiler/Support/SettingsJson.h"
#include "gpucost/Compiler/Targets/ModuleTarget.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gpucost;

llvm::Expected<std::optional<ScenarioTarget>>
gpucost::findTarget(const Scenario &scenario) {
  if (!scenario.target && !scenario.targetFile)
    return std::nullopt;
  Expected<TargetChoice> choice = chooseTarget(scenario);
  if (!choice)
    return toLLVMError(choice.error());
  return getScenarioTarget(choice->target.gpu, choice->coefficients,
                           choice->target.format);
}

llvm::Expected<Scenario> gpucost::readScenario(llvm::StringRef json) {
  llvm::Expected<RecordedSettings> recorded = readSettings(json);
  if (!recorded)
    return recorded.takeError();
  // The defaults are those of the GPU in the file, not of the stated settings.
  llvm::Expected<std::optional<ScenarioTarget>> target =
      findTarget(recorded->given);
  if (!target)
    return target.takeError();
  return replay(*recorded, *target);
}

llvm::Error gpucost::checkHasFunction(ModuleOp model, llvm::StringRef name) {
  bool hasBody = model
                     ->walk([](func::FuncOp function) {
                       return function.isExternal() ? WalkResult::advance()
                                                    : WalkResult::interrupt();
                     })
                     .wasInterrupted();
  if (hasBody)
    return llvm::Error::success();
  return llvm::createStringError("'" + name +
                                 "' has no function with a body to analyze");
}

llvm::Error gpucost::checkQuestion(ModuleOp model, const Scenario &scenario,
                                   llvm::StringRef name) {
  if (llvm::Error error = checkHasFunction(model, name))
    return error;
  if (scenario.target || scenario.targetFile || model->hasAttr(targetAttrName))
    return llvm::Error::success();
  model.getContext()->loadDialect<GpuCostDialect>();
  llvm::Expected<std::optional<ModuleTarget>> own = searchModuleTarget(model);
  if (!own)
    return own.takeError();
  if (!*own)
    return llvm::createStringError(
        "no GPU; give one with --target=a100-bf16 (--list-targets shows all)");
  return llvm::Error::success();
}
