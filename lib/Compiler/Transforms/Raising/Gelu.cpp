//===- Gelu.cpp - GELU in its erf and tanh forms --------------------------===//
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

/// Half of a value: `value * 0.5` or `value / 2`.
static Value matchHalf(Operation *op) {
  std::optional<Scaled> scaled = matchScale(op);
  return scaled && std::abs(scaled->factor - 0.5) < 1e-6 ? scaled->value
                                                         : Value();
}

/// Matches the path from `sum` = 1 + f(x) to x * 0.5 * sum, in any association.
/// `halfFirst`: x is halved first, (x * 0.5) * sum.
static bool matchHalfProduct(Operation *sum, Value x, Match &match,
                             bool &halfFirst) {
  match.add(sum);
  Operation *product = getOnlyUser(sum->getResult(0));
  halfFirst = false;
  if (!product)
    return false;
  if (matchHalf(product)) { // x * (sum * 0.5)
    match.add(product);
    match.root = getOnlyUser(product->getResult(0));
    return matchOther<onnx::MulOp>(match.root, product->getResult(0)) == x;
  }
  Value other = matchOther<onnx::MulOp>(product, sum->getResult(0));
  if (!other)
    return false;
  if (other == x) { // (x * sum) * 0.5
    match.add(product);
    match.root = getOnlyUser(product->getResult(0));
    return match.root && matchHalf(match.root);
  }
  if (matchHalf(other.getDefiningOp()) == x) { // (x * 0.5) * sum
    halfFirst = true;
    match.add(other.getDefiningOp());
    match.root = product;
    return true;
  }
  return false;
}

static SmallVector<NamedAttribute> approximation(MLIRContext *context,
                                                 StringRef name) {
  Builder builder(context);
  return {builder.getNamedAttr("approximate", builder.getStringAttr(name))};
}

/// x * 0.5 * (1 + erf(x / sqrt(2))), as F.gelu is exported before opset 20.
bool Raiser::raiseGelu(Operation *erf) {
  Operation *scale = erf->getOperand(0).getDefiningOp();
  std::optional<Scaled> scaled = matchScale(scale);
  if (!scaled || std::abs(scaled->factor * M_SQRT2 - 1) > 4e-3)
    return false;
  Match match;
  match.add(scale);
  match.add(erf);
  Operation *sum = getOnlyUser(erf->getResult(0));
  bool halfFirst;
  if (!matchConstant<onnx::AddOp>(sum, 1.0) ||
      !matchHalfProduct(sum, scaled->value, match, halfFirst))
    return miss(erf, "Gelu", "1 + erf is not multiplied by half of the input");
  return replace<onnx::GeluOp>(match, scaled->value,
                               approximation(erf->getContext(), "none"));
}

/// Matches x^3 or x * (x * x) and adds its ops to the match.
static Value matchCube(Value value, Match &match) {
  Operation *def = value.getDefiningOp();
  if (isa_and_nonnull<onnx::PowOp>(def) && isScalar(def->getOperand(1), 3.0)) {
    match.add(def);
    return def->getOperand(0);
  }
  if (!isa_and_nonnull<onnx::MulOp>(def))
    return {};
  for (unsigned i : {0u, 1u}) {
    Value x = def->getOperand(i);
    Operation *square = def->getOperand(1 - i).getDefiningOp();
    if (isa_and_nonnull<onnx::MulOp>(square) && square->getOperand(0) == x &&
        square->getOperand(1) == x) {
      match.add(def);
      match.add(square);
      return x;
    }
  }
  return {};
}

/// x * 0.5 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))). F.gelu halves the sum
/// or the product; models that contain the formula as separate ops (Hugging
/// Face's NewGELUActivation) halve x first and launch each op: not raised.
bool Raiser::raiseTanhGelu(Operation *tanh) {
  Match match;
  match.add(tanh);
  Operation *scale = tanh->getOperand(0).getDefiningOp();
  auto inner = matchConstant<onnx::MulOp>(scale, std::sqrt(2 / M_PI));
  Operation *polynomial = inner ? inner->value.getDefiningOp() : nullptr;
  if (!isa_and_nonnull<onnx::AddOp>(polynomial) ||
      polynomial->getNumOperands() != 2)
    return false;
  match.add(scale);
  match.add(polynomial);
  Value x;
  for (unsigned i : {0u, 1u}) {
    Operation *term = polynomial->getOperand(i).getDefiningOp();
    auto cubic = matchConstant<onnx::MulOp>(term, 0.044715);
    if (!cubic)
      continue;
    match.add(term);
    x = polynomial->getOperand(1 - i);
    if (matchCube(cubic->value, match) != x)
      return false;
    break;
  }
  Operation *sum = getOnlyUser(tanh->getResult(0));
  bool halfFirst;
  if (!x || !matchConstant<onnx::AddOp>(sum, 1.0) ||
      !matchHalfProduct(sum, x, match, halfFirst) ||
      (halfFirst && !canFuse(match, "Gelu")))
    return false;
  return replace<onnx::GeluOp>(match, x,
                               approximation(tanh->getContext(), "tanh"));
}
