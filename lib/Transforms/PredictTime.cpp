//===- PredictTime.cpp - gpucost-predict-time ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Transforms/Passes.h"

namespace gpucost {
#define GEN_PASS_DEF_PREDICTTIMEPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct PredictTimePass
    : public gpucost::impl::PredictTimePassBase<PredictTimePass> {
  using PredictTimePassBase::PredictTimePassBase;

  void runOnOperation() override {
    FailureOr<CostModel> model = getCostModel(getOperation());
    if (failed(model))
      return signalPassFailure();
    Hertz highest = model->gpu().maxClock;
    Hertz at = clock > 0 ? Hertz(clock * 1e6) : highest;
    if (clock < 0 || at > highest) {
      getOperation().emitError()
          << "clock " << static_cast<int64_t>(clock)
          << " MHz is outside of what '" << model->gpu().name
          << "' runs at (up to " << static_cast<int64_t>(highest.value() / 1e6)
          << " MHz)";
      return signalPassFailure();
    }
    FailureOr<IterationAnalysis> iteration =
        IterationAnalysis::create(getOperation(), *model, {});
    if (failed(iteration))
      return signalPassFailure();
    for (auto [i, kernel] : llvm::enumerate(iteration->kernels())) {
      KernelOp op = kernel.op;
      op.setTimeAttr(TimeAttr::get(&getContext(), iteration->timeOf(i, at)));
    }
  }
};
} // namespace
