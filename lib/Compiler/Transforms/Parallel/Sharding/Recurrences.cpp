//===- Recurrences.cpp - Sharded layers with a state ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardBlock.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sharding;

/// Columns [batch, channels, length]: each GPU convolves its channels.
bool ShardBlock::visitCausalConvolution(Operation *op) {
  const Part *part = partOf(op->getOperand(0));
  RankedTensorType in = getStaticType(op->getOperand(0));
  if (!part || part->dim != 1 || !in || in.getRank() != 3 ||
      intOf(op, "channels_last", 0))
    return false;
  Lane lane = part->lane;
  // Weights [channels, 1, taps], bias [channels], state [batch, channels, taps
  // - 1].
  constexpr int64_t channelDims[] = {1, 0, 0, 1};
  for (unsigned i = 1; i < op->getNumOperands(); ++i) {
    RankedTensorType type = getStaticType(op->getOperand(i));
    if (!type)
      continue;
    if (i >= std::size(channelDims) ||
        type.getDimSize(channelDims[i]) != in.getDimSize(1) ||
        !divideOperand(op, i, channelDims[i], lane))
      return false;
  }
  for (Value result : op->getResults())
    if (!result.use_empty() && !divide(result, 1, lane))
      return false;
  return true;
}

/// (X6) Each GPU has the states of its value heads and the queries and keys
/// that they read; with more GPUs than key heads, several have the same ones.
bool ShardBlock::visitLinearAttention(Operation *op) {
  int64_t keyHeads = intOf(op, "q_num_heads", 0),
          valueHeads = intOf(op, "kv_num_heads", keyHeads);
  if (op->getNumOperands() < 3 || keyHeads <= 0 || valueHeads < keyHeads ||
      valueHeads % keyHeads)
    return false;
  for (unsigned i = 0; i < 3; ++i) {
    const Part *part = partOf(op->getOperand(i));
    if (!part || part->dim != 2 ||
        getStaticType(op->getOperand(i)).getRank() != 3)
      return false;
  }
  Lane keys = partOf(op->getOperand(0))->lane,
       values = partOf(op->getOperand(2))->lane;
  lanes.unite(keys, partOf(op->getOperand(1))->lane);
  lanes.limit(values, valueHeads);
  if (valueHeads == keyHeads) {
    lanes.unite(values, keys);
    lanes.setHeads(values);
  } else {
    lanes.limit(keys, keyHeads);
    lanes.link(values, keys);
  }
  // State [batch, heads, key size, value size]; decay and rate by head.
  for (unsigned i = 3; i < op->getNumOperands(); ++i)
    if (RankedTensorType type = getStaticType(op->getOperand(i)))
      if (type.getRank() < 3 ||
          !divideOperand(op, i, i == 3 ? type.getRank() - 3 : 2, values))
        return false;
  for (OpResult result : op->getResults()) {
    RankedTensorType type = getStaticType(result);
    if (!type || (result.getResultNumber() > 0 && result.use_empty()))
      continue;
    if (!divide(result, result.getResultNumber() ? type.getRank() - 3 : 2,
                values))
      return false;
  }
  attributes.push_back({op, "q_num_heads", keys});
  attributes.push_back({op, "kv_num_heads", values});
  return true;
}
