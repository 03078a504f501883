//===- ExpertProducts.cpp - Experts on several GPUs in training -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallel/ExpertProducts.h"
#include "Raising/AttentionMatch.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/TrainingStack.h"

using namespace mlir;
using namespace gpucost;

namespace {

class ExpertDivider {
public:
  ExpertDivider(func::FuncOp function, const Settings &settings)
      : function(function), gpus(settings.plan().expertGpus()),
        sharers(settings.plan().tensor),
        span(spanOf(settings, gpus, /*stride=*/1)),
        sendsOnce(settings.moeDispatch == MoeDispatch::Nodes &&
                  span.nodes > 1) {
    auto stack = trainingStack(settings.software);
    sorts =
        stack && stack->sortsRows && settings.moeDispatch != MoeDispatch::Nodes;
  }

  FailureOr<int64_t> run();

private:
  /// The type on the GPU of some experts: fewer experts, rows of all GPUs. GPUs
  /// of a tensor parallel group divide the tokens among them.
  RankedTensorType divided(RankedTensorType type) const {
    SmallVector<int64_t> shape(type.getShape());
    shape[0] /= gpus;
    shape[1] = llvm::divideCeil(shape[1] * gpus, sharers);
    return type.clone(shape);
  }
  Value exchange(OpBuilder &builder, Value rows, RankedTensorType type);
  Value sort(OpBuilder &builder, Value rows, bool back);
  Value send(OpBuilder &builder, Value rows);
  Value bringBack(OpBuilder &builder, Value rows);
  LogicalResult divideParameter(Operation *user, Value weight);
  LogicalResult follow(Operation *op);

  func::FuncOp function;
  int64_t gpus, sharers;
  GroupSpan span;
  /// A token crosses to each node once (--moe-dispatch=nodes).
  bool sendsOnce;
  /// Kernels sort the rows of several experts (X24).
  bool sorts;
  /// Rows of each token in the current layer if they do; else 0.
  int64_t choices = 0;
  /// Rows on the GPU of their experts, and the type that they had before.
  llvm::DenseMap<Value, RankedTensorType> local;
  llvm::DenseMap<Value, Value> sent, back;
  llvm::DenseSet<Operation *> dividedParameters;
  int64_t layers = 0;
};

} // namespace

static Operation *parameterOf(Value value) {
  while (Operation *def = value.getDefiningOp()) {
    if (isa<onnx::ParameterOp>(def))
      return def;
    if (!isa<onnx::CastOp>(def))
      return nullptr;
    value = def->getOperand(0);
  }
  return nullptr;
}

/// Whether `op` multiplies the rows of each expert by its weights.
static bool isExpertProduct(Operation *op) {
  if (!isa<onnx::MatMulOp>(op))
    return false;
  auto rows = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  auto weight = dyn_cast<RankedTensorType>(op->getOperand(1).getType());
  return rows && weight && rows.hasStaticShape() && weight.hasStaticShape() &&
         rows.getRank() == 3 && weight.getRank() == 3 &&
         rows.getDimSize(0) == weight.getDimSize(0) &&
         weight.getDimSize(0) > 1 && parameterOf(op->getOperand(1));
}

/// Rows of each token, if `rows` are gathered from tokens; else 0.
static int64_t choicesOf(Value rows) {
  Operation *def = rows.getDefiningOp();
  while (isa_and_nonnull<onnx::ReshapeOp, onnx::PadOp, onnx::CastOp>(def))
    def = def->getOperand(0).getDefiningOp();
  auto gather = dyn_cast_or_null<onnx::GatherOp>(def);
  if (!gather)
    return 0;
  int64_t all = byteCount(rows.getType()).value_or(0);
  int64_t tokens = byteCount(gather->getOperand(0).getType()).value_or(0);
  return tokens > 0 ? all / tokens : 0;
}

Value ExpertDivider::exchange(OpBuilder &builder, Value rows,
                              RankedTensorType type) {
  // A GPU sends only its part of the tokens of a tensor parallel group.
  int64_t bytes = std::min(byteCount(rows.getType()).value_or(0),
                           byteCount(type).value_or(0));
  auto op = CollectiveOp::create(builder, rows.getLoc(), TypeRange(Type(type)),
                                 rows, CollectiveKind::AllToAll, bytes,
                                 span.gpus, span.nodes, span.groups, choices);
  op->setAttr(originAttrName, builder.getStringAttr(expertParallelOrigin));
  return op.getOutputs()[0];
}

/// `rows` by expert instead of by the GPU that they come from, or `back`.
Value ExpertDivider::sort(OpBuilder &builder, Value rows, bool back) {
  auto type = cast<RankedTensorType>(rows.getType());
  int64_t experts = type.getDimSize(0), each = type.getDimSize(1);
  if (!sorts || experts == 1 || each % gpus)
    return rows;
  int64_t size = type.getDimSize(2), some = each / gpus;
  SmallVector<int64_t> shape = {gpus, experts, some, size};
  if (back)
    std::swap(shape[0], shape[1]);
  Location loc = rows.getLoc();
  Value parts = raising::createReshape(builder, loc, rows, shape);
  Value sorted = raising::createTranspose(builder, loc, parts, {1, 0, 2, 3});
  return raising::createReshape(builder, loc, sorted, type.getShape());
}

Value ExpertDivider::send(OpBuilder &builder, Value rows) {
  Value &there = sent[rows];
  if (!there) {
    auto type = cast<RankedTensorType>(rows.getType());
    choices = sendsOnce ? choicesOf(rows) : 0;
    there = sort(builder, exchange(builder, rows, divided(type)),
                 /*back=*/false);
    local[there] = type;
    ++layers;
  }
  return there;
}

Value ExpertDivider::bringBack(OpBuilder &builder, Value rows) {
  Value &here = back[rows];
  if (!here)
    here = exchange(builder, sort(builder, rows, /*back=*/true),
                    local.lookup(rows));
  return here;
}

/// Gives a GPU the weights of its experts.
LogicalResult ExpertDivider::divideParameter(Operation *user, Value weight) {
  Operation *parameter = parameterOf(weight);
  if (!parameter)
    return user->emitError("expert parallelism needs experts whose weights are "
                           "parameters of the model");
  if (!dividedParameters.insert(parameter).second)
    return success();
  for (Value value = weight;; value = value.getDefiningOp()->getOperand(0)) {
    if (!value.hasOneUse())
      return user->emitError("expert parallelism needs weights that a single "
                             "op reads");
    auto type = cast<RankedTensorType>(value.getType());
    SmallVector<int64_t> shape(type.getShape());
    shape[0] /= gpus;
    value.setType(type.clone(shape));
    if (value.getDefiningOp() == parameter)
      break;
  }
  parameter->setAttr(expertShardsAttrName,
                     Builder(parameter->getContext()).getI64IntegerAttr(gpus));
  return success();
}

/// Rows that another op computes stay on the GPU of their experts, if it treats
/// all of them alike.
LogicalResult ExpertDivider::follow(Operation *op) {
  OpBuilder builder(op);
  auto isLocal = [&](Value value) { return local.contains(value); };
  RankedTensorType before;
  for (Value operand : op->getOperands())
    if (isLocal(operand))
      before = local.lookup(operand);
  bool isProduct = isExpertProduct(op) || (isa<onnx::MatMulOp>(op) && before);
  // Results with the same experts and rows.
  bool keepsRows = before && op->getNumResults() > 0 &&
                   !isa<onnx::ReshapeOp, onnx::TransposeOp>(op) &&
                   llvm::all_of(op->getResultTypes(), [&](Type type) {
                     auto ranked = dyn_cast<RankedTensorType>(type);
                     return ranked && ranked.getRank() == 3 &&
                            ranked.getShape().take_front(2) ==
                                before.getShape().take_front(2);
                   });
  if (!isProduct && !keepsRows) {
    for (OpOperand &operand : op->getOpOperands())
      if (isLocal(operand.get()))
        operand.set(bringBack(builder, operand.get()));
    return success();
  }
  if (isProduct && !isLocal(op->getOperand(0))) {
    int64_t experts =
        cast<RankedTensorType>(op->getOperand(0).getType()).getDimSize(0);
    if (experts % gpus)
      return op->emitError()
             << "the layer has " << experts
             << " experts, which cannot be split across " << gpus
             << " GPUs; use a number of GPUs that divides " << experts;
    op->setOperand(0, send(builder, op->getOperand(0)));
    before = local.lookup(op->getOperand(0));
  }
  for (Value operand : op->getOperands()) {
    auto type = dyn_cast<RankedTensorType>(operand.getType());
    if (isLocal(operand) || !type || type.getRank() != 3 ||
        type.getDimSize(0) != before.getDimSize(0))
      continue;
    if (failed(divideParameter(op, operand)))
      return failure();
  }
  for (Value result : op->getResults()) {
    auto type = cast<RankedTensorType>(result.getType());
    local[result] = type;
    result.setType(divided(type));
  }
  return success();
}

FailureOr<int64_t> ExpertDivider::run() {
  for (Operation &op : llvm::make_early_inc_range(function.getBody().front())) {
    bool reads = llvm::any_of(op.getOperands(), [&](Value operand) {
      return local.contains(operand);
    });
    if ((reads || isExpertProduct(&op)) && failed(follow(&op)))
      return failure();
  }
  return layers;
}

FailureOr<int64_t> gpucost::divideExpertProducts(func::FuncOp function,
                                                 const Settings &settings) {
  if (function.isExternal() || !function.getBody().hasOneBlock())
    return int64_t(0);
  return ExpertDivider(function, settings).run();
}
