//===- Softmax.cpp - Softmax from separate ops ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Raiser.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// The axis of a reduction over a single axis that keeps its dimension.
static std::optional<int64_t> getKeptAxis(Operation *op) {
  RankedTensorType in = getStaticType(op->getOperand(0));
  if (!in || onnx::getInt(op, "keepdims") == 0)
    return std::nullopt;
  std::optional<int64_t> axis;
  if (auto axes = onnx::findInts(op, "axes"))
    axis = axes->size() == 1 ? std::optional(axes->front()) : std::nullopt;
  else if (op->getNumOperands() > 1)
    if (std::optional<double> number = getScalar(op->getOperand(1)))
      axis = saturatingInt(*number);
  if (axis && *axis < 0)
    *axis += in.getRank(); // still negative if it was out of range
  return axis;
}

/// e = exp(x - max(x)); e / sum(e). Libraries subtract the maximum for
/// numerical stability; a form without it comes from the model's code.
bool Raiser::raiseSoftmax(Operation *exp) {
  Value e = exp->getResult(0), x = exp->getOperand(0);
  Operation *sum = nullptr, *quotient = nullptr;
  for (Operation *user : e.getUsers())
    (isa<onnx::ReduceSumOp>(user) ? sum : quotient) = user;
  if (!sum || !quotient || llvm::range_size(e.getUses()) != 2)
    return false;
  Match match;
  // e / sum, or e * (1 / sum).
  Operation *inverse = getOnlyUser(sum->getResult(0));
  if (isa_and_nonnull<onnx::ReciprocalOp>(inverse) &&
      matchOther<onnx::MulOp>(quotient, e) == inverse->getResult(0))
    match.add(inverse);
  else if (!isa<onnx::DivOp>(quotient) || quotient->getOperand(0) != e ||
           quotient->getOperand(1) != sum->getResult(0))
    return false;
  std::optional<int64_t> axis = getKeptAxis(sum);
  if (!axis)
    return false;
  match.root = quotient;
  match.add(exp);
  match.add(sum);
  Operation *shift = x.getDefiningOp();
  Operation *top = isa_and_nonnull<onnx::SubOp>(shift)
                       ? shift->getOperand(1).getDefiningOp()
                       : nullptr;
  if (isa_and_nonnull<onnx::ReduceMaxOp>(top) &&
      top->getOperand(0) == shift->getOperand(0) && getKeptAxis(top) == axis) {
    match.add(shift);
    match.add(top);
    x = shift->getOperand(0);
  } else if (!canFuse(match, "Softmax")) {
    return false;
  }
  Builder builder(exp->getContext());
  return replace<onnx::SoftmaxOp>(
      match, x, builder.getNamedAttr("axis", builder.getI64IntegerAttr(*axis)));
}

/// shifted - log(sum(exp(shifted))), where shifted = x - max(x).
bool Raiser::raiseLogSoftmax(Operation *exp) {
  Value shifted = exp->getOperand(0);
  Operation *shift = shifted.getDefiningOp();
  Operation *top = isa_and_nonnull<onnx::SubOp>(shift)
                       ? shift->getOperand(1).getDefiningOp()
                       : nullptr;
  Operation *sum = getOnlyUser(exp->getResult(0));
  Operation *log = isa_and_nonnull<onnx::ReduceSumOp>(sum)
                       ? getOnlyUser(sum->getResult(0))
                       : nullptr;
  Operation *difference = isa_and_nonnull<onnx::LogOp>(log)
                              ? getOnlyUser(log->getResult(0))
                              : nullptr;
  if (!isa_and_nonnull<onnx::ReduceMaxOp>(top) ||
      top->getOperand(0) != shift->getOperand(0) ||
      !isa_and_nonnull<onnx::SubOp>(difference) ||
      difference->getOperand(0) != shifted ||
      difference->getOperand(1) != log->getResult(0))
    return false;
  std::optional<int64_t> axis = getKeptAxis(sum);
  if (!axis || getKeptAxis(top) != axis)
    return false;
  Match match;
  match.root = difference;
  for (Operation *op : {exp, shift, top, sum, log})
    match.add(op);
  Builder builder(exp->getContext());
  return replace<onnx::LogSoftmaxOp>(
      match, shift->getOperand(0),
      builder.getNamedAttr("axis", builder.getI64IntegerAttr(*axis)));
}
