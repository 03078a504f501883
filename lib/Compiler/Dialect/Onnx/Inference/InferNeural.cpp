//===- InferNeural.cpp - Types of normalisations and losses ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "InferenceHelpers.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost::onnx;

/// Results: Y, then running or saved statistics of [C].
LogicalResult gpucost::onnx::inferBatchNorm(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  RankedTensorType scale = context.getInputType(1);
  int64_t channels = type.getRank() > 1 ? type.getDimSize(1) : 1;
  // Until opset 8 each position could have a separate scale.
  bool perChannel = context.getInt("spatial") != 0;
  if (scale && perChannel && isKnownDim(channels) &&
      (scale.getRank() != 1 ||
       (isKnownDim(scale.getDimSize(0)) && scale.getDimSize(0) != channels)))
    return context.emitError()
           << "cannot scale " << formatShape(type.getShape()) << " with "
           << formatShape(scale.getShape());
  Type elementType = scale ? scale.getElementType() : type.getElementType();
  for (unsigned i = 1; i < context.getNumOutputs(); ++i)
    if (failed(context.setType(i, channels, elementType)))
      return failure();
  return context.setType(0, type.getShape(), type.getElementType());
}

/// Results: Y, then mean and inverse deviation with 1 for each normalised axis.
LogicalResult gpucost::onnx::inferLayerNorm(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  auto axis = normalizeAxis(context.getInt("axis"), type.getRank());
  if (!axis)
    return emitAxisError(context, context.getInt("axis"), type.getShape());
  if (RankedTensorType scale = context.getInputType(1))
    if (!broadcastShapes(type.getShape(), scale.getShape()) ||
        scale.getRank() > type.getRank())
      return context.emitError()
             << "cannot scale " << formatShape(type.getShape()) << " with "
             << formatShape(scale.getShape());
  Dims statistics(type.getShape());
  for (int64_t i = *axis; i < type.getRank(); ++i)
    statistics[i] = 1;
  Type stash =
      getElementType(context.getMLIRContext(), context.getInt("stash_type"));
  for (unsigned i = 1; i < context.getNumOutputs(); ++i)
    if (failed(context.setType(i, statistics, stash)))
      return failure();
  return context.setType(0, type.getShape(), type.getElementType());
}

/// Up to opset 12 the axis defaults to 1; all dimensions from it form a row.
LogicalResult gpucost::onnx::inferSoftmax(InferenceContext &context) {
  if (context.getOpset() < 13) {
    Operation *op = context.getOperation();
    Builder builder(op->getContext());
    if (!context.hasAttr("axis"))
      op->setAttr("axis", builder.getI64IntegerAttr(1));
    op->setAttr(rowsFromAxisAttrName, builder.getUnitAttr());
  }
  return inferSameAsFirst(context);
}

LogicalResult gpucost::onnx::inferDropout(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type)
    return success();
  // The mask is boolean since opset 10.
  Type mask = IntegerType::get(context.getMLIRContext(), 1);
  if (context.getOpset() < 10)
    mask = type.getElementType();
  if (failed(context.setType(1, type.getShape(), mask)))
    return failure();
  return context.setType(0, type.getShape(), type.getElementType());
}

/// Scores [N, C, ...] and labels [N, ...]; results: loss, log probabilities.
LogicalResult gpucost::onnx::inferLoss(InferenceContext &context) {
  RankedTensorType scores = context.getInputType(0);
  RankedTensorType labels = context.getInputType(1);
  if (!scores || !labels)
    return success();
  bool perElement = context.getString("reduction") == "none";
  if (failed(context.setType(1, scores.getShape(), scores.getElementType())))
    return failure();
  return context.setType(0,
                         perElement ? labels.getShape() : ArrayRef<int64_t>(),
                         scores.getElementType());
}

LogicalResult gpucost::onnx::inferSkipGroupNorm(InferenceContext &context) {
  return copyTypes(context, {{0, 0}, {1, 0}});
}

/// Operands: input, skip, ...; results: Y, mean, inverse deviation, their sum.
LogicalResult gpucost::onnx::inferSkipLayerNorm(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type || type.getRank() == 0)
    return success();
  Dims statistics(type.getShape());
  statistics.back() = 1;
  Type f32 = Float32Type::get(context.getMLIRContext());
  if (failed(context.setType(1, statistics, f32)) ||
      failed(context.setType(2, statistics, f32)) ||
      failed(context.setType(3, type.getShape(), type.getElementType())))
    return failure();
  return context.setType(0, type.getShape(), type.getElementType());
}

/// Operands: input_ids, segment_ids, three embedding tables, ...; results: Y,
/// mask index, sum of the embeddings.
LogicalResult gpucost::onnx::inferEmbedLayerNorm(InferenceContext &context) {
  RankedTensorType ids = context.getInputType(0);
  RankedTensorType table = context.getInputType(2);
  if (!ids || !table || ids.getRank() != 2 || table.getRank() != 2)
    return success();
  Dims shape = {ids.getDimSize(0), ids.getDimSize(1), table.getDimSize(1)};
  if (failed(context.setType(1, ids.getDimSize(0),
                             IntegerType::get(context.getMLIRContext(), 32))) ||
      failed(context.setType(2, shape, table.getElementType())))
    return failure();
  return context.setType(0, shape, table.getElementType());
}
