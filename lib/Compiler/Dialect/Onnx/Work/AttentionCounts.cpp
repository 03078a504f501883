//===- AttentionCounts.cpp - Scores, bytes and work of attention ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionSizes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Dialect/Onnx/Work/Windows.h"
#include "gpucost/Core/Support/PackedLengths.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

int64_t gpucost::onnx::cachedKeys(const OpShapes &s, unsigned i,
                                  unsigned axis) {
  RankedTensorType past = s.input(i);
  return past && past.getRank() > axis && !past.isDynamicDim(axis)
             ? past.getDimSize(axis)
             : 0;
}

//===----------------------------------------------------------------------===//
// Windows
//===----------------------------------------------------------------------===//

KeyWindow gpucost::onnx::getKeyWindow(Operation *op) {
  auto bound = [&](StringRef name) {
    return std::max<int64_t>(onnx::findInt(op, name).value_or(-1), -1);
  };
  KeyWindow window{bound("left_window_size"), bound("right_window_size")};
  if (int64_t local = onnx::getInt(op, "local_window_size");
      window.left < 0 && local > 0)
    window.left = local - 1;
  return window;
}

/// The first query of ONNX's Attention is at position 0 unless the op has a
/// cache or its lengths; elsewhere the last query is at the last key.
static int64_t keysBefore(Operation *op, int64_t queries, int64_t keys) {
  bool first = isa<AttentionOp>(op) && !hasOperand(op, 4) && !hasOperand(op, 6);
  return first ? 0 : std::max<int64_t>(keys - queries, 0);
}

int64_t gpucost::onnx::countOldKeys(Operation *op, int64_t queries,
                                    int64_t keys) {
  int64_t left = getKeyWindow(op).left;
  return left < 0 ? 0
                  : std::max<int64_t>(keysBefore(op, queries, keys) - left, 0);
}

/// Twice the sum of clamp(first + i, 0, most) over i in [0, count).
static std::optional<int64_t> twiceClamped(int64_t first, int64_t count,
                                           int64_t most) {
  first = std::clamp(first, -count, most);
  int64_t rising = std::max<int64_t>(-first, 0); // terms before it are 0
  int64_t full = std::clamp(most - first, rising, count);
  std::optional<int64_t> series = checkedProduct(
      {full - rising,
       full > rising ? saturatingSum(first + rising, first + full - 1) : 0});
  std::optional<int64_t> rest = checkedProduct({2, count - full, most});
  return series && rest ? std::optional(saturatingSum(*series, *rest))
                        : std::nullopt;
}

/// A query at position p attends to the keys from p - left to p + right.
std::optional<int64_t> gpucost::onnx::twiceScores(const AttentionSizes &z) {
  if (z.layoutScores)
    return checkedProduct({2, *z.layoutScores});
  int64_t before =
      z.before < 0 ? std::max<int64_t>(z.keys - z.queries, 0) : z.before;
  std::optional<int64_t> upTo =
      z.right < 0 || z.right >= z.keys
          ? checkedProduct({2, z.queries, z.keys})
          : twiceClamped(saturatingSum(before, z.right + 1), z.queries, z.keys);
  std::optional<int64_t> dropped =
      z.left < 0 || z.left >= saturatingSum(before, z.queries)
          ? std::optional<int64_t>(0)
          : twiceClamped(before - z.left, z.queries, z.keys);
  std::optional<int64_t> chosen = checkedProduct({2, z.queries, z.selected});
  return upTo && dropped && chosen
             ? std::optional(saturatingSum(*upTo - *dropped, *chosen))
             : std::nullopt;
}

PackedLengths gpucost::onnx::getDocuments(Operation *op) {
  PackedLengths lengths;
  auto stated = op->getAttrOfType<DenseI64ArrayAttr>(documentsAttrName);
  for (int64_t i = 0; stated && i + 1 < stated.size(); i += 2)
    if (stated[i] > 0 && stated[i + 1] > 0)
      lengths.push_back({stated[i], stated[i + 1]});
  return lengths;
}

/// (A16) States the scores of packed documents: those of each document, times
/// the tokens of the sequence over those of all documents.
static void packDocuments(Operation *op, AttentionSizes &z) {
  PackedLengths lengths = getDocuments(op);
  bool isWhole = z.right < 0 && z.left < 0;
  if (lengths.empty() || !(isWhole || z.right == 0) || z.queries != z.keys ||
      z.keys < 1)
    return;
  lengths = cutDocuments(lengths, z.keys);
  double tokens = tokensOf(lengths), twice = 0;
  for (const DocumentLength &each : lengths) {
    AttentionSizes one = z;
    one.queries = one.keys = each.tokens;
    one.before = 0;
    twice += static_cast<double>(twiceScores(one).value_or(0)) *
             static_cast<double>(each.count);
  }
  if (tokens <= 0)
    return;
  double share = static_cast<double>(z.keys) / tokens;
  z.layoutScores = std::llround(twice * share / 2);
  z.isPacked = true;
}

/// The tiles of the kernel visit a causal band of keys or all of them up to the
/// window. A band to both sides, and queries that do not end at the last key,
/// use the form with the nearest number of scores.
static AttentionProblem problemOf(const AttentionSizes &z, bool backward) {
  AttentionProblem p{z.batch,   z.heads, z.kvHeads,    z.queries, z.keys,
                     z.headDim, 0,       z.right >= 0, backward};
  if (z.valueDim != z.headDim)
    p.valueDim = z.valueDim;
  p.chunked = z.chunked;
  auto scores = [](AttentionProblem form) {
    form.batch = form.heads = form.headDim = 1;
    return countFlops(form) / scoreFlops(form.backward);
  };
  // The smallest window, or the shortest documents, with at least as many
  // scores.
  if (z.layoutScores) {
    if (z.isPacked)
      p.window = z.left >= 0 && z.left < z.keys ? z.left + 1 : 0;
    int64_t AttentionProblem::*size =
        z.isPacked ? &AttentionProblem::document : &AttentionProblem::window;
    int64_t low = 1, high = std::max<int64_t>(z.keys, 1);
    while (low < high) {
      p.*size = low + (high - low) / 2;
      if (scores(p) < *z.layoutScores)
        low = p.*size + 1;
      else
        high = p.*size;
    }
    p.*size = low < z.keys ? low : 0;
    return p;
  }
  auto width = [&](int64_t right) {
    int64_t keys =
        z.left < 0 ? z.keys : saturatingSum(z.left + 1, right + z.selected);
    return keys < z.keys ? keys : 0;
  };
  p.window = width(std::max<int64_t>(z.right, 0));
  int64_t offset = z.keys - z.queries;
  if (z.right < 0 ||
      (z.right == 0 && offset >= 0 && (z.before < 0 || z.before == offset)))
    return p;
  AttentionProblem all = p;
  all.causal = false;
  all.window = width(0);
  int64_t exact = twiceScores(z).value_or(0) / 2;
  return std::abs(scores(all) - exact) < std::abs(scores(p) - exact) ? all : p;
}

//===----------------------------------------------------------------------===//
// Caches
//===----------------------------------------------------------------------===//

static RankedTensorType keysOf(const OpShapes &s) {
  int cache = getOpInfo(s.op)->cacheOperand;
  return cache >= 0 && s.input(cache) ? s.input(cache)
         : s.input(1)                 ? s.input(1)
                                      : s.input(0);
}

/// The values that belong to `keysOf`.
static RankedTensorType valuesOf(const OpShapes &s) {
  int cache = getOpInfo(s.op)->cacheOperand;
  unsigned keys = cache >= 0 && s.input(cache) ? unsigned(cache) : 1;
  RankedTensorType values = s.input(keys + 1);
  return values ? values : keysOf(s);
}

/// Bits of one row, of one head, in a cache [.., size]; packed elements count
/// as the bytes that contain them.
static std::optional<int64_t> rowBits(RankedTensorType cache, int64_t size) {
  return checkedProduct(
      {cache.getRank() == 4 ? cache.getShape().back() : size, bitsOf(cache)});
}

bool gpucost::onnx::hasPagedCache(Operation *op) {
  return isa<PagedAttentionOp>(op);
}

std::optional<int64_t> gpucost::onnx::readBlockBytes(RankedTensorType blocks,
                                                     int64_t tokens) {
  std::optional<int64_t> all = byteCount(blocks);
  std::optional<int64_t> rows =
      checkedProduct({blocks.getDimSize(0), blocks.getDimSize(1)});
  if (!all || !rows || *rows == 0)
    return all;
  return std::min(*all, saturatingProduct(tokens, *all / *rows));
}

/// (K3) Cached keys and values older than every window are not read.
static bool skipOldKeys(OpShapes &s, const AttentionSizes &z) {
  // The ops count the share of the cache that they read.
  if (isa<PagedAttentionOp, DynamicSparseAttentionOp, SparsePagedAttentionOp>(
          s.op))
    return true;
  int64_t unread =
      z.layoutScores ? z.unreadKeys : countOldKeys(s.op, z.queries, z.keys);
  RankedTensorType keys = keysOf(s);
  if (unread == 0 || !keys)
    return true;
  std::optional<int64_t> key = rowBits(keys, z.headDim);
  // (K5) Values that are a part of the keys are not counted.
  bool isShared = llvm::any_of(s.op->getOpOperands(), [](OpOperand &use) {
    return sharedValueBytes(use) > 0;
  });
  std::optional<int64_t> value =
      isShared ? 0 : rowBits(valuesOf(s), z.valueDim);
  std::optional<int64_t> bits =
      key && value ? checkedProduct({z.batch, z.kvHeads, unread,
                                     saturatingSum(*key, *value)})
                   : std::nullopt;
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
      std::optional<int64_t> row =
          rowBits(present, i == 1 ? z.headDim : z.valueDim);
      std::optional<int64_t> added =
          row ? checkedProduct({z.batch, z.kvHeads, z.queries, *row})
              : std::nullopt;
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

/// Bits of one cached element: two of 4 bits may share a byte.
static int64_t cacheBits(const OpShapes &s, RankedTensorType keys) {
  StringRef name = onnx::getString(s.op, "k_cache_dtype");
  bool packed = s.getInt("kv_cache_bit_width") == 4 || name == "int4" ||
                name == "float4e2m1";
  int64_t bits = bitsOf(keys);
  return packed && bits == 8 ? 4 : bits;
}

//===----------------------------------------------------------------------===//
// Work
//===----------------------------------------------------------------------===//

/// (Q4) Keys and values may be stored in a narrower type than the queries,
/// whose format the kernel computes in: `input_bits` is the width in the cache.
static WorkAttr storeCache(const OpShapes &s, WorkAttr attribute) {
  KernelWork work = attribute.getValue();
  work.inputBits = std::min(work.inputBits, cacheBits(s, keysOf(s)));
  return WorkAttr::get(attribute.getContext(), work);
}

FailureOr<WorkAttr> gpucost::onnx::attentionKernel(
    Operation *op, CostClass shape,
    llvm::function_ref<bool(OpShapes &, AttentionSizes &)> read,
    bool backward) {
  auto measured = OpShapes::measure(op, shape);
  if (!measured)
    return failure();
  OpShapes &s = *measured;
  RankedTensorType q = s.input(0), k = s.input(1);
  AttentionSizes z;
  if (!q || !q.hasStaticShape() || (k && !k.hasStaticShape()) || !read(s, z) ||
      !countCache(s, z) || (!backward && !skipOldKeys(s, z)))
    return failure();
  if (z.before < 0)
    z.before = keysBefore(op, z.queries, z.keys);
  packDocuments(op, z);
  std::optional<int64_t> scores = twiceScores(z);
  std::optional<int64_t> rows = checkedProduct({z.batch, z.heads});
  std::optional<int64_t> all =
      scores && rows ? checkedProduct({*rows, *scores}) : std::nullopt;
  if (!all)
    return failure();
  // Scores, dQ and dK have the channels of keys, dP and dV those of values.
  std::optional<int64_t> flops = checkedProduct(
      {*all, backward ? saturatingSum(saturatingProduct(3, z.headDim),
                                      saturatingProduct(2, z.valueDim))
                      : saturatingSum(z.headDim, z.valueDim)});
  AttentionProblem problem = problemOf(z, backward);
  problem.chosen =
      op->hasAttr("selects_keys") && getInt(op, "selects_keys") != 0;
  FailureOr<WorkAttr> work = makeWork(
      s, KernelFamily::Attention, {InstructionClass::None, 0, 0}, problem,
      flops, checkedProduct({backward ? 8 : 5, *all / 2}), *all / 2);
  return succeeded(work) ? storeCache(s, *work) : work;
}
