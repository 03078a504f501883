//===- Summarize.cpp - gpucost-summarize ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IterationPassOptions.h"
#include "gpucost/Support/CheckedMath.h"
#include "gpucost/Transforms/Passes.h"

namespace gpucost {
#define GEN_PASS_DEF_SUMMARIZEPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct SummarizePass : public gpucost::impl::SummarizePassBase<SummarizePass> {
  using SummarizePassBase::SummarizePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    FailureOr<IterationOptions> options =
        parseIterationOptions(module, runtime, hostLaunchUs);
    if (failed(options))
      return signalPassFailure();
    FailureOr<IterationReport> report = buildReport(module, *options);
    if (failed(report))
      return signalPassFailure();
    MLIRContext *context = &getContext();
    SmallVector<PhaseSummaryAttr> phases;
    for (const PhaseTotals &phase : report->phases)
      phases.push_back(PhaseSummaryAttr::get(
          context, phase.phase, phase.time, phase.gpuBusy, phase.host,
          phase.energy, phase.kernels, phase.flops, phase.bytes));
    module->setAttr(
        GpuCostDialect::summaryAttrName,
        SummaryAttr::get(
            context, report->time, report->gpuBusy, report->host,
            report->energy, report->averagePower, report->clock,
            report->throttled, report->launches, report->matrixFlops,
            saturatingInt(report->dramBytes), report->peakMemoryBytes,
            Scalar(report->mfu), report->modelled.ops, report->fallback.ops,
            report->unmodelled.ops,
            PhaseSummaryArrayAttr::get(context, phases)));
  }
};
} // namespace
