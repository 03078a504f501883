//===- DecodeStep.h - Attention gets a KV cache -----------------*- C++ -*-===//
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

/// Of one attention of a decoder: what keeps it from getting a cache; "" where
/// nothing does.
std::string whyNoCache(mlir::Operation *attention,
                       const DecoderValues &decoder);
/// The ops of `block` that are one attention each, in order.
llvm::SmallVector<mlir::Operation *> findAttention(mlir::Block &block);
/// An attention that is still separate ops, and what to say of it.
bool isSeparateAttention(mlir::Operation &op);
inline constexpr llvm::StringLiteral separateAttention =
    "this softmax belongs to an attention of unknown form; export the model "
    "with its past keys and values";
/// Gives every attention `past` cached tokens before its own: inputs, the
/// update that `options` say, results. Keys and values that an encoder made are
/// inputs as they are, and the encoder is gone. Diagnoses attention that cannot
/// have them.
llvm::LogicalResult appendCaches(mlir::Block &block, int64_t past,
                                 const LibraryOptions &options);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_DECODESTEP_H
