//===- CostAnalysis.cpp - Cost queries that never change the IR -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/CostAnalysis/CostAnalysis.h"
#include "CostState.h"
#include "gpucost/Compiler/CostAnalysis/TargetCost.h"
#include "gpucost/Compiler/Transforms/Pipelines.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gpucost;

CostAnalysis::CostAnalysis(Operation *root) : CostAnalysis(root, Scenario()) {}
CostAnalysis::CostAnalysis(Operation *root, const Scenario &stated)
    : impl(std::make_unique<Impl>(root, stated)) {}
CostAnalysis::~CostAnalysis() = default;
CostAnalysis::CostAnalysis(CostAnalysis &&) = default;

void CostAnalysis::insertDialects(DialectRegistry &registry) {
  registry.insert<GpuCostDialect, func::FuncDialect>();
  OpPassManager passes(ModuleOp::getOperationName());
  buildKernelPipeline(passes);
  passes.getDependentDialects(registry);
}

bool CostAnalysis::isValid() const { return impl->isValid(); }
StringRef CostAnalysis::whyNot() const { return impl->whyNot; }
StringRef CostAnalysis::assumption() const { return impl->assumption; }
std::string CostAnalysis::provenance() const { return impl->provenance(); }
const CostModel &CostAnalysis::model() const { return *impl->costModel; }
template <typename Rewriter>
typename Rewriter::Listener *CostAnalysis::getListener() {
  return &impl->listener;
}
template RewriterBase::Listener *CostAnalysis::getListener<RewriterBase>();
void CostAnalysis::invalidate(Operation *op) { impl->invalidate(op); }

Cost CostAnalysis::Impl::costElsewhere(ArrayRef<Operation *> ops) {
  if (!otherModel)
    return unknown(whyNot);
  opwork::Estimate sum;
  for (Operation *op : ops) {
    opwork::Estimate each = otherModel->getCost(op);
    if (!each.hasTime())
      return toCost(each);
    if (!sum.hasTime()) {
      sum = std::move(each);
      continue;
    }
    sum.seconds += each.seconds;
    sum.low += each.low;
    sum.high += each.high;
    if (each.status == opwork::EstimateStatus::Bound) {
      sum.status = each.status;
      sum.reason = std::move(each.reason);
    }
  }
  return toCost(sum);
}

Cost CostAnalysis::getCost(Operation *op) {
  if (!isValid())
    return impl->costElsewhere(op);
  if (auto module = dyn_cast<ModuleOp>(op))
    return impl->costOfIteration(*impl->lowerModule(module));
  if (isFunction(op))
    return op->getRegion(0).empty()
               ? impl->unknown("'" + SymbolTable::getSymbolName(op).str() +
                               "' has no body")
               : impl->costOfIteration(*impl->lowerFunction(op));
  CostSum sum = impl->startSum(impl->settings.runtime);
  impl->addOp(sum, op);
  Cost cost = sum.total();
  if (cost.launches == 0 && cost.reason.empty())
    cost.reason = impl->reasonOf(op);
  return cost;
}

Cost CostAnalysis::getCost(ArrayRef<Operation *> ops) {
  if (ops.size() == 1)
    return getCost(ops.front());
  if (!isValid())
    return impl->costElsewhere(ops);
  CostSum sum = impl->startSum(impl->settings.runtime);
  for (Operation *op : ops) {
    if (isa<ModuleOp>(op) || isFunction(op))
      return impl->unknown("functions cannot be added to other ops");
    impl->addOp(sum, op);
  }
  return sum.total();
}

Ranking CostAnalysis::rank(ArrayRef<Cost> candidates, double confidence) const {
  std::vector<RankCandidate> times(candidates.size());
  for (auto [time, cost] : llvm::zip_equal(times, candidates))
    if (cost.status == CostStatus::Exact)
      time = {cost.time.value(), cost.halfWidth};
  return rankCandidates(
      times, isValid() ? commonFractionOf(model().coefficients()) : 0,
      std::clamp(confidence, evenProbability, 1.0));
}

Cost CostAnalysis::getCost(Region &region) {
  if (!isValid()) {
    SmallVector<Operation *> ops;
    for (Operation &op : region.getOps())
      ops.push_back(&op);
    return impl->costElsewhere(ops);
  }
  CostSum sum = impl->startSum(impl->settings.runtime);
  impl->addRegion(sum, region);
  return sum.total();
}
