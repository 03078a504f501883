//===- GradMovement.cpp - Backward rules of views, movement, reductions ---===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The gradient of a view is a view if strides can express it.

#include "Gradients.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

LogicalResult gpucost::onnx::gradReshape(Operation *,
                                         GradientContext &context) {
  Type type = context.operand(0).getType();
  Value dy = context.gradient();
  context.setGradient(
      0, dy.getType() == type ? dy : context.createOne<ReshapeOp>(type, {dy}));
  return success();
}

LogicalResult gpucost::onnx::gradTranspose(Operation *op,
                                           GradientContext &context) {
  RankedTensorType type = tensorOf(context.operand(0));
  SmallVector<int64_t> inverse(type.getRank());
  auto perm = op->getAttrOfType<DenseI64ArrayAttr>("perm");
  for (int64_t i = 0; i < type.getRank(); ++i) {
    int64_t source = perm && i < perm.size() ? perm[i] : type.getRank() - 1 - i;
    if (source < 0 || source >= type.getRank())
      return failure();
    inverse[source] = i;
  }
  Builder builder(op->getContext());
  context.setGradient(
      0,
      context.createOne<TransposeOp>(
          type, {context.gradient()},
          builder.getNamedAttr("perm", builder.getDenseI64ArrayAttr(inverse))));
  return success();
}

LogicalResult gpucost::onnx::gradExpand(Operation *, GradientContext &context) {
  context.setGradient(
      0, sumTo(context, context.gradient(), context.operand(0).getType()));
  return success();
}

LogicalResult gpucost::onnx::gradSplit(Operation *op,
                                       GradientContext &context) {
  SmallVector<Value> parts;
  for (unsigned i = 0; i < op->getNumResults(); ++i) {
    Value part = context.gradient(i);
    parts.push_back(
        part ? part
             : context.createOne<FillOp>(context.result(i).getType(), {}));
  }
  SmallVector<NamedAttribute> attributes;
  if (Attribute axis = op->getAttr("axis"))
    attributes.push_back(Builder(op->getContext()).getNamedAttr("axis", axis));
  context.setGradient(0, context.createOne<ConcatOp>(
                             context.operand(0).getType(), parts, attributes));
  return success();
}

/// (B7) Fills a tensor with zeros, then inserts the part.
static LogicalResult insert(GradientContext &context, ValueRange positions) {
  Type type = context.operand(0).getType();
  SmallVector<Value> inputs = {context.gradient(),
                               context.createOne<FillOp>(type, {})};
  llvm::append_range(inputs, positions);
  context.setGradient(0, context.createOne<InsertOp>(type, inputs));
  return success();
}

LogicalResult gpucost::onnx::gradSlice(Operation *, GradientContext &context) {
  return insert(context, {});
}

LogicalResult gpucost::onnx::gradGather(Operation *, GradientContext &context) {
  return insert(context, {context.operand(1)});
}

/// (B8) One kernel scatters dY to the sampled elements; another one reads dY
/// and these elements for the gradient of the positions.
LogicalResult gpucost::onnx::gradGridSample(Operation *op,
                                            GradientContext &context) {
  if (context.needsGradient(0) && failed(insert(context, {context.operand(1)})))
    return failure();
  if (context.needsGradient(1))
    context.setGradient(
        1, context.createOne<ActivationGradOp>(
               context.operand(1).getType(),
               {context.gradient(), context.operand(0), context.operand(1)},
               namedAfter(op)));
  return success();
}

/// The inverse transform of dY.
LogicalResult gpucost::onnx::gradFourier(Operation *op,
                                         GradientContext &context) {
  Builder builder(op->getContext());
  SmallVector<NamedAttribute> attributes =
      attributesOf(op, {"axis", "onesided"});
  attributes.push_back(builder.getNamedAttr(
      "inverse", builder.getI64IntegerAttr(onnx::getInt(op, "inverse") == 0)));
  SmallVector<Value> inputs = {context.gradient()};
  for (unsigned i = 1; i < context.size(); ++i)
    inputs.push_back(context.operand(i));
  context.setGradient(0, context.createOne<DFTOp>(context.operand(0).getType(),
                                                  inputs, attributes));
  return success();
}

/// The matmul of dY with the corner grid reads dY and has a small result.
LogicalResult gpucost::onnx::gradAffineGrid(Operation *,
                                            GradientContext &context) {
  context.setGradient(
      0, context.createOne<ReduceSumOp>(context.operand(0).getType(),
                                        {context.gradient()}));
  return success();
}

/// Inserts the values at their positions.
LogicalResult gpucost::onnx::gradTopK(Operation *op, GradientContext &context) {
  return op->getNumResults() > 1 ? insert(context, {context.result(1)})
                                 : insert(context, {});
}

LogicalResult gpucost::onnx::gradUnpool(Operation *, GradientContext &context) {
  context.setGradient(
      0, context.createOne<GatherOp>(context.operand(0).getType(),
                                     {context.gradient(), context.operand(1)}));
  return success();
}

LogicalResult gpucost::onnx::gradScatter(Operation *,
                                         GradientContext &context) {
  Value dy = context.gradient();
  if (context.needsGradient(0)) {
    Value copy = context.createOne<BroadcastOp>(dy.getType(), {dy});
    context.setGradient(
        0, context.createOne<InsertOp>(
               dy.getType(), {context.operand(2), copy, context.operand(1)}));
  }
  if (context.needsGradient(2))
    context.setGradient(
        2, context.createOne<GatherOp>(context.operand(2).getType(),
                                       {dy, context.operand(1)}));
  return success();
}

LogicalResult gpucost::onnx::gradConcat(Operation *, GradientContext &context) {
  for (unsigned i = 0; i < context.size(); ++i)
    if (context.needsGradient(i))
      context.setGradient(
          i, context.createOne<SliceOp>(context.operand(i).getType(),
                                        {context.gradient()}));
  return success();
}

LogicalResult gpucost::onnx::gradPad(Operation *, GradientContext &context) {
  context.setGradient(0,
                      context.createOne<SliceOp>(context.operand(0).getType(),
                                                 {context.gradient()}));
  return success();
}

/// Each input pixel sums the output pixels computed from it.
LogicalResult gpucost::onnx::gradResize(Operation *, GradientContext &context) {
  context.setGradient(
      0, context.createOne<PoolGradOp>(context.operand(0).getType(),
                                       {context.gradient()}));
  return success();
}

LogicalResult gpucost::onnx::gradPermuteCopy(Operation *,
                                             GradientContext &context) {
  context.setGradient(
      0, context.createOne<BroadcastOp>(context.operand(0).getType(),
                                        {context.gradient()}));
  return success();
}

/// dY broadcast to the shape of X: a view.
static Value expanded(GradientContext &context) {
  Value dy = context.gradient();
  return context.createOne<ExpandOp>(
      withElement(context.operand(0).getType(), tensorOf(dy).getElementType()),
      {dy});
}

LogicalResult gpucost::onnx::gradReduceSum(Operation *,
                                           GradientContext &context) {
  give(context, 0, expanded(context));
  return success();
}

LogicalResult gpucost::onnx::gradReduceMean(Operation *,
                                            GradientContext &context) {
  Value view = expanded(context);
  give(context, 0, context.createOne<DivOp>(view.getType(), {view}));
  return success();
}

LogicalResult gpucost::onnx::gradReduceMax(Operation *op,
                                           GradientContext &context) {
  // dY where x is the maximum, divided by the number of maxima.
  Value x = context.operand(0);
  Type mask = withElement(x.getType(), IntegerType::get(op->getContext(), 1));
  Value equal = context.createOne<EqualOp>(mask, {x, context.result()});
  Value count =
      context.createOne<ReduceSumOp>(context.result().getType(), {equal});
  Value marked =
      context.createOne<MulOp>(x.getType(), {equal, context.gradient()});
  give(context, 0, context.createOne<DivOp>(x.getType(), {marked, count}));
  return success();
}

LogicalResult gpucost::onnx::gradReduceL2(Operation *,
                                          GradientContext &context) {
  Value ratio = context.createOne<DivOp>(
      context.gradient().getType(), {context.gradient(), context.result()});
  give(context, 0,
       context.createOne<MulOp>(context.operand(0).getType(),
                                {context.operand(0), ratio}));
  return success();
}

/// sign(x) * dY.
LogicalResult gpucost::onnx::gradReduceL1(Operation *,
                                          GradientContext &context) {
  Type type = context.operand(0).getType();
  Value sign = context.createOne<SignOp>(type, {context.operand(0)});
  give(context, 0, context.createOne<MulOp>(type, {sign, context.gradient()}));
  return success();
}

/// dY / sum, broadcast to the shape of X.
LogicalResult gpucost::onnx::gradReduceLogSum(Operation *,
                                              GradientContext &context) {
  Type type = context.gradient().getType();
  Value sum = context.createOne<ExpOp>(type, {context.result()});
  Value ratio = context.createOne<DivOp>(type, {context.gradient(), sum});
  give(context, 0,
       context.createOne<ExpandOp>(context.operand(0).getType(), {ratio}));
  return success();
}

/// exp(x - y) * dY.
LogicalResult gpucost::onnx::gradReduceLogSumExp(Operation *,
                                                 GradientContext &context) {
  Type type = context.operand(0).getType();
  Value x =
      context.createOne<SubOp>(type, {context.operand(0), context.result()});
  x = context.createOne<ExpOp>(type, {x});
  give(context, 0, context.createOne<MulOp>(type, {x, context.gradient()}));
  return success();
}

/// dY * y / x.
LogicalResult gpucost::onnx::gradReduceProd(Operation *,
                                            GradientContext &context) {
  Value product = context.createOne<MulOp>(
      context.gradient().getType(), {context.gradient(), context.result()});
  give(context, 0,
       context.createOne<DivOp>(context.operand(0).getType(),
                                {product, context.operand(0)}));
  return success();
}

LogicalResult gpucost::onnx::gradReduceSumSquare(Operation *,
                                                 GradientContext &context) {
  Value x = context.operand(0);
  Value twice = context.createOne<MulOp>(x.getType(), {x});
  give(context, 0,
       context.createOne<MulOp>(x.getType(), {twice, context.gradient()}));
  return success();
}
