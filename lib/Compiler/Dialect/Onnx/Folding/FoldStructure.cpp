//===- FoldStructure.cpp - Values of constants, shapes, reductions --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference/Inference.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpucost::onnx;

void gpucost::onnx::foldConstant(InferenceContext &context) {
  Operation *op = context.getOperation();
  if (Attribute value = op->getAttr("value")) {
    if (auto tensor = getSmallTensor(value))
      context.setValue(0, std::move(*tensor));
    return;
  }
  auto result = context.makeOutput(0);
  if (!result)
    return;
  if (context.hasAttr("value_int"))
    result->ints[0] = context.getInt("value_int");
  else if (context.hasAttr("value_float"))
    result->floats[0] = context.getFloat("value_float");
  else if (auto ints = op->getAttrOfType<DenseI64ArrayAttr>("value_ints"))
    result->ints.assign(ints.asArrayRef().begin(), ints.asArrayRef().end());
  else if (auto floats = op->getAttrOfType<DenseF32ArrayAttr>("value_floats"))
    result->floats.assign(floats.asArrayRef().begin(),
                          floats.asArrayRef().end());
  else
    return;
  context.setValue(0, std::move(*result));
}

void gpucost::onnx::foldShape(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  auto result = context.makeOutput(0);
  if (!type || !result)
    return;
  int64_t start =
      clampSlice(context.getInt("start"), type.getRank(), 1, type.getRank())
          .start;
  for (int64_t i = 0, e = result->size(); i < e; ++i) {
    int64_t dim = type.getDimSize(start + i);
    if (isKnownDim(dim))
      result->ints[i] = dim;
    else
      result->setUnknown(i);
  }
  context.setValue(0, std::move(*result));
}

void gpucost::onnx::foldSize(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  auto result = context.makeOutput(0);
  int64_t size = type ? productDims(type.getShape()) : unknownDim;
  if (!result || size < 0)
    return;
  result->ints[0] = size;
  context.setValue(0, std::move(*result));
}

/// [rank, count] positions, in row-major order.
void gpucost::onnx::foldNonZero(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  auto result = context.makeOutput(0, in);
  if (!result || !in->allKnown())
    return;
  Dims strides = rowMajorStrides(in->type.getShape());
  int64_t count = result->type.getDimSize(1), column = 0;
  for (int64_t i = 0, e = in->size(); i < e; ++i) {
    if (in->getDouble(i) == 0)
      continue;
    int64_t rest = i;
    for (auto [axis, stride] : llvm::enumerate(strides)) {
      result->ints[axis * count + column] = rest / stride;
      rest %= stride;
    }
    ++column;
  }
  context.setValue(0, std::move(*result));
}

void gpucost::onnx::foldRange(InferenceContext &context) {
  const SmallTensor *start = context.getInputValue(0);
  const SmallTensor *delta = context.getInputValue(2);
  auto result = context.makeOutput(0);
  // The result has a type only if all operands are known.
  if (!start || !delta || !result)
    return;
  for (int64_t i = 0, e = result->size(); i < e; ++i) {
    if (result->isFloat) {
      result->floats[i] = start->getDouble(0) + i * delta->getDouble(0);
      continue;
    }
    int64_t offset = mulDims(i, delta->ints[0]);
    result->ints[i] = addDims(start->ints[0], offset);
    if (result->ints[i] <= badDim)
      result->setUnknown(i);
  }
  context.setValue(0, std::move(*result));
}

void gpucost::onnx::foldConstantOfShape(InferenceContext &context) {
  auto result = context.makeOutput(0);
  // A float without dimensions is not a size: the framework fills a tensor on
  // the device (torch.full([], x)).
  if (!result || (result->isFloat && result->type.getRank() == 0))
    return;
  if (Attribute attr = context.getOperation()->getAttr("value")) {
    auto value = getSmallTensor(attr);
    if (!value || value->size() != 1)
      return;
    for (int64_t i = 0, e = result->size(); i < e; ++i)
      result->copyElement(i, *value, 0);
  }
  context.setValue(0, std::move(*result));
}

//===----------------------------------------------------------------------===//
// Reductions
//===----------------------------------------------------------------------===//

namespace {
/// Combines one more element; returns false if the integer result does not fit.
struct Combiner {
  double (*ofFloat)(double, double);
  bool (*ofInt)(int64_t, int64_t, int64_t &);
};
} // namespace

static void foldReduction(InferenceContext &context, Combiner combine,
                          bool mean = false) {
  const SmallTensor *in = context.getInputValue(0);
  auto result = context.makeOutput(0, in);
  if (!result || in->size() == 0)
    return;
  auto axes = getReductionAxes(context, in->type.getRank());
  if (!axes)
    return;
  // Strides of the result for the operand's axes; 0 for reduced axes.
  ArrayRef<int64_t> shape = in->type.getShape();
  Dims strides(shape.size(), 0), extents = rowMajorStrides(shape);
  int64_t stride = 1;
  for (size_t d = shape.size(); d-- > 0;) {
    if (llvm::is_contained(*axes, d))
      continue;
    strides[d] = stride;
    stride *= shape[d];
  }
  std::vector<bool> started(result->size(), false);
  for (int64_t i = 0, e = in->size(); i < e; ++i) {
    int64_t to = 0;
    for (size_t d = 0; d < shape.size(); ++d)
      to += i / extents[d] % shape[d] * strides[d];
    if (!in->isKnown(i)) {
      result->setUnknown(to);
    } else if (!started[to]) {
      if (result->isFloat)
        result->floats[to] = in->getDouble(i);
      else
        result->ints[to] = in->ints[i];
    } else if (result->isFloat) {
      result->floats[to] =
          combine.ofFloat(result->floats[to], in->getDouble(i));
    } else if (!combine.ofInt(result->ints[to], in->ints[i],
                              result->ints[to])) {
      result->setUnknown(to);
    }
    started[to] = true;
  }
  int64_t count = result->size() ? in->size() / result->size() : 1;
  for (int64_t i = 0, e = result->size(); mean && i < e; ++i) {
    if (result->isFloat)
      result->floats[i] /= count;
    else
      result->ints[i] /= count;
  }
  context.setValue(0, std::move(*result));
}

static constexpr Combiner sum = {[](double a, double b) { return a + b; },
                                 [](int64_t a, int64_t b, int64_t &r) {
                                   return !llvm::AddOverflow(a, b, r);
                                 }};

void gpucost::onnx::foldReduceSum(InferenceContext &context) {
  foldReduction(context, sum);
}

void gpucost::onnx::foldReduceMean(InferenceContext &context) {
  foldReduction(context, sum, /*mean=*/true);
}

void gpucost::onnx::foldReduceProd(InferenceContext &context) {
  foldReduction(context, {[](double a, double b) { return a * b; },
                          [](int64_t a, int64_t b, int64_t &r) {
                            return !llvm::MulOverflow(a, b, r);
                          }});
}

void gpucost::onnx::foldReduceMax(InferenceContext &context) {
  foldReduction(context, {[](double a, double b) { return std::max(a, b); },
                          [](int64_t a, int64_t b, int64_t &r) {
                            r = std::max(a, b);
                            return true;
                          }});
}

void gpucost::onnx::foldReduceMin(InferenceContext &context) {
  foldReduction(context, {[](double a, double b) { return std::min(a, b); },
                          [](int64_t a, int64_t b, int64_t &r) {
                            r = std::min(a, b);
                            return true;
                          }});
}

/// Forward, inclusive sums only; the axis is operand 1.
void gpucost::onnx::foldCumSum(InferenceContext &context) {
  const SmallTensor *in = context.getInputValue(0);
  auto given = context.getInputInts(1);
  auto result = context.makeOutput(0, in);
  if (!given || given->size() != 1 || !result ||
      context.getInt("exclusive") != 0 || context.getInt("reverse") != 0)
    return;
  auto axis = normalizeAxis((*given)[0], in->type.getRank());
  if (!axis)
    return;
  int64_t stride = rowMajorStrides(in->type.getShape())[*axis];
  int64_t dim = in->type.getDimSize(*axis);
  for (int64_t i = 0, e = in->size(); i < e; ++i) {
    result->copyElement(i, *in, i);
    if (i / stride % dim == 0)
      continue;
    if (!result->isKnown(i - stride))
      result->setUnknown(i);
    else if (result->isFloat)
      result->floats[i] += result->floats[i - stride];
    else if (llvm::AddOverflow(result->ints[i], result->ints[i - stride],
                               result->ints[i]))
      result->setUnknown(i);
  }
  context.setValue(0, std::move(*result));
}
