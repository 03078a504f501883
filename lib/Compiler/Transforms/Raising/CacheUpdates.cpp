//===- CacheUpdates.cpp - Updates of KV caches ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A file is stateless: past keys are an input, present keys an output, and the
// file concatenates past and new keys. Serving runtimes use one buffer.

#include "LibraryOps.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Dialect/Onnx/Work/Windows.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// Maximum number of copies and views between a cache and its users.
static constexpr unsigned maxViews = 16;

static bool isReturned(Value value, unsigned depth = 0) {
  return llvm::any_of(value.getUsers(), [&](Operation *user) {
    return isa<func::ReturnOp>(user) ||
           (isa<onnx::IdentityOp>(user) && depth < maxViews &&
            isReturned(user->getResult(0), depth + 1));
  });
}

/// Whether `op` concatenates past and new values, where the past is an input
/// and the result an output.
static bool appendsToCache(onnx::ConcatOp op) {
  if (op->getNumOperands() != 2)
    return false;
  auto past = dyn_cast<BlockArgument>(op->getOperand(0));
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  return past && isa<func::FuncOp>(past.getOwner()->getParentOp()) && type &&
         type.hasStaticShape() && isReturned(op->getResult(0));
}

int64_t raising::updateCaches(Block &block, const LibraryOptions &options) {
  bool inPlace = options.cache != KvCacheMode::Concat && !options.training;
  int64_t copied = 0;
  for (Operation &op : llvm::make_early_inc_range(block.without_terminator())) {
    const onnx::OpInfo *info = onnx::getOpInfo(&op);
    if (inPlace && info && info->cacheOperand >= 0 &&
        onnx::hasOperand(&op, info->cacheOperand)) {
      op.setAttr(inPlaceAttrName, UnitAttr::get(op.getContext()));
      if (options.cache == KvCacheMode::Paged)
        op.setAttr(
            cacheBlockAttrName,
            Builder(op.getContext()).getI64IntegerAttr(options.cacheBlock));
    }
    auto concat = dyn_cast<onnx::ConcatOp>(op);
    if (!concat || !appendsToCache(concat))
      continue;
    if (!inPlace) {
      copied = saturatingSum(copied,
                             byteCount(op.getOperand(0).getType()).value_or(0));
      continue;
    }
    OpBuilder builder(&op);
    Value update = createCacheUpdate(
        builder, op.getLoc(), cast<RankedTensorType>(op.getResult(0).getType()),
        op.getOperand(1), op.getOperand(0), options);
    if (Attribute names = op.getAttr(onnx::OnnxDialect::valueNamesAttrName))
      update.getDefiningOp()->setAttr(onnx::OnnxDialect::valueNamesAttrName,
                                      names);
    op.getResult(0).replaceAllUsesWith(update);
    op.erase();
  }
  return copied;
}

/// The cache update whose result `keys` reads, through views and repeated
/// heads; null for any other value.
static onnx::InsertOp findCache(Value keys) {
  for (unsigned depth = 0; depth < maxViews; ++depth) {
    Operation *def = keys.getDefiningOp();
    if (auto update = dyn_cast_or_null<onnx::InsertOp>(def))
      return update;
    auto work = dyn_cast_or_null<WorkOpInterface>(def);
    if (!work || work.getCostClass() != CostClass::View ||
        def->getNumOperands() == 0)
      return {};
    keys = def->getOperand(0);
  }
  return {};
}

/// The tokens that the cache of an attention op keeps; nullopt: all.
static std::optional<int64_t> keptTokens(Operation *op,
                                         const LibraryOptions &options) {
  int64_t left = onnx::getKeyWindow(op).left;
  if (left < 0 || !options.limitsCaches || onnx::getInt(op, "selects_keys") ||
      options.cache == KvCacheMode::Concat || options.training)
    return std::nullopt;
  return left + 1;
}

void raising::markCaches(Block &block, const LibraryOptions &options) {
  Builder builder(block.getParentOp()->getContext());
  for (Operation &op : block) {
    auto work = dyn_cast<WorkOpInterface>(op);
    if (!work || work.getCostClass() != CostClass::Attention ||
        op.getNumOperands() < 2)
      continue;
    std::optional<int64_t> kept = keptTokens(&op, options);
    if (kept && op.hasAttr(inPlaceAttrName))
      op.setAttr(cacheWindowAttrName, builder.getI64IntegerAttr(*kept));
    for (Value part : llvm::drop_begin(op.getOperands())) {
      onnx::InsertOp update = findCache(part);
      if (!update)
        continue;
      if (Attribute size = update->getAttr(cacheBlockAttrName))
        op.setAttr(cacheBlockAttrName, size);
      if (kept)
        update->setAttr(cacheWindowAttrName, builder.getI64IntegerAttr(*kept));
    }
  }
}
