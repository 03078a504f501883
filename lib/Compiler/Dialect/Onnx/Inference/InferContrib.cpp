//===- InferContrib.cpp - Types of fused ops ------------------------------===//
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

//===----------------------------------------------------------------------===//
// Attention of com.microsoft
//===----------------------------------------------------------------------===//

/// Input [..., D], weights [D, 3H]; `qkv_hidden_sizes` may split 3H unevenly.
/// Results: Y [..., H], present state [2, batch, heads, past + length, size].
static LogicalResult inferProjected(InferenceContext &context, unsigned past,
                                    Type elementType) {
  RankedTensorType input = context.getInputType(0);
  RankedTensorType weights = context.getInputType(1);
  if (!input || !weights || input.getRank() < 2 || weights.getRank() != 2)
    return success();
  int64_t hidden = floorDivDims(weights.getDimSize(1), 3);
  auto sizes = context.getInts("qkv_hidden_sizes");
  if (sizes && sizes->size() == 3)
    hidden = (*sizes)[2];
  int64_t heads = context.getInt("num_heads");
  if (input.getRank() == 3 && heads > 0) {
    int64_t length = input.getDimSize(1);
    if (RankedTensorType state = context.getInputType(past);
        state && state.getRank() == 5)
      length = context.getInt("past_present_share_buffer") != 0
                   ? state.getDimSize(3)
                   : addDims(length, state.getDimSize(3));
    if (failed(context.setType(1,
                               {2, input.getDimSize(0), heads, length,
                                floorDivDims(hidden, heads)},
                               elementType)))
      return failure();
  }
  Dims shape(input.getShape());
  shape.back() = hidden;
  return context.setType(0, shape, elementType);
}

LogicalResult gpucost::onnx::inferContribAttention(InferenceContext &context) {
  return inferProjected(context, 4, context.getInputElementType(0));
}

/// Integer input and weights; their scales have the type of the result.
LogicalResult gpucost::onnx::inferQAttention(InferenceContext &context) {
  return inferProjected(context, 8, context.getInputElementType(3));
}

/// Query [tokens, hidden] or packed [tokens, heads, 3, size]; value [tokens,
/// H].
LogicalResult
gpucost::onnx::inferPackedMultiHeadAttention(InferenceContext &context) {
  RankedTensorType query = context.getInputType(0);
  RankedTensorType value = context.getInputType(2);
  if (!query)
    return success();
  Dims shape(query.getShape());
  if (query.getRank() == 4)
    shape = {query.getDimSize(0),
             mulDims(query.getDimSize(1), query.getDimSize(3))};
  else if (value && value.getRank() == 2 && query.getRank() == 2)
    shape[1] = value.getDimSize(1);
  return context.setType(0, shape, query.getElementType());
}

/// Query [tokens, hidden], packed with K and V when key is absent; the caches
/// (3, 4) are updated in place.
LogicalResult gpucost::onnx::inferPagedAttention(InferenceContext &context) {
  RankedTensorType query = context.getInputType(0);
  int64_t heads = context.getInt("num_heads");
  int64_t kvHeads = context.findInt("kv_num_heads").value_or(heads);
  StringRef layout = context.getString("kv_cache_layout");
  bool latent = layout == "LATENT";
  if (!latent && !layout.empty() && layout != "SEPARATE")
    return context.emitError() << "unknown kv_cache_layout '" << layout << "'";
  if (latent && (context.hasInput(2) || context.hasInput(4) || kvHeads != 1))
    return context.emitError() << "a latent cache has one key head and no "
                                  "values (operands 2 and 4)";
  if (!query || query.getRank() != 2 || heads <= 0 || kvHeads <= 0)
    return success();
  int64_t hidden = query.getDimSize(1);
  if (!context.hasInput(1))
    hidden = mulDims(heads,
                     floorDivDims(hidden, addDims(heads, mulDims(2, kvHeads))));
  // A latent cache has narrower values than keys.
  if (int64_t size = context.getInt("v_head_size"); size > 0)
    hidden = mulDims(heads, size);
  if (failed(copyTypes(context, {{1, 3}, {2, 4}})))
    return failure();
  return context.setType(0, {query.getDimSize(0), hidden},
                         query.getElementType());
}

/// Table [buckets, heads], query length, key length -> [1, heads, q, k].
LogicalResult
gpucost::onnx::inferRelativePositionBias(InferenceContext &context) {
  RankedTensorType table = context.getInputType(0);
  if (!table || table.getRank() != 2)
    return success();
  auto length = [&](unsigned i) {
    auto value = context.getInputInts(i);
    return value && value->size() == 1 ? (*value)[0] : unknownDim;
  };
  return context.setType(0, {1, table.getDimSize(1), length(1), length(2)},
                         table.getElementType());
}

/// Query [batch, length, hidden] -> [batch, heads, length, length].
LogicalResult
gpucost::onnx::inferGatedRelativePositionBias(InferenceContext &context) {
  RankedTensorType query = context.getInputType(0);
  if (!query || query.getRank() != 3)
    return success();
  int64_t length = query.getDimSize(1);
  return context.setType(
      0, {query.getDimSize(0), context.getInt("num_heads"), length, length},
      query.getElementType());
}

/// [batch, length, hidden] -> rows of tokens (their number depends on data),
/// the offset of each token, cumulative lengths, the longest length.
LogicalResult gpucost::onnx::inferRemovePadding(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  if (!type || type.getRank() != 3)
    return success();
  Type i32 = IntegerType::get(context.getMLIRContext(), 32);
  int64_t batch = type.getDimSize(0);
  if (failed(context.setType(1, {batch, type.getDimSize(1)}, i32)) ||
      failed(context.setType(2, addDims(batch, 1), i32)) ||
      failed(context.setType(3, 1, i32)))
    return failure();
  return context.setType(0, {unknownDim, type.getDimSize(2)},
                         type.getElementType());
}

/// [tokens, hidden], offsets [batch, length] -> [batch, length, hidden].
LogicalResult gpucost::onnx::inferRestorePadding(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  RankedTensorType offsets = context.getInputType(1);
  if (!type || !offsets || type.getRank() != 2 || offsets.getRank() != 2)
    return success();
  return context.setType(
      0, {offsets.getDimSize(0), offsets.getDimSize(1), type.getDimSize(1)},
      type.getElementType());
}

//===----------------------------------------------------------------------===//
// Arithmetic of com.microsoft and onnx_extended
//===----------------------------------------------------------------------===//

/// Points [m, d] and [n, d] -> distances [m, n].
LogicalResult gpucost::onnx::inferPairwiseDistance(InferenceContext &context) {
  RankedTensorType a = context.getInputType(0), b = context.getInputType(1);
  if (!a || !b)
    return success();
  if (a.getRank() != 2 || b.getRank() != 2 ||
      (a.getDimSize(1) != b.getDimSize(1) && !a.isDynamicDim(1) &&
       !b.isDynamicDim(1)))
    return context.emitError()
           << "operand shapes " << formatShape(a.getShape()) << " and "
           << formatShape(b.getShape()) << " are not two lists of points";
  return context.setType(0, {a.getDimSize(0), b.getDimSize(0)},
                         a.getElementType());
}

/// One 32-bit hash for each element.
LogicalResult gpucost::onnx::inferMurmurHash(InferenceContext &context) {
  RankedTensorType type = context.getInputType(0);
  bool positive = context.getInt("positive") != 0;
  return type ? context.setType(0, type.getShape(),
                                IntegerType::get(context.getMLIRContext(), 32,
                                                 positive
                                                     ? IntegerType::Unsigned
                                                     : IntegerType::Signless))
              : success();
}

/// (angles, Q, rotated Q, K, rotated K) -> Q, K.
LogicalResult
gpucost::onnx::inferGemmaRotaryEmbedding(InferenceContext &context) {
  return copyTypes(context, {{0, 1}, {1, 3}});
}

//===----------------------------------------------------------------------===//
// Old and training ops
//===----------------------------------------------------------------------===//

/// Result i is operand i.
LogicalResult gpucost::onnx::inferPassThrough(InferenceContext &context) {
  for (unsigned i = 0; i < context.getNumOutputs(); ++i)
    if (failed(copyType(context, i, i)))
      return failure();
  return success();
}

/// (buffer, gradient, overwrite) -> flag [1], buffer.
LogicalResult gpucost::onnx::inferAccumulator(InferenceContext &context) {
  if (failed(
          context.setType(0, 1, IntegerType::get(context.getMLIRContext(), 1))))
    return failure();
  return copyType(context, 1, 0);
}

/// (scale, tensors...) -> tensors in format `to`.
LogicalResult
gpucost::onnx::inferMixedPrecisionScale(InferenceContext &context) {
  Type to = getElementType(context.getMLIRContext(), context.getInt("to"));
  for (unsigned i = 0; i < context.getNumOutputs(); ++i)
    if (RankedTensorType type = context.getInputType(i + 1))
      if (failed(context.setType(i, type.getShape(),
                                 to ? to : type.getElementType())))
        return failure();
  return success();
}

/// The shape is an attribute, or the operand's value or shape.
LogicalResult gpucost::onnx::inferConstantFill(InferenceContext &context) {
  Type elementType =
      getElementType(context.getMLIRContext(), context.getInt("dtype"));
  if (auto shape = context.getInts("shape");
      shape && context.getNumInputs() == 0)
    return context.setType(0, *shape, elementType);
  if (context.getInt("input_as_shape") != 0) {
    auto shape = context.getInputDims(0);
    return shape ? context.setType(0, *shape, elementType) : success();
  }
  RankedTensorType type = context.getInputType(0);
  return type ? context.setType(0, type.getShape(), elementType) : success();
}
