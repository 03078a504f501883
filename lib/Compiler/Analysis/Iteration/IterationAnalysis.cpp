//===- IterationAnalysis.cpp - The iteration on the module's target -------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Targets/ModuleTarget.h"

using namespace mlir;
using namespace gpucost;

FailureOr<NumericFormat> gpucost::getTargetFormat(ModuleOp module) {
  auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
  if (!target)
    return module.emitError("expected a 'gpucost.target' attribute; run "
                            "'gpucost-set-target' first");
  return target->format;
}

FailureOr<CostModel> gpucost::getCostModel(ModuleOp module) {
  auto target = module->getAttrOfType<TargetAttr>(targetAttrName);
  Attribute coefficients = module->getAttr(coefficientsAttrName);
  if (!target || !coefficients)
    return module.emitError()
           << "expected a '" << (target ? coefficientsAttrName : targetAttrName)
           << "' attribute; run 'gpucost-set-target' first";
  llvm::Expected<CoefficientsAttr> fitted = readCoefficients(coefficients);
  if (!fitted)
    return module.emitError(llvm::toString(fitted.takeError()));
  Expected<CostModel> model = CostModel::create(target->gpu, fitted->getValue(),
                                                getSettings(module).kernels());
  if (!model)
    return module.emitError(model.error().message);
  return std::move(*model);
}

/// The kernels with the tilings in the IR; one per problem.
static FailureOr<std::vector<PlacedKernel>>
readTilings(const KernelListAnalysis &list) {
  const PreparedModel &prepared = *list.model();
  std::vector<PlacedKernel> kernels(prepared.works.size());
  for (auto [op, launch] : llvm::zip_equal(list.kernels(), prepared.launches)) {
    KernelOp kernel = op;
    if (!kernel.getTilingAttr())
      return kernel.emitOpError("expected a 'tiling' attribute; run "
                                "'gpucost-select-tiling' first");
    ScheduleAttr schedule = getSchedule(kernel);
    kernels[launch.work] = {prepared.works[launch.work],
                            kernel.getTilingAttr().getValue(),
                            "",
                            schedule ? schedule.getValue() : Schedule(),
                            "",
                            std::nullopt};
  }
  return kernels;
}

IterationAnalysis::IterationAnalysis(Operation *root, AnalysisManager &analyses)
    : list(&analyses.getAnalysis<KernelListAnalysis>()) {
  auto module = cast<ModuleOp>(root);
  if (!list->isValid())
    return;
  FailureOr<CostModel> costModel = getCostModel(module);
  if (failed(costModel))
    return;
  FailureOr<std::vector<PlacedKernel>> kernels = readTilings(*list);
  if (failed(kernels))
    return;
  size_t failedWork = ~size_t(0);
  Expected<PlacedModel> created =
      PlacedModel::create(list->model(), *costModel, &*kernels, &failedWork);
  if (created) {
    placed.emplace(std::move(*created));
    return;
  }
  std::string message = created.error().message;
  for (auto [op, launch] :
       llvm::zip_equal(list->kernels(), list->model()->launches))
    if (launch.work == failedWork) {
      KernelOp kernel = op;
      kernel.emitOpError(message);
      return;
    }
  module.emitError(message);
}

KernelCostAnalysis::KernelCostAnalysis(Operation *root) {
  FailureOr<CostModel> model = getCostModel(cast<ModuleOp>(root));
  if (succeeded(model))
    costModel.emplace(std::move(*model));
}

std::optional<KernelCost> KernelCostAnalysis::cost(KernelOp kernel) {
  WorkAttr work = kernel.getWorkAttr();
  if (!costModel || !work)
    return std::nullopt;
  ScheduleAttr schedule = getSchedule(kernel);
  auto [it, isNew] = known.try_emplace({work, schedule});
  if (!isNew)
    return it->second;
  if (!schedule) {
    if (auto cost = costModel->estimate(work.getValue()))
      it->second = *cost;
  } else if (auto schedules =
                 ScheduleModel::create(*costModel, work.getValue())) {
    if (auto cost = schedules->estimate(schedule.getValue()))
      it->second = cost->cost;
  }
  return it->second;
}
