//===- LibraryOps.h - Operators of several kernels --------------*- C++ -*-===//
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
  /// The target has kernels for fused attention; otherwise its contrib forms
  /// become the plain one, which is then expanded.
  bool hasFusedKernels = true;
  /// A backward pass is going to be derived: fused operators become the ops
  /// that have backward rules, as a framework that trains the model runs them.
  bool training = false;
  /// How new keys and values join the past ones, and tokens of a block.
  KvCacheMode cache = KvCacheMode::Concat;
  int64_t cacheBlock = 16;
};

/// Replaces such operators of a block by ops of one kernel each. Operators
/// whose types do not fit stay as they are.
void expandLibraryOps(mlir::Block &block, const LibraryOptions &options);

/// (K1) Writes `part` behind what the cache `past` holds, into its memory; the
/// result, of type `type`, is all of it.
mlir::Value createCacheUpdate(mlir::OpBuilder &builder, mlir::Location loc,
                              mlir::RankedTensorType type, mlir::Value part,
                              mlir::Value past, const LibraryOptions &options);

/// Applies the setting of the cache to what keeps one: concatenations of an
/// input with what becomes an output, and attention that has the cache as
/// operand. Returns the bytes of past keys and values that are copied.
/// (CacheUpdates.cpp)
int64_t updateCaches(mlir::Block &block, const LibraryOptions &options);
/// (K2) Attention on what `updateCaches` and `expandLibraryOps` put in blocks
/// reads the table of blocks. (CacheUpdates.cpp)
void markPagedAttention(mlir::Block &block);

/// Builds the ops that a fused operator of com.microsoft stands for, in front
/// of it. False when it is none or its types do not fit. (FusedOps.cpp)
bool splitFusedOp(mlir::Operation *op);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIBRARYOPS_H
