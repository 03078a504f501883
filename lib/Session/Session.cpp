//===- Session.cpp - From a model file to its cost ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Session/Session.h"
#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Analysis/ModuleSettings.h"
#include "gpucost/Scenario/CheckScenario.h"
#include "gpucost/Scenario/SettingRow.h"
#include "gpucost/Targets/TargetOptions.h"
#include "gpucost/Transforms/Pipelines.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;

FailureOr<IterationReport> gpucost::annotateModule(ModuleOp module,
                                                   const Scenario &scenario,
                                                   bool verifyEach) {
  PassManager pm(module.getContext());
  pm.enableVerifier(verifyEach);
  buildAnalyzePipeline(pm, scenario);
  if (failed(pm.run(module)))
    return failure();
  ModuleAnalysisManager analyses(module, /*passInstrumentor=*/nullptr);
  AnalysisManager manager = analyses;
  const auto &iteration = manager.getAnalysis<IterationAnalysis>();
  if (!iteration.isValid())
    return failure();
  return iteration.model().evaluate();
}

FailureOr<Session::Prepared> Session::prepare(ModuleOp module,
                                              const Scenario &scenario) const {
  PassManager pm(module.getContext());
  pm.enableVerifier(verifyEach);
  buildPreparePipeline(pm, scenario);
  if (failed(pm.run(module)))
    return failure();
  ModuleAnalysisManager analyses(module, /*passInstrumentor=*/nullptr);
  AnalysisManager manager = analyses;
  const auto &kernels = manager.getAnalysis<KernelListAnalysis>();
  if (!kernels.isValid())
    return failure();
  FailureOr<CostModel> costModel = getCostModel(module);
  if (failed(costModel))
    return failure();
  return Prepared{kernels.model(), std::move(*costModel)};
}

FailureOr<Session::Prepared> Session::prepare(const Scenario &scenario) const {
  OwningOpRef<ModuleOp> copy = model().clone();
  return prepare(*copy, scenario);
}

FailureOr<PlacedModel> Session::place(const Prepared &prepared) const {
  Expected<PlacedModel> placed =
      PlacedModel::create(prepared.model, prepared.costModel);
  if (placed)
    return std::move(*placed);
  return model().emitError(placed.error().message);
}

/// Flags of the settings that ask for other kernels. Those of the device and
/// the host's cost do not.
static std::string findOtherKernels(const Settings &a, const Settings &b) {
  std::vector<llvm::StringRef> flags;
  forEachSetting([&](const auto &row) {
    if (row.group != SettingGroup::Device && row.flag != "host-launch-us" &&
        !(a.*row.resolved == b.*row.resolved))
      flags.push_back(row.flag);
  });
  if (a.format != b.format)
    flags.push_back("number format");
  return llvm::join(flags, ", ");
}

FailureOr<PlacedModel> Session::place(const Prepared &prepared,
                                      const Scenario &changes) const {
  auto changed = std::make_shared<PreparedModel>(*prepared.model);
  stateAll(changed->given, changes);
  Prepared other{changed, prepared.costModel};
  ScenarioTarget gpu =
      getScenarioTarget(prepared.costModel.gpu(), changed->format);
  if (changes.target || changes.targetFile || changes.coefficients ||
      changes.interconnect || changes.network) {
    llvm::Expected<ResolvedTarget> target =
        resolveTargetOptions(model().getContext(), changed->given);
    if (!target)
      return model().emitError(llvm::toString(target.takeError()));
    gpu = getScenarioTarget(target->target);
    Expected<CostModel> costModel =
        CostModel::create(target->target->gpu, target->coefficients.getValue(),
                          prepared.costModel.software());
    if (!costModel)
      return model().emitError(costModel.error().message);
    other.costModel = std::move(*costModel);
  }
  if (llvm::Error error = validate(changed->given, gpu))
    return model().emitError(llvm::toString(std::move(error)));
  changed->settings = resolve(changed->given, gpu);
  if (std::string others =
          findOtherKernels(prepared.model->settings, changed->settings);
      !others.empty())
    return model().emitError()
           << "the model is prepared for other settings (" << others << ")";
  return place(other);
}

static FailureOr<IterationReport>
evaluate(const Session &session, const FailureOr<Session::Prepared> &prepared) {
  if (failed(prepared))
    return failure();
  FailureOr<PlacedModel> placed = session.place(*prepared);
  if (failed(placed))
    return failure();
  return placed->evaluate();
}

FailureOr<IterationReport> Session::analyze(const Scenario &scenario) const & {
  return evaluate(*this, prepare(scenario));
}

FailureOr<IterationReport> Session::analyze(const Scenario &scenario) && {
  return evaluate(*this, prepare(model(), scenario));
}
