//===- InferTraining.cpp - Types of gradient operators --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A gradient has the type of the tensor it belongs to.

#include "Inference.h"
#include "InferenceHelpers.h"

using namespace mlir;
using namespace gpucost::onnx;

LogicalResult gpucost::onnx::copyType(InferenceContext &context,
                                      unsigned result, unsigned operand) {
  RankedTensorType type = context.getInputType(operand);
  return type ? context.setType(result, type.getShape(), type.getElementType())
              : success();
}

LogicalResult gpucost::onnx::copyTypes(
    InferenceContext &context,
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

/// (dY, X, W [in, out / group, ...]) -> dX, dW, dB [out].
LogicalResult gpucost::onnx::inferConvTransposeGrad(InferenceContext &context) {
  if (RankedTensorType gradient = context.getInputType(0);
      gradient && gradient.getRank() > 1)
    if (failed(context.setType(2, gradient.getDimSize(1),
                               gradient.getElementType())))
      return failure();
  return copyTypes(context, {{0, 1}, {1, 2}});
}

/// (X, W, R, ...) -> dX, dW, dR.
LogicalResult gpucost::onnx::inferRecurrentGrad(InferenceContext &context) {
  return copyTypes(context, {{0, 0}, {1, 1}, {2, 2}});
}

/// The results of the layer; then the cells [steps, directions, batch, hidden]
/// (LSTM) and the gates [steps, directions, batch, gates].
static LogicalResult inferLayerTraining(InferenceContext &context, bool lstm) {
  if (failed(inferRecurrent(context)))
    return failure();
  RankedTensorType all = context.getOutputType(0), r = context.getInputType(2);
  if (!all || all.getRank() != 4)
    return success();
  // (Y, Y_h, Y_c, cells, gates) or (Y, Y_h, gates).
  if (lstm && failed(context.setType(3, all.getShape(), all.getElementType())))
    return failure();
  Dims gates(all.getShape());
  gates.back() = r && r.getRank() == 3 ? r.getDimSize(1) : unknownDim;
  return context.setType(lstm ? 4 : 2, gates, all.getElementType());
}

LogicalResult gpucost::onnx::inferLSTMTraining(InferenceContext &context) {
  return inferLayerTraining(context, /*lstm=*/true);
}

LogicalResult gpucost::onnx::inferGRUTraining(InferenceContext &context) {
  return inferLayerTraining(context, /*lstm=*/false);
}

/// Logits, labels -> mean loss, log-probabilities.
LogicalResult gpucost::onnx::inferDenseLoss(InferenceContext &context) {
  RankedTensorType logits = context.getInputType(0);
  if (!logits)
    return success();
  if (failed(context.setType(0, ArrayRef<int64_t>(), logits.getElementType())))
    return failure();
  return copyTypes(context, {{1, 0}});
}

/// (X, scale, bias, mean, variance) -> Y, running and saved statistics.
LogicalResult gpucost::onnx::inferBatchNormInternal(InferenceContext &context) {
  return copyTypes(context, {{0, 0}, {1, 3}, {2, 4}, {3, 3}, {4, 4}});
}

/// [a, b, ...], indices [n] -> rows [n, ...], (a, b).
LogicalResult gpucost::onnx::inferFlattenAndUnpad(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  RankedTensorType indices = context.getInputType(1);
  if (!type || !indices || type.getRank() < 2 || indices.getRank() != 1)
    return success();
  Dims shape = {indices.getDimSize(0)};
  llvm::append_range(shape, type.getShape().drop_front(2));
  if (failed(context.setType(1, 2,
                             IntegerType::get(context.getMLIRContext(), 64))))
    return failure();
  return context.setType(0, shape, type.getElementType());
}

/// Rows [n, ...], indices [n], (a, b) -> [a, b, ...].
LogicalResult gpucost::onnx::inferPadAndUnflatten(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  auto sizes = context.getInputDims(2);
  if (!type || !sizes || type.getRank() < 1)
    return success();
  Dims shape(*sizes);
  llvm::append_range(shape, type.getShape().drop_front());
  return context.setType(0, shape, type.getElementType());
}

/// `group_size` parts along axis 0.
LogicalResult gpucost::onnx::inferAllGather(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  int64_t axis = context.getInt("axis");
  int64_t parts = context.getInt("group_size");
  if (!type || axis < 0 || axis >= type.getRank() || parts < 1)
    return success();
  Dims shape(type.getShape());
  shape[axis] = mulDims(shape[axis], parts);
  return context.setType(0, shape, type.getElementType());
}

/// Axes over which a gradient is summed to undo the broadcast of two shapes.
void gpucost::onnx::foldBroadcastGradientArgs(InferenceContext &context) {
  auto a = context.getInputInts(0), b = context.getInputInts(1);
  if (!a || !b)
    return;
  size_t rank = std::max(a->size(), b->size());
  a->insert(a->begin(), rank - a->size(), 1);
  b->insert(b->begin(), rank - b->size(), 1);
  Dims axes[2];
  for (size_t i = rank; i-- > 0;) {
    if ((*a)[i] == 1)
      axes[0].push_back(i);
    if ((*b)[i] == 1)
      axes[1].push_back(i);
  }
  Type i64 = IntegerType::get(context.getMLIRContext(), 64);
  for (unsigned i = 0; i < std::min(context.getNumOutputs(), 2u); ++i) {
    if (failed(context.setType(i, axes[i].size(), i64)))
      return;
    SmallTensor list(context.getOutputType(i));
    llvm::copy(axes[i], list.ints.begin());
    context.setValue(i, std::move(list));
  }
}

LogicalResult gpucost::onnx::inferIsAllFinite(InferenceContext &context) {
  return context.setType(0, ArrayRef<int64_t>(),
                         IntegerType::get(context.getMLIRContext(), 1));
}

LogicalResult gpucost::onnx::inferReduceAllL2(InferenceContext &context) {
  return context.setType(0, ArrayRef<int64_t>(),
                         Float32Type::get(context.getMLIRContext()));
}

LogicalResult gpucost::onnx::inferLikeSecond(InferenceContext &context) {
  return copyType(context, 0, 1);
}

/// A gradient with the shape in operand `shape` and the format of `like`.
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

/// (signal, scale, norm, rate, step, then W, G, moment 1, moment 2, half W of
/// each parameter) -> step, then W, G, moment 1, moment 2, half W of each.
LogicalResult gpucost::onnx::inferLambOptimizer(InferenceContext &context) {
  for (unsigned i = 0; i < context.getNumOutputs(); ++i)
    if (failed(copyType(context, i, i + 4)))
      return failure();
  return success();
}

/// (rate, W, G) -> W, G.
LogicalResult gpucost::onnx::inferSGDOptimizer(InferenceContext &context) {
  return copyTypes(context, {{0, 1}, {1, 2}});
}

/// (rate, count, tensors, gradients, states...) -> tensors, states: `kinds`
/// lists of equal length.
static LogicalResult inferUpdate(InferenceContext &context, unsigned kinds) {
  if (context.getNumInputs() < 2 || (context.getNumInputs() - 2) % kinds)
    return success();
  unsigned count = (context.getNumInputs() - 2) / kinds;
  for (unsigned i = 0; i < context.getNumOutputs(); ++i)
    if (failed(copyType(context, i, 2 + i + (i < count ? 0 : count))))
      return failure();
  return success();
}

LogicalResult gpucost::onnx::inferParameterUpdate(InferenceContext &context) {
  return inferUpdate(context, /*kinds=*/3);
}

LogicalResult gpucost::onnx::inferAdam(InferenceContext &context) {
  return inferUpdate(context, /*kinds=*/4);
}
