//===- InferSequence.cpp - Types of attention and recurrent ops -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost::onnx;

namespace {
/// Sizes of an attention op in any operand layout.
struct AttentionSizes {
  int64_t batch, heads, kvHeads, queries, keys, headDim, valueDim;
};
} // namespace

/// Error that the operands cannot be queries, keys and values.
static LogicalResult emitMismatch(InferenceContext &context) {
  auto shape = [&](unsigned i) {
    return formatShape(context.getInputType(i).getShape());
  };
  return context.emitError()
         << "operand shapes " << shape(0) << ", " << shape(1) << " and "
         << shape(2) << " do not fit as queries, keys and values";
}

/// Whether two dimensions may be equal.
static bool agree(int64_t a, int64_t b) {
  return a == b || !isKnownDim(a) || !isKnownDim(b);
}

/// Checks [batch, heads, length, size] operands with head axis `headAxis`.
static bool readSizes(ArrayRef<int64_t> q, ArrayRef<int64_t> k,
                      ArrayRef<int64_t> v, unsigned headAxis,
                      AttentionSizes &sizes) {
  unsigned lengthAxis = 3 - headAxis;
  sizes = {q[0],          q[headAxis], k[headAxis], q[lengthAxis],
           k[lengthAxis], q[3],        v[3]};
  return agree(q[0], k[0]) && agree(k[0], v[0]) && agree(q[3], k[3]) &&
         agree(k[headAxis], v[headAxis]) && agree(k[lengthAxis], v[lengthAxis]);
}

LogicalResult gpucost::onnx::inferFusedAttention(InferenceContext &context) {
  RankedTensorType q = context.getInputType(0), k = context.getInputType(1),
                   v = context.getInputType(2);
  if (!q || !k || !v)
    return success();
  unsigned headAxis = context.getString("layout") == "BSHD" ? 2 : 1;
  AttentionSizes sizes;
  if (q.getRank() != 4 || k.getRank() != 4 || v.getRank() != 4 ||
      !readSizes(q.getShape(), k.getShape(), v.getShape(), headAxis, sizes))
    return emitMismatch(context);
  Dims shape(q.getShape());
  shape[3] = sizes.valueDim;
  return context.setType(0, shape, q.getElementType());
}

/// Attention-23: operands Q, K, V, mask, past key, past value, of rank 4 or,
/// with `q_num_heads` and `kv_num_heads`, [batch, length, heads * size].
/// Results: Y, present key, present value, scores.
LogicalResult gpucost::onnx::inferAttention(InferenceContext &context) {
  RankedTensorType q = context.getInputType(0), k = context.getInputType(1),
                   v = context.getInputType(2);
  if (!q || !k || !v)
    return success();
  for (StringRef name : {"left_window_size", "right_window_size"})
    if (std::optional<int64_t> size = context.findInt(name); size && *size < -1)
      return context.emitError()
             << name << " is " << *size << ", expected -1 or more";
  bool packed = q.getRank() == 3;
  AttentionSizes sizes;
  if (packed) {
    int64_t heads = context.getInt("q_num_heads");
    int64_t kvHeads = context.findInt("kv_num_heads").value_or(heads);
    if (k.getRank() != 3 || v.getRank() != 3 || heads <= 0 || kvHeads <= 0)
      return emitMismatch(context);
    auto unpack = [](RankedTensorType type, int64_t count) {
      return Dims{type.getDimSize(0), type.getDimSize(1), count,
                  floorDivDims(type.getDimSize(2), count)};
    };
    if (!readSizes(unpack(q, heads), unpack(k, kvHeads), unpack(v, kvHeads),
                   /*headAxis=*/2, sizes))
      return emitMismatch(context);
  } else if (q.getRank() != 4 || k.getRank() != 4 || v.getRank() != 4 ||
             !readSizes(q.getShape(), k.getShape(), v.getShape(), 1, sizes)) {
    return emitMismatch(context);
  }
  int64_t total = sizes.keys;
  if (RankedTensorType past = context.getInputType(4))
    total =
        addDims(total, past.getRank() == 4 ? past.getDimSize(2) : unknownDim);
  Dims result = {sizes.batch, sizes.heads, sizes.queries, sizes.valueDim};
  if (packed)
    result = {sizes.batch, sizes.queries, mulDims(sizes.heads, sizes.valueDim)};
  if (failed(context.setType(1,
                             {sizes.batch, sizes.kvHeads, total, sizes.headDim},
                             k.getElementType())) ||
      failed(context.setType(
          2, {sizes.batch, sizes.kvHeads, total, sizes.valueDim},
          v.getElementType())) ||
      failed(context.setType(3,
                             {sizes.batch, sizes.heads, sizes.queries, total},
                             q.getElementType())))
    return failure();
  return context.setType(0, result, q.getElementType());
}

/// Present keys and values of MultiHeadAttention: [batch, heads, length, size].
static LogicalResult inferPresent(InferenceContext &context, bool decoder) {
  int64_t heads = context.getInt("num_heads");
  RankedTensorType query = context.getInputType(0);
  for (unsigned i = 0; i < 2; ++i) {
    RankedTensorType past = context.getInputType((decoder ? 5 : 6) + i);
    RankedTensorType given = context.getInputType(1 + i);
    Dims shape;
    if (decoder && past) {
      shape = Dims(past.getShape());
      if (shape.size() == 4 && !context.getInt("past_present_share_buffer"))
        shape[2] = addDims(shape[2], query.getDimSize(1));
    } else {
      if (!given || heads <= 0 ||
          (given.getRank() != 3 && given.getRank() != 4))
        continue;
      bool split = given.getRank() == 4;
      shape = {query.getDimSize(0), heads, given.getDimSize(split ? 2 : 1),
               split ? given.getDimSize(3)
                     : floorDivDims(given.getDimSize(2), heads)};
      if (past && past.getRank() == 4)
        shape[2] = addDims(shape[2], past.getDimSize(2));
    }
    if (failed(context.setType(1 + i, shape, query.getElementType())))
      return failure();
  }
  return success();
}

/// Contrib: query [batch, length, hidden]; value [batch, length, hidden] or
/// [batch, heads, length, size]; packed QKV [batch, length, heads, 3, size].
/// Results: Y, present key, present value. The decoder's caches are operands 5
/// and 6 and have their final size; else they are operands 6 and 7 and grow.
static LogicalResult inferMultiHead(InferenceContext &context, bool decoder) {
  RankedTensorType query = context.getInputType(0);
  RankedTensorType value = context.getInputType(2);
  if (!query)
    return success();
  Type elementType = query.getElementType();
  if (query.getRank() == 5)
    return context.setType(0,
                           {query.getDimSize(0), query.getDimSize(1),
                            mulDims(query.getDimSize(2), query.getDimSize(4))},
                           elementType);
  if (query.getRank() != 3)
    return success();
  if (failed(inferPresent(context, decoder)))
    return failure();
  int64_t hidden = query.getDimSize(2);
  if (value && value.getRank() == 3)
    hidden = value.getDimSize(2);
  else if (value && value.getRank() == 4)
    hidden = mulDims(value.getDimSize(1), value.getDimSize(3));
  return context.setType(0, {query.getDimSize(0), query.getDimSize(1), hidden},
                         elementType);
}

LogicalResult
gpucost::onnx::inferMultiHeadAttention(InferenceContext &context) {
  return inferMultiHead(context, /*decoder=*/false);
}

LogicalResult
gpucost::onnx::inferDecoderMaskedAttention(InferenceContext &context) {
  return inferMultiHead(context, /*decoder=*/true);
}

/// Contrib: query [batch, length, hidden], or packed QKV when key is absent.
/// Results: Y, present key, present value.
static LogicalResult inferGroupQuery(InferenceContext &context,
                                     bool hasOneBuffer) {
  RankedTensorType query = context.getInputType(0);
  int64_t heads = context.getInt("num_heads");
  int64_t kvHeads = context.findInt("kv_num_heads").value_or(heads);
  if (context.findInt("causal").value_or(1) == 0 &&
      context.getInt("local_window_size") > 0)
    return context.emitError() << "a window requires a causal mask";
  if (!query || query.getRank() != 3 || heads <= 0 || kvHeads <= 0)
    return success();
  bool packed = !context.hasInput(1);
  int64_t size =
      floorDivDims(query.getDimSize(2),
                   packed ? addDims(heads, mulDims(2, kvHeads)) : heads);
  // Present keys fill the past buffer, or are appended to the past keys;
  // operand 6 is the total length. Quantised caches keep their elements, two of
  // which may share a byte.
  auto given = context.getInputInts(6);
  RankedTensorType past = context.getInputType(3);
  int64_t before = past && past.getRank() == 4 ? past.getDimSize(2) : 0;
  int64_t total = addDims(before, query.getDimSize(1));
  if (given && given->size() == 1 && isKnownDim(before))
    total = std::max((*given)[0], before);
  // SparseAttention always operates on one buffer.
  if (past && past.getRank() == 4 && hasOneBuffer)
    total = before;
  for (unsigned i : {1u, 2u}) {
    RankedTensorType cache = context.getInputType(2 + i);
    bool split = cache && cache.getRank() == 4;
    if (failed(context.setType(i,
                               {query.getDimSize(0), kvHeads, total,
                                split ? cache.getDimSize(3) : size},
                               split ? cache.getElementType()
                                     : query.getElementType())))
      return failure();
  }
  return context.setType(
      0, {query.getDimSize(0), query.getDimSize(1), mulDims(heads, size)},
      query.getElementType());
}

LogicalResult
gpucost::onnx::inferGroupQueryAttention(InferenceContext &context) {
  return inferGroupQuery(context, /*hasOneBuffer=*/false);
}

LogicalResult gpucost::onnx::inferSparseAttention(InferenceContext &context) {
  return inferGroupQuery(context, /*hasOneBuffer=*/true);
}

/// X [length, batch, input] (or batch first with `layout` 1), W [directions,
/// gates * hidden, input]. Results: Y, last hidden state, last cell state.
LogicalResult gpucost::onnx::inferRecurrent(InferenceContext &context) {
  RankedTensorType x = context.getInputType(0), r = context.getInputType(2);
  if (!x || x.getRank() != 3)
    return success();
  int64_t hidden = context.getInt("hidden_size");
  if (hidden <= 0)
    hidden = r && r.getRank() == 3 ? r.getDimSize(2) : unknownDim;
  int64_t directions =
      context.getString("direction") == "bidirectional" ? 2 : 1;
  bool batchFirst = context.getInt("layout") != 0;
  int64_t length = x.getDimSize(batchFirst ? 1 : 0);
  int64_t batch = x.getDimSize(batchFirst ? 0 : 1);
  Dims all = batchFirst ? Dims{batch, length, directions, hidden}
                        : Dims{length, directions, batch, hidden};
  Dims last = batchFirst ? Dims{batch, directions, hidden}
                         : Dims{directions, batch, hidden};
  if (failed(context.setType(1, last, x.getElementType())) ||
      failed(context.setType(2, last, x.getElementType())))
    return failure();
  return context.setType(0, all, x.getElementType());
}
