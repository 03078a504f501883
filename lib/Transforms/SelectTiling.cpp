//===- SelectTiling.cpp - gpucost-select-tiling ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/IterationAnalysis.h"
#include "gpucost/Transforms/Passes.h"

namespace gpucost {
#define GEN_PASS_DEF_SELECTTILINGPASS
#include "gpucost/Transforms/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

/// The same bytes as a kernel of no family: what is left to say when the GPU or
/// the coefficients lack what the kernel needs.
static KernelWork asOpaque(KernelWork work) {
  work.family = KernelFamily::Opaque;
  work.instructions = InstructionClass::Copy;
  work.problem = ElementsProblem{(work.count.bytesWritten + 3) / 4};
  return work;
}

/// The tiling of `work`, if the model can also tell its time and events.
static llvm::Expected<Tiling> selectCostable(const CostModel &model,
                                             const KernelWork &work) {
  llvm::Expected<Tiling> tiling = model.selectTiling(work);
  if (!tiling)
    return tiling;
  llvm::Expected<KernelEvents> events = model.countEvents(work, *tiling);
  if (!events)
    return events.takeError();
  return tiling;
}

namespace {
struct SelectTilingPass
    : public gpucost::impl::SelectTilingPassBase<SelectTilingPass> {
  using SelectTilingPassBase::SelectTilingPassBase;

  void runOnOperation() override {
    FailureOr<CostModel> model = getCostModel(getOperation());
    if (failed(model))
      return signalPassFailure();
    llvm::DenseMap<WorkAttr, TilingAttr> known;
    WalkResult result = getOperation().walk([&](KernelOp kernel) {
      if (kernel.getCoverage() == Coverage::Unmodelled)
        return WalkResult::skip();
      WorkAttr work = kernel.getWorkAttr();
      if (!work) {
        kernel.emitOpError("expected a 'work' attribute; run "
                           "'gpucost-annotate-work' first");
        return WalkResult::interrupt();
      }
      TilingAttr &tiling = known[work];
      if (!tiling) {
        llvm::Expected<Tiling> selected =
            selectCostable(*model, work.getValue());
        if (!selected) {
          // Say why and keep the lower bound by bytes: never a silent zero.
          kernel->setAttr(
              "gpucost.reason",
              StringAttr::get(&getContext(),
                              llvm::toString(selected.takeError())));
          kernel.setCoverage(Coverage::Fallback);
          kernel.setWorkAttr(
              WorkAttr::get(&getContext(), asOpaque(work.getValue())));
          kernel.setTilingAttr(TilingAttr::get(&getContext(), Tiling()));
          known.erase(work);
          return WalkResult::skip();
        }
        tiling = TilingAttr::get(&getContext(), *selected);
      }
      kernel.setTilingAttr(tiling);
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
