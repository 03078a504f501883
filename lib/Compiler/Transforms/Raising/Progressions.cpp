//===- Progressions.cpp - Values that count along one dimension -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progressions.h"
#include "Matchers.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxViews.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

static constexpr unsigned maxDepth = 64;

static std::optional<Progression> uniform(double value) {
  return Progression{value, 0, 1};
}

std::optional<Progression>
raising::findProgression(ArrayRef<int64_t> shape,
                         llvm::function_ref<double(int64_t)> get) {
  Progression found{0, 0, 1};
  int64_t count = 1, stride = 1, foundStride = 1, foundSize = 1;
  for (int64_t size : shape)
    count *= size;
  if (count == 0)
    return std::nullopt;
  found.first = get(0);
  for (size_t i = 1; i <= shape.size(); ++i) {
    int64_t size = shape[shape.size() - i];
    double step = size > 1 ? get(stride) - found.first : 0;
    if (step != 0) {
      if (found.slope != 0)
        return std::nullopt;
      found.slope = step, found.fromEnd = i;
      foundStride = stride, foundSize = size;
    }
    stride *= size;
  }
  for (int64_t i = 0; i < count; ++i)
    if (get(i) != found.first + found.slope * (i / foundStride % foundSize))
      return std::nullopt;
  return found;
}

/// Dimensions above 1, as (size, distance from the end).
static SmallVector<std::pair<int64_t, unsigned>>
getWideDims(RankedTensorType type) {
  SmallVector<std::pair<int64_t, unsigned>> dims;
  for (int64_t i = 0; i < type.getRank(); ++i)
    if (type.getDimSize(i) != 1)
      dims.push_back({type.getDimSize(i), type.getRank() - i});
  return dims;
}

/// Views that keep the order of the elements, and casts.
std::optional<Progression> Progressions::ofView(Operation *op) {
  std::optional<Progression> in = find(op->getOperand(0));
  if (!in)
    return std::nullopt;
  RankedTensorType from = getStaticType(op->getOperand(0));
  RankedTensorType to = getStaticType(op->getResult(0));
  if (onnx::isCast(op)) {
    if (to.getElementType().isInteger(1))
      return in->isUniform() ? uniform(in->first != 0) : std::nullopt;
    bool isWhole = std::floor(in->first) == in->first &&
                   std::floor(in->slope) == in->slope;
    return isWhole || isa<FloatType>(to.getElementType()) ? in : std::nullopt;
  }
  if (in->isUniform() || isa<onnx::IdentityOp, onnx::ExpandOp>(op))
    return in;
  auto before = getWideDims(from), after = getWideDims(to);
  if (before.size() != after.size())
    return std::nullopt;
  std::optional<Progression> out;
  for (auto [b, a] : llvm::zip_equal(before, after)) {
    if (b.first != a.first)
      return std::nullopt;
    if (b.second == in->fromEnd)
      out = Progression{in->first, in->slope, a.second};
  }
  return out;
}

std::optional<Progression> Progressions::ofArithmetic(Operation *op) {
  if (op->getNumOperands() != 2)
    return std::nullopt;
  std::optional<Progression> a = find(op->getOperand(0));
  std::optional<Progression> b = a ? find(op->getOperand(1)) : std::nullopt;
  if (!b)
    return std::nullopt;
  if (isa<onnx::MulOp>(op)) {
    if (!a->isUniform())
      std::swap(a, b);
    if (!a->isUniform())
      return std::nullopt;
    return Progression{a->first * b->first, a->first * b->slope, b->fromEnd};
  }
  if (!a->isUniform() && !b->isUniform() && a->fromEnd != b->fromEnd)
    return std::nullopt;
  double sign = isa<onnx::SubOp>(op) ? -1 : 1;
  return Progression{a->first + sign * b->first, a->slope + sign * b->slope,
                     a->isUniform() ? b->fromEnd : a->fromEnd};
}

/// Comparisons and logic of uniform operands.
std::optional<Progression> Progressions::ofPredicate(Operation *op) {
  double x[2] = {0, 0};
  if (op->getNumOperands() > 2)
    return std::nullopt;
  for (unsigned i = 0; i < op->getNumOperands(); ++i) {
    std::optional<Progression> operand = find(op->getOperand(i));
    if (!operand || !operand->isUniform())
      return std::nullopt;
    x[i] = operand->first;
  }
  if (isa<onnx::NotOp>(op))
    return uniform(x[0] == 0);
  if (isa<onnx::EqualOp>(op))
    return uniform(x[0] == x[1]);
  if (isa<onnx::AndOp>(op))
    return uniform(x[0] != 0 && x[1] != 0);
  return uniform(x[0] != 0 || x[1] != 0);
}

std::optional<Progression> Progressions::findUncached(Value value) {
  RankedTensorType type = getStaticType(value);
  if (!type)
    return std::nullopt;
  if (std::optional<double> splat = getSplat(value))
    return uniform(*splat);
  if (DenseElementsAttr dense = getConstant(value))
    return findProgression(type.getShape(),
                           [&](int64_t i) { return getElement(dense, i); });
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumOperands() == 0)
    return std::nullopt;
  if (isa<onnx::RangeOp>(op)) {
    std::optional<double> start = getScalar(op->getOperand(0));
    std::optional<double> step = getScalar(op->getOperand(2));
    if (!start || !step)
      return std::nullopt;
    return Progression{*start, *step, 1};
  }
  if (isa<onnx::AddOp, onnx::SubOp, onnx::MulOp>(op))
    return ofArithmetic(op);
  if (isa<onnx::EqualOp, onnx::NotOp, onnx::AndOp, onnx::OrOp>(op))
    return ofPredicate(op);
  if (onnx::keepsOrder(op) || onnx::isCast(op))
    return ofView(op);
  if (isa<onnx::SliceOp>(op))
    return ofSlice(op);
  if (isa<onnx::ConcatOp>(op))
    return ofConcat(op);
  if (isa<onnx::CumSumOp>(op))
    return ofCumSum(op);
  return isa<onnx::GatherNDOp>(op) ? ofGatherND(op) : std::nullopt;
}

std::optional<Progression> Progressions::find(Value value) {
  auto it = known.find(value);
  if (it != known.end())
    return it->second;
  if (depth >= maxDepth)
    return std::nullopt;
  ++depth;
  std::optional<Progression> found = findUncached(value);
  --depth;
  // One position does not count.
  if (found && !found->isUniform()) {
    RankedTensorType type = getStaticType(value);
    if (found->fromEnd > type.getRank() ||
        type.getDimSize(type.getRank() - found->fromEnd) == 1)
      found->slope = 0;
  }
  known[value] = found;
  return found;
}
