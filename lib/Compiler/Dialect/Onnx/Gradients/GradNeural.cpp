//===- GradNeural.cpp - Backward rules of layers and losses ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

/// (B3) Two passes over dY and X; one of them writes dX.
LogicalResult gpucost::onnx::gradBatchNorm(Operation *,
                                           GradientContext &context) {
  Value dy = context.gradient(), x = context.operand(0);
  Operation *sums = context.create<BatchNormReduceGradOp>(
      {context.operand(1).getType(), context.operand(2).getType()}, {dy, x});
  for (unsigned i = 0; i < 2; ++i)
    if (context.needsGradient(i + 1))
      context.setGradient(i + 1, sums->getResult(i));
  if (context.needsGradient(0))
    context.setGradient(
        0, context.createOne<BatchNormInputGradOp>(
               x.getType(), {dy, x, sums->getResult(0), sums->getResult(1)}));
  return success();
}

/// (B4) One kernel for dX, one for the gradients of scale and shift.
LogicalResult gpucost::onnx::gradLayerNorm(Operation *,
                                           GradientContext &context) {
  Value dy = context.gradient(), x = context.operand(0);
  SmallVector<Value> inputs = {dy, x};
  SmallVector<unsigned> affine;
  for (unsigned i = 1; i < context.size(); ++i)
    if (tensorOf(context.operand(i)) && context.needsGradient(i))
      affine.push_back(i);
  if (context.size() > 1 && tensorOf(context.operand(1)))
    inputs.push_back(context.operand(1));
  if (context.needsGradient(0))
    context.setGradient(
        0, context.createOne<NormInputGradOp>(x.getType(), inputs));
  if (affine.empty())
    return success();
  SmallVector<Type> types;
  for (unsigned i : affine)
    types.push_back(context.operand(i).getType());
  Operation *weights = context.create<NormWeightGradOp>(types, {dy, x});
  for (auto [result, operand] : llvm::zip_equal(weights->getResults(), affine))
    context.setGradient(operand, result);
  return success();
}

/// (B5) Only the row kernel.
LogicalResult gpucost::onnx::gradLogSoftmax(Operation *,
                                            GradientContext &context) {
  context.setGradient(0, context.createOne<LogSoftmaxGradOp>(
                             context.operand(0).getType(),
                             {context.gradient(), context.result()}));
  return success();
}

/// (B5) dY * Y, then the row kernel.
LogicalResult gpucost::onnx::gradSoftmax(Operation *,
                                         GradientContext &context) {
  Value dy = context.gradient(), y = context.result();
  Type type = context.operand(0).getType();
  Value scaled = context.createOne<MulOp>(dy.getType(), {dy, y});
  context.setGradient(0, context.createOne<SoftmaxGradOp>(type, {scaled, y}));
  return success();
}

LogicalResult gpucost::onnx::gradPool(Operation *op, GradientContext &context) {
  SmallVector<Value> inputs = {context.gradient()};
  if (op->getNumResults() > 1)
    inputs.push_back(context.result(1)); // positions of the maxima
  context.setGradient(
      0, context.createOne<PoolGradOp>(context.operand(0).getType(), inputs));
  return success();
}

/// The score tensor [batch, heads, queries, keys] of an attention op; null if
/// its shape cannot be determined.
static RankedTensorType scoresOf(Operation *op, GradientContext &context) {
  RankedTensorType q = tensorOf(context.operand(0)),
                   k = tensorOf(context.operand(1));
  if (!q || !k || q.getRank() != k.getRank())
    return {};
  if (q.getRank() == 4)
    return RankedTensorType::get(
        {q.getDimSize(0), q.getDimSize(1), q.getDimSize(2), k.getDimSize(2)},
        q.getElementType());
  int64_t heads = onnx::getInt(op, "q_num_heads");
  if (q.getRank() != 3 || heads <= 0)
    return {};
  return RankedTensorType::get(
      {q.getDimSize(0), heads, q.getDimSize(1), k.getDimSize(1)},
      q.getElementType());
}

/// (B6) Fused attention recomputes the scores: five matmuls instead of two. The
/// gradient of a trainable bias is a sum over the stored score gradients.
LogicalResult gpucost::onnx::gradAttention(Operation *op,
                                           GradientContext &context) {
  if (context.size() < 3)
    return failure();
  SmallVector<NamedAttribute> attributes = attributesOf(
      op, {"is_causal", "q_num_heads", "kv_num_heads", "left_window_size",
           "right_window_size", "local_window_size", documentsAttrName});
  SmallVector<Value> inputs = {context.operand(0), context.operand(1),
                               context.operand(2), context.result(),
                               context.gradient()};
  SmallVector<Type> types;
  for (unsigned i = 0; i < 3; ++i)
    types.push_back(context.operand(i).getType());
  bool trainableBias = context.size() > 3 && context.needsGradient(3);
  if (trainableBias) {
    RankedTensorType scores = scoresOf(op, context);
    if (!scores)
      return failure();
    types.push_back(scores);
  }
  Operation *grad =
      context.create<FusedAttentionGradOp>(types, inputs, attributes);
  for (unsigned i = 0; i < 3; ++i)
    context.setGradient(i, grad->getResult(i));
  if (trainableBias)
    give(context, 3, grad->getResult(3));
  return success();
}

LogicalResult gpucost::onnx::gradRotary(Operation *, GradientContext &context) {
  SmallVector<Value> inputs = {context.gradient()};
  for (unsigned i = 1; i < context.size(); ++i)
    inputs.push_back(context.operand(i));
  context.setGradient(0, context.createOne<RotaryEmbeddingOp>(
                             context.operand(0).getType(), inputs));
  return success();
}

LogicalResult gpucost::onnx::gradNllLoss(Operation *,
                                         GradientContext &context) {
  // Gradient of one element per row.
  Value zeros = context.createOne<FillOp>(context.operand(0).getType(), {});
  Type element = tensorOf(zeros).getElementType();
  Value rows = context.createOne<ExpandOp>(
      RankedTensorType::get(tensorOf(context.operand(1)).getShape(), element),
      {context.gradient()});
  context.setGradient(
      0, context.createOne<InsertOp>(zeros.getType(),
                                     {rows, zeros, context.operand(1)}));
  return success();
}

/// (B10) Subtracts from one element per row, then scales by the row's gradient.
LogicalResult gpucost::onnx::gradInPlaceLoss(Operation *,
                                             GradientContext &context) {
  Value probabilities = context.operand(2), labels = context.operand(1);
  RankedTensorType type = tensorOf(probabilities);
  Value rows = context.createOne<ExpandOp>(
      RankedTensorType::get(tensorOf(labels).getShape(), type.getElementType()),
      {context.gradient()});
  Value less = context.createOne<InsertOp>(type, {rows, probabilities, labels});
  context.setGradient(0, context.createOne<InPlaceMulOp>(type, {less, rows}));
  return success();
}

/// (B10) Recomputes probabilities and subtracts one at the target.
LogicalResult gpucost::onnx::gradFusedLoss(Operation *op,
                                           GradientContext &context) {
  Value logits = context.operand(0), labels = context.operand(1);
  Value rows = context.createOne<ExpandOp>(
      RankedTensorType::get(tensorOf(labels).getShape(),
                            tensorOf(context.gradient()).getElementType()),
      {context.gradient()});
  SmallVector<Value> operands{logits, labels, rows};
  context.setGradient(
      0, op->hasAttr("in_place")
             ? context.createOne<InPlaceFusedLossGradOp>(logits.getType(),
                                                         operands)
             : context.createOne<FusedLossGradOp>(logits.getType(), operands));
  return success();
}

LogicalResult gpucost::onnx::gradMseLoss(Operation *,
                                         GradientContext &context) {
  context.setGradient(0, context.createOne<MseLossGradOp>(
                             context.operand(0).getType(),
                             {context.operand(0), context.operand(1)}));
  return success();
}
