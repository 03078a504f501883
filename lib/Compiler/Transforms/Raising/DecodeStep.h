//===- DecodeStep.h - Adds a KV cache to attention --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The second half of `gpucost-derive-decode`, docs/CostModel.md (K4).

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_DECODESTEP_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_DECODESTEP_H

#include "LibraryOps.h"
#include "gpucost/Compiler/Transforms/Shapes/DecoderValues.h"
#include "llvm/Support/LogicalResult.h"

namespace gpucost::raising {

/// Why an attention op of a decoder cannot have a cache; "" if it can.
std::string whyNoCache(mlir::Operation *attention,
                       const DecoderValues &decoder);
/// The ops of `block` that implement attention, in order.
llvm::SmallVector<mlir::Operation *> findAttention(mlir::Block &block);
/// Whether `op` is part of attention in separate ops, and its diagnostic.
bool isSeparateAttention(mlir::Operation &op);
inline constexpr llvm::StringLiteral separateAttention =
    "this softmax belongs to an unsupported form of attention; export the "
    "model with its past keys and values";
/// Adds `past` cached tokens to every attention op: inputs, the update selected
/// by `options`, and results. Keys and values from an encoder become inputs
/// without an update, and the encoder is removed. Diagnoses attention that
/// cannot have a cache.
llvm::LogicalResult appendCaches(mlir::Block &block, int64_t past,
                                 const LibraryOptions &options);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_DECODESTEP_H
