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
  if (!match.root ||
      match.root->getOperand(0).getType() != match.root->getResult(0).getType())
    return false;
  if (isa<onnx::ClipOp>(lower)) {
    if (!isa<onnx::ClipOp>(match.root) ||
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
  unsigned bound = getScalar(lower->getOperand(1)) ? 1 : 0;
  Value upper = matchOther<onnx::MinOp>(match.root, lower->getResult(0));
  if (!getScalar(lower->getOperand(bound)) || !upper || !getScalar(upper) ||
      lower->getOperand(1 - bound).getType() != lower->getResult(0).getType())
    return false;
  return replace<onnx::ClipOp>(
      match, {lower->getOperand(1 - bound), lower->getOperand(bound), upper});
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
