//===- GradElementwise.cpp - Backward rules of pointwise ops ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The kernels that autograd launches for each function. Formulas are those of
// PyTorch's derivatives.yaml; one created op is one launch.

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
    StringRef name =
        from.getNumElements() == to.getNumElements() ? "Reshape" : "ReduceSum";
    value = context.createOne(name, withElement(to, from.getElementType()),
                              {value});
  }
  if (from.getElementType() != to.getElementType())
    value = context.createOne("Cast", to, {value});
  return value;
}

void gpucost::onnx::give(GradientContext &context, unsigned operand,
                         Value value) {
  context.setGradient(
      operand, sumTo(context, value, context.operand(operand).getType()));
}

static Value unary(GradientContext &context, StringRef name, Value x) {
  return context.createOne(name, x.getType(), {x});
}

static Value binary(GradientContext &context, StringRef name, Value a,
                    Value b) {
  return context.createOne(name, a.getType(), {a, b});
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
    give(context, 1, unary(context, "Neg", context.gradient()));
  return success();
}

LogicalResult gpucost::onnx::gradMul(Operation *, GradientContext &context) {
  for (unsigned i = 0; i < 2; ++i)
    if (context.needsGradient(i))
      give(context, i,
           binary(context, "Mul", context.gradient(), context.operand(1 - i)));
  return success();
}

LogicalResult gpucost::onnx::gradDiv(Operation *, GradientContext &context) {
  Value dy = context.gradient();
  if (context.needsGradient(0))
    give(context, 0, binary(context, "Div", dy, context.operand(1)));
  if (context.needsGradient(1)) {
    // -dY * ((a / b) / b)
    Value ratio = context.createOne("Div", dy.getType(),
                                    {context.operand(0), context.operand(1)});
    ratio = binary(context, "Div", ratio, context.operand(1));
    give(context, 1, binary(context, "Mul", unary(context, "Neg", dy), ratio));
  }
  return success();
}

LogicalResult gpucost::onnx::gradPow(Operation *, GradientContext &context) {
  Value dy = context.gradient();
  if (context.needsGradient(0)) {
    // dY * (e * x^(e - 1))
    Value power = unary(context, "Pow", context.operand(0));
    power = unary(context, "Mul", power);
    give(context, 0, binary(context, "Mul", dy, power));
  }
  if (context.needsGradient(1)) {
    // dY * (y log(x), or 0 where y is)
    Value y = context.result();
    Value slope =
        binary(context, "Mul", y, unary(context, "Log", context.operand(0)));
    Value zero = context.createOne(
        "Equal", withElement(y.getType(), IntegerType::get(dy.getContext(), 1)),
        {context.operand(1)});
    slope = context.createOne("Where", y.getType(), {zero, slope});
    give(context, 1, binary(context, "Mul", dy, slope));
  }
  return success();
}

LogicalResult gpucost::onnx::gradNeg(Operation *, GradientContext &context) {
  give(context, 0, unary(context, "Neg", context.gradient()));
  return success();
}

LogicalResult gpucost::onnx::gradAbs(Operation *, GradientContext &context) {
  Value sign = unary(context, "Sign", context.operand(0));
  give(context, 0, binary(context, "Mul", context.gradient(), sign));
  return success();
}

LogicalResult gpucost::onnx::gradSqrt(Operation *, GradientContext &context) {
  // dY / (2 y)
  Value twice = unary(context, "Mul", context.result());
  give(context, 0, binary(context, "Div", context.gradient(), twice));
  return success();
}

LogicalResult gpucost::onnx::gradReciprocal(Operation *,
                                            GradientContext &context) {
  // -dY * (y * y)
  Value square = binary(context, "Mul", context.result(), context.result());
  Value negative = unary(context, "Neg", context.gradient());
  give(context, 0, binary(context, "Mul", negative, square));
  return success();
}

LogicalResult gpucost::onnx::gradRsqrt(Operation *, GradientContext &context) {
  // -0.5 * dY * y^3
  Value half = unary(context, "Mul", context.gradient());
  Value cube = unary(context, "Pow", context.result());
  give(context, 0, binary(context, "Mul", half, cube));
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
      // Whoever equals the result has won.
      Value won = context.createOne("Equal", mask,
                                    {context.operand(i), context.result()});
      give(context, i, context.createOne("Where", dy.getType(), {won, dy}));
    } else {
      // where(a == b, dY / 2, dY), then 0 where the other operand won.
      Value a = context.operand(0), b = context.operand(1);
      Value half = unary(context, "Mul", dy);
      Value equal = context.createOne("Equal", mask, {a, b});
      Value shared =
          context.createOne("Where", dy.getType(), {equal, half, dy});
      Value lost = context.createOne("Less", mask, {a, b});
      give(context, i,
           context.createOne("Where", dy.getType(), {lost, shared}));
    }
  }
  return success();
}

LogicalResult gpucost::onnx::gradMean(Operation *, GradientContext &context) {
  Value share = unary(context, "Mul", context.gradient());
  for (unsigned i = 0; i < context.size(); ++i)
    if (context.needsGradient(i))
      give(context, i, share);
  return success();
}

LogicalResult gpucost::onnx::gradZero(Operation *, GradientContext &context) {
  context.setGradient(
      0, context.createOne("Fill", context.operand(0).getType(), {}));
  return success();
}

LogicalResult gpucost::onnx::gradTimesOutput(Operation *,
                                             GradientContext &context) {
  give(context, 0,
       binary(context, "Mul", context.gradient(), context.result()));
  return success();
}

LogicalResult gpucost::onnx::gradLog(Operation *, GradientContext &context) {
  give(context, 0,
       binary(context, "Div", context.gradient(), context.operand(0)));
  return success();
}

LogicalResult gpucost::onnx::gradErf(Operation *, GradientContext &context) {
  // 2 / sqrt(pi) * exp(-(x^2)) * dY
  Value x = unary(context, "Pow", context.operand(0));
  x = unary(context, "Exp", unary(context, "Neg", x));
  x = unary(context, "Mul", x);
  give(context, 0, binary(context, "Mul", x, context.gradient()));
  return success();
}

LogicalResult gpucost::onnx::gradTrig(Operation *op, GradientContext &context) {
  bool sine = op->getName().stripDialect() == "Sin";
  Value other = unary(context, sine ? "Cos" : "Sin", context.operand(0));
  if (!sine)
    other = unary(context, "Neg", other);
  give(context, 0, binary(context, "Mul", context.gradient(), other));
  return success();
}

/// `x` through one kernel after the other.
static Value chain(GradientContext &context, ArrayRef<StringRef> names,
                   Value x) {
  for (StringRef name : names)
    x = unary(context, name, x);
  return x;
}

/// cosh(x), sinh(x) or 1 + y^2, times dY.
LogicalResult gpucost::onnx::gradHyperbolic(Operation *op,
                                            GradientContext &context) {
  StringRef name = op->getName().stripDialect();
  Value factor = name == "Sinh" ? unary(context, "Cosh", context.operand(0))
                 : name == "Cosh"
                     ? unary(context, "Sinh", context.operand(0))
                     : chain(context, {"Pow", "Add"}, context.result());
  give(context, 0, binary(context, "Mul", context.gradient(), factor));
  return success();
}

/// dY over the root of 1 - x^2 and the like.
LogicalResult gpucost::onnx::gradInverseTrig(Operation *op,
                                             GradientContext &context) {
  StringRef name = op->getName().stripDialect();
  Value square = unary(context, "Mul", context.operand(0));
  if (name == "Atan") {
    give(context, 0,
         binary(context, "Div", context.gradient(),
                unary(context, "Add", square)));
    return success();
  }
  // Asin and Acos negate x first, Acos the result, too.
  SmallVector<StringRef> kernels = {"Add", "Sqrt"};
  if (name == "Asin" || name == "Acos")
    kernels.insert(kernels.begin(), "Neg");
  if (name == "Acos")
    kernels.push_back("Neg");
  if (name == "Atanh")
    kernels = {"Sub", "Reciprocal"};
  give(context, 0,
       binary(context, "Mul", context.gradient(),
              chain(context, kernels, square)));
  return success();
}

LogicalResult gpucost::onnx::gradMod(Operation *, GradientContext &context) {
  Value dy = context.gradient();
  if (context.needsGradient(0))
    give(context, 0, dy);
  if (context.needsGradient(1)) {
    // -dY * floor(x / divisor)
    Value quotient = context.createOne(
        "Div", dy.getType(), {context.operand(0), context.operand(1)});
    Value lost = binary(context, "Mul", unary(context, "Neg", dy),
                        unary(context, "Floor", quotient));
    give(context, 1, lost);
  }
  return success();
}

/// The products behind each element, summed back to it: cumsum(dY * y) / x.
LogicalResult gpucost::onnx::gradCumProd(Operation *,
                                         GradientContext &context) {
  Value sum =
      unary(context, "CumSum",
            binary(context, "Mul", context.gradient(), context.result()));
  give(context, 0, binary(context, "Div", sum, context.operand(0)));
  return success();
}

/// One kernel of dY and all operands gives all gradients.
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
      context.create("ActivationGrad", types, inputs, namedAfter(op));
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
      "of", builder.getStringAttr(op->getName().stripDialect()))};
}

/// One kernel of dY and what was saved: the op's own gradient op where there is
/// one.
static LogicalResult fromSaved(Operation *op, GradientContext &context,
                               Value saved) {
  std::string name = (op->getName().stripDialect() + "Grad").str();
  SmallVector<NamedAttribute, 1> of;
  if (!RegisteredOperationName::lookup("onnx." + name, op->getContext())) {
    of = namedAfter(op);
    name = "ActivationGrad";
  }
  context.setGradient(0, context.createOne(name, context.operand(0).getType(),
                                           {context.gradient(), saved}, of));
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
         binary(context, "Mul", context.gradient(), context.operand(0)));
  return context.needsGradient(0) ? gradFromInput(op, context) : success();
}

LogicalResult gpucost::onnx::gradWhere(Operation *, GradientContext &context) {
  for (unsigned i = 1; i < 3; ++i)
    if (context.needsGradient(i))
      give(context, i,
           context.createOne("Where", context.gradient().getType(),
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
  context.setGradient(
      0, context.createOne("DropoutGrad", context.operand(0).getType(),
                           {context.gradient(), context.result(1)}));
  return success();
}
