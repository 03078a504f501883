//===- GradElementwise.cpp - Backward rules of pointwise ops --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The kernels that autograd launches for each function. Formulas follow
// PyTorch's derivatives.yaml; each created op is one launch.

#include "Gradients.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

RankedTensorType gpucost::onnx::tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

RankedTensorType gpucost::onnx::withElement(Type like, Type element) {
  return RankedTensorType::get(cast<RankedTensorType>(like).getShape(),
                               element);
}

Value gpucost::onnx::sumTo(GradientContext &context, Value value, Type type) {
  auto from = cast<RankedTensorType>(value.getType());
  auto to = cast<RankedTensorType>(type);
  if (from.getShape() != to.getShape()) {
    Type summed = withElement(to, from.getElementType());
    value = from.getNumElements() == to.getNumElements()
                ? context.createOne<ReshapeOp>(summed, {value})
                : context.createOne<ReduceSumOp>(summed, {value});
  }
  if (from.getElementType() != to.getElementType())
    value = context.createOne<CastOp>(to, {value});
  return value;
}

void gpucost::onnx::give(GradientContext &context, unsigned operand,
                         Value value) {
  context.setGradient(
      operand, sumTo(context, value, context.operand(operand).getType()));
}

template <typename OpT> static Value unary(GradientContext &context, Value x) {
  return context.createOne<OpT>(x.getType(), {x});
}

template <typename OpT>
static Value binary(GradientContext &context, Value a, Value b) {
  return context.createOne<OpT>(a.getType(), {a, b});
}

LogicalResult gpucost::onnx::gradUnknown(Operation *, GradientContext &) {
  return failure();
}

LogicalResult gpucost::onnx::gradNothing(Operation *, GradientContext &) {
  return success();
}

LogicalResult gpucost::onnx::gradAdd(Operation *, GradientContext &context) {
  for (unsigned i = 0; i < context.size(); ++i)
    if (context.needsGradient(i))
      give(context, i, context.gradient());
  return success();
}

LogicalResult gpucost::onnx::gradSub(Operation *, GradientContext &context) {
  if (context.needsGradient(0))
    give(context, 0, context.gradient());
  if (context.needsGradient(1))
    give(context, 1, unary<NegOp>(context, context.gradient()));
  return success();
}

LogicalResult gpucost::onnx::gradMul(Operation *, GradientContext &context) {
  for (unsigned i = 0; i < 2; ++i)
    if (context.needsGradient(i))
      give(context, i,
           binary<MulOp>(context, context.gradient(), context.operand(1 - i)));
  return success();
}

LogicalResult gpucost::onnx::gradDiv(Operation *, GradientContext &context) {
  Value dy = context.gradient();
  if (context.needsGradient(0))
    give(context, 0, binary<DivOp>(context, dy, context.operand(1)));
  if (context.needsGradient(1)) {
    // -dY * ((a / b) / b)
    Value ratio = context.createOne<DivOp>(
        dy.getType(), {context.operand(0), context.operand(1)});
    ratio = binary<DivOp>(context, ratio, context.operand(1));
    give(context, 1, binary<MulOp>(context, unary<NegOp>(context, dy), ratio));
  }
  return success();
}

LogicalResult gpucost::onnx::gradPow(Operation *, GradientContext &context) {
  Value dy = context.gradient();
  if (context.needsGradient(0)) {
    // dY * (e * x^(e - 1))
    Value power = unary<PowOp>(context, context.operand(0));
    power = unary<MulOp>(context, power);
    give(context, 0, binary<MulOp>(context, dy, power));
  }
  if (context.needsGradient(1)) {
    // dY * (y log(x), or 0 where y is 0)
    Value y = context.result();
    Value slope =
        binary<MulOp>(context, y, unary<LogOp>(context, context.operand(0)));
    Value zero = context.createOne<EqualOp>(
        withElement(y.getType(), IntegerType::get(dy.getContext(), 1)),
        {context.operand(1)});
    slope = context.createOne<WhereOp>(y.getType(), {zero, slope});
    give(context, 1, binary<MulOp>(context, dy, slope));
  }
  return success();
}

LogicalResult gpucost::onnx::gradNeg(Operation *, GradientContext &context) {
  give(context, 0, unary<NegOp>(context, context.gradient()));
  return success();
}

LogicalResult gpucost::onnx::gradAbs(Operation *, GradientContext &context) {
  Value sign = unary<SignOp>(context, context.operand(0));
  give(context, 0, binary<MulOp>(context, context.gradient(), sign));
  return success();
}

LogicalResult gpucost::onnx::gradSqrt(Operation *, GradientContext &context) {
  // dY / (2 y)
  Value twice = unary<MulOp>(context, context.result());
  give(context, 0, binary<DivOp>(context, context.gradient(), twice));
  return success();
}

LogicalResult gpucost::onnx::gradReciprocal(Operation *,
                                            GradientContext &context) {
  // -dY * (y * y)
  Value square = binary<MulOp>(context, context.result(), context.result());
  Value negative = unary<NegOp>(context, context.gradient());
  give(context, 0, binary<MulOp>(context, negative, square));
  return success();
}

LogicalResult gpucost::onnx::gradRsqrt(Operation *, GradientContext &context) {
  // -0.5 * dY * y^3
  Value half = unary<MulOp>(context, context.gradient());
  Value cube = unary<PowOp>(context, context.result());
  give(context, 0, binary<MulOp>(context, half, cube));
  return success();
}

LogicalResult gpucost::onnx::gradMinMax(Operation *, GradientContext &context) {
  Value dy = context.gradient();
  Type mask = withElement(dy.getType(), IntegerType::get(dy.getContext(), 1));
  for (unsigned i = 0; i < context.size(); ++i) {
    if (!context.needsGradient(i))
      continue;
    if (context.size() == 1) {
      give(context, i, dy);
    } else if (context.size() > 2) {
      // Elements that equal the result were selected.
      Value won = context.createOne<EqualOp>(
          mask, {context.operand(i), context.result()});
      give(context, i, context.createOne<WhereOp>(dy.getType(), {won, dy}));
    } else {
      // where(a == b, dY / 2, dY), then 0 where the other operand was selected.
      Value a = context.operand(0), b = context.operand(1);
      Value half = unary<MulOp>(context, dy);
      Value equal = context.createOne<EqualOp>(mask, {a, b});
      Value shared =
          context.createOne<WhereOp>(dy.getType(), {equal, half, dy});
      Value lost = context.createOne<LessOp>(mask, {a, b});
      give(context, i,
           context.createOne<WhereOp>(dy.getType(), {lost, shared}));
    }
  }
  return success();
}

LogicalResult gpucost::onnx::gradMean(Operation *, GradientContext &context) {
  Value share = unary<MulOp>(context, context.gradient());
  for (unsigned i = 0; i < context.size(); ++i)
    if (context.needsGradient(i))
      give(context, i, share);
  return success();
}

LogicalResult gpucost::onnx::gradZero(Operation *, GradientContext &context) {
  context.setGradient(
      0, context.createOne<FillOp>(context.operand(0).getType(), {}));
  return success();
}

LogicalResult gpucost::onnx::gradTimesOutput(Operation *,
                                             GradientContext &context) {
  give(context, 0,
       binary<MulOp>(context, context.gradient(), context.result()));
  return success();
}

LogicalResult gpucost::onnx::gradLog(Operation *, GradientContext &context) {
  give(context, 0,
       binary<DivOp>(context, context.gradient(), context.operand(0)));
  return success();
}

LogicalResult gpucost::onnx::gradErf(Operation *, GradientContext &context) {
  // 2 / sqrt(pi) * exp(-(x^2)) * dY
  Value x = unary<PowOp>(context, context.operand(0));
  x = unary<ExpOp>(context, unary<NegOp>(context, x));
  x = unary<MulOp>(context, x);
  give(context, 0, binary<MulOp>(context, x, context.gradient()));
  return success();
}

LogicalResult gpucost::onnx::gradSin(Operation *, GradientContext &context) {
  Value other = unary<CosOp>(context, context.operand(0));
  give(context, 0, binary<MulOp>(context, context.gradient(), other));
  return success();
}

LogicalResult gpucost::onnx::gradCos(Operation *, GradientContext &context) {
  Value other = unary<SinOp>(context, context.operand(0));
  other = unary<NegOp>(context, other);
  give(context, 0, binary<MulOp>(context, context.gradient(), other));
  return success();
}

/// Applies one kernel after the other to `x`.
template <typename... OpTs>
static Value chain(GradientContext &context, Value x) {
  ((x = unary<OpTs>(context, x)), ...);
  return x;
}

/// dY times `slope`.
static LogicalResult giveProduct(GradientContext &context, Value slope) {
  give(context, 0, binary<MulOp>(context, context.gradient(), slope));
  return success();
}

/// dY cosh(x).
LogicalResult gpucost::onnx::gradSinh(Operation *, GradientContext &context) {
  return giveProduct(context, unary<CoshOp>(context, context.operand(0)));
}

/// dY sinh(x).
LogicalResult gpucost::onnx::gradCosh(Operation *, GradientContext &context) {
  return giveProduct(context, unary<SinhOp>(context, context.operand(0)));
}

/// dY (1 + y^2).
LogicalResult gpucost::onnx::gradTan(Operation *, GradientContext &context) {
  return giveProduct(context, chain<PowOp, AddOp>(context, context.result()));
}

/// dY / (1 + x^2).
LogicalResult gpucost::onnx::gradAtan(Operation *, GradientContext &context) {
  Value divisor = chain<MulOp, AddOp>(context, context.operand(0));
  give(context, 0, binary<DivOp>(context, context.gradient(), divisor));
  return success();
}

/// dY / sqrt(1 - x^2): the root's operand is -(x^2) + 1.
LogicalResult gpucost::onnx::gradAsin(Operation *, GradientContext &context) {
  return giveProduct(
      context, chain<MulOp, NegOp, AddOp, SqrtOp>(context, context.operand(0)));
}

/// As for asin, negated.
LogicalResult gpucost::onnx::gradAcos(Operation *, GradientContext &context) {
  return giveProduct(context, chain<MulOp, NegOp, AddOp, SqrtOp, NegOp>(
                                  context, context.operand(0)));
}

/// dY / (1 - x^2).
LogicalResult gpucost::onnx::gradAtanh(Operation *, GradientContext &context) {
  return giveProduct(
      context, chain<MulOp, SubOp, ReciprocalOp>(context, context.operand(0)));
}

/// dY / sqrt(x^2 + 1), or sqrt(x^2 - 1) for acosh.
LogicalResult gpucost::onnx::gradInverseHyperbolic(Operation *,
                                                   GradientContext &context) {
  return giveProduct(context,
                     chain<MulOp, AddOp, SqrtOp>(context, context.operand(0)));
}

LogicalResult gpucost::onnx::gradMod(Operation *, GradientContext &context) {
  Value dy = context.gradient();
  if (context.needsGradient(0))
    give(context, 0, dy);
  if (context.needsGradient(1)) {
    // -dY * floor(x / divisor)
    Value quotient = context.createOne<DivOp>(
        dy.getType(), {context.operand(0), context.operand(1)});
    Value lost = binary<MulOp>(context, unary<NegOp>(context, dy),
                               unary<FloorOp>(context, quotient));
    give(context, 1, lost);
  }
  return success();
}

/// Sum over the products of all later elements: cumsum(dY * y) / x.
LogicalResult gpucost::onnx::gradCumProd(Operation *,
                                         GradientContext &context) {
  Value sum = unary<CumSumOp>(
      context, binary<MulOp>(context, context.gradient(), context.result()));
  give(context, 0, binary<DivOp>(context, sum, context.operand(0)));
  return success();
}

/// One kernel reads dY and all operands and computes all gradients.
LogicalResult gpucost::onnx::gradJoint(Operation *op,
                                       GradientContext &context) {
  SmallVector<Type> types;
  SmallVector<Value> inputs = {context.gradient()};
  SmallVector<unsigned> targets;
  for (unsigned i = 0; i < context.size(); ++i) {
    if (tensorOf(context.operand(i)))
      inputs.push_back(context.operand(i));
    if (context.needsGradient(i)) {
      targets.push_back(i);
      types.push_back(context.operand(i).getType());
    }
  }
  Operation *grad =
      context.create<ActivationGradOp>(types, inputs, namedAfter(op));
  for (auto [target, result] : llvm::zip_equal(targets, grad->getResults()))
    context.setGradient(target, result);
  return success();
}

SmallVector<NamedAttribute>
gpucost::onnx::attributesOf(Operation *op,
                            std::initializer_list<StringRef> names) {
  Builder builder(op->getContext());
  SmallVector<NamedAttribute> attributes;
  for (StringRef name : names)
    if (Attribute value = op->getAttr(name))
      attributes.push_back(builder.getNamedAttr(name, value));
  return attributes;
}

SmallVector<NamedAttribute, 1> gpucost::onnx::namedAfter(Operation *op) {
  Builder builder(op->getContext());
  return {builder.getNamedAttr(
      "of", builder.getStringAttr(getOpInfo(op)->getBareName()))};
}

/// One kernel reads dY and the saved tensor: the gradient op if there is one.
static LogicalResult fromSaved(Operation *op, GradientContext &context,
                               Value saved) {
  const OpInfo &gradient = *getOpInfo(op)->gradientOp;
  SmallVector<NamedAttribute, 1> of;
  if (&gradient == &ActivationGradOp::getOpInfo())
    of = namedAfter(op);
  Operation *made = context.create(gradient.name, context.operand(0).getType(),
                                   {context.gradient(), saved}, of);
  context.setGradient(0, made->getResult(0));
  return success();
}

LogicalResult gpucost::onnx::gradFromOutput(Operation *op,
                                            GradientContext &context) {
  return fromSaved(op, context, context.result());
}

LogicalResult gpucost::onnx::gradFromInput(Operation *op,
                                           GradientContext &context) {
  return fromSaved(op, context, context.operand(0));
}

LogicalResult gpucost::onnx::gradPRelu(Operation *op,
                                       GradientContext &context) {
  if (context.needsGradient(1))
    give(context, 1,
         binary<MulOp>(context, context.gradient(), context.operand(0)));
  return context.needsGradient(0) ? gradFromInput(op, context) : success();
}

LogicalResult gpucost::onnx::gradWhere(Operation *, GradientContext &context) {
  for (unsigned i = 1; i < 3; ++i)
    if (context.needsGradient(i))
      give(
          context, i,
          context.createOne<WhereOp>(context.gradient().getType(),
                                     {context.operand(0), context.gradient()}));
  return success();
}

LogicalResult gpucost::onnx::gradCast(Operation *, GradientContext &context) {
  give(context, 0, context.gradient());
  return success();
}

LogicalResult gpucost::onnx::gradDropoutTraining(Operation *op,
                                                 GradientContext &context) {
  if (op->getNumResults() < 2)
    return failure(); // no mask
  context.setGradient(0, context.createOne<DropoutGradOp>(
                             context.operand(0).getType(),
                             {context.gradient(), context.result(1)}));
  return success();
}
