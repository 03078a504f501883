//===- Session.cpp - From a model file to its cost ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Session/Session.h"
#include "PreparePipeline.h"
#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "gpucost/Core/Archive/PreparedFile.h"
#include "gpucost/Core/Iteration/Restate.h"
#include "gpucost/Core/Targets/TargetChoice.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;

FailureOr<IterationReport> gpucost::annotateModule(ModuleOp module,
                                                   const Scenario &scenario,
                                                   bool verifyEach) {
  if (failed(applyForm(module, scenario)))
    return failure();
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

/// The kernels of a module on which all passes have run.
static FailureOr<Session::Prepared> collectKernels(ModuleOp module) {
  ModuleAnalysisManager analyses(module, /*passInstrumentor=*/nullptr);
  AnalysisManager manager = analyses;
  const auto &kernels = manager.getAnalysis<KernelListAnalysis>();
  if (!kernels.isValid())
    return failure();
  FailureOr<CostModel> costModel = getCostModel(module);
  if (failed(costModel))
    return failure();
  return Session::Prepared{kernels.model(), std::move(*costModel)};
}

FailureOr<Session::Prepared>
Session::prepareModule(ModuleOp module, const Scenario &scenario) const {
  if (failed(applyForm(module, scenario)))
    return failure();
  Scenario all = getScenario(module);
  stateAll(all, scenario);
  bool hasStages = all.parallel && all.parallel->pipeline != 1;
  if (hasStages && !all.selectStage)
    return preparePipeline(module, scenario, verifyEach, collectKernels);
  PassManager pm(module.getContext());
  pm.enableVerifier(verifyEach);
  buildPreparePipeline(pm, scenario);
  if (failed(pm.run(module)))
    return failure();
  return collectKernels(module);
}

FailureOr<Session::Prepared>
Session::prepare(const Scenario &scenario) const & {
  OwningOpRef<ModuleOp> copy = model().clone();
  return prepareModule(*copy, scenario);
}

FailureOr<Session::Prepared> Session::prepare(const Scenario &scenario) && {
  return prepareModule(model(), scenario);
}

FailureOr<std::string> Session::prepareBytes(const Scenario &scenario,
                                             llvm::StringRef name) const {
  FailureOr<Prepared> prepared = prepare(scenario);
  if (failed(prepared))
    return failure();
  const PreparedModel &kernels = *prepared->model;
  if (kernels.pipeline)
    return model().emitError("a prepared model has one stage of a pipeline; "
                             "choose it with --select-stage");
  return encodePrepared({name.str(),
                         getScenarioTarget(prepared->costModel, kernels.format),
                         kernels});
}

FailureOr<PlacedModel> Session::place(const Prepared &prepared) const {
  Expected<PlacedModel> placed =
      PlacedModel::create(prepared.model, prepared.costModel);
  if (placed)
    return std::move(*placed);
  return model().emitError(placed.error().message);
}

FailureOr<PlacedModel> Session::place(const Prepared &prepared,
                                      const Scenario &changes) const {
  Prepared other = prepared;
  const ScenarioTarget from =
      getScenarioTarget(prepared.costModel, prepared.model->format);
  ScenarioTarget gpu = from;
  if (changes.target || changes.targetFile || changes.coefficients ||
      changes.changes || changes.interconnect || changes.network) {
    Scenario given = prepared.model->given;
    stateAll(given, changes);
    Expected<TargetChoice> choice = chooseTarget(given);
    if (!choice)
      return model().emitError(choice.error().message);
    gpu = getScenarioTarget(choice->target.gpu, choice->coefficients,
                            choice->target.format);
    Expected<CostModel> costModel = CostModel::create(
        choice->target.gpu, choice->coefficients, prepared.costModel.choice());
    if (!costModel)
      return model().emitError(costModel.error().message);
    other.costModel = std::move(*costModel);
  }
  auto changed = restate(*prepared.model, from, changes, gpu);
  if (!changed)
    return model().emitError(changed.error().message);
  other.model = *changed;
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
  return evaluate(*this, prepareModule(model(), scenario));
}
