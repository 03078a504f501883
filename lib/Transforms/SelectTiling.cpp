//===- SelectTiling.cpp - gpucost-select-tiling ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/AttributeConversion.h"
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
static WorkAttr asOpaque(WorkAttr work) {
  return WorkAttr::get(
      work.getContext(), KernelFamily::Opaque, InstructionClass::Copy,
      work.getFormat(), work.getInputBits(), work.getOutputBits(),
      ElementsProblemAttr::get(work.getContext(),
                               (work.getBytesWritten() + 3) / 4, false),
      work.getTensorFlops(), work.getFp32Flops(), work.getSpecialOps(),
      work.getBytesRead(), work.getBytesWritten());
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
        PlacedKernel placed = placeKernel(*model, toKernelWork(work));
        if (!placed.reason.empty()) {
          kernel->setAttr("gpucost.reason",
                          StringAttr::get(&getContext(), placed.reason));
          kernel.setCoverage(Coverage::Fallback);
          kernel.setWorkAttr(asOpaque(work));
          kernel.setTilingAttr(toAttr(&getContext(), Tiling()));
          known.erase(work);
          return WalkResult::skip();
        }
        tiling = toAttr(&getContext(), placed.tiling);
      }
      kernel.setTilingAttr(tiling);
      return WalkResult::skip();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
