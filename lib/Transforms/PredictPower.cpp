//===- PredictPower.cpp - gpucost-predict-power ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterationPassOptions.h"
#include "gpucost/Transforms/Passes.h"

namespace gpucost {
#define GEN_PASS_DEF_PREDICTPOWERPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct PredictPowerPass
    : public gpucost::impl::PredictPowerPassBase<PredictPowerPass> {
  using PredictPowerPassBase::PredictPowerPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<CostModel> model = getCostModel(module);
    FailureOr<IterationOptions> options =
        parseIterationOptions(module, runtime, hostLaunchUs);
    if (failed(model) || failed(options))
      return signalPassFailure();
    const Coefficients &fitted = model->coefficients();
    if (!fitted.power || !fitted.runtime) {
      module.emitError() << "no " << (fitted.power ? "runtime" : "power")
                         << " coefficients for " << model->gpu().name;
      return signalPassFailure();
    }
    if (powerLimit < 0) {
      module.emitError() << "expected a positive power limit, but got "
                         << static_cast<int64_t>(powerLimit) << " W";
      return signalPassFailure();
    }
    if (powerLimit > 0)
      options->powerLimit = Watts(powerLimit);
    FailureOr<IterationAnalysis> iteration =
        IterationAnalysis::create(module, *model, *options);
    if (failed(iteration))
      return signalPassFailure();

    Hertz requested = model->gpu().maxClock;
    for (const LaunchedKernel &kernel : iteration->kernels()) {
      KernelOp op = kernel.op;
      if (!op.getTimeAttr()) {
        op.emitOpError("expected a 'time' attribute; run "
                       "'gpucost-predict-time' first");
        return signalPassFailure();
      }
      requested = op.getTimeAttr()->clock;
    }
    ClockSolution solution = iteration->solveClock(requested);
    for (auto [i, kernel] : llvm::enumerate(iteration->kernels())) {
      KernelOp op = kernel.op;
      KernelTime time = iteration->timeOf(i, solution.clock);
      if (solution.throttled)
        op.setTimeAttr(TimeAttr::get(&getContext(), time));
      Joules energy = iteration->energyOf(i, solution.clock);
      Watts average = time.total > Seconds(0) ? energy / time.total : Watts(0);
      op.setPowerAttr(
          PowerAttr::get(&getContext(), {average, energy, solution.clock,
                                         solution.throttled}));
    }
    Builder builder(&getContext());
    Watts limit = options->powerLimit.value_or(model->gpu().powerLimit);
    module->setAttr("gpucost.power_limit",
                    builder.getF64FloatAttr(limit.value()));
    if (solution.unreachable)
      module->setAttr("gpucost.limit_unreachable", builder.getUnitAttr());
  }
};
} // namespace
