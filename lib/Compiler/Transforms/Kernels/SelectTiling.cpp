//===- SelectTiling.cpp - gpucost-select-tiling ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Transforms/Passes.h"

namespace gpucost {
#define GEN_PASS_DEF_SELECTTILINGPASS
#include "gpucost/Compiler/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

namespace {
struct SelectTilingPass
    : public gpucost::impl::SelectTilingPassBase<SelectTilingPass> {
  using SelectTilingPassBase::SelectTilingPassBase;

  void runOnOperation() override {
    FailureOr<CostModel> model = getCostModel(getOperation());
    if (failed(model))
      return signalPassFailure();
    llvm::DenseMap<std::pair<Attribute, Attribute>, TilingAttr> known;
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      if (kernel.getCoverage() == Coverage::Unmodelled)
        return WalkResult::skip();
      WorkAttr work = kernel.getWorkAttr();
      if (!work) {
        kernel.emitOpError("expected a 'work' attribute; run "
                           "'gpucost-annotate-work' first");
        return WalkResult::interrupt();
      }
      ScheduleAttr schedule = getSchedule(kernel);
      TilingAttr &tiling = known[{work, schedule}];
      if (!tiling) {
        PlacedKernel placed =
            placeKernel(*model, work.getValue(),
                        schedule ? schedule.getValue() : Schedule());
        if (!placed.reason.empty()) {
          kernel->setAttr(reasonAttrName,
                          StringAttr::get(&getContext(), placed.reason));
          kernel.setCoverage(Coverage::Fallback);
          kernel.setWorkAttr(WorkAttr::get(&getContext(), placed.work));
          kernel.setTilingAttr(TilingAttr::get(&getContext(), placed.tiling));
          known.erase({work, schedule});
          return WalkResult::skip();
        }
        tiling = TilingAttr::get(&getContext(), placed.tiling);
      }
      kernel.setTilingAttr(tiling);
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      return signalPassFailure();
    recordTiling(getOperation());
  }
};
} // namespace
