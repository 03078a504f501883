//===- AttentionWork.cpp - Work of attention ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionSizes.h"
#include "WorkRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

/// Attention, FusedAttention, FlexAttention: rank 4, or 3 with head counts.
static bool readStandard(const OpShapes &s, AttentionSizes &z) {
  RankedTensorType q = s.input(0), k = s.input(1), v = s.input(2);
  if (!k || k.getRank() != q.getRank())
    return false;
  if (!v || v.getRank() != q.getRank())
    v = k;
  z.setWindow(getKeyWindow(s.op), s.getInt("is_causal") != 0);
  z.batch = q.getDimSize(0);
  if (q.getRank() == 4) {
    z.heads = q.getDimSize(1), z.kvHeads = k.getDimSize(1);
    z.queries = q.getDimSize(2), z.keys = k.getDimSize(2);
    z.headDim = q.getDimSize(3), z.valueDim = v.getDimSize(3);
  } else if (q.getRank() == 3) {
    z.heads = s.getInt("q_num_heads");
    z.kvHeads = s.findInt("kv_num_heads").value_or(z.heads);
    if (z.heads <= 0 || z.kvHeads <= 0)
      return false;
    z.queries = q.getDimSize(1), z.keys = k.getDimSize(1);
    z.headDim = q.getDimSize(2) / z.heads;
    z.valueDim = v.getDimSize(2) / z.kvHeads;
  } else {
    return false;
  }
  return true;
}

/// MultiHeadAttention and its decoder: query [batch, length, hidden]; packed
/// [batch, length, heads, 3, size]; keys also [batch, heads, length, size].
static bool readMultiHead(const OpShapes &s, AttentionSizes &z, bool decoder) {
  RankedTensorType q = s.input(0), k = s.input(1), v = s.input(2);
  z.heads = z.kvHeads = s.getInt("num_heads");
  z.setWindow({}, s.getInt("unidirectional") != 0);
  if (q.getRank() < 2 || z.heads <= 0)
    return false;
  z.batch = q.getDimSize(0);
  z.queries = z.keys = q.getDimSize(1);
  if (q.getRank() == 5) {
    z.headDim = z.valueDim = q.getDimSize(4);
    return true;
  }
  if (q.getRank() != 3)
    return false;
  z.headDim = z.valueDim = q.getDimSize(2) / z.heads;
  if (k && k.getRank() == 3)
    z.keys = k.getDimSize(1);
  else if (k && (k.getRank() == 4 || k.getRank() == 5))
    z.keys = k.getDimSize(k.getRank() == 4 ? 2 : 1);
  if (v && v.getRank() == 3)
    z.valueDim = v.getDimSize(2) / z.heads;
  else if (v && v.getRank() == 4)
    z.valueDim = v.getDimSize(3);
  // The decoder's cache has its final size; at most all of it is attended to.
  if (decoder)
    z.keys = std::max(z.keys, cachedKeys(s, 5));
  else
    z.keys += cachedKeys(s, 6);
  return true;
}

/// GroupQueryAttention and SparseAttention are causal unless stated.
static bool readGroupQuery(const OpShapes &s, AttentionSizes &z) {
  RankedTensorType q = s.input(0), k = s.input(1);
  z.heads = s.getInt("num_heads");
  z.kvHeads = s.findInt("kv_num_heads").value_or(z.heads);
  z.setWindow(getKeyWindow(s.op), s.findInt("causal").value_or(1) != 0);
  z.chunked = s.findInt("local_chunks").value_or(0) != 0;
  if (q.getRank() != 3 || z.heads <= 0 || z.kvHeads <= 0)
    return false;
  z.batch = q.getDimSize(0), z.queries = q.getDimSize(1);
  z.headDim = q.getDimSize(2) / (k ? z.heads : z.heads + 2 * z.kvHeads);
  z.valueDim = z.headDim;
  z.keys = k && k.getRank() == 3 ? k.getDimSize(1) : z.queries;
  // If the present keys are known, they define the length.
  if (RankedTensorType present = s.output(1);
      present && present.getRank() == 4 && !present.isDynamicDim(2))
    z.keys = std::max(z.keys, present.getDimSize(2));
  else
    z.keys += cachedKeys(s, 3);
  return true;
}

/// Rows and columns of blocks in compressed form, one row of each constant for
/// each layout; head h has the layout h modulo their number. A query attends to
/// the keys up to its position in the blocks of its row. False if the layout is
/// not constant.
static bool readBlockLayout(const OpShapes &s, AttentionSizes &z) {
  auto rows = getConstantInts(s.op, 5), columns = getConstantInts(s.op, 6);
  RankedTensorType rowType = s.input(5), columnType = s.input(6);
  int64_t size = s.getInt("sparse_block_size");
  if (!rows || !columns || size <= 0 || !rowType || !columnType ||
      rowType.getRank() != 2 || columnType.getRank() != 2 ||
      rowType.getDimSize(0) != columnType.getDimSize(0) ||
      rowType.getDimSize(0) < 1 || rowType.getDimSize(1) < 1)
    return false;
  if (auto total = getConstantInts(s.op, 7); total && total->size() == 1)
    z.keys = std::clamp(total->front(), std::min(z.queries, z.keys), z.keys);
  int64_t layouts = rowType.getDimSize(0);
  int64_t blocks = rowType.getDimSize(1) - 1, width = columnType.getDimSize(1);
  if (size > INT64_MAX / (blocks + 1))
    return false;
  int64_t first = std::max<int64_t>(z.keys - z.queries, 0);
  Saturating sum = 0, unread = 0;
  for (int64_t layout = 0; layout < layouts; ++layout) {
    ArrayRef<int64_t> row = ArrayRef(*rows).slice(layout * (blocks + 1)),
                      column = ArrayRef(*columns).slice(layout * width, width);
    llvm::SmallDenseSet<int64_t> read;
    int64_t readKeys = 0;
    for (int64_t block = first / size; block < blocks && block * size < z.keys;
         ++block) {
      // Positions of the queries in this row.
      int64_t begin = std::max(first, block * size);
      int64_t end = std::min(z.keys, (block + 1) * size);
      for (int64_t i = std::max<int64_t>(row[block], 0);
           i < std::min(row[block + 1], width); ++i) {
        if (column[i] < 0 || column[i] > block)
          continue;
        int64_t from = column[i] * size;
        int64_t queries = end - begin, before = begin - from;
        sum = sum + (column[i] < block
                         ? Saturating(queries) * size
                         : Saturating(queries) * (before + 1) +
                               saturatingProduct(queries, queries - 1) / 2);
        if (read.insert(column[i]).second)
          readKeys += std::min(size, z.keys - from);
      }
    }
    unread = unread + (z.keys - readKeys);
  }
  z.layoutScores = sum.value() / layouts;
  z.unreadKeys = unread.value() / layouts;
  return true;
}

OperandRange gpucost::onnx::getRotaryTables(Operation *attention) {
  unsigned count = attention->getNumOperands();
  unsigned first = std::min(count, firstRotaryTable);
  return attention->getOperands().slice(
      first, std::min(count, endOfRotaryTables) - first);
}

static bool countRotaryRows(OpShapes &s) {
  std::optional<int64_t> unread = unreadRotaryBytes(s.op);
  s.bytesRead -= unread.value_or(0);
  return unread.has_value();
}

/// Rows of tokens; `lengths` [sequences + 1] contains the boundaries between
/// sequences. Equal lengths are assumed.
static bool readRagged(const OpShapes &s, AttentionSizes &z, bool paged) {
  RankedTensorType q = s.input(0), k = s.input(1);
  RankedTensorType lengths = s.input(5);
  z.heads = s.getInt("num_heads");
  z.kvHeads = s.findInt("kv_num_heads").value_or(z.heads);
  if (!lengths || lengths.getRank() != 1 || lengths.getDimSize(0) < 2 ||
      z.heads <= 0 || z.kvHeads <= 0)
    return false;
  z.batch = lengths.getDimSize(0) - 1;
  z.queries = (q.getDimSize(0) + z.batch - 1) / z.batch;
  z.setWindow(getKeyWindow(s.op), paged && s.getInt("is_causal") != 0);
  z.keys = z.queries;
  if (q.getRank() == 4)
    z.headDim = q.getDimSize(3);
  else if (q.getRank() == 2)
    z.headDim =
        q.getDimSize(1) / (k || !paged ? z.heads : z.heads + 2 * z.kvHeads);
  else
    return false;
  z.valueDim = z.headDim;
  return true;
}

/// Cache blocks (3, 4) selected by the block table (7): at most all of them, of
/// which the kernel reads those in the window. With a latent cache, values are
/// a part of the keys.
static bool readPaged(OpShapes &s, AttentionSizes &z) {
  if (!readRagged(s, z, /*paged=*/true))
    return false;
  if (int64_t size = s.getInt("v_head_size"); size > 0)
    z.valueDim = size;
  RankedTensorType cache = s.input(3), table = s.input(7);
  if (cache && cache.getRank() == 4 && table && table.getRank() == 2)
    z.keys = std::max(
        z.keys, saturatingProduct(cache.getDimSize(1), table.getDimSize(1)));
  std::optional<int64_t> unread = unreadRotaryBytes(s.op);
  if (!unread)
    return false;
  s.bytesRead -= *unread;
  int64_t tokens = saturatingProduct(
      z.batch, z.keys - countOldKeys(s.op, z.queries, z.keys));
  for (unsigned i : {3u, 4u}) {
    RankedTensorType blocks = s.input(i);
    if (!blocks || blocks.getRank() != 4 ||
        (i == 4 && s.op->getOperand(3) == s.op->getOperand(4)))
      continue;
    std::optional<int64_t> read = readBlockBytes(blocks, tokens);
    std::optional<int64_t> all = byteCount(blocks);
    if (!read || !all)
      return false;
    s.bytesRead -= *all - *read;
  }
  return true;
}

int64_t gpucost::onnx::sharedValueBytes(OpOperand &use) {
  constexpr unsigned keys = 1, values = 2;
  Operation *op = use.getOwner();
  if (!isa<AttentionOp, FusedAttentionOp>(op) ||
      use.getOperandNumber() != values)
    return 0;
  auto slice = use.get().getDefiningOp<SliceOp>();
  if (!slice || slice->getOperand(0) != op->getOperand(keys))
    return 0;
  return byteCount(use.get().getType()).value_or(0);
}

/// `readStandard` without the bytes of values that are a part of the keys.
static bool readShared(OpShapes &s, AttentionSizes &z) {
  for (OpOperand &use : s.op->getOpOperands())
    s.bytesRead -= sharedValueBytes(use);
  return readStandard(s, z);
}

/// Past keys (operand 4) are also attended to.
FailureOr<WorkAttr> gpucost::onnx::attentionWork(Operation *op, CostClass shape,
                                                 ElementCost) {
  return attentionKernel(op, shape, [](OpShapes &s, AttentionSizes &z) {
    if (!readShared(s, z))
      return false;
    z.keys += cachedKeys(s, 4);
    return true;
  });
}

FailureOr<WorkAttr>
gpucost::onnx::fusedAttentionWork(Operation *op, CostClass shape, ElementCost) {
  return attentionKernel(op, shape, readShared);
}

FailureOr<WorkAttr> gpucost::onnx::fusedAttentionGradWork(Operation *op,
                                                          CostClass shape,
                                                          ElementCost) {
  return attentionKernel(op, shape, readStandard, /*backward=*/true);
}

FailureOr<WorkAttr> gpucost::onnx::multiHeadAttentionWork(Operation *op,
                                                          CostClass shape,
                                                          ElementCost) {
  return attentionKernel(op, shape, [](const OpShapes &s, AttentionSizes &z) {
    return readMultiHead(s, z, /*decoder=*/false);
  });
}

FailureOr<WorkAttr> gpucost::onnx::decoderAttentionWork(Operation *op,
                                                        CostClass shape,
                                                        ElementCost) {
  return attentionKernel(op, shape, [](const OpShapes &s, AttentionSizes &z) {
    return readMultiHead(s, z, /*decoder=*/true);
  });
}

FailureOr<WorkAttr> gpucost::onnx::groupQueryAttentionWork(Operation *op,
                                                           CostClass shape,
                                                           ElementCost) {
  return attentionKernel(op, shape, [](OpShapes &s, AttentionSizes &z) {
    if (!readGroupQuery(s, z) || !countRotaryRows(s))
      return false;
    if (isa<SparseAttentionOp>(s.op))
      readBlockLayout(s, z);
    return true;
  });
}

FailureOr<WorkAttr>
gpucost::onnx::pagedAttentionWork(Operation *op, CostClass shape, ElementCost) {
  return attentionKernel(op, shape, readPaged);
}

FailureOr<WorkAttr> gpucost::onnx::packedMultiHeadWork(Operation *op,
                                                       CostClass shape,
                                                       ElementCost) {
  return attentionKernel(op, shape, [](const OpShapes &s, AttentionSizes &z) {
    return readRagged(s, z, /*paged=*/false);
  });
}

/// If not split: the projection, with the FLOPs of the attention added.
static FailureOr<WorkAttr> projectedWork(Operation *op, CostClass shape,
                                         unsigned pastOperand,
                                         bool packed = false) {
  OpShapes s(op);
  RankedTensorType in = s.input(0), weights = s.input(1), out = s.output();
  int64_t heads = s.getInt("num_heads");
  if (!in || !weights || !out || !in.hasStaticShape() ||
      !weights.hasStaticShape() || !out.hasStaticShape() ||
      weights.getRank() != 2 || heads <= 0 || !s.countBytes(shape) ||
      in.getRank() < 2)
    return failure();
  AttentionSizes z;
  z.heads = heads;
  z.batch = in.getRank() == 3 ? in.getDimSize(0) : 1;
  z.queries = in.getDimSize(in.getRank() - 2);
  // Packed rows: sequences of equal length.
  RankedTensorType lengths = s.input(4);
  if (packed) {
    if (!lengths || lengths.getRank() != 1 || lengths.getDimSize(0) < 2)
      return failure();
    z.batch = lengths.getDimSize(0) - 1;
    z.queries = (z.queries + z.batch - 1) / z.batch;
  }
  z.keys = z.queries + cachedKeys(s, pastOperand, 3);
  z.setWindow({}, s.getInt("unidirectional") != 0);
  z.valueDim = out.getShape().back() / heads;
  int64_t d = in.getShape().back(), n = weights.getDimSize(1);
  std::optional<int64_t> in1 = elementCount(in);
  std::optional<int64_t> scores = twiceScores(z);
  std::optional<int64_t> all =
      scores ? checkedProduct({z.batch, heads, *scores}) : std::nullopt;
  if (!all || d == 0)
    return failure();
  std::optional<int64_t> projection = checkedProduct({2, *in1, n});
  std::optional<int64_t> products = checkedProduct({2, *all, z.valueDim});
  if (!projection || !products)
    return failure();
  MatmulProblem problem{1, *in1 / d, n, d, /*linear=*/true, /*weight_bits=*/0};
  return makeWork(s, KernelFamily::Matmul, {InstructionClass::None, 0, 0},
                  problem, saturatingSum(*projection, *products),
                  checkedProduct({5, *all / 2}), *all / 2);
}

FailureOr<WorkAttr> gpucost::onnx::contribAttentionWork(Operation *op,
                                                        CostClass shape,
                                                        ElementCost) {
  return projectedWork(op, shape, /*pastOperand=*/4);
}

FailureOr<WorkAttr> gpucost::onnx::packedAttentionWork(Operation *op,
                                                       CostClass shape,
                                                       ElementCost) {
  return projectedWork(op, shape, /*pastOperand=*/4, /*packed=*/true);
}

FailureOr<WorkAttr> gpucost::onnx::quantizedAttentionWork(Operation *op,
                                                          CostClass shape,
                                                          ElementCost) {
  return projectedWork(op, shape, /*pastOperand=*/8);
}
