//===- CacheWindows.cpp - Caches that keep a sliding window ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TensorRoots.h"
#include "gpucost/Compiler/Analysis/Iteration/IterationAnalysis.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;

/// The axis of tokens: the one in which `cache` differs from the cache after
/// the step, or the last but one.
static int64_t tokenAxis(RankedTensorType cache, Type after) {
  auto grown = dyn_cast<RankedTensorType>(after);
  if (grown && grown.getRank() == cache.getRank())
    for (int64_t i = 0; i < cache.getRank(); ++i)
      if (grown.getDimSize(i) != cache.getDimSize(i))
        return i;
  return cache.getRank() - 2;
}

void CacheWindows::add(Value cache, Type after, int64_t tokens) {
  TensorRoots roots;
  auto type = dyn_cast<RankedTensorType>(cache.getType());
  if (type && type.getRank() >= 2)
    windows[roots.stored(cache)] = {tokenAxis(type, after), tokens};
}

CacheWindows::CacheWindows(Operation *scope) {
  scope->walk([&](Operation *op) {
    auto tokens = op->getAttrOfType<IntegerAttr>(cacheWindowAttrName);
    if (!tokens)
      return;
    if (isa<onnx::InsertOp>(op))
      return add(op->getOperand(1), op->getResult(0).getType(),
                 tokens.getInt());
    int first = onnx::getOpInfo(op)->cacheOperand;
    for (unsigned i : {0u, 1u})
      if (first >= 0 && onnx::hasOperand(op, first + i) &&
          op->getNumResults() > i + 1)
        add(op->getOperand(first + i), op->getResult(i + 1).getType(),
            tokens.getInt());
  });
}

std::optional<int64_t> CacheWindows::heldBytes(Value holder, Type type) const {
  std::optional<int64_t> bytes = byteCount(type);
  auto it = windows.find(holder);
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!bytes || it == windows.end() || !ranked ||
      it->second.axis >= ranked.getRank())
    return bytes;
  int64_t tokens = ranked.getDimSize(it->second.axis);
  return tokens > it->second.tokens ? *bytes / tokens * it->second.tokens
                                    : *bytes;
}
