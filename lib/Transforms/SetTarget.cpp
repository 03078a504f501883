//===- SetTarget.cpp - gpucost-set-target ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Target/TargetOptions.h"
#include "gpucost/Transforms/Passes.h"

namespace gpucost {
#define GEN_PASS_DEF_SETTARGETPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct SetTargetPass : public gpucost::impl::SetTargetPassBase<SetTargetPass> {
  using SetTargetPassBase::SetTargetPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    bool complete = module->hasAttr(GpuCostDialect::targetAttrName) &&
                    module->hasAttr(GpuCostDialect::coefficientsAttrName);
    if (target.empty() && targetFile.empty() && coefficientsFile.empty()) {
      if (complete)
        return;
      module.emitError("no target; give one with target=a100-bf16 or "
                       "target-file=FILE");
      return signalPassFailure();
    }
    auto fail = [&](llvm::Error error) {
      module.emitError(llvm::toString(std::move(error)));
      signalPassFailure();
    };
    if (target.empty() && targetFile.empty()) {
      llvm::Expected<CoefficientsAttr> loaded =
          loadCoefficients(&getContext(), coefficientsFile);
      if (!loaded)
        return fail(loaded.takeError());
      module->setAttr(GpuCostDialect::coefficientsAttrName, *loaded);
      return;
    }
    llvm::Expected<ResolvedTarget> resolved = resolveTargetOptions(
        &getContext(), target, targetFile, coefficientsFile);
    if (!resolved)
      return fail(resolved.takeError());
    module->setAttr(GpuCostDialect::targetAttrName, resolved->target);
    module->setAttr(GpuCostDialect::coefficientsAttrName,
                    resolved->coefficients);
  }
};
} // namespace
