//===- Predict.cpp - gpucost-predict --------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Transforms/Passes.h"

namespace gpucost {
#define GEN_PASS_DEF_PREDICTPASS
#include "gpucost/Transforms/Passes.h.inc"
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

  void runOnOperation() override {
    FailureOr<IterationOptions> options = readOptions();
    if (failed(options))
      return signalPassFailure();
    auto &iteration = getAnalysis<IterationAnalysis>();
    if (!iteration.isValid() || failed(checkClock(iteration, *options)))
      return signalPassFailure();
    const PlacedModel &model = iteration.model();
    IterationTotals totals = model.solve(*options);
    annotate(iteration, totals);
    ModuleOp module = getOperation();
    IterationReport report = model.report(totals, *options);
    module->setAttr(GpuCostDialect::summaryAttrName,
                    summarize(&getContext(), report));
    Builder builder(&getContext());
    module->setAttr("gpucost.power_limit",
                    builder.getF64FloatAttr(report.powerLimit.value()));
    if (totals.point.limitUnreachable)
      module->setAttr("gpucost.limit_unreachable", builder.getUnitAttr());
    else
      module->removeAttr("gpucost.limit_unreachable");
    // What the analyses read is as before.
    markAllAnalysesPreserved();
  }

private:
  FailureOr<IterationOptions> readOptions() {
    IterationOptions options;
    std::optional<Runtime> mode = symbolizeRuntime(runtime);
    if (!mode)
      return getOperation().emitError()
             << "unknown runtime '" << runtime
             << "', expected eager, cudagraph or compiled";
    options.runtime = *mode;
    if (powerLimit < 0)
      return getOperation().emitError()
             << "expected a positive power limit, but got "
             << static_cast<int64_t>(powerLimit) << " W";
    if (powerLimit > 0)
      options.powerLimit = Watts(powerLimit);
    if (hostLaunchUs >= 0)
      options.hostLaunch = Seconds(hostLaunchUs * 1e-6);
    if (clock != 0)
      options.clock = Hertz(clock * 1e6);
    return options;
  }

  LogicalResult checkClock(const IterationAnalysis &iteration,
                           const IterationOptions &options) {
    const Gpu &gpu = iteration.model().model().gpu();
    if (!options.clock ||
        (*options.clock > Hertz(0) && *options.clock <= gpu.maxClock))
      return success();
    return getOperation().emitError()
           << "clock " << static_cast<int64_t>(clock)
           << " MHz is outside of what '" << gpu.name << "' runs at (up to "
           << static_cast<int64_t>(gpu.maxClock.value() / 1e6) << " MHz)";
  }

  /// `time` and `power` of every kernel; equal kernels share the attributes.
  void annotate(const IterationAnalysis &iteration,
                const IterationTotals &totals) {
    const PlacedModel &model = iteration.model();
    Hertz clock = totals.point.clock;
    std::vector<std::pair<TimeAttr, PowerAttr>> known(
        model.prepared().works.size());
    for (auto [i, op] : llvm::enumerate(iteration.kernels())) {
      auto &[time, power] = known[iteration.workOf(i)];
      if (!time) {
        LaunchCost cost = model.launchCost(iteration.workOf(i), clock);
        time = TimeAttr::get(&getContext(), cost.time);
        power = PowerAttr::get(&getContext(),
                               {cost.power() * totals.energyScale,
                                cost.energy * totals.energyScale, clock,
                                totals.point.throttled});
      }
      KernelOp kernel = op;
      kernel.setTimeAttr(time);
      kernel.setPowerAttr(power);
    }
  }
};
} // namespace
