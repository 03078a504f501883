//===- AttentionWork.cpp - Work of attention ------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpShapes.h"
#include "WorkRules.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "llvm/ADT/STLFunctionalExtras.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

namespace {
/// Sizes of an attention op in any operand layout.
struct AttentionSizes {
  int64_t batch = 0, heads = 0, kvHeads = 0, queries = 0, keys = 0;
  int64_t headDim = 0, valueDim = 0;
  int64_t window =
      0; ///< keys that a causal query attends to, including itself; 0: all
  bool causal = false;
};
} // namespace

static int64_t cachedKeys(const OpShapes &s, unsigned i, unsigned axis = 2) {
  RankedTensorType past = s.input(i);
  return past && past.getRank() > axis && !past.isDynamicDim(axis)
             ? past.getDimSize(axis)
             : 0;
}

/// Sliding window: the attribute of ONNX Runtime, -1 for none.
static void readWindow(const OpShapes &s, AttentionSizes &z) {
  z.window = std::max<int64_t>(s.getInt("local_window_size"), 0);
}

/// Attention, FusedAttention, FlexAttention: rank 4, or 3 with head counts.
static bool readStandard(const OpShapes &s, AttentionSizes &z) {
  RankedTensorType q = s.input(0), k = s.input(1), v = s.input(2);
  if (!k || k.getRank() != q.getRank())
    return false;
  if (!v || v.getRank() != q.getRank())
    v = k;
  z.causal = s.getInt("is_causal") != 0;
  readWindow(s, z);
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
  z.causal = s.getInt("unidirectional") != 0;
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

/// GroupQueryAttention and SparseAttention are always causal.
static bool readGroupQuery(const OpShapes &s, AttentionSizes &z) {
  RankedTensorType q = s.input(0), k = s.input(1);
  z.heads = s.getInt("num_heads");
  z.kvHeads = s.findInt("kv_num_heads").value_or(z.heads);
  z.causal = true;
  readWindow(s, z);
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
  z.causal = paged;
  z.keys = z.queries;
  if (q.getRank() == 4)
    z.headDim = q.getDimSize(3);
  else if (q.getRank() == 2)
    z.headDim =
        q.getDimSize(1) / (k || !paged ? z.heads : z.heads + 2 * z.kvHeads);
  else
    return false;
  z.valueDim = z.headDim;
  // Cache blocks (3) selected by the block table (7): at most all of them.
  RankedTensorType cache = s.input(3), table = s.input(7);
  if (paged && cache && cache.getRank() == 4 && table && table.getRank() == 2)
    z.keys = std::max(z.keys, cache.getDimSize(1) * table.getDimSize(1));
  return true;
}

/// Twice the number of scores per head, to stay an integer: all, or for causal
/// query i the attended keys: keys - queries + i + 1, at most the window.
static std::optional<int64_t> twiceScores(const AttentionSizes &z) {
  if (!z.causal || z.keys < z.queries)
    return checkedProduct({2, z.queries, z.keys});
  int64_t before = z.keys - z.queries;
  if (z.window == 0 || z.window >= z.keys)
    return checkedProduct({z.queries, 2 * before + z.queries + 1});
  // Queries that attend to fewer keys than the window has.
  int64_t early = std::clamp<int64_t>(z.window - before - 1, 0, z.queries);
  std::optional<int64_t> some = checkedProduct({early, 2 * before + early + 1});
  std::optional<int64_t> full =
      checkedProduct({2, z.queries - early, z.window});
  return some && full ? std::optional(saturatingSum(*some, *full))
                      : std::nullopt;
}

/// (K3) Cached keys and values older than every window are not read.
static bool skipOldKeys(OpShapes &s, const AttentionSizes &z) {
  if (!z.causal || z.window == 0 || z.keys < z.queries)
    return true;
  int64_t unread = z.keys - (z.window + z.queries - 1);
  int cache = getOpInfo(s.op)->cacheOperand;
  RankedTensorType keys =
      cache >= 0 && s.input(cache) ? s.input(cache) : s.input(1);
  if (unread <= 0 || !keys)
    return true;
  std::optional<int64_t> bits =
      checkedProduct({z.batch, z.kvHeads, unread,
                      saturatingSum(z.headDim, z.valueDim), bitsOf(keys)});
  if (!bits)
    return false;
  s.bytesRead -= *bits / 8;
  return true;
}

bool gpucost::onnx::updatesCacheInPlace(Operation *op) {
  int past = getOpInfo(op)->cacheOperand;
  if (past < 0 || !hasOperand(op, past) || op->getNumResults() < 2)
    return false;
  return op->hasAttr(inPlaceAttrName) ||
         op->getOperand(past).getType() == op->getResult(1).getType();
}

/// (K1) If the cache is updated in place, the kernel writes only the new keys
/// and values. (K2) For a cache in blocks it reads the block table of each
/// sequence, 32 bits per block.
static bool countCache(OpShapes &s, const AttentionSizes &z) {
  if (updatesCacheInPlace(s.op)) {
    for (unsigned i : {1u, 2u}) {
      RankedTensorType present = s.output(i);
      if (!present || s.op->getResult(i).use_empty())
        continue;
      std::optional<int64_t> all = byteCount(present);
      std::optional<int64_t> added =
          checkedProduct({z.batch, z.kvHeads, z.queries,
                          i == 1 ? z.headDim : z.valueDim, bitsOf(present)});
      if (!all || !added)
        return false;
      s.bytesWritten += *added / 8 - *all;
    }
  }
  int64_t block = s.getInt(cacheBlockAttrName);
  if (block <= 0)
    return true;
  return addBytes(s.bytesRead,
                  checkedProduct({z.batch, (z.keys + block - 1) / block, 4}));
}

/// (Q4) Keys and values may be stored in a narrower type than the queries,
/// whose format the kernel computes in: `input_bits` is the width in the cache.
static WorkAttr storeCache(const OpShapes &s, WorkAttr attribute) {
  int cache = getOpInfo(s.op)->cacheOperand;
  RankedTensorType keys = cache >= 0 && s.input(cache) ? s.input(cache)
                          : s.input(1)                 ? s.input(1)
                                                       : s.input(0);
  KernelWork work = attribute.getValue();
  work.inputBits = std::min(work.inputBits, bitsOf(keys));
  return WorkAttr::get(attribute.getContext(), work);
}

/// One-kernel attention: two matmuls of 2 FLOP per score and channel, five in
/// the backward pass (B6), and about 5 FLOP and one exponential per score.
/// `read` determines the sizes; it may use operand 0.
static FailureOr<WorkAttr>
kernelWork(Operation *op, CostClass shape,
           llvm::function_ref<bool(OpShapes &, AttentionSizes &)> read,
           bool backward = false) {
  auto measured = OpShapes::measure(op, shape);
  if (!measured)
    return failure();
  OpShapes &s = *measured;
  RankedTensorType q = s.input(0), k = s.input(1);
  AttentionSizes z;
  if (!q || !q.hasStaticShape() || (k && !k.hasStaticShape()) || !read(s, z) ||
      !countCache(s, z) || (!backward && !skipOldKeys(s, z)))
    return failure();
  std::optional<int64_t> scores = twiceScores(z);
  std::optional<int64_t> rows = checkedProduct({z.batch, z.heads});
  std::optional<int64_t> all =
      scores && rows ? checkedProduct({*rows, *scores}) : std::nullopt;
  if (!all)
    return failure();
  AttentionProblem problem{z.batch,
                           z.heads,
                           z.kvHeads,
                           z.queries,
                           z.keys,
                           z.headDim,
                           z.causal && z.window < z.keys ? z.window : 0,
                           z.causal,
                           backward};
  std::optional<int64_t> flops =
      backward ? checkedProduct({5, *all, z.headDim})
               : checkedProduct({*all, z.headDim + z.valueDim});
  FailureOr<WorkAttr> work = makeWork(
      s, KernelFamily::Attention, {InstructionClass::None, 0, 0}, problem,
      flops, checkedProduct({backward ? 8 : 5, *all / 2}), *all / 2);
  return succeeded(work) ? storeCache(s, *work) : work;
}

/// Past keys (operand 4) are also attended to.
FailureOr<WorkAttr> gpucost::onnx::attentionWork(Operation *op, CostClass shape,
                                                 ElementCost) {
  return kernelWork(op, shape, [](const OpShapes &s, AttentionSizes &z) {
    if (!readStandard(s, z))
      return false;
    z.keys += cachedKeys(s, 4);
    return true;
  });
}

FailureOr<WorkAttr>
gpucost::onnx::fusedAttentionWork(Operation *op, CostClass shape, ElementCost) {
  return kernelWork(op, shape, readStandard);
}

FailureOr<WorkAttr> gpucost::onnx::fusedAttentionGradWork(Operation *op,
                                                          CostClass shape,
                                                          ElementCost) {
  return kernelWork(op, shape, readStandard, /*backward=*/true);
}

FailureOr<WorkAttr> gpucost::onnx::multiHeadAttentionWork(Operation *op,
                                                          CostClass shape,
                                                          ElementCost) {
  return kernelWork(op, shape, [](const OpShapes &s, AttentionSizes &z) {
    return readMultiHead(s, z, /*decoder=*/false);
  });
}

FailureOr<WorkAttr> gpucost::onnx::decoderAttentionWork(Operation *op,
                                                        CostClass shape,
                                                        ElementCost) {
  return kernelWork(op, shape, [](const OpShapes &s, AttentionSizes &z) {
    return readMultiHead(s, z, /*decoder=*/true);
  });
}

FailureOr<WorkAttr> gpucost::onnx::groupQueryAttentionWork(Operation *op,
                                                           CostClass shape,
                                                           ElementCost) {
  return kernelWork(op, shape, [](OpShapes &s, AttentionSizes &z) {
    return readGroupQuery(s, z) && countRotaryRows(s);
  });
}

FailureOr<WorkAttr>
gpucost::onnx::pagedAttentionWork(Operation *op, CostClass shape, ElementCost) {
  return kernelWork(op, shape, [](const OpShapes &s, AttentionSizes &z) {
    return readRagged(s, z, /*paged=*/true);
  });
}

FailureOr<WorkAttr> gpucost::onnx::packedMultiHeadWork(Operation *op,
                                                       CostClass shape,
                                                       ElementCost) {
  return kernelWork(op, shape, [](const OpShapes &s, AttentionSizes &z) {
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
  z.causal = s.getInt("unidirectional") != 0;
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
