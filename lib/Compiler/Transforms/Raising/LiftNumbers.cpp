//===- LiftNumbers.cpp - Numbers in lifted ops ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Numbers that a front end computes from numbers are folded; a sum divided by
// its length is a mean.

#include "LiftRules.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// An elementwise op reads a number itself, not its repetition.
void raising::readNumbers(Operation *op) {
  if (!isElementwise(op) || op->getNumOperands() < 2)
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    Value source = operand.get();
    while (Operation *view = source.getDefiningOp()) {
      if (!isa<onnx::ReshapeOp, onnx::ExpandOp>(view))
        break;
      source = view->getOperand(0);
    }
    bool isCovered = llvm::any_of(op->getOpOperands(), [&](OpOperand &other) {
      return &other != &operand && typeOf(other.get()).getShape() ==
                                       typeOf(op->getResult(0)).getShape();
    });
    if (source != operand.get() && isCovered && getStaticType(source) &&
        typeOf(source).getRank() == 0 && getScalar(source))
      operand.set(source);
  }
}

/// The number that an elementwise op computes from numbers; nullopt if it
/// computes anything else.
static std::optional<double> evaluate(Operation *op) {
  if (!isElementwise(op) || typeOf(op->getResult(0)).getNumElements() != 1 ||
      op->getNumOperands() == 0)
    return std::nullopt;
  SmallVector<double, 3> x;
  for (Value operand : op->getOperands()) {
    std::optional<double> number = getScalar(operand);
    if (!number)
      return std::nullopt;
    x.push_back(*number);
  }
  using Result = std::optional<double>;
  constexpr size_t mostOperands = 2;
  bool isUnary = isa<onnx::ReciprocalOp, onnx::SqrtOp, onnx::NegOp>(op);
  if (x.size() != (isUnary ? 1 : mostOperands))
    return std::nullopt;
  return llvm::TypeSwitch<Operation *, Result>(op)
      .Case<onnx::AddOp>([&](auto) { return x[0] + x[1]; })
      .Case<onnx::SubOp>([&](auto) { return x[0] - x[1]; })
      .Case<onnx::MulOp>([&](auto) { return x[0] * x[1]; })
      .Case<onnx::DivOp>([&](auto) { return x[0] / x[1]; })
      .Case<onnx::ReciprocalOp>([&](auto) { return 1 / x[0]; })
      .Case<onnx::SqrtOp>([&](auto) { return std::sqrt(x[0]); })
      .Case<onnx::NegOp>([&](auto) { return -x[0]; })
      .Case<onnx::PowOp>([&](auto) { return std::pow(x[0], x[1]); })
      .Case<onnx::MaxOp>([&](auto) { return std::max(x[0], x[1]); })
      .Case<onnx::MinOp>([&](auto) { return std::min(x[0], x[1]); })
      .Case<onnx::GreaterOp>([&](auto) { return x[0] > x[1]; })
      .Case<onnx::LessOp>([&](auto) { return x[0] < x[1]; })
      .Case<onnx::EqualOp>([&](auto) { return x[0] == x[1]; })
      .Default([](auto) { return Result(); });
}

/// Replaces a number that is computed from numbers with a constant.
bool raising::foldNumber(Operation *op) {
  std::optional<double> number = evaluate(op);
  Type element =
      number ? getElementTypeOrSelf(op->getResult(0).getType()) : Type();
  TypedAttr value;
  if (isa_and_nonnull<FloatType>(element))
    value = FloatAttr::get(element, *number);
  else if (isa_and_nonnull<IntegerType>(element))
    value = IntegerAttr::get(element, static_cast<int64_t>(*number));
  else
    return false;
  OpBuilder builder(op);
  auto type = typeOf(op->getResult(0));
  Operation *constant = onnx::ConstantOp::create(
      builder, op->getLoc(), Type(type), ValueRange(),
      builder.getNamedAttr(
          "value", DenseElementsAttr::get(type, ArrayRef<Attribute>(value))));
  op->getResult(0).replaceAllUsesWith(constant->getResult(0));
  return true;
}

/// A selection by a known condition.
bool raising::foldSelection(Operation *op) {
  std::optional<double> condition =
      isa<onnx::WhereOp>(op) ? getScalar(op->getOperand(0)) : std::nullopt;
  if (!condition)
    return false;
  Value chosen = op->getOperand(*condition != 0 ? 1 : 2);
  if (chosen.getType() != op->getResult(0).getType())
    return false;
  op->getResult(0).replaceAllUsesWith(chosen);
  return true;
}

/// sum(x) / n, or sum(x) * (1 / n), is the mean of n elements.
bool raising::makeMean(Operation *op) {
  std::optional<Scaled> scaled = matchScale(op);
  if (!scaled)
    return false;
  Operation *reshape = scaled->value.getDefiningOp();
  Operation *sum = isa_and_nonnull<onnx::ReshapeOp>(reshape)
                       ? reshape->getOperand(0).getDefiningOp()
                       : reshape;
  if (!isa_and_nonnull<onnx::ReduceSumOp>(sum) ||
      !sum->getResult(0).hasOneUse() || !scaled->value.hasOneUse() ||
      scaled->value.getType() != op->getResult(0).getType())
    return false;
  double count =
      static_cast<double>(typeOf(sum->getOperand(0)).getNumElements()) /
      typeOf(sum->getResult(0)).getNumElements();
  if (std::abs(scaled->factor * count - 1) > 4e-3)
    return false;
  OpBuilder builder(sum);
  Operation *mean =
      onnx::ReduceMeanOp::create(builder, sum->getLoc(), sum->getResultTypes(),
                                 sum->getOperands(), sum->getAttrs());
  detach(mean);
  sum->getResult(0).replaceAllUsesWith(mean->getResult(0));
  detach(op);
  op->getResult(0).replaceAllUsesWith(reshape == sum ? mean->getResult(0)
                                                     : scaled->value);
  return true;
}
