//===- InferQuantized.cpp - Types of quantised operators ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "InferenceHelpers.h"

using namespace mlir;
using namespace gpucost::onnx;

/// Operands: result scale, zero point; tensor, scale, zero point per part.
LogicalResult gpucost::onnx::inferQLinearConcat(InferenceContext &context) {
  RankedTensorType first = context.getInputType(2);
  if (!first)
    return success();
  auto axis = normalizeAxis(context.getInt("axis"), first.getRank());
  if (!axis)
    return emitAxisError(context, context.getInt("axis"), first.getShape());
  Dims shape(first.getShape());
  for (unsigned i = 5; i < context.getNumInputs(); i += 3) {
    RankedTensorType type = context.getInputType(i);
    if (!type)
      return success();
    if (type.getRank() != first.getRank())
      return context.emitError()
             << "cannot concatenate " << formatShape(first.getShape())
             << " and " << formatShape(type.getShape());
    shape[*axis] = addDims(shape[*axis], type.getDimSize(*axis));
  }
  return context.setType(0, shape, first.getElementType());
}

LogicalResult gpucost::onnx::inferQLinearGlobalPool(InferenceContext &context) {
  if (context.getInt("channels_last") == 0)
    return inferGlobalPool(context);
  RankedTensorType type = context.getInputType(0);
  if (!type || type.getRank() < 3)
    return success();
  Dims shape(type.getShape());
  for (int64_t i = 1; i + 1 < type.getRank(); ++i)
    shape[i] = 1;
  return context.setType(0, shape, type.getElementType());
}

/// The axes are an attribute; operand 1 is a scale.
LogicalResult gpucost::onnx::inferQLinearReduce(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  Dims axes = context.getInts("axes").value_or(
      llvm::to_vector(llvm::seq<int64_t>(0, type.getRank())));
  bool keep = context.getInt("keepdims") != 0;
  for (int64_t &axis : axes) {
    auto normal = normalizeAxis(axis, type.getRank());
    if (!normal)
      return emitAxisError(context, axis, type.getShape());
    axis = *normal;
  }
  return context.setType(0, reduceShape(type.getShape(), axes, keep),
                         type.getElementType());
}

/// Operands: A, scale, zero point, B, scale, zero point, C, scale and zero
/// point of the result; float when the latter are absent.
LogicalResult gpucost::onnx::inferQGemm(InferenceContext &context) {
  RankedTensorType a = context.getInputType(0), b = context.getInputType(3);
  if (!a || !b || a.getRank() != 2 || b.getRank() != 2)
    return success();
  bool transA = context.getInt("transA"), transB = context.getInt("transB");
  return context.setType(
      0, {a.getDimSize(transA ? 1 : 0), b.getDimSize(transB ? 0 : 1)},
      context.hasInput(8) ? context.getInputElementType(8)
                          : Type(Float32Type::get(context.getMLIRContext())));
}

/// Data, indices, scales[, zero points]; with `bits` 4, uint8 data has two
/// elements per byte along the last axis. The scales have the result's format.
LogicalResult
gpucost::onnx::inferGatherBlockQuantized(InferenceContext &context) {
  RankedTensorType data = context.getInputType(0);
  RankedTensorType indices = context.getInputType(1);
  if (!data || !indices)
    return success();
  auto axis = normalizeAxis(context.getInt("gather_axis"), data.getRank());
  if (!axis)
    return emitAxisError(context, context.getInt("gather_axis"),
                         data.getShape());
  Dims sizes(data.getShape());
  int64_t bits = context.getInt("bits");
  if (data.getElementType().isInteger(8) && bits > 0 && bits < 8)
    sizes.back() = mulDims(sizes.back(), 8 / bits);
  Dims shape(ArrayRef(sizes).take_front(*axis));
  llvm::append_range(shape, indices.getShape());
  llvm::append_range(shape, ArrayRef(sizes).drop_front(*axis + 1));
  return context.setType(0, shape, context.getInputElementType(2));
}

LogicalResult gpucost::onnx::inferQuantizeWithOrder(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  return type ? context.setType(0, type.getShape(),
                                IntegerType::get(context.getMLIRContext(), 8))
              : success();
}

/// The result has the format of the scale.
LogicalResult
gpucost::onnx::inferDequantizeWithOrder(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  Type to = getElementType(context.getMLIRContext(), context.getInt("to"));
  return type && to ? context.setType(0, type.getShape(), to) : success();
}
