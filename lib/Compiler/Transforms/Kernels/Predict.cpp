//===- Predict.cpp - gpucost-predict --------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Transforms/Passes.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"

namespace gpucost {
#define GEN_PASS_DEF_PREDICTPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// The totals of `report` as an attribute.
static SummaryAttr summarize(MLIRContext *context,
                             const IterationReport &report) {
  SmallVector<PhaseSummaryAttr> phases;
  for (const PhaseTotals &phase : report.phases)
    phases.push_back(PhaseSummaryAttr::get(
        context, phase.phase, phase.time, phase.gpuBusy, phase.host,
        phase.energy, phase.kernels, phase.flops, phase.bytes));
  return SummaryAttr::get(
      context, report.time, report.gpuBusy, report.host, report.energy,
      report.averagePower, report.clock, report.throttled, report.launches,
      report.matrixFlops, saturatingInt(report.dramBytes),
      report.peakMemoryBytes, Scalar(report.mfu), report.modelled.ops,
      report.fallback.ops, report.unmodelled.ops,
      PhaseSummaryArrayAttr::get(context, phases));
}

namespace {
struct PredictPass : public gpucost::impl::PredictPassBase<PredictPass> {
  using PredictPassBase::PredictPassBase;
  PredictPass() = default;
  PredictPass(const PredictPass &other) : PredictPassBase(other) {}

  void runOnOperation() override {
    FailureOr<Settings> settings =
        stateSettings(getOperation(), settingOptions.stated());
    if (failed(settings) || failed(checkFormation(getOperation())) ||
        failed(checkTiling(getOperation())))
      return signalPassFailure();
    auto &iteration = getAnalysis<IterationAnalysis>();
    if (!iteration.isValid())
      return signalPassFailure();
    const PlacedModel &model = iteration.model();
    IterationSummary point = model.summarize(*settings);
    annotate(iteration, point.totals);
    ModuleOp module = getOperation();
    IterationReport report = model.report(point, *settings);
    module->setAttr(summaryAttrName, summarize(&getContext(), report));
    if (point.totals.point.limitUnreachable)
      module->setAttr(limitUnreachableAttrName, UnitAttr::get(&getContext()));
    else
      module->removeAttr(limitUnreachableAttrName);
    // The inputs of the analyses are unchanged.
    markAllAnalysesPreserved();
  }

private:
  /// Sets `time` and `power` of all kernels; equal kernels share them.
  void annotate(const IterationAnalysis &iteration,
                const IterationTotals &totals) {
    const PlacedModel &model = iteration.model();
    std::vector<std::pair<TimeAttr, PowerAttr>> known(
        model.prepared().works.size());
    for (auto [i, op] : llvm::enumerate(iteration.kernels())) {
      auto &[time, power] = known[iteration.workOf(i)];
      if (!time) {
        LaunchCost cost = model.launchCost(iteration.workOf(i), totals);
        time = TimeAttr::get(&getContext(), cost.time);
        power = PowerAttr::get(&getContext(),
                               {cost.power(), cost.energy, totals.point.clock,
                                totals.point.throttled});
      }
      KernelOp kernel = op;
      kernel.setTimeAttr(time);
      kernel.setPowerAttr(power);
    }
  }

  SettingOptions settingOptions{*this, &Scenario::clock, &Scenario::powerLimit,
                                &Scenario::runtime, &Scenario::hostLaunch};
};
} // namespace
