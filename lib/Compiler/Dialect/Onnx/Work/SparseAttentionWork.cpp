//===- SparseAttentionWork.cpp - Work of attention to chosen keys ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AttentionSizes.h"
#include "WorkRules.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::onnx;

namespace {
/// Where the operands of the two ops are.
struct Layout {
  explicit Layout(Operation *op)
      : paged(isa<SparsePagedAttentionOp>(op)), indices(paged ? 9 : 7),
        auxiliary(paged ? 11 : 5), auxiliaryAxis(paged ? 1 : 2) {}

  bool paged;
  unsigned indices, auxiliary;
  unsigned auxiliaryAxis; ///< tokens of the auxiliary keys
};

struct SparseSizes : AttentionSizes {
  /// Different tokens of a sequence that its queries read, at most.
  int64_t mainTokens = 0, auxiliaryTokens = 0;
};
} // namespace

/// The lengths of queries and keys: rows of tokens with a cache in blocks, or
/// [batch, length, hidden] with a contiguous one, at most all of which is used.
static bool readLengths(const OpShapes &s, const Layout &at, SparseSizes &z) {
  RankedTensorType q = s.input(0), cache = s.input(3);
  z.heads = s.getInt("num_heads");
  z.kvHeads = s.getInt("kv_num_heads");
  if (z.heads <= 0 || z.kvHeads <= 0 || q.getRank() != (at.paged ? 2 : 3))
    return false;
  int64_t parts = s.input(1)
                      ? z.heads
                      : saturatingSum(z.heads, saturatingProduct(2, z.kvHeads));
  z.headDim = q.getShape().back() / parts;
  z.valueDim = z.headDim;
  if (!at.paged) {
    z.batch = q.getDimSize(0), z.queries = q.getDimSize(1);
    z.keys = std::max(z.queries, cachedKeys(s, 3));
    return true;
  }
  RankedTensorType lengths = s.input(5), table = s.input(7);
  if (!cache || cache.getRank() != 4 || !lengths || lengths.getRank() != 1 ||
      lengths.getDimSize(0) < 2 || !table || table.getRank() != 2)
    return false;
  z.batch = lengths.getDimSize(0) - 1;
  z.queries = (q.getDimSize(0) + z.batch - 1) / z.batch;
  z.keys = std::max(
      z.queries, saturatingProduct(cache.getDimSize(1), table.getDimSize(1)));
  return true;
}

/// Each query attends to as many chosen keys as a row of indices has, and in
/// mode local_plus_selected to those in the window.
static bool readSparse(const OpShapes &s, SparseSizes &z) {
  Layout at(s.op);
  RankedTensorType indices = s.input(at.indices);
  if (!indices || indices.getRank() != 2 || !readLengths(s, at, z))
    return false;
  bool fromMain = onnx::getString(s.op, "selected_kv_source") == "main";
  bool local = onnx::getString(s.op, "attention_mode") != "selected_only";
  int64_t source =
      fromMain ? z.keys : cachedKeys(s, at.auxiliary, at.auxiliaryAxis);
  int64_t chosen = std::min(indices.getDimSize(1), source);
  if (chosen <= 0)
    return false;
  int64_t window = s.getInt("local_window_size");
  int64_t chosenTokens = std::min(source, saturatingProduct(z.queries, chosen));
  bool causal = s.getInt("is_causal") != 0;
  z.right = 0;
  if (local) {
    z.right = causal ? 0 : -1;
    z.left = window > 0 ? window - 1 : -1;
    z.selected = chosen;
    z.mainTokens = window > 0
                       ? std::min(z.keys, saturatingSum(z.queries, window - 1))
                       : z.keys;
  } else if (fromMain && causal) {
    // No query sees more keys than precede it: the count of a window.
    z.left = chosen - 1;
  } else {
    z.left = 0; // one of the chosen keys
    z.selected = chosen - 1;
  }
  if (fromMain)
    z.mainTokens = std::min(z.keys, saturatingSum(z.mainTokens, chosenTokens));
  else
    z.auxiliaryTokens = chosenTokens;
  return true;
}

/// Bytes of operand `i` that the kernel reads; nullopt for all of them.
static std::optional<int64_t> chosenBytes(const OpShapes &s,
                                          const SparseSizes &z, unsigned i) {
  Layout at(s.op);
  RankedTensorType type = s.input(i);
  bool main = i == 3 || i == 4;
  if (!type || type.getRank() != 4 ||
      (!main && i != at.auxiliary && i != at.auxiliary + 1))
    return std::nullopt;
  int64_t tokens = main ? z.mainTokens : z.auxiliaryTokens;
  if (main && at.paged)
    return readBlockBytes(type, saturatingProduct(z.batch, tokens));
  std::optional<int64_t> all = byteCount(type);
  int64_t length = type.getDimSize(main ? 2 : at.auxiliaryAxis);
  if (!all || length <= 0)
    return std::nullopt;
  return saturatingProduct(*all / length, std::min(tokens, length));
}

std::optional<int64_t> gpucost::onnx::chosenKeyBytes(OpOperand &use) {
  if (!isa<DynamicSparseAttentionOp, SparsePagedAttentionOp>(use.getOwner()))
    return std::nullopt;
  OpShapes s(use.getOwner());
  SparseSizes z;
  return s.input(0) && readSparse(s, z)
             ? chosenBytes(s, z, use.getOperandNumber())
             : std::nullopt;
}

static bool measureSparse(OpShapes &s, AttentionSizes &sizes) {
  SparseSizes z;
  std::optional<int64_t> unread = unreadRotaryBytes(s.op);
  if (!unread || !readSparse(s, z))
    return false;
  s.bytesRead -= *unread;
  SmallVector<Value> seen;
  for (OpOperand &use : s.op->getOpOperands()) {
    std::optional<int64_t> read = chosenBytes(s, z, use.getOperandNumber());
    if (!read || llvm::is_contained(seen, use.get()))
      continue;
    seen.push_back(use.get());
    s.bytesRead -= byteCount(use.get().getType()).value_or(0) - *read;
  }
  sizes = z;
  return true;
}

FailureOr<WorkAttr> gpucost::onnx::dynamicSparseAttentionWork(Operation *op,
                                                              CostClass shape,
                                                              ElementCost) {
  return attentionKernel(op, shape, measureSparse);
}

FailureOr<WorkAttr> gpucost::onnx::sparsePagedAttentionWork(Operation *op,
                                                            CostClass shape,
                                                            ElementCost) {
  return attentionKernel(op, shape, measureSparse);
}
