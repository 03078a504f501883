//===- Gelu.cpp - GELU in its erf and tanh forms --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/SetVector.h"
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

/// Whether an op of `match` is 0.5 * x, in this order.
static bool hasLeadingHalf(const Match &match) {
  return llvm::any_of(match.inner, [](Operation *op) {
    return isa<onnx::MulOp>(op) && isScalar(op->getOperand(0), 0.5);
  });
}

/// x * 0.5 * (1 + tanh(sqrt(2/pi) * (x + 0.044715 x^3))). F.gelu halves the sum
/// or the product; models that contain the formula as separate ops (Hugging
/// Face's NewGELUActivation) halve x first and launch each op: not raised.
/// torch-mlir lowers F.gelu to TOSA with 0.5 * x first, the models' x * 0.5
/// stays.
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
      (halfFirst && !(lowered && hasLeadingHalf(match)) &&
       !canFuse(match, "Gelu")))
    return false;
  return replace<onnx::GeluOp>(match, x,
                               approximation(tanh->getContext(), "tanh"));
}

/// Collects the ops that compute `value` from `x` and numbers; false if they
/// read anything else.
static bool collectFunctionOf(Value value, Value x,
                              llvm::SetVector<Operation *> &ops) {
  constexpr size_t mostOps = 128;
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (next == x || getScalar(next))
      continue;
    Operation *def = next.getDefiningOp();
    if (!def || !onnx::getOpInfo(def) ||
        onnx::getOpInfo(def)->shape != CostClass::Elementwise ||
        ops.size() >= mostOps)
      return false;
    if (ops.insert(def))
      worklist.append(def->operand_begin(), def->operand_end());
  }
  return true;
}

/// The value before a cast of 16-bit numbers to fp32; `value` itself if there
/// is none. Adds the cast to the match.
static Value skipWidening(Value value, Match &match) {
  auto cast = value.getDefiningOp<onnx::CastOp>();
  if (!cast || getElementTypeOrSelf(cast->getOperand(0).getType())
                       .getIntOrFloatBitWidth() != 16)
    return value;
  match.add(cast);
  return cast->getOperand(0);
}

/// (x * 0.5) * erfc(-x / sqrt(2)) where StableHLO has expanded erfc(y) to
/// polynomials, in fp32: select(|y| < 1, 1 - y * p(y * y), ...), p(0) = 2 /
/// sqrt(pi).
bool Raiser::raiseErfcGelu(Operation *abs) {
  Match match;
  Value wide = abs->getOperand(0), y = skipWidening(wide, match);
  std::optional<Scaled> scaled = matchScale(y.getDefiningOp());
  Operation *negation = scaled ? scaled->value.getDefiningOp() : nullptr;
  bool isNegated = isa_and_nonnull<onnx::NegOp>(negation);
  if (!lowered || !scaled ||
      std::abs(scaled->factor * M_SQRT2 - (isNegated ? 1 : -1)) > 4e-3)
    return false;
  Value x = isNegated ? negation->getOperand(0) : scaled->value;
  Operation *root = nullptr;
  for (Operation *test : abs->getResult(0).getUsers())
    if (isa<onnx::LessOp>(test) && isScalar(test->getOperand(1), 1.0))
      if (Operation *select = getOnlyUser(test->getResult(0));
          isa_and_nonnull<onnx::WhereOp>(select))
        root = select;
  llvm::SetVector<Operation *> ops;
  bool isErfc = root && collectFunctionOf(root->getResult(0), wide, ops) &&
                llvm::any_of(ops, [](Operation *op) {
                  return matchConstant<onnx::AddOp>(op, M_2_SQRTPI).has_value();
                });
  Operation *product = isErfc ? getOnlyUser(root->getResult(0)) : nullptr;
  if (wide != y && isa_and_nonnull<onnx::CastOp>(product) &&
      product->getResult(0).getType() == y.getType()) {
    ops.insert(product);
    root = product;
    product = getOnlyUser(root->getResult(0));
  }
  Value half =
      matchOther<onnx::MulOp>(product, root ? root->getResult(0) : Value());
  if (!half || matchHalf(half.getDefiningOp()) != x)
    return false;
  match.inner.append(ops.begin(), ops.end());
  for (Operation *op : {y.getDefiningOp(), half.getDefiningOp()})
    match.add(op);
  if (isNegated)
    match.add(negation);
  match.root = product;
  return replace<onnx::GeluOp>(match, x,
                               approximation(abs->getContext(), "none"));
}
