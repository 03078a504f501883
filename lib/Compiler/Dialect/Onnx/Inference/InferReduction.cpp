//===- InferReduction.cpp - Types of reductions and searches --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "InferenceHelpers.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost::onnx;

std::optional<Dims> gpucost::onnx::getReductionAxes(InferenceContext &context,
                                                    int64_t rank) {
  Dims axes;
  if (context.hasInput(1) || context.hasAttr("axes")) {
    auto given = context.getInputOrAttrInts(1, "axes");
    // Axes with unknown values but a known number.
    RankedTensorType list = context.getInputType(1);
    if (!given && list && list.getRank() == 1 && rank > 0 &&
        list.getDimSize(0) == rank)
      given = llvm::to_vector(llvm::seq<int64_t>(0, rank));
    if (!given)
      return std::nullopt;
    for (int64_t axis : *given) {
      auto normal = normalizeAxis(axis, rank);
      if (!normal)
        return std::nullopt;
      axes.push_back(*normal);
    }
  }
  if (axes.empty() && context.getInt("noop_with_empty_axes") == 0)
    axes = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  return axes;
}

Dims gpucost::onnx::reduceShape(ArrayRef<int64_t> shape, ArrayRef<int64_t> axes,
                                bool keepDims) {
  Dims reduced;
  for (auto [i, dim] : llvm::enumerate(shape)) {
    if (!llvm::is_contained(axes, i))
      reduced.push_back(dim);
    else if (keepDims)
      reduced.push_back(1);
  }
  return reduced;
}

LogicalResult gpucost::onnx::inferReduce(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  bool keep = context.getInt("keepdims") != 0;
  auto given = context.getInputOrAttrInts(1, "axes");
  auto axes = getReductionAxes(context, type.getRank());
  if (!axes && given)
    return context.emitError()
           << "axes " << formatShape(*given) << " are out of range for "
           << formatShape(type.getShape());
  if (!axes) {
    // Axes with unknown values: at least the rank is known.
    RankedTensorType list = context.getInputType(1);
    int64_t rank = type.getRank();
    if (!keep) {
      if (!list || list.getRank() != 1 || list.isDynamicDim(0) ||
          list.getDimSize(0) > rank)
        return success();
      rank -= list.getDimSize(0);
    }
    return context.setType(0, Dims(rank, unknownDim), type.getElementType());
  }
  return context.setType(0, reduceShape(type.getShape(), *axes, keep),
                         type.getElementType());
}

LogicalResult gpucost::onnx::inferArgReduce(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  auto axis = normalizeAxis(context.getInt("axis"), type.getRank());
  if (!axis)
    return emitAxisError(context, context.getInt("axis"), type.getShape());
  Dims shape(type.getShape());
  if (context.getInt("keepdims") != 0)
    shape[*axis] = 1;
  else
    shape.erase(shape.begin() + *axis);
  return context.setType(0, shape,
                         IntegerType::get(context.getMLIRContext(), 64));
}

/// Results: values and indices; k is operand 1, an attribute before opset 10.
LogicalResult gpucost::onnx::inferTopK(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  auto axis = normalizeAxis(context.getInt("axis"), type.getRank());
  auto k = context.getInputOrAttrInts(1, "k");
  if (!axis)
    return emitAxisError(context, context.getInt("axis"), type.getShape());
  Dims shape(type.getShape());
  int64_t dim = shape[*axis];
  shape[*axis] = k && k->size() == 1 ? (*k)[0] : unknownDim;
  if (isKnownDim(dim) && isKnownDim(shape[*axis]) && shape[*axis] > dim)
    return context.emitError()
           << "takes " << shape[*axis] << " of " << formatShape(type.getShape())
           << " along axis " << *axis;
  // Indices of JAX have 32 bits.
  RankedTensorType known = context.getOutputType(1);
  Type index = known ? known.getElementType() : Type();
  if (!isa_and_nonnull<IntegerType>(index))
    index = IntegerType::get(context.getMLIRContext(), 64);
  if (failed(context.setType(1, shape, index)))
    return failure();
  return context.setType(0, shape, type.getElementType());
}

//===----------------------------------------------------------------------===//
// Results whose size depends on data
//===----------------------------------------------------------------------===//

LogicalResult gpucost::onnx::inferNonZero(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  int64_t count = unknownDim;
  const SmallTensor *value = context.getInputValue(0);
  if (value && value->allKnown()) {
    count = 0;
    for (int64_t i = 0; i < value->size(); ++i)
      count += value->getDouble(i) != 0;
  }
  return type
             ? context.setType(0, {std::max<int64_t>(type.getRank(), 1), count},
                               IntegerType::get(context.getMLIRContext(), 64))
             : success();
}

/// Results: values, first indices, inverse indices, counts.
LogicalResult gpucost::onnx::inferUnique(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  Type i64 = IntegerType::get(context.getMLIRContext(), 64);
  Dims shape = {unknownDim};
  int64_t inputs = productDims(type.getShape());
  if (context.hasAttr("axis")) {
    auto axis = normalizeAxis(context.getInt("axis"), type.getRank());
    if (!axis)
      return emitAxisError(context, context.getInt("axis"), type.getShape());
    shape = Dims(type.getShape());
    inputs = shape[*axis];
    shape[*axis] = unknownDim;
  }
  if (failed(context.setType(1, unknownDim, i64)) ||
      failed(context.setType(2, inputs, i64)) ||
      failed(context.setType(3, unknownDim, i64)))
    return failure();
  return context.setType(0, shape, type.getElementType());
}

LogicalResult gpucost::onnx::inferCompress(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  int64_t count = unknownDim;
  if (auto flags = context.getInputInts(1))
    count = llvm::count_if(*flags, [](int64_t flag) { return flag != 0; });
  Dims shape = {count};
  if (context.hasAttr("axis")) {
    auto axis = normalizeAxis(context.getInt("axis"), type.getRank());
    if (!axis)
      return success();
    shape = Dims(type.getShape());
    shape[*axis] = count;
  }
  return context.setType(0, shape, type.getElementType());
}

LogicalResult gpucost::onnx::inferNonMaxSuppression(InferenceContext &context) {
  return context.setType(0, {unknownDim, 3},
                         IntegerType::get(context.getMLIRContext(), 64));
}

LogicalResult gpucost::onnx::inferDet(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type || type.getRank() < 2)
    return success();
  return context.setType(0, type.getShape().drop_back(2),
                         type.getElementType());
}
