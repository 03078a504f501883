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
  return kernels.model();
}

FailureOr<Session::Prepared> Session::prepare(const Scenario &scenario) const {
  OwningOpRef<ModuleOp> copy = model().clone();
  return prepare(*copy, scenario);
}

FailureOr<CostModel> Session::costModelOf(const Scenario &scenario) const {
  ModuleOp module = imported;
  if (!scenario.target && !scenario.targetFile)
    return getCostModel(module);
  llvm::Expected<ResolvedTarget> target =
      resolveTargetOptions(module.getContext(), scenario);
  if (!target)
    return module.emitError(llvm::toString(target.takeError()));
  Expected<CostModel> model =
      CostModel::create(target->target->gpu, target->coefficients.getValue());
  if (!model)
    return module.emitError(model.error().message);
  return std::move(*model);
}

FailureOr<PlacedModel> Session::place(const Prepared &prepared) const {
  FailureOr<CostModel> model = costModelOf(prepared->given);
  if (failed(model))
    return failure();
  Expected<PlacedModel> placed = PlacedModel::create(prepared, *model);
  if (!placed) {
    ModuleOp module = imported;
    return module.emitError(placed.error().message);
  }
  return std::move(*placed);
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
  ModuleOp module = imported;
  auto changed = std::make_shared<PreparedModel>(*prepared);
  stateAll(changed->given, changes);
  std::optional<ScenarioTarget> gpu;
  if (changed->given.target || changed->given.targetFile) {
    llvm::Expected<ResolvedTarget> target =
        resolveTargetOptions(module.getContext(), changed->given);
    if (!target)
      return module.emitError(llvm::toString(target.takeError()));
    gpu = getScenarioTarget(target->target);
  } else {
    gpu = getScenarioTarget(module);
  }
  if (llvm::Error error = validate(changed->given, gpu))
    return module.emitError(llvm::toString(std::move(error)));
  changed->settings = resolve(changed->given, gpu);
  if (std::string others =
          findOtherKernels(prepared->settings, changed->settings);
      !others.empty())
    return module.emitError()
           << "the model is prepared for other settings (" << others << ")";
  return place(changed);
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
