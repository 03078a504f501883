//===- LiftBounds.cpp - Positions from the end or outside of a table ------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A Gather counts negative positions from the end, and its positions lie within
// the table. Front ends spell both out: where(x < 0, x + size, x), and
// where(0 <= x & x < size, read, number).

#include "AttentionMatch.h"
#include "LiftRules.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

Value raising::skipReshapes(Value value) {
  while (auto reshape = value.getDefiningOp<onnx::ReshapeOp>())
    value = reshape->getOperand(0);
  return value;
}

Value raising::unwrapTensor(Value value, int64_t size) {
  auto select = value.getDefiningOp<onnx::WhereOp>();
  if (!select)
    return {};
  Value x = select->getOperand(2);
  Operation *test = select->getOperand(0).getDefiningOp();
  std::optional<double> added;
  Operation *sum = select->getOperand(1).getDefiningOp();
  if (isa_and_nonnull<onnx::AddOp>(sum) && sum->getOperand(0) == x)
    added = getScalar(sum->getOperand(1));
  // x < 0, or 0 > x.
  bool isLess = isa_and_nonnull<onnx::LessOp>(test);
  if (!isLess && !isa_and_nonnull<onnx::GreaterOp>(test))
    return {};
  bool wraps = test->getOperand(isLess ? 0 : 1) == x &&
               getScalar(test->getOperand(isLess ? 1 : 0)) == 0.0 &&
               added == static_cast<double>(size) &&
               x.getType() == value.getType();
  return wraps ? x : Value();
}

bool raising::readFromEnd(Operation *op) {
  std::optional<int64_t> length = findLength(op);
  if (!length)
    return false;
  Value positions = skipReshapes(op->getOperand(1));
  Value x = unwrapTensor(positions, *length);
  auto isPosition = [](Value value) {
    Type type = typeOf(value).getElementType();
    return type.isInteger() && !type.isInteger(1);
  };
  if (auto cast = positions.getDefiningOp<onnx::CastOp>();
      cast && isPosition(cast->getOperand(0)) && isPosition(positions))
    x = cast->getOperand(0);
  if (!x)
    return false;
  OpBuilder builder(op);
  Value read = createReshape(builder, op->getLoc(), x,
                             typeOf(op->getOperand(1)).getShape());
  if (isWeight(x))
    read.getDefiningOp()->setAttr(onnx::OnnxDialect::constantAttrName,
                                  builder.getUnitAttr());
  op->setOperand(1, read);
  return true;
}

/// Whether `test` holds for all positions `x` in a dimension of `length`, and
/// only for them on one side.
static bool isBoundsTest(Operation *test, Value x, int64_t length) {
  if (!isa_and_nonnull<onnx::GreaterOp, onnx::GreaterOrEqualOp, onnx::LessOp,
                       onnx::LessOrEqualOp>(test))
    return false;
  Value tested = skipReshapes(test->getOperand(0));
  if (Value inner = unwrapTensor(tested, length); tested != x && inner)
    tested = skipReshapes(inner);
  double bound = isa<onnx::GreaterOrEqualOp>(test) ? 0
                 : isa<onnx::GreaterOp>(test)      ? -1
                 : isa<onnx::LessOp>(test) ? static_cast<double>(length)
                                           : static_cast<double>(length - 1);
  return tested == x && getScalar(test->getOperand(1)) == bound;
}

bool raising::dropFillOfGather(Operation *op) {
  auto select = dyn_cast<onnx::WhereOp>(op);
  if (!select || !getSplat(op->getOperand(2)) ||
      op->getOperand(1).getType() != op->getResult(0).getType())
    return false;
  Operation *gather = skipReshapes(op->getOperand(1)).getDefiningOp();
  std::optional<int64_t> length = findLength(gather);
  if (!length)
    return false;
  Value x = skipReshapes(gather->getOperand(1));
  SmallVector<Value> tests = {op->getOperand(0)};
  constexpr size_t mostTests = 16;
  for (size_t i = 0; i < tests.size(); ++i) {
    Operation *def = tests[i].getDefiningOp();
    bool isView = isa_and_nonnull<onnx::ReshapeOp, onnx::ExpandOp>(def) ||
                  (isa_and_nonnull<onnx::ReduceMinOp>(def) &&
                   typeOf(def->getOperand(0)).getNumElements() ==
                       typeOf(def->getResult(0)).getNumElements());
    if (isView)
      tests.push_back(def->getOperand(0));
    else if (isa_and_nonnull<onnx::AndOp>(def))
      tests.append(def->operand_begin(), def->operand_end());
    else if (!isBoundsTest(def, x, *length))
      return false;
    if (tests.size() > mostTests)
      return false;
  }
  op->getResult(0).replaceAllUsesWith(op->getOperand(1));
  return true;
}
