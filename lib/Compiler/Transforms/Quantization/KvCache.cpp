//===- KvCache.cpp - Format of the KV cache -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "KvCache.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"

using namespace mlir;
using namespace gpucost;

/// Maximum number of ops between the cache argument and its attention.
static constexpr unsigned longestChain = 16;

static bool isFloatTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && isa<FloatType>(type.getElementType());
}

static bool appends(Operation *op) {
  return isa<onnx::TensorScatterOp, onnx::ConcatOp, onnx::InsertOp>(op);
}

/// Collects `value` and the values it is computed from, back to the argument
/// with the cache; false if there is none. Only views and ops that append to a
/// cache may be in between.
static bool findCache(Value value, SmallVectorImpl<Value> &chain,
                      unsigned depth = longestChain) {
  if (!isFloatTensor(value) || depth == 0)
    return false;
  Operation *def = value.getDefiningOp();
  auto work = dyn_cast_or_null<WorkOpInterface>(def);
  bool isView = work && work.getCostClass() == CostClass::View;
  bool found = !def;
  // The appended part is computed; the cache is an argument.
  for (unsigned i = 0; def && !found && i < def->getNumOperands(); ++i)
    found = ((isView && i == 0) || appends(def)) &&
            findCache(def->getOperand(i), chain, depth - 1);
  if (found)
    chain.push_back(value);
  return found;
}

/// Whether tokens were appended on the way: an argument that attention reads
/// directly does not cache the model's own tokens.
static bool isAppendedTo(ArrayRef<Value> chain) {
  return llvm::any_of(chain, [](Value value) {
    Operation *def = value.getDefiningOp();
    return def && appends(def);
  });
}

static void setElementType(Value value, Type element) {
  value.setType(cast<RankedTensorType>(value.getType()).clone(element));
}

int64_t quantization::setCacheType(Block &block, Type element) {
  int64_t count = 0;
  for (Operation &op : block) {
    const onnx::OpInfo *info = onnx::getOpInfo(&op);
    if (!info || info->shape != CostClass::Attention)
      continue;
    int cache = info->cacheOperand;
    bool hasOwn = cache >= 0 && onnx::hasOperand(&op, cache);
    unsigned first = hasOwn ? static_cast<unsigned>(cache) : 1;
    bool found = false;
    for (unsigned i : {first, first + 1}) {
      if (!onnx::hasOperand(&op, i))
        continue;
      SmallVector<Value> chain;
      if (!findCache(op.getOperand(i), chain) ||
          (!hasOwn && !isAppendedTo(chain)))
        continue;
      for (Value value : chain)
        setElementType(value, element);
      found = true;
    }
    // The updated cache.
    if (hasOwn && found)
      for (Value result : op.getResults().drop_front().take_front(2))
        if (isFloatTensor(result))
          setElementType(result, element);
    count += found;
  }
  return count;
}
