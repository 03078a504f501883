//===- Attention.cpp - Attention with a subset of the heads ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardBlock.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sharding;

/// Position of the heads in the operands of an attention op.
struct ShardBlock::HeadLayout {
  int64_t heads = 0, keyHeads = 0;
  /// Attributes with the head counts; "" if shapes define them.
  StringRef headsName, keyHeadsName;
  /// Head dimensions of operands 0 to 2.
  int64_t dims[3] = {1, 1, 1};
  /// Operands with past keys and values, and their head dimension; 0: none.
  unsigned pastKeys = 0, pastValues = 0;
  int64_t pastDim = 1;
  unsigned mask = 0, bias = 0;
};

static RankedTensorType operandType(Operation *op, unsigned index) {
  return index < op->getNumOperands() ? getStaticType(op->getOperand(index))
                                      : RankedTensorType();
}

/// Head dimension in [batch, heads, length, size], packed operands or rows.
static int64_t headDim(RankedTensorType type) {
  int64_t rank = type.getRank();
  return rank == 4 ? 1 : rank == 5 ? 2 : rank - 1;
}

bool ShardBlock::visitAttention(Operation *op) {
  RankedTensorType q = operandType(op, 0);
  if (!q)
    return false;
  HeadLayout layout;
  for (unsigned i = 0; i < 3; ++i)
    if (RankedTensorType type = operandType(op, i))
      layout.dims[i] = headDim(type);
  layout.headsName = "num_heads";
  layout.keyHeadsName = "kv_num_heads";
  if (isa<onnx::FusedAttentionOp, onnx::FlexAttentionOp, onnx::AttentionOp>(
          op)) {
    layout.headsName = "q_num_heads";
    layout.mask = 3;
    if (isa<onnx::AttentionOp>(op))
      layout.pastKeys = 4, layout.pastValues = 5;
  } else if (isa<onnx::GroupQueryAttentionOp, onnx::SparseAttentionOp>(op)) {
    layout.pastKeys = 3, layout.pastValues = 4;
    layout.mask = isa<onnx::GroupQueryAttentionOp>(op) ? 10 : 0;
  } else if (isa<onnx::PagedAttentionOp>(op)) {
    layout.pastKeys = 3, layout.pastValues = 4, layout.pastDim = 2;
  } else if (isa<onnx::MultiHeadAttentionOp>(op)) {
    layout.keyHeadsName = "";
    layout.bias = 3, layout.mask = 5;
    layout.pastKeys = 6, layout.pastValues = 7;
  } else {
    return false;
  }
  RankedTensorType k = operandType(op, 1);
  bool byShape = q.getRank() == 4;
  layout.heads = byShape ? q.getDimSize(1) : intOf(op, layout.headsName, 0);
  layout.keyHeads = byShape && k && k.getRank() == 4
                        ? k.getDimSize(1)
                        : intOf(op, layout.keyHeadsName, layout.heads);
  if (layout.heads <= 0 || layout.keyHeads <= 0 ||
      layout.heads % layout.keyHeads)
    return false;
  return divideHeadsOf(op, layout);
}

/// Scores per head, or the same for all heads.
bool ShardBlock::divideMask(Operation *op, unsigned index, Lane queries) {
  RankedTensorType type = index ? operandType(op, index) : RankedTensorType();
  if (!type || type.getRank() < 3)
    return true;
  OpOperand &use = op->getOpOperand(index);
  int64_t dim = type.getRank() - 3;
  if (type.getDimSize(dim) == 1)
    return true;
  if (const Part *part = partOf(use.get())) {
    lanes.unite(queries, part->lane);
    return part->dim == dim;
  }
  if (isWeight(use.get()))
    return divideWeight(use, dim, queries);
  sliceOperand(use, dim, queries);
  return true;
}

bool ShardBlock::divideHeadsOf(Operation *op, const HeadLayout &layout) {
  const Part *first = partOf(op->getOperand(0));
  if (!first || first->dim != layout.dims[0])
    return false;
  Lane queries = first->lane, keys = queries;
  bool sharesKeys = layout.keyHeads != layout.heads;
  if (!operandType(op, 1) && operandType(op, 0).getRank() != 5) {
    // One operand contains queries, keys and values.
    int64_t whole = operandType(op, 0).getDimSize(layout.dims[0]);
    int64_t size = whole / (layout.heads + 2 * layout.keyHeads);
    Lane fused = queries;
    queries = lanes.add(layout.heads);
    keys = sharesKeys ? lanes.add(layout.keyHeads) : queries;
    lanes.addPart(fused, queries, layout.heads * size, whole);
    lanes.addPart(fused, keys, layout.keyHeads * size, whole);
    lanes.addPart(fused, keys, layout.keyHeads * size, whole);
  }
  lanes.limit(queries, layout.heads);
  lanes.setHeads(queries);
  bool copiesKeys = false; // a single head, copied to every GPU
  for (unsigned i : {1u, 2u}) {
    if (!operandType(op, i))
      continue;
    const Part *part = partOf(op->getOperand(i));
    if (layout.keyHeads == 1) {
      copiesKeys = true;
      if (part)
        lanes.fail(part->lane, "every GPU needs the single key/value head");
      continue;
    }
    if (!part || part->dim != layout.dims[i])
      return false;
    if (!sharesKeys)
      lanes.unite(queries, part->lane);
    else if (keys == queries)
      keys = part->lane;
    else
      lanes.unite(keys, part->lane);
  }
  if (sharesKeys && !copiesKeys) {
    lanes.limit(keys, layout.keyHeads);
    lanes.link(queries, keys);
  }
  auto rankOf = [](RankedTensorType type) { return type ? type.getRank() : 0; };
  bool dividesKeys = !copiesKeys;
  for (unsigned i : {layout.pastKeys, layout.pastValues})
    if (i && dividesKeys && rankOf(operandType(op, i)) == 4 &&
        !divideOperand(op, i, layout.pastDim, keys))
      return false;
  if (RankedTensorType bias =
          layout.bias ? operandType(op, layout.bias) : RankedTensorType();
      bias && (!isWeight(op->getOperand(layout.bias)) ||
               !divideWeight(op->getOpOperand(layout.bias), 0, queries)))
    return false;
  if (!divideMask(op, layout.mask, queries))
    return false;
  for (OpResult result : op->getResults()) {
    RankedTensorType type = getStaticType(result);
    unsigned i = result.getResultNumber();
    if (!type || (i && type.getRank() != 4))
      continue;
    bool isCache = i == 1 || i == 2;
    if (isCache && !dividesKeys)
      continue;
    int64_t dim = isCache ? layout.pastDim : i ? 1 : headDim(type);
    if (!divide(result, dim, isCache ? keys : queries))
      return false;
  }
  if (op->hasAttr(layout.headsName))
    attributes.push_back({op, layout.headsName.str(), queries});
  if (dividesKeys && !layout.keyHeadsName.empty() &&
      op->hasAttr(layout.keyHeadsName))
    attributes.push_back({op, layout.keyHeadsName.str(), keys});
  return true;
}
