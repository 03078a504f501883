//===- MovedProgressions.cpp - Progressions of moved elements -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matchers.h"
#include "Progressions.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

static SmallVector<int64_t> getIntegers(Operation *op, unsigned operand) {
  SmallVector<int64_t> numbers;
  if (operand < op->getNumOperands())
    if (DenseElementsAttr dense = getConstant(op->getOperand(operand)))
      for (int64_t i = 0; i < dense.getNumElements(); ++i)
        numbers.push_back(static_cast<int64_t>(getElement(dense, i)));
  return numbers;
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
    return findProgression(type.getShape().drop_back(), [&](int64_t i) {
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
