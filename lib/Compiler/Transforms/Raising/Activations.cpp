//===- Activations.cpp - Other pointwise functions with one kernel --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

static bool hasFloatAttr(Operation *op, StringRef name, double fallback,
                         double expected) {
  auto attribute = op->getAttrOfType<FloatAttr>(name);
  double value = attribute ? attribute.getValueAsDouble() : fallback;
  return std::abs(value - expected) < 1e-5;
}

/// max(x, 0) + (exp(min(x, 0)) - 1).
bool Raiser::raiseElu(Operation *exp) {
  Operation *negative = exp->getOperand(0).getDefiningOp();
  auto lower = matchConstant<onnx::MinOp>(negative, 0.0);
  Operation *shift = getOnlyUser(exp->getResult(0));
  bool isShifted = matchConstant<onnx::AddOp>(shift, -1.0) ||
                   (isa_and_nonnull<onnx::SubOp>(shift) &&
                    isScalar(shift->getOperand(1), 1.0));
  if (!lower || !isShifted)
    return false;
  Match match;
  match.root = getOnlyUser(shift->getResult(0));
  Value other = matchOther<onnx::AddOp>(match.root, shift->getResult(0));
  Operation *positive = other ? other.getDefiningOp() : nullptr;
  auto upper = matchConstant<onnx::MaxOp>(positive, 0.0);
  Value x = upper                                     ? upper->value
            : isa_and_nonnull<onnx::ReluOp>(positive) ? positive->getOperand(0)
                                                      : Value();
  if (x != lower->value)
    return false;
  for (Operation *op : {negative, exp, shift, positive})
    match.add(op);
  return replace<onnx::EluOp>(match, x);
}

/// 1 / (1 + exp(-x)), written as steps.
bool Raiser::raiseSigmoid(Operation *exp) {
  Match match;
  Operation *negation = exp->getOperand(0).getDefiningOp();
  std::optional<Scaled> scaled = matchScale(negation);
  Value x = isa_and_nonnull<onnx::NegOp>(negation) ? negation->getOperand(0)
            : scaled && scaled->factor == -1       ? scaled->value
                                                   : Value();
  Operation *sum = getOnlyUser(exp->getResult(0));
  if (!x || !matchConstant<onnx::AddOp>(sum, 1.0))
    return false;
  for (Operation *op : {negation, exp, sum})
    match.add(op);
  match.root = getOnlyUser(sum->getResult(0));
  bool inverts = isa_and_nonnull<onnx::ReciprocalOp>(match.root) ||
                 (isa_and_nonnull<onnx::DivOp>(match.root) &&
                  isScalar(match.root->getOperand(0), 1.0));
  return inverts && (lowered || canFuse(match, "Sigmoid")) &&
         replace<onnx::SigmoidOp>(match, x);
}

/// x * sigmoid(x) is SiLU, x * hardsigmoid(x) with PyTorch's slope is
/// HardSwish. Models contain x * sigmoid(1.702 x) (QuickGELU) as separate ops,
/// so it is not raised.
bool Raiser::raiseSelfGate(Operation *gate) {
  Match match;
  match.add(gate);
  match.root = getOnlyUser(gate->getResult(0));
  Value x = gate->getOperand(0);
  if (matchOther<onnx::MulOp>(match.root, gate->getResult(0)) != x)
    return false;
  if (isa<onnx::SigmoidOp>(gate))
    return replace<onnx::SwishOp>(match, x);
  return hasFloatAttr(gate, "alpha", 0.2, 1.0 / 6) &&
         hasFloatAttr(gate, "beta", 0.5, 0.5) &&
         replace<onnx::HardSwishOp>(match, x);
}

/// x * tanh(softplus(x)).
bool Raiser::raiseMish(Operation *softplus) {
  Match match;
  match.add(softplus);
  Operation *tanh = getOnlyUser(softplus->getResult(0));
  if (!isa_and_nonnull<onnx::TanhOp>(tanh))
    return false;
  match.add(tanh);
  match.root = getOnlyUser(tanh->getResult(0));
  Value x = softplus->getOperand(0);
  return matchOther<onnx::MulOp>(match.root, tanh->getResult(0)) == x &&
         replace<onnx::MishOp>(match, x);
}

/// F.softplus with `beta` and `threshold`: softplus(beta x) / beta, or x if
/// beta x > threshold.
bool Raiser::raiseSoftplus(Operation *softplus) {
  Match match;
  match.add(softplus);
  Value scaledX = softplus->getOperand(0), x = scaledX;
  Value result = softplus->getResult(0);
  Operation *quotient = getOnlyUser(result);
  std::optional<Scaled> division = matchScale(quotient);
  if (division && isa<onnx::DivOp>(quotient)) {
    std::optional<Scaled> product = matchScale(scaledX.getDefiningOp());
    if (product && std::abs(product->factor * division->factor - 1) < 4e-3) {
      x = product->value;
      match.add(scaledX.getDefiningOp());
    } else if (division->factor != 1) {
      return false;
    }
    result = quotient->getResult(0);
  } else {
    quotient = nullptr;
  }

  Operation *select = getOnlyUser(result);
  if (isa_and_nonnull<onnx::WhereOp>(select) && select->getOperand(1) == x &&
      select->getOperand(2) == result) {
    Operation *compare = select->getOperand(0).getDefiningOp();
    if (!isa_and_nonnull<onnx::GreaterOp>(compare) ||
        compare->getOperand(0) != scaledX || !getScalar(compare->getOperand(1)))
      return false;
    match.add(compare);
    if (quotient)
      match.add(quotient);
    match.root = select;
  } else {
    match.root = quotient;
  }
  return match.root && replace<onnx::SoftplusOp>(match, x);
}

/// clamp: Max and Min with scalars, or two Clip ops with one bound each.
bool Raiser::raiseClip(Operation *lower) {
  Match match;
  match.add(lower);
  match.root = getOnlyUser(lower->getResult(0));
  auto isGiven = [](Operation *op, unsigned i) {
    return i < op->getNumOperands() &&
           !isa<onnx::NoneType>(op->getOperand(i).getType());
  };
  if (!match.root)
    return false;
  if (isa<onnx::ClipOp>(lower)) {
    if (!isa<onnx::ClipOp>(match.root) ||
        lower->getResult(0).getType() != match.root->getResult(0).getType() ||
        match.root->getOperand(0) != lower->getResult(0) ||
        !isGiven(lower, 1) || isGiven(lower, 2) || isGiven(match.root, 1) ||
        !isGiven(match.root, 2))
      return false;
    return replace<onnx::ClipOp>(match,
                                 {lower->getOperand(0), lower->getOperand(1),
                                  match.root->getOperand(2)});
  }
  if (lower->getNumOperands() != 2)
    return false;
  // max(min(x, upper), lower) or min(max(x, lower), upper).
  bool isMax = isa<onnx::MaxOp>(lower);
  unsigned bound = getScalar(lower->getOperand(1)) ? 1 : 0;
  Value result = lower->getResult(0);
  Value other = isMax ? matchOther<onnx::MinOp>(match.root, result)
                      : matchOther<onnx::MaxOp>(match.root, result);
  Value first = lower->getOperand(bound), x = lower->getOperand(1 - bound);
  if (!getScalar(first) || !other || !getScalar(other) ||
      x.getType() != result.getType())
    return false;
  return replace<onnx::ClipOp>(match, isMax ? ValueRange{x, first, other}
                                            : ValueRange{x, other, first});
}

/// 1 / sqrt(x) is one PyTorch kernel without an ONNX op.
bool Raiser::raiseRsqrt(Operation *sqrt) {
  Match match;
  match.add(sqrt);
  match.root = getOnlyUser(sqrt->getResult(0));
  bool inverse = isa_and_nonnull<onnx::ReciprocalOp>(match.root) ||
                 (isa_and_nonnull<onnx::DivOp>(match.root) &&
                  isScalar(match.root->getOperand(0), 1.0) &&
                  match.root->getOperand(1) == sqrt->getResult(0));
  return inverse && replace<onnx::RsqrtOp>(match, sqrt->getOperand(0));
}
