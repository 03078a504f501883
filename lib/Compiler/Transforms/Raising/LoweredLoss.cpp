//===- LoweredLoss.cpp - Negative log-likelihood in separate ops ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiftRules.h"
#include "Raiser.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

namespace {
/// Follows definitions and adds the ops on the way to a match.
class Trail {
public:
  explicit Trail(Match &match) : match(match) {}

  /// The op that defines `value` behind casts and views, if it is an `OpT`.
  template <typename... OpTs> Operation *find(Value value) {
    Operation *def = value.getDefiningOp();
    SmallVector<Operation *> passed;
    while (isa_and_nonnull<onnx::CastOp, onnx::ReshapeOp>(def)) {
      passed.push_back(def);
      def = def->getOperand(0).getDefiningOp();
    }
    if (!isa_and_nonnull<OpTs...>(def))
      return nullptr;
    passed.push_back(def);
    match.inner.append(passed);
    return def;
  }

private:
  Match &match;
};
} // namespace

/// labels == ignored, perhaps negated; null for other conditions.
static Operation *findTest(Value condition, Trail &trail) {
  Operation *test = trail.find<onnx::NotOp, onnx::EqualOp>(condition);
  if (isa_and_nonnull<onnx::NotOp>(test))
    test = trail.find<onnx::EqualOp>(test->getOperand(0));
  return test;
}

/// The operand that `select` returns if the other one is a number.
static Value findSelected(Operation *select) {
  for (unsigned side : {1u, 2u})
    if (getSplat(select->getOperand(3 - side)))
      return select->getOperand(side);
  return {};
}

/// mean(-p[row, label]) over the labels that are not ignored:
/// sum(where(test, -gather(p, where(test, label, 0)), 0)) / sum(test), as
/// torch-mlir writes `nll_loss`.
bool Raiser::raiseNllLoss(Operation *gather) {
  RankedTensorType type = getStaticType(gather->getOperand(0));
  RankedTensorType positions = getStaticType(gather->getOperand(1));
  if (!lowered || !type || type.getRank() != 2 || !positions ||
      findAxis(gather) != 1 || positions.getNumElements() != type.getDimSize(0))
    return false;
  Match match;
  match.add(gather);
  Trail trail(match);
  Operation *clean = trail.find<onnx::WhereOp>(gather->getOperand(1));
  Operation *test = clean ? findTest(clean->getOperand(0), trail) : nullptr;
  Value labels = test ? test->getOperand(0) : Value();
  if (!labels || !getScalar(test->getOperand(1)) ||
      findSelected(clean) != labels)
    return false;
  // Forwards: the negative numbers, without those of ignored labels.
  Value value = gather->getResult(0);
  auto next = [&] {
    Operation *user = getOnlyUser(value);
    while (isa_and_nonnull<onnx::ReshapeOp, onnx::CastOp>(user)) {
      match.add(user);
      value = user->getResult(0);
      user = getOnlyUser(value);
    }
    return user;
  };
  Operation *negation = next();
  if (!isa_and_nonnull<onnx::NegOp>(negation))
    return false;
  match.add(negation);
  value = negation->getResult(0);
  Operation *select = next();
  if (!isa_and_nonnull<onnx::WhereOp>(select) ||
      findSelected(select) != value ||
      findTest(select->getOperand(0), trail) != test)
    return false;
  match.add(select);
  value = select->getResult(0);
  Operation *sum = next();
  if (!isa_and_nonnull<onnx::ReduceSumOp>(sum) ||
      getStaticType(sum->getResult(0)).getNumElements() != 1)
    return false;
  match.add(sum);
  value = sum->getResult(0);
  // Divided by their number.
  match.root = next();
  Value count;
  if (isa_and_nonnull<onnx::DivOp>(match.root) &&
      match.root->getOperand(0) == value)
    count = match.root->getOperand(1);
  else if (Value other = matchOther<onnx::MulOp>(match.root, value))
    if (Operation *inverse = trail.find<onnx::ReciprocalOp>(other))
      count = inverse->getOperand(0);
  Operation *total = count ? trail.find<onnx::ReduceSumOp>(count) : nullptr;
  if (!total || findTest(total->getOperand(0), trail) != test)
    return false;
  return replace<onnx::NllLossOp>(match, {gather->getOperand(0), labels});
}
