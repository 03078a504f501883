//===- InferTraining.cpp - Types of gradient operators ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A gradient has the type of what it is the gradient of.

#include "Inference.h"

using namespace mlir;
using namespace gpucost::onnx;

/// Result `result` has the type of operand `operand`.
static LogicalResult copyType(InferenceContext &context, unsigned result,
                              unsigned operand) {
  RankedTensorType type = context.getInputType(operand);
  return type ? context.setType(result, type.getShape(), type.getElementType())
              : success();
}

static LogicalResult
copyTypes(InferenceContext &context,
          std::initializer_list<std::pair<unsigned, unsigned>> pairs) {
  for (auto [result, operand] : pairs)
    if (failed(copyType(context, result, operand)))
      return failure();
  return success();
}

/// (dY, X, W) -> dX, dW, dB.
LogicalResult gpucost::onnx::inferConvGrad(InferenceContext &context) {
  if (RankedTensorType weight = context.getInputType(2);
      weight && weight.getRank() > 0)
    if (failed(
            context.setType(2, weight.getDimSize(0), weight.getElementType())))
      return failure();
  return copyTypes(context, {{0, 1}, {1, 2}});
}

/// (dY, X, scale, ...) -> dX, dScale, dBias.
LogicalResult gpucost::onnx::inferNormGrad(InferenceContext &context) {
  return copyTypes(context, {{0, 1}, {1, 2}, {2, 2}});
}

/// (dY, A, B) -> dA, dB.
LogicalResult gpucost::onnx::inferBinaryGrad(InferenceContext &context) {
  return copyTypes(context, {{0, 1}, {1, 2}});
}

LogicalResult gpucost::onnx::inferIsAllFinite(InferenceContext &context) {
  return context.setType(0, ArrayRef<int64_t>(), IntegerType::get(context.getMLIRContext(), 1));
}

LogicalResult gpucost::onnx::inferReduceAllL2(InferenceContext &context) {
  return context.setType(0, ArrayRef<int64_t>(), Float32Type::get(context.getMLIRContext()));
}

LogicalResult gpucost::onnx::inferLikeSecond(InferenceContext &context) {
  return copyType(context, 0, 1);
}

/// A gradient of the shape that operand `shape` holds, in the format of operand
/// `like`.
static LogicalResult inferFromShape(InferenceContext &context, unsigned shape,
                                    unsigned like) {
  auto dims = context.getInputDims(shape);
  Type element = context.getInputElementType(like);
  return dims && element ? context.setType(0, *dims, element) : success();
}

/// (shape, indices, dY) -> dX.
LogicalResult gpucost::onnx::inferGatherGrad(InferenceContext &context) {
  return inferFromShape(context, 0, 2);
}

/// (dY, shape, starts, ends, axes, steps) -> dX.
LogicalResult gpucost::onnx::inferSliceGrad(InferenceContext &context) {
  return inferFromShape(context, 1, 0);
}

/// (rate, step, W, G, moment 1, moment 2, ...) -> step, moments, W, ...
LogicalResult gpucost::onnx::inferAdamOptimizer(InferenceContext &context) {
  return copyTypes(context, {{0, 1}, {1, 4}, {2, 5}, {3, 2}, {4, 3}});
}

/// (rate, W, G) -> W, G.
LogicalResult gpucost::onnx::inferSGDOptimizer(InferenceContext &context) {
  return copyTypes(context, {{0, 1}, {1, 2}});
}

/// (rate, count, tensors, gradients, states...) -> tensors, states.
LogicalResult gpucost::onnx::inferParameterUpdate(InferenceContext &context) {
  bool adam = context.getOperation()->getName().stripDialect() == "Adam";
  unsigned kinds = adam ? 4 : 3;
  if (context.getNumInputs() < 2 || (context.getNumInputs() - 2) % kinds)
    return success();
  unsigned count = (context.getNumInputs() - 2) / kinds;
  for (unsigned i = 0; i < context.getNumOutputs(); ++i)
    if (failed(copyType(context, i, 2 + i + (i < count ? 0 : count))))
      return failure();
  return success();
}
