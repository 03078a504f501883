//===- LiftSums.cpp - Sums in several steps -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiftRules.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// Sums over one dimension after the other are one sum.
bool raising::mergeSums(Operation *op) {
  auto outer = dyn_cast<onnx::ReduceSumOp>(op);
  auto inner = outer ? op->getOperand(0).getDefiningOp<onnx::ReduceSumOp>()
                     : onnx::ReduceSumOp();
  if (!inner || !inner->getResult(0).hasOneUse() ||
      onnx::getInt(op, "keepdims") == 0 || onnx::getInt(inner, "keepdims") == 0)
    return false;
  auto first = onnx::findInts(inner, "axes"),
       second = onnx::findInts(op, "axes");
  if (!first || !second)
    return false;
  llvm::SetVector<int64_t> axes(first->begin(), first->end());
  axes.insert(second->begin(), second->end());
  SmallVector<int64_t> sorted(axes.begin(), axes.end());
  llvm::sort(sorted);
  op->setOperand(0, inner->getOperand(0));
  op->setAttr("axes", DenseI64ArrayAttr::get(op->getContext(), sorted));
  detach(op);
  return true;
}

namespace {
/// x + x moved by `distance` along `dim`, with zeros at the start.
struct ShiftedSum {
  Value x;
  int64_t dim, distance;
};
} // namespace

static std::optional<ShiftedSum> matchShiftedSum(Operation *op) {
  if (!isa_and_nonnull<onnx::AddOp>(op) || op->getNumOperands() != 2)
    return std::nullopt;
  for (unsigned side : {0u, 1u}) {
    Value x = op->getOperand(side);
    auto slice = op->getOperand(1 - side).getDefiningOp<onnx::SliceOp>();
    auto pad = slice ? slice->getOperand(0).getDefiningOp<tensor::PadOp>()
                     : tensor::PadOp();
    Value fill = pad ? pad.getConstantPaddingValue() : Value();
    constexpr unsigned sliceOperands = 3;
    if (!fill || pad.getSource() != x || getNumber(fill) != 0.0 ||
        slice->getNumOperands() != sliceOperands ||
        getSplat(slice->getOperand(1)) != 0.0 ||
        slice->getResult(0).getType() != x.getType() ||
        !llvm::all_of(pad.getMixedHighPad(), isZeroInteger))
      continue;
    ShiftedSum sum{x, -1, 0};
    bool isShift = true;
    for (auto [i, size] : llvm::enumerate(pad.getMixedLowPad())) {
      if (isZeroInteger(size))
        continue;
      isShift &= sum.dim < 0 && getConstantIntValue(size).value_or(-1) > 0;
      sum.dim = static_cast<int64_t>(i);
      sum.distance = getConstantIntValue(size).value_or(-1);
    }
    if (isShift && sum.dim >= 0)
      return sum;
  }
  return std::nullopt;
}

/// Sums with the elements 1, 2, 4, ... before, up to half of the length, are a
/// cumulative sum.
bool raising::makeCumSum(Operation *op) {
  std::optional<ShiftedSum> last = matchShiftedSum(op), next = last;
  if (!last || 2 * last->distance < typeOf(last->x).getDimSize(last->dim))
    return false;
  int64_t distance = last->distance;
  Value x;
  while (next && next->dim == last->dim && next->distance == distance) {
    x = next->x;
    if (distance == 1)
      break;
    if (distance % 2 != 0 || !x.hasNUses(2))
      return false;
    distance /= 2;
    next = matchShiftedSum(x.getDefiningOp());
  }
  if (!next || next->dim != last->dim || next->distance != 1)
    return false;
  OpBuilder builder(op);
  Value axis = createNumber(builder, op->getLoc(), last->dim);
  Operation *sums = onnx::CumSumOp::create(
      builder, op->getLoc(), op->getResult(0).getType(), {x, axis});
  op->getResult(0).replaceAllUsesWith(sums->getResult(0));
  return true;
}
