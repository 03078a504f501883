//===- KvCache.h - Format of the KV cache -----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_KVCACHE_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_KVCACHE_H

#include "mlir/IR/Block.h"
#include "mlir/IR/Types.h"

namespace gpucost::quantization {

/// Stores the caches that attention ops of `block` read and write with element
/// type `element`: arguments, the ops that append to them, and results. Returns
/// the number of attention ops with such a cache.
int64_t setCacheType(mlir::Block &block, mlir::Type element);

} // namespace gpucost::quantization

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_KVCACHE_H
