//===- SetTarget.cpp - gpucost-set-target ---------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TargetOnModule.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Targets/ModuleTarget.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "gpucost/Core/Targets/CoefficientsPin.h"
#include "gpucost/Core/Targets/Links.h"

namespace gpucost {
#define GEN_PASS_DEF_SETTARGETPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// Replaces the links in the module's coefficients with the named ones, and the
/// facts of its GPU with the changed ones.
static LogicalResult replaceFacts(ModuleOp module, const Scenario &named) {
  // Without changes, a name remains a name.
  if (!named.interconnect && !named.network && !named.changes)
    return success();
  llvm::Expected<CoefficientsAttr> stated =
      readCoefficients(module->getAttr(coefficientsAttrName));
  if (!stated)
    return module.emitError(llvm::toString(stated.takeError()));
  Expected<Coefficients> linked = withLinks(stated->getValue(), named);
  if (!linked)
    return module.emitError(linked.error().message);
  auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
  Expected<TargetChoice> choice = TargetChoice{target.getValue(), *linked};
  if (named.changes)
    choice = changeTarget(*std::move(choice), *named.changes);
  llvm::Expected<ResolvedTarget> changed =
      toAttributes(module.getContext(), choice);
  if (!changed)
    return module.emitError(llvm::toString(changed.takeError()));
  module->setAttr(targetAttrName, changed->target);
  module->setAttr(coefficientsAttrName, changed->coefficients);
  return success();
}

static void writeTarget(ModuleOp module, const ResolvedTarget &resolved) {
  module->setAttr(targetAttrName, resolved.target);
  Attribute coefficients = resolved.coefficients;
  if (!resolved.coefficientsName.empty()) {
    rememberCoefficients(resolved.coefficientsName, resolved.coefficients);
    coefficients =
        StringAttr::get(module.getContext(), resolved.coefficientsName);
  }
  module->setAttr(coefficientsAttrName, coefficients);
}

LogicalResult gpucost::setTarget(ModuleOp module, const Scenario &named) {
  MLIRContext *context = module.getContext();
  bool namesGpu = named.target || named.targetFile;
  auto pinned = parseCoefficientsName(named.coefficients.value_or(""));
  if (!pinned)
    return module.emitError(pinned.error().message);
  if (!namesGpu && pinned->source.empty()) {
    if (module->hasAttr(targetAttrName) &&
        module->hasAttr(coefficientsAttrName) && pinned->hash.empty())
      return replaceFacts(module, named);
    llvm::Expected<ModuleTarget> found = findModuleTarget(module);
    if (!found)
      return module.emitError(llvm::toString(found.takeError()));
    if (auto checked = checkPin(*pinned, found->target.coefficients.getValue());
        !checked)
      return module.emitError(checked.error().message);
    if (!found->assumption.empty())
      module.emitWarning() << found->assumption;
    if (!module->hasAttr(targetAttrName) ||
        !module->hasAttr(coefficientsAttrName))
      writeTarget(module, found->target);
    return replaceFacts(module, named);
  }
  if (!namesGpu) {
    Expected<Coefficients> loaded = loadCoefficients(*named.coefficients);
    if (!loaded)
      return module.emitError(loaded.error().message);
    module->setAttr(coefficientsAttrName,
                    CoefficientsAttr::get(context, *loaded));
    return replaceFacts(module, named);
  }
  llvm::Expected<ResolvedTarget> resolved =
      toAttributes(context, chooseTarget(named));
  if (!resolved)
    return module.emitError(llvm::toString(resolved.takeError()));
  writeTarget(module, *resolved);
  return success();
}

namespace {
struct SetTargetPass : public gpucost::impl::SetTargetPassBase<SetTargetPass> {
  using SetTargetPassBase::SetTargetPassBase;
  SetTargetPass() = default;
  SetTargetPass(const SetTargetPass &other) : SetTargetPassBase(other) {}

  void runOnOperation() override {
    if (failed(setTarget(getOperation(), options.stated())) ||
        failed(checkTiling(getOperation())))
      signalPassFailure();
  }

private:
  SettingOptions options{*this,
                         &Scenario::target,
                         &Scenario::targetFile,
                         &Scenario::coefficients,
                         &Scenario::changes,
                         &Scenario::interconnect,
                         &Scenario::network};
};
} // namespace
