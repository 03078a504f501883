//===- Progressions.cpp - Values that count along one dimension -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Progressions.h"
#include "Matchers.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

static constexpr unsigned maxDepth = 64;

static std::optional<Progression> uniform(double value) {
  return Progression{value, 0, 1};
}

/// Tensors of `shape` with the elements `get(linear index)`.
static std::optional<Progression>
ofElements(ArrayRef<int64_t> shape, llvm::function_ref<double(int64_t)> get) {
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

static SmallVector<int64_t> getIntegers(Operation *op, unsigned operand) {
  SmallVector<int64_t> numbers;
  if (operand < op->getNumOperands())
    if (DenseElementsAttr dense = getConstant(op->getOperand(operand)))
      for (int64_t i = 0; i < dense.getNumElements(); ++i)
        numbers.push_back(static_cast<int64_t>(getElement(dense, i)));
  return numbers;
}

/// Views that keep the order of the elements, and casts.
std::optional<Progression> Progressions::ofView(Operation *op) {
  std::optional<Progression> in = find(op->getOperand(0));
  if (!in)
    return std::nullopt;
  RankedTensorType from = getStaticType(op->getOperand(0));
  RankedTensorType to = getStaticType(op->getResult(0));
  if (isa<onnx::CastOp, onnx::CastLikeOp>(op)) {
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

std::optional<Progression> Progressions::ofSlice(Operation *op) {
  std::optional<Progression> in = find(op->getOperand(0));
  if (!in || in->isUniform())
    return in;
  RankedTensorType type = getStaticType(op->getOperand(0));
  SmallVector<int64_t> starts = getIntegers(op, 1), axes = getIntegers(op, 3);
  SmallVector<int64_t> steps = getIntegers(op, 4);
  if (starts.empty() || axes.size() != starts.size() ||
      (op->getNumOperands() > 4 && steps.size() != starts.size()))
    return std::nullopt;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    int64_t positive = axis < 0 ? axis + type.getRank() : axis;
    if (positive != type.getRank() - int64_t(in->fromEnd))
      continue;
    int64_t start = starts[i] + (starts[i] < 0 ? type.getDimSize(positive) : 0);
    if (start < 0 || (!steps.empty() && steps[i] != 1))
      return std::nullopt;
    in->first += in->slope * start;
  }
  return in;
}

/// Parts that continue each other along the axis.
std::optional<Progression> Progressions::ofConcat(Operation *op) {
  RankedTensorType type = getStaticType(op->getResult(0));
  int64_t axis = onnx::getInt(op, "axis");
  unsigned fromEnd = axis < 0 ? -axis : type.getRank() - axis;
  Progression out{0, 0, fromEnd};
  SmallVector<std::pair<int64_t, Progression>> parts;
  for (Value operand : op->getOperands()) {
    std::optional<Progression> part = find(operand);
    if (!part || (!part->isUniform() && part->fromEnd != fromEnd))
      return std::nullopt;
    RankedTensorType each = getStaticType(operand);
    parts.push_back({each.getDimSize(each.getRank() - fromEnd), *part});
    if (!part->isUniform())
      out.slope = part->slope;
  }
  if (parts.empty())
    return std::nullopt;
  out.first = parts.front().second.first;
  int64_t offset = 0;
  for (auto &[size, part] : parts) {
    if (part.first != out.first + out.slope * offset ||
        (size > 1 && part.slope != out.slope))
      return std::nullopt;
    offset += size;
  }
  return out;
}

/// Running sums of equal numbers.
std::optional<Progression> Progressions::ofCumSum(Operation *op) {
  std::optional<Progression> in = find(op->getOperand(0));
  if (!in || !in->isUniform() || in->first == 0)
    return in && in->isUniform() ? in : std::nullopt;
  SmallVector<int64_t> axis = getIntegers(op, 1);
  if (axis.size() != 1 || onnx::getInt(op, "reverse"))
    return std::nullopt;
  unsigned fromEnd = axis[0] < 0
                         ? -axis[0]
                         : getStaticType(op->getResult(0)).getRank() - axis[0];
  double first = onnx::getInt(op, "exclusive") ? 0 : in->first;
  return Progression{first, in->first, fromEnd};
}

std::optional<Progression> Progressions::ofComponent(Value rows,
                                                     int64_t index) {
  RankedTensorType type = getStaticType(rows);
  if (DenseElementsAttr dense = getConstant(rows)) {
    int64_t depth = type.getShape().back();
    return ofElements(type.getShape().drop_back(), [&](int64_t i) {
      return getElement(dense, i * depth + index);
    });
  }
  auto concat = rows.getDefiningOp<onnx::ConcatOp>();
  int64_t axis = concat ? onnx::getInt(concat, "axis") : 0;
  if (!concat || (axis != -1 && axis != type.getRank() - 1) ||
      concat->getNumOperands() != type.getShape().back())
    return std::nullopt;
  std::optional<Progression> part = find(concat->getOperand(index));
  if (part && !part->isUniform())
    --part->fromEnd; // The last dimension of a part is 1.
  return part;
}

/// Indexing of all dimensions. Only the index along the dimension that counts
/// matters.
std::optional<Progression> Progressions::ofGatherND(Operation *op) {
  std::optional<Progression> in = find(op->getOperand(0));
  if (!in || in->isUniform())
    return in;
  RankedTensorType type = getStaticType(op->getOperand(0));
  RankedTensorType rows = getStaticType(op->getOperand(1));
  if (onnx::getInt(op, "batch_dims") || !rows || rows.getRank() == 0 ||
      rows.getShape().back() != type.getRank())
    return std::nullopt;
  std::optional<Progression> index =
      ofComponent(op->getOperand(1), type.getRank() - in->fromEnd);
  if (!index || index->first < 0 || index->slope < 0)
    return std::nullopt;
  return Progression{in->first + in->slope * index->first,
                     in->slope * index->slope, index->fromEnd};
}

std::optional<Progression> Progressions::findUncached(Value value) {
  RankedTensorType type = getStaticType(value);
  if (!type)
    return std::nullopt;
  if (std::optional<double> splat = getSplat(value))
    return uniform(*splat);
  if (DenseElementsAttr dense = getConstant(value))
    return ofElements(type.getShape(),
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
  if (isa<onnx::IdentityOp, onnx::CastOp, onnx::CastLikeOp, onnx::ExpandOp,
          onnx::UnsqueezeOp, onnx::SqueezeOp, onnx::ReshapeOp>(op))
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
