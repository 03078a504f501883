//===- InferStates.cpp - Types of recurrent states and chosen keys --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "InferenceHelpers.h"
#include "Rules/OpRule.h"
#include "Work/DeltaNet.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost::onnx;

//===----------------------------------------------------------------------===//
// State spaces
//===----------------------------------------------------------------------===//

/// X [batch, channels, positions...], weight [channels, 1, taps...] -> Y like
/// X, the positions before the next input. With `channels_last` [batch,
/// positions, channels...]; with `state_window` a state after each of the last
/// positions.
LogicalResult gpucost::onnx::inferCausalConv(InferenceContext &context) {
  RankedTensorType x = context.getInputType(0), w = context.getInputType(1);
  if (!x)
    return success();
  bool last = context.getInt("channels_last") != 0;
  int64_t spatial = std::clamp<int64_t>(context.getInt("ndim"), 1, 64);
  if (x.getRank() < 3 || (!last && x.getRank() != spatial + 2) ||
      (last && spatial != 1) || (w && w.getRank() != spatial + 2))
    return context.emitError()
           << "operand shapes " << formatShape(x.getShape())
           << (w ? " and " + formatShape(w.getShape()) : "")
           << " do not fit as input and weight of a convolution over "
           << spatial << " dimensions" << (last ? " with channels last" : "");
  int64_t taps = w ? w.getShape().back() : unknownDim;
  int64_t length = context.getInt("state_length");
  if (length <= 0)
    length = mulDims(subDims(taps, 1),
                     std::max<int64_t>(context.getInt("dilation"), 1));
  Dims y(x.getShape()), state(x.getShape());
  if (int64_t width = context.getInt("input_channels"); width > 0)
    y.back() = state.back() = width;
  if (last)
    state[1] = length;
  else
    state.back() = length;
  int64_t order = context.getInt("state_channels_last");
  if (state.size() == 3 && order >= 0 && (order != 0) != last)
    std::swap(state[1], state[2]);
  if (int64_t window = context.getInt("state_window"); window > 0)
    state.insert(state.begin(), window);
  int64_t channels = w ? w.getDimSize(0) : unknownDim;
  if (failed(context.setType(1, state, x.getElementType())) ||
      failed(context.setType(
          2,
          {x.getDimSize(0), context.getInt("state_update_capacity"), channels},
          x.getElementType())))
    return failure();
  return context.setType(0, y, x.getElementType());
}

/// Packed Q, K, V [batch, length, heads * size] -> Y, state [batch, heads, d_k,
/// d_v] in the format of the past state. With `state_window` a state after each
/// of the last tokens.
LogicalResult gpucost::onnx::inferLinearAttention(InferenceContext &context) {
  RankedTensorType q = context.getInputType(0), k = context.getInputType(1),
                   v = context.getInputType(2);
  int64_t heads = context.getInt("q_num_heads");
  int64_t kvHeads = context.findInt("kv_num_heads").value_or(heads);
  if (!q || !k || !v)
    return success();
  if (q.getRank() != 3 || k.getRank() != 3 || v.getRank() != 3 || heads <= 0 ||
      kvHeads <= 0)
    return context.emitError()
           << "operand shapes " << formatShape(q.getShape()) << ", "
           << formatShape(k.getShape()) << " and " << formatShape(v.getShape())
           << " do not fit as queries, keys and values";
  int64_t keySize = floorDivDims(q.getDimSize(2), heads);
  int64_t valueSize = floorDivDims(v.getDimSize(2), kvHeads);
  Type element = context.getInputElementType(3);
  Dims state = {q.getDimSize(0), kvHeads, keySize, valueSize};
  if (int64_t window = context.getInt("state_window"); window > 0)
    state.insert(state.begin(), window);
  if (failed(context.setType(1, state, element ? element : q.getElementType())))
    return failure();
  return context.setType(0,
                         {q.getDimSize(0), q.getDimSize(1),
                          mulDims(std::max(heads, kvHeads), valueSize)},
                         q.getElementType());
}

/// Y [tokens, heads, value size], the state, the transitions of the first
/// tokens.
LogicalResult gpucost::onnx::inferGatedDeltaNet(InferenceContext &context) {
  std::string problem;
  std::optional<DeltaNetSizes> z =
      readDeltaNet(context.getOperation(), problem);
  if (!problem.empty())
    return context.emitError() << problem;
  if (!z)
    return success();
  int64_t capacity = context.getInt("state_update_capacity");
  if ((capacity > 0) != context.hasInput(9))
    return context.emitError() << "requires operand 9 exactly if "
                                  "state_update_capacity is positive";
  Type f32 = Float32Type::get(context.getMLIRContext());
  int64_t transition =
      addDims(z->gates, addDims(mulDims(z->heads, z->keySize),
                                mulDims(z->valueHeads, z->valueSize)));
  Dims shape(z->tokens);
  shape.append({std::max(z->heads, z->valueHeads), z->valueSize});
  if (failed(context.setType(
          1, {z->batch, z->valueHeads, z->valueSize, z->keySize}, f32)) ||
      failed(
          context.setType(2, {z->batch, mulDims(capacity, transition)}, f32)))
    return failure();
  return context.setType(0, shape, context.getInputElementType(0));
}

/// (source, updates, destination, metadata) -> destination.
LogicalResult gpucost::onnx::inferReplay(InferenceContext &context) {
  for (unsigned i = 0; i < 4; ++i)
    if (RankedTensorType type = context.getInputType(i);
        type && type.getRank() != 1)
      return context.emitError()
             << "operand " << i << " has shape " << formatShape(type.getShape())
             << ", expected one dimension";
  return copyType(context, 0, 2);
}

//===----------------------------------------------------------------------===//
// Attention to chosen keys
//===----------------------------------------------------------------------===//

/// Checks the operands and attributes that both ops have.
static LogicalResult checkSparse(InferenceContext &context, int64_t rank,
                                 ArrayRef<unsigned> required, unsigned indices,
                                 unsigned auxiliary) {
  for (unsigned operand : required)
    if (!context.hasInput(operand))
      return context.emitError() << "requires operand " << operand;
  RankedTensorType query = context.getInputType(0);
  RankedTensorType chosen = context.getInputType(indices);
  if (query && query.getRank() != rank)
    return context.emitError()
           << "operand 0 has shape " << formatShape(query.getShape())
           << ", expected " << rank << " dimensions";
  if (chosen && chosen.getRank() != 2)
    return context.emitError()
           << "operand " << indices << " has shape "
           << formatShape(chosen.getShape()) << ", expected two dimensions";
  StringRef mode = context.getString("attention_mode");
  StringRef source = context.getString("selected_kv_source");
  if (mode != "selected_only" && mode != "local_plus_selected")
    return context.emitError() << "unknown attention_mode '" << mode << "'";
  if (source != "main" && source != "auxiliary")
    return context.emitError()
           << "unknown selected_kv_source '" << source << "'";
  if (source == "auxiliary" && !context.hasInput(auxiliary))
    return context.emitError()
           << "selected_kv_source 'auxiliary' requires operand " << auxiliary;
  return success();
}

LogicalResult
gpucost::onnx::inferDynamicSparseAttention(InferenceContext &context) {
  if (failed(checkSparse(context, 3, {7, 8, 9, 10}, 7, 5)))
    return failure();
  RankedTensorType query = context.getInputType(0);
  int64_t heads = context.getInt("num_heads");
  int64_t kvHeads = context.getInt("kv_num_heads");
  if (!query || heads <= 0 || kvHeads <= 0)
    return success();
  int64_t parts =
      context.hasInput(1) ? heads : addDims(heads, mulDims(2, kvHeads));
  int64_t size = floorDivDims(query.getDimSize(2), parts);
  // The new keys are appended in the buffer of the past ones.
  Dims present = {query.getDimSize(0), kvHeads, query.getDimSize(1), size};
  for (unsigned i : {1u, 2u})
    if (context.hasInput(2 + i)
            ? failed(copyType(context, i, 2 + i))
            : failed(context.setType(i, present, query.getElementType())))
      return failure();
  Builder builder(context.getMLIRContext());
  if (failed(context.setType(3, 1, builder.getI32Type())))
    return failure();
  return context.setType(
      0, {query.getDimSize(0), query.getDimSize(1), mulDims(heads, size)},
      context.getInt("output_bf16") ? builder.getBF16Type()
                                    : query.getElementType());
}

LogicalResult
gpucost::onnx::inferSparsePagedAttention(InferenceContext &context) {
  if (failed(checkSparse(context, 2, {3, 4, 5, 6, 7, 9, 10}, 9, 11)))
    return failure();
  return inferPagedAttention(context);
}

//===----------------------------------------------------------------------===//
// Packed weights
//===----------------------------------------------------------------------===//

/// A [..., K], bytes, the shape [K, N] of the weight -> [..., N].
LogicalResult gpucost::onnx::inferMatMulFpQ4(InferenceContext &context) {
  RuleScope scope(context.getOperation(), *findRule(context.getOperation()));
  if (failed(bindRule(context, scope)))
    return failure();
  RankedTensorType a = context.getInputType(0);
  auto weight = context.getInputInts(2);
  if (!a || a.getRank() == 0)
    return success();
  if (weight && weight->size() == 2 && (*weight)[0] != a.getShape().back() &&
      isKnownDim(a.getShape().back()))
    return context.emitError()
           << "cannot multiply " << formatShape(a.getShape()) << " by "
           << formatShape(*weight);
  Dims shape(a.getShape());
  shape.back() = weight && weight->size() == 2 ? (*weight)[1] : unknownDim;
  return context.setType(0, shape, a.getElementType());
}

/// Operand 1 has the sizes of the result.
LogicalResult gpucost::onnx::inferDequantizeBFP(InferenceContext &context) {
  Type type = getElementType(context.getMLIRContext(), context.getInt("dtype"));
  if (!type)
    return context.emitError() << "has an unknown element type "
                               << context.getInt("dtype") << " in 'dtype'";
  auto shape = context.getInputDims(1);
  return shape ? context.setType(0, *shape, type) : success();
}
