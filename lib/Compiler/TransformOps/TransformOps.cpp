//===- TransformOps.cpp - Costs in transform scripts ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/TransformOps/TransformOps.h"
#include "TransformAnswers.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Core/Support/QuantityText.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/Support/FormatVariadic.h"
#include <array>
#include <cmath>
#include <limits>

using namespace mlir;
using namespace gpucost;
using transform::EstimateOp;
using transform::ExpectFasterOp;

#define GET_OP_CLASSES
#include "gpucost/Compiler/TransformOps/TransformOps.cpp.inc"

Attribute gpucost::nanoseconds(Builder &builder, Seconds time) {
  double value = time.value() * 1e9;
  constexpr int64_t most = std::numeric_limits<int64_t>::max();
  return builder.getI64IntegerAttr(
      value < static_cast<double>(most) ? std::llround(value) : most);
}

std::string gpucost::describe(const Cost &cost) {
  if (!cost.hasNumbers())
    return std::string(stringifyCostStatus(cost.status)) + " (" + cost.reason +
           ")";
  bool isBound = cost.status == CostStatus::Bound;
  return llvm::formatv("{0}{1} ({2}{3}{4})", isBound ? "at least " : "",
                       roundedText(cost.time), stringifyRuntime(cost.runtime),
                       isBound ? "; " : "", isBound ? cost.reason : "");
}

DiagnosedSilenceableFailure
gpucost::refuse(Operation *transform, const Twine &why, Operation *payload) {
  DiagnosedSilenceableFailure failure = emitSilenceableFailure(transform, why);
  failure.attachNote(payload->getLoc()) << "of this op";
  return failure;
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

/// The optional results of `estimate`, in order.
static constexpr std::array<Attribute (*)(Builder &, const Cost &), 5>
    estimateDetails = {
        [](Builder &builder, const Cost &cost) -> Attribute {
          return builder.getStringAttr(stringifyRuntime(cost.runtime));
        },
        [](Builder &builder, const Cost &cost) -> Attribute {
          return builder.getStringAttr(stringifyCostStatus(cost.status));
        },
        [](Builder &builder, const Cost &cost) {
          return nanoseconds(builder, cost.low());
        },
        [](Builder &builder, const Cost &cost) {
          return nanoseconds(builder, cost.high());
        },
        [](Builder &builder, const Cost &cost) -> Attribute {
          return builder.getStringAttr(cost.reason);
        }};

LogicalResult EstimateOp::verify() {
  if (getDetails().size() > estimateDetails.size())
    return emitOpError() << "has at most " << 1 + estimateDetails.size()
                         << " results: nanoseconds, runtime, status, low, "
                            "high, reason";
  return success();
}

DiagnosedSilenceableFailure
EstimateOp::apply(transform::TransformRewriter &,
                  transform::TransformResults &results,
                  transform::TransformState &state) {
  Builder builder(getContext());
  SmallVector<Operation *> payload =
      llvm::to_vector(state.getPayloadOps(getTarget()));
  std::vector<Cost> costs;
  if (!payload.empty()) {
    CostAnalysis analysis(payload.front());
    if (getAsKernel())
      costs.push_back(analysis.getCostAsKernel(payload));
    else
      for (Operation *op : payload)
        costs.push_back(analysis.getCost(op));
  }
  for (auto [cost, op] : llvm::zip(costs, payload)) {
    bool isBound = cost.status == CostStatus::Bound;
    if (!cost.hasNumbers() || (isBound && getBounds() == "fail"))
      return refuse(*this,
                    (isBound ? "only a lower bound: " : "no cost: ") +
                        describe(cost),
                    op);
    if (isBound && getBounds() == "remark")
      emitRemark() << "lower bound, not an estimate: " << describe(cost);
  }
  SmallVector<Attribute> times;
  for (const Cost &cost : costs)
    times.push_back(nanoseconds(builder, cost.time));
  results.setParams(cast<OpResult>(getNanoseconds()), times);
  for (auto [detail, result] : llvm::zip(estimateDetails, getDetails())) {
    SmallVector<Attribute> values;
    for (const Cost &cost : costs)
      values.push_back(detail(builder, cost));
    results.setParams(cast<OpResult>(result), values);
  }
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
