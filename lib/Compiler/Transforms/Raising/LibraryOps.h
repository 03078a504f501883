//===- LibraryOps.h - Operators with several kernels ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that a framework runs as several kernels: losses, the attention of
// com.microsoft with its projection, dynamic quantisation.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIBRARYOPS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIBRARYOPS_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"

namespace gpucost::raising {

struct LibraryOptions {
  /// Whether the target has fused attention kernels; otherwise contrib
  /// attention is converted to plain attention, which is then expanded.
  bool hasFusedKernels = true;
  /// Whether a backward pass will be derived: fused operators are replaced with
  /// ops that have backward rules, as in a framework that trains the model.
  bool training = false;
  /// How new keys and values are appended to past ones; tokens per block.
  KvCacheMode cache = KvCacheMode::Concat;
  int64_t cacheBlock = 16;
  /// Whether caches of layers with a sliding window keep only the window.
  bool limitsCaches = true;
};

/// Replaces such operators of a block with ops that have one kernel each.
/// Operators with inconsistent types remain unchanged.
void expandLibraryOps(mlir::Block &block, const LibraryOptions &options);

/// (K1) Writes `part` after the existing tokens of the cache `past`, in its
/// memory; the result, of type `type`, is the complete cache.
mlir::Value createCacheUpdate(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::RankedTensorType type, mlir::Value part,
                              mlir::Value past, const LibraryOptions &options);

/// Applies the cache setting to concatenations of an input with new values that
/// become an output, and to attention with a cache operand. Returns the bytes
/// of past keys and values that are copied. (CacheUpdates.cpp)
int64_t updateCaches(mlir::Block &block, const LibraryOptions &options);
/// Marks attention on caches that `updateCaches` and `expandLibraryOps` split
/// into blocks (K2): it reads the block table; and the caches of attention with
/// a sliding window that keep only the window (K3). (CacheUpdates.cpp)
void markCaches(mlir::Block &block, const LibraryOptions &options);

/// Replaces a fused com.microsoft operator with separate ops. Returns false for
/// other operators and inconsistent types. (FusedOps.cpp)
bool splitFusedOp(mlir::Operation *op);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIBRARYOPS_H
