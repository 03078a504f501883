//===- TransformOps.cpp - Costs in transform scripts ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/TransformOps/TransformOps.h"
#include "TransformAnswers.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using transform::EstimateOp;
using transform::ExpectFasterOp;

#define GET_OP_CLASSES
#include "gpucost/Compiler/TransformOps/TransformOps.cpp.inc"

Attribute gpucost::nanoseconds(Builder &builder, Seconds time) {
  return builder.getI64IntegerAttr(std::llround(time.value() * 1e9));
}

std::string gpucost::describe(const Cost &cost) {
  if (!cost.hasNumbers())
    return std::string(stringifyCostStatus(cost.status)) + " (" + cost.reason +
           ")";
  return llvm::formatv("{0}{1:f3} us ({2})",
                       cost.status == CostStatus::Bound ? "at least " : "",
                       cost.time.value() * 1e6, stringifyRuntime(cost.runtime));
}

//===----------------------------------------------------------------------===//
// estimate
//===----------------------------------------------------------------------===//

void EstimateOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getTargetMutable(), effects);
  transform::producesHandle(getOperation()->getOpResults(), effects);
  transform::onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure
EstimateOp::apply(transform::TransformRewriter &,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  Builder builder(getContext());
  SmallVector<Operation *> payload =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  SmallVector<Attribute> times, runtimes;
  auto add = [&](const Cost &cost, Operation *op) {
    if (cost.hasNumbers()) {
      times.push_back(nanoseconds(builder, cost.time));
      runtimes.push_back(builder.getStringAttr(stringifyRuntime(cost.runtime)));
      return DiagnosedSilenceableFailure::success();
    }
    DiagnosedSilenceableFailure failure = emitSilenceableError()
                                          << "no cost: " << describe(cost);
    failure.attachNote(op->getLoc()) << "of this op";
    return failure;
  };
  std::optional<CostAnalysis> analysis;
  if (!payload.empty())
    analysis.emplace(payload.front());
  if (getAsKernel() && !payload.empty()) {
    DiagnosedSilenceableFailure added =
        add(analysis->getCostAsKernel(payload), payload.front());
    if (!added.succeeded())
      return added;
  } else {
    for (Operation *op : payload) {
      DiagnosedSilenceableFailure added = add(analysis->getCost(op), op);
      if (!added.succeeded())
        return added;
    }
  }
  results.setParams(cast<OpResult>(getNanoseconds()), times);
  if (getRuntime())
    results.setParams(cast<OpResult>(getRuntime()), runtimes);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// expect_faster
//===----------------------------------------------------------------------===//

void ExpectFasterOp::getEffects(
    SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  transform::onlyReadsHandle(getFirstMutable(), effects);
  transform::onlyReadsHandle(getSecondMutable(), effects);
  transform::onlyReadsPayload(effects);
}

DiagnosedSilenceableFailure
ExpectFasterOp::apply(transform::TransformRewriter &,
                      transform::TransformResults &,
                      transform::TransformState &state) {
  SmallVector<Operation *> first =
                               llvm::to_vector(state.getPayloadOps(getFirst())),
                           second = llvm::to_vector(
                               state.getPayloadOps(getSecond()));
  if (first.empty() || second.empty())
    return emitSilenceableError() << "expected ops to compare";
  CostAnalysis analysis(first.front());
  Cost fast = analysis.getCost(first), slow = analysis.getCost(second);
  if (fast.isFasterThan(slow, getConfidence().convertToDouble()))
    return DiagnosedSilenceableFailure::success();
  return emitSilenceableError()
         << "expected the first ops to be faster: " << describe(fast)
         << " against " << describe(slow);
}

namespace {
class GpuCostTransforms
    : public transform::TransformDialectExtension<GpuCostTransforms> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(GpuCostTransforms)

  void init() {
    registerTransformOps<
#define GET_OP_LIST
#include "gpucost/Compiler/TransformOps/TransformOps.cpp.inc"
        >();
    addCustomInitializationStep([](MLIRContext *context) {
      DialectRegistry needed;
      CostAnalysis::insertDialects(needed);
      for (StringRef name : needed.getDialectNames())
        needed.getDialectAllocator(name)(context);
    });
  }
};
} // namespace

void gpucost::registerTransformOps(DialectRegistry &registry) {
  registry.addExtensions<GpuCostTransforms>();
}
