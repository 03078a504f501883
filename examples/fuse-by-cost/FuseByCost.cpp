//===- FuseByCost.cpp - Elementwise fusion where it is predicted faster ---===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's --linalg-fuse-elementwise-ops fuses whenever possible; this pass
// queries the cost first. A producer with several readers is computed again in
// each of them, so fusion pays if computing it is cheaper than the traffic that
// it saves. docs/Compilers.md runs it.
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;

namespace {

struct FuseByCost : PassWrapper<FuseByCost, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FuseByCost)
  FuseByCost() = default;
  FuseByCost(const FuseByCost &other) : PassWrapper(other) {}
  StringRef getArgument() const override { return "fuse-by-cost"; }
  StringRef getDescription() const override {
    return "fuse elementwise ops where that is predicted faster";
  }

  void getDependentDialects(DialectRegistry &registry) const override {
    gpucost::CostAnalysis::insertDialects(registry);
  }

  void runOnOperation() override {
    auto &costs = getAnalysis<gpucost::CostAnalysis>();
    if (!costs.isValid()) {
      getOperation().emitError() << costs.whyNot();
      return signalPassFailure();
    }
    // The listener keeps the analysis up to date.
    IRRewriter rewriter(&getContext(), costs.getListener());
    while (fuseBest(rewriter, costs))
      ;
  }

private:
  /// Fuses the pair that saves the most; false when none saves enough.
  bool fuseBest(IRRewriter &rewriter, gpucost::CostAnalysis &costs) {
    OpOperand *best = nullptr;
    gpucost::Seconds saved;
    getOperation().walk([&](linalg::GenericOp consumer) {
      for (OpOperand *input : consumer.getDpsInputOperands()) {
        if (!linalg::areElementwiseOpsFusable(input))
          continue;
        gpucost::FusionBenefit benefit = costs.getFusionBenefit(
            input->get().getDefiningOp(), consumer.getOperation());
        if (!benefit.isBetter(confidence))
          continue;
        gpucost::Seconds gain = benefit.unfused.time - benefit.fused.time;
        if (!best || gain > saved) {
          best = input;
          saved = gain;
        }
      }
    });
    if (!best)
      return false;
    Operation *producer = best->get().getDefiningOp();
    Operation *consumer = best->getOwner();
    if (remarks)
      consumer->emitRemark()
          << llvm::formatv("fused with its producer: {0:f1} us less",
                           saved.value() * 1e6)
                 .str();
    rewriter.setInsertionPoint(consumer);
    FailureOr<linalg::ElementwiseOpFusionResult> fused =
        linalg::fuseElementwiseOps(rewriter, best);
    if (failed(fused))
      return false;
    for (auto [from, to] : fused->replacements)
      if (from.getDefiningOp() == consumer)
        rewriter.replaceAllUsesWith(from, to);
    rewriter.eraseOp(consumer);
    if (producer->use_empty())
      rewriter.eraseOp(producer);
    return true;
  }

  Option<double> confidence{
      *this, "confidence",
      llvm::cl::desc("probability, 0..1, that fused code is faster"),
      llvm::cl::init(0.8)};
  Option<bool> remarks{*this, "remarks",
                       llvm::cl::desc("report each fusion with its reason"),
                       llvm::cl::init(false)};
};

} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "FuseByCost", LLVM_VERSION_STRING,
          [] { PassRegistration<FuseByCost>(); }};
}
