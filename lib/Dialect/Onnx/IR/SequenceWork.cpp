//===- SequenceWork.cpp - Work of attention, state spaces and experts ===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OpShapes.h"
#include "WorkRules.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

namespace {
/// Sizes of one attention, whatever the layout of its operands.
struct AttentionSizes {
  int64_t batch = 0, heads = 0, kvHeads = 0, queries = 0, keys = 0;
  int64_t headDim = 0, valueDim = 0;
  bool causal = false;
};
} // namespace

static int64_t cachedKeys(const OpShapes &s, unsigned i, unsigned axis = 2) {
  RankedTensorType past = s.input(i);
  return past && past.getRank() > axis && !past.isDynamicDim(axis)
             ? past.getDimSize(axis)
             : 0;
}

/// Attention, FusedAttention, FlexAttention: rank 4, or rank 3 with the numbers
/// of heads.
static bool readStandard(const OpShapes &s, AttentionSizes &z) {
  RankedTensorType q = s.input(0), k = s.input(1), v = s.input(2);
  if (!v || v.getRank() != q.getRank())
    v = k;
  z.causal = s.getInt("is_causal", 0) != 0;
  z.batch = q.getDimSize(0);
  if (q.getRank() == 4) {
    z.heads = q.getDimSize(1), z.kvHeads = k.getDimSize(1);
    z.queries = q.getDimSize(2), z.keys = k.getDimSize(2);
    z.headDim = q.getDimSize(3), z.valueDim = v.getDimSize(3);
  } else if (q.getRank() == 3) {
    z.heads = s.getInt("q_num_heads", 0);
    z.kvHeads = s.getInt("kv_num_heads", z.heads);
    if (z.heads <= 0 || z.kvHeads <= 0)
      return false;
    z.queries = q.getDimSize(1), z.keys = k.getDimSize(1);
    z.headDim = q.getDimSize(2) / z.heads;
    z.valueDim = v.getDimSize(2) / z.kvHeads;
  } else {
    return false;
  }
  // Past keys (operand 4) are computed with, too.
  if (s.op->getName().stripDialect() == "Attention")
    z.keys += cachedKeys(s, 4);
  return true;
}

/// MultiHeadAttention and its decoder form: query [batch, length, hidden];
/// packed [batch, length, heads, 3, size]; keys also [batch, heads, length,
/// size].
static bool readMultiHead(const OpShapes &s, AttentionSizes &z, bool decoder) {
  RankedTensorType q = s.input(0), k = s.input(1), v = s.input(2);
  z.heads = z.kvHeads = s.getInt("num_heads", 0);
  z.batch = q.getDimSize(0);
  z.causal = s.getInt("unidirectional", 0) != 0;
  if (q.getRank() < 2 || z.heads <= 0)
    return false;
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
  // The decoder's cache has its final size; all of it is attended to at most.
  if (decoder)
    z.keys = std::max(z.keys, cachedKeys(s, 5));
  else
    z.keys += cachedKeys(s, 6);
  return true;
}

/// GroupQueryAttention, SparseAttention: always causal.
static bool readGroupQuery(const OpShapes &s, AttentionSizes &z) {
  RankedTensorType q = s.input(0), k = s.input(1);
  z.heads = s.getInt("num_heads", 0);
  z.kvHeads = s.getInt("kv_num_heads", z.heads);
  z.causal = true;
  if (q.getRank() != 3 || z.heads <= 0 || z.kvHeads <= 0)
    return false;
  z.batch = q.getDimSize(0), z.queries = q.getDimSize(1);
  z.headDim = q.getDimSize(2) / (k ? z.heads : z.heads + 2 * z.kvHeads);
  z.valueDim = z.headDim;
  z.keys = k && k.getRank() == 3 ? k.getDimSize(1) : z.queries;
  // The present keys tell, where they are known.
  if (RankedTensorType present = s.output(1);
      present && present.getRank() == 4 && !present.isDynamicDim(2))
    z.keys = std::max(z.keys, present.getDimSize(2));
  else
    z.keys += cachedKeys(s, 3);
  return true;
}

/// Rows of tokens; `lengths` [sequences + 1] says how they are divided. Equal
/// lengths are assumed.
static bool readRagged(const OpShapes &s, AttentionSizes &z, bool paged) {
  RankedTensorType q = s.input(0), k = s.input(1);
  RankedTensorType lengths = s.input(5);
  z.heads = s.getInt("num_heads", 0);
  z.kvHeads = s.getInt("kv_num_heads", z.heads);
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
  // Blocks of the cache (3) by the table of blocks (7): at most all of them.
  RankedTensorType cache = s.input(3), table = s.input(7);
  if (paged && cache && cache.getRank() == 4 && table && table.getRank() == 2)
    z.keys = std::max(z.keys, cache.getDimSize(1) * table.getDimSize(1));
  return true;
}

static bool readSizes(const OpShapes &s, AttentionSizes &z) {
  RankedTensorType q = s.input(0), k = s.input(1);
  StringRef name = s.op->getName().stripDialect();
  if (!q || !q.hasStaticShape() || (k && !k.hasStaticShape()))
    return false;
  if (name == "MultiHeadAttention" || name == "DecoderMaskedMultiHeadAttention")
    return readMultiHead(s, z, name.starts_with("Decoder"));
  if (name == "GroupQueryAttention" || name == "SparseAttention")
    return readGroupQuery(s, z);
  if (name == "PagedAttention" || name == "PackedMultiHeadAttention")
    return readRagged(s, z, name == "PagedAttention");
  return k && q.getRank() == k.getRank() && readStandard(s, z);
}

/// Scores of one head: all, or those that a causal query i sees: keys - queries
/// + i + 1. Twice their number, to stay whole.
static std::optional<int64_t> twiceScores(const AttentionSizes &z) {
  if (z.causal && z.keys >= z.queries)
    return checkedProduct(
        {z.queries, 2 * (z.keys - z.queries) + z.queries + 1});
  return checkedProduct({2, z.queries, z.keys});
}

/// One-kernel attention: two products of 2 FLOP per score and channel, five in
/// the backward pass (B6), and about 5 FLOP and one exponential per score.
FailureOr<WorkAttr> gpucost::onnx::attentionWork(OpShapes &s) {
  AttentionSizes z;
  if (!readSizes(s, z))
    return failure();
  bool backward = s.op->getName().stripDialect() == "FusedAttentionGrad";
  std::optional<int64_t> scores = twiceScores(z);
  std::optional<int64_t> rows = checkedProduct({z.batch, z.heads});
  std::optional<int64_t> all =
      scores && rows ? checkedProduct({*rows, *scores}) : std::nullopt;
  if (!all)
    return failure();
  AttentionProblem problem{
      z.batch,      z.heads,   z.kvHeads, z.queries,
      z.keys,       z.headDim,
      /*window=*/0, z.causal,  backward,  s.getInt("gpucost.generation", 2)};
  std::optional<int64_t> flops =
      backward ? checkedProduct({5, *all, z.headDim})
               : checkedProduct({*all, z.headDim + z.valueDim});
  return makeWork(s, KernelFamily::Attention, {InstructionClass::None, 0, 0},
                  problem, flops, checkedProduct({backward ? 8 : 5, *all / 2}),
                  *all / 2);
}

/// Unsplit: the product of the projection, with the FLOPs of the attention
/// added.
FailureOr<WorkAttr> gpucost::onnx::contribAttentionWork(Operation *op,
                                                        CostClass shape,
                                                        ElementCost) {
  OpShapes s(op);
  RankedTensorType in = s.input(0), weights = s.input(1), out = s.output();
  int64_t heads = s.getInt("num_heads", 0);
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
  if (op->getName().stripDialect() == "PackedAttention") {
    if (!lengths || lengths.getRank() != 1 || lengths.getDimSize(0) < 2)
      return failure();
    z.batch = lengths.getDimSize(0) - 1;
    z.queries = (z.queries + z.batch - 1) / z.batch;
  }
  bool integer = op->getName().stripDialect() == "QAttention";
  z.keys = z.queries + cachedKeys(s, integer ? 8 : 4, 3);
  z.causal = s.getInt("unidirectional", 0) != 0;
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

//===----------------------------------------------------------------------===//
// State spaces and experts
//===----------------------------------------------------------------------===//

/// Per token and head of [d_k, d_v]: S += k v (2), q S (2), decay (1), and the
/// correction S k of the delta rules (2).
FailureOr<WorkAttr> gpucost::onnx::linearAttentionWork(Operation *op,
                                                       CostClass shape,
                                                       ElementCost element) {
  OpShapes s(op);
  RankedTensorType q = s.input(0), k = s.input(1), v = s.input(2);
  int64_t heads = s.getInt("q_num_heads", 0);
  int64_t kvHeads = s.getInt("kv_num_heads", heads);
  if (!q || !k || !v || !q.hasStaticShape() || !k.hasStaticShape() ||
      !v.hasStaticShape() || q.getRank() != 3 || k.getRank() != 3 ||
      v.getRank() != 3 || heads <= 0 || kvHeads <= 0 || !s.countBytes(shape))
    return failure();
  int64_t keySize = k.getDimSize(2) / kvHeads;
  int64_t valueSize = v.getDimSize(2) / kvHeads;
  auto rule = op->getAttrOfType<StringAttr>("update_rule");
  StringRef name = rule ? rule.getValue() : "gated_delta";
  int64_t update = 2 + (name.starts_with("gated") ? 1 : 0) +
                   (name.ends_with("delta") ? 2 : 0);
  std::optional<int64_t> cells =
      checkedProduct({q.getDimSize(0), q.getDimSize(1), keySize, valueSize});
  std::optional<int64_t> items =
      cells ? checkedProduct({*cells, kvHeads}) : std::nullopt;
  if (!items)
    return failure();
  // A state has one update and as many queries as its group has heads.
  std::optional<int64_t> flops =
      checkedProduct({*cells, kvHeads * update + heads * 2});
  return makeWork(s, KernelFamily::Elementwise, element,
                  ElementsProblem{*items, true}, 0, flops, 0);
}

FailureOr<WorkAttr> gpucost::onnx::causalConvWork(Operation *op,
                                                  CostClass shape,
                                                  ElementCost element) {
  OpShapes s(op);
  std::optional<int64_t> results = elementCount(s.output());
  RankedTensorType weight = s.input(1);
  if (!results || !weight || weight.getRank() != 3 || weight.isDynamicDim(2) ||
      !s.countBytes(shape))
    return failure();
  auto activation = op->getAttrOfType<StringAttr>("activation");
  bool gated = activation && (activation.getValue() == "silu" ||
                              activation.getValue() == "swish");
  int64_t each = 2 * weight.getDimSize(2) + (gated ? 3 : 0);
  return makeWork(s, KernelFamily::Elementwise, element,
                  ElementsProblem{*results, true}, 0,
                  checkedProduct({*results, each}),
                  checkedProduct({*results, gated ? 2 : 0}));
}

/// Operands: rows, router, then the weights [experts, ...] of three or more
/// dimensions. Each row visits `k` experts; their weights are read once.
FailureOr<WorkAttr> gpucost::onnx::expertsWork(Operation *op, CostClass shape,
                                               ElementCost) {
  OpShapes s(op);
  RankedTensorType in = s.input(0), router = s.input(1);
  std::optional<int64_t> elements = elementCount(in);
  if (!elements || !router || !router.hasStaticShape() ||
      router.getRank() == 0 || in.getRank() < 2 || !s.countBytes(shape))
    return failure();
  int64_t hidden = in.getShape().back(), experts = router.getShape().back();
  int64_t k = s.getInt("k", 1);
  if (hidden <= 0 || experts <= 0 || k <= 0)
    return failure();
  int64_t rows = *elements / hidden;
  // Elements of one expert; few-bit weights are packed in bytes.
  int64_t bits = s.getInt("expert_weight_bits", 4);
  int64_t weights = 0, storedBits = 0;
  for (unsigned i = 2; i < op->getNumOperands(); ++i) {
    RankedTensorType type = s.input(i);
    if (!type || type.getRank() != 3 || type.getDimSize(0) != experts)
      continue;
    std::optional<int64_t> count = elementCount(type);
    if (!count)
      return failure();
    bool integer = type.getElementType().isIntOrIndex();
    // Scales of blocks are small and of a float format.
    if (!integer && op->getName().stripDialect() == "QMoE")
      continue;
    bool packed = integer && bits > 0 && bits < 8;
    weights += *count / experts * (packed ? 8 / bits : 1);
    storedBits += *count / experts * bitsOf(type);
  }
  std::optional<int64_t> products = checkedProduct({rows, k});
  if (weights == 0 || !products || *products == 0)
    return failure();
  // Few rows leave experts idle, whose weights are not read.
  int64_t active = std::min(experts, *products);
  s.bytesRead -= storedBits / 8 * (experts - active);
  int64_t weightBits = std::max<int64_t>(storedBits / weights, 1);
  MatmulProblem problem{
      active,           (*products + active - 1) / active,
      weights / hidden, hidden,
      /*linear=*/false, weightBits == bitsOf(in) ? 0 : weightBits};
  return makeWork(
      s, KernelFamily::Matmul, {InstructionClass::None, 0, 0}, problem,
      checkedProduct({2, *products, weights / hidden, hidden}), 0, 0);
}
