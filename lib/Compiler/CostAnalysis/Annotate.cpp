//===- Annotate.cpp - gpucost-annotate and gpucost-strip ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LaunchView.h"
#include "gpucost/Compiler/Analysis/Kernels/LaunchRules.h"
#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"
#include "gpucost/Compiler/CostAnalysis/Passes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostCostAttr.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Transforms/SettingOptions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

namespace gpucost {
#define GEN_PASS_DEF_ANNOTATEPASS
#define GEN_PASS_DEF_STRIPPASS
#include "gpucost/Compiler/CostAnalysis/Passes.h.inc"
} // namespace gpucost

using namespace mlir;
using namespace gpucost;

Attribute gpucost::makeCostAttr(MLIRContext *context, const Cost &cost) {
  Coverage coverage = cost.status == CostStatus::Exact   ? Coverage::Modelled
                      : cost.status == CostStatus::Bound ? Coverage::Fallback
                                                         : Coverage::Unmodelled;
  StringAttr reason;
  if (cost.status != CostStatus::Exact || !cost.reason.empty())
    reason = StringAttr::get(context, cost.reason);
  std::optional<Seconds> time, low, high;
  std::optional<Joules> energy;
  std::optional<Watts> power;
  if (cost.hasNumbers()) {
    time = cost.time;
    energy = cost.energy;
    power = cost.power;
    if (cost.halfWidth)
      low = cost.low();
    if (cost.halfWidth || cost.status == CostStatus::Bound)
      high = cost.high();
  }
  return CostAttr::get(context, cost.runtime, coverage, time, low, high, energy,
                       power, cost.bound, cost.launches, reason);
}

namespace {
struct AnnotatePass : public gpucost::impl::AnnotatePassBase<AnnotatePass> {
  using AnnotatePassBase::AnnotatePassBase;
  AnnotatePass() = default;
  AnnotatePass(const AnnotatePass &other) : AnnotatePassBase(other) {}
  explicit AnnotatePass(const Scenario &stated) { options.give(stated); }

  void getDependentDialects(DialectRegistry &registry) const override {
    CostAnalysis::insertDialects(registry);
  }

  void runOnOperation() override {
    Operation *root = getOperation();
    Scenario stated = options.stated();
    std::optional<CostAnalysis> own;
    if (!stated.empty())
      own.emplace(root, stated);
    CostAnalysis &analysis = own ? *own : getAnalysis<CostAnalysis>();
    if (!analysis.isValid()) {
      root->emitError(analysis.whyNot());
      return signalPassFailure();
    }
    if (!analysis.assumption().empty())
      root->emitWarning(analysis.assumption());
    annotate(root, analysis);
    // A pass may not change the module around its function.
    if (isa<ModuleOp>(root))
      root->setAttr(predictedByAttrName,
                    StringAttr::get(&getContext(), analysis.provenance()));
    markAllAnalysesPreserved();
  }

private:
  /// All costs are queried before the first attribute is written, so that
  /// attributes do not affect them.
  void annotate(Operation *root, CostAnalysis &analysis) {
    SmallVector<std::pair<Operation *, Attribute>> costs;
    root->walk<WalkOrder::PreOrder>([&](Operation *op) {
      // Transform scripts run on the host; GPU modules are launched elsewhere.
      if (op->getName().getDialectNamespace() == "transform" ||
          op->getName().getStringRef() == "gpu.module")
        return WalkResult::skip();
      auto add = [&](const Cost &cost) {
        bool isSilent = cost.launches == 0 && cost.status == CostStatus::Exact;
        costs.push_back(
            {op, isSilent ? Attribute() : makeCostAttr(&getContext(), cost)});
      };
      if (isFunction(op)) {
        add(op->getRegion(0).empty() ? Cost()
                                     : analysis.getCost(op->getRegion(0)));
        return WalkResult::advance();
      }
      bool holds = op == root || isa<ModuleOp>(op) || needsCopy(op) ||
                   op->hasTrait<OpTrait::SymbolTable>();
      // Symbols and modules are not kernels.
      if (op->hasTrait<OpTrait::SymbolTable>() || isSymbol(op))
        return WalkResult::advance();
      add(analysis.getCost(op));
      return holds ? WalkResult::advance() : WalkResult::skip();
    });
    auto name = StringAttr::get(&getContext(), costAttrName);
    for (auto [op, cost] : costs)
      if (cost)
        op->setAttr(name, cost);
      else
        op->removeAttr(name);
  }

  SettingOptions options{*this,
                         &Scenario::target,
                         &Scenario::targetFile,
                         &Scenario::coefficients,
                         &Scenario::bind,
                         &Scenario::clock,
                         &Scenario::powerLimit,
                         &Scenario::runtime};
};

struct StripPass : public gpucost::impl::StripPassBase<StripPass> {
  using StripPassBase::StripPassBase;

  void runOnOperation() override {
    SmallVector<KernelOp> kernels;
    getOperation()->walk([&](Operation *op) {
      op->removeAttr(costAttrName);
      op->removeAttr(predictedByAttrName);
      if (!all)
        return;
      for (NamedAttribute named : llvm::to_vector(op->getDiscardableAttrs()))
        if (named.getName().strref().starts_with("gpucost."))
          op->removeDiscardableAttr(named.getName());
      if (auto kernel = dyn_cast<KernelOp>(op))
        kernels.push_back(kernel);
    });
    for (KernelOp kernel : kernels) {
      Block &body = kernel.getBody().front();
      Operation *yield = body.getTerminator();
      kernel->replaceAllUsesWith(yield->getOperands());
      yield->erase();
      kernel->getBlock()->getOperations().splice(kernel->getIterator(),
                                                 body.getOperations());
      kernel.erase();
    }
  }
};
} // namespace

std::unique_ptr<Pass> gpucost::createAnnotatePass(const Scenario &stated) {
  return std::make_unique<AnnotatePass>(stated);
}
