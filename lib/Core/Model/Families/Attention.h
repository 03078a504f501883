//===- Attention.h - Tiles of fused attention -------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_ATTENTION_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_ATTENTION_H

#include "gpucost/Core/Model/CostModel.h"

namespace gpucost {

/// The configuration of the kernel `kind` with several queries and `tile`,
/// query rows x key columns (0: the library's), and its split of the keys by
/// equation (A2). `work` is valid.
Expected<Tiling> tileAttentionAs(const CostModel &model, const KernelWork &work,
                                 ImplementationKind kind, const Tile &tile);

/// An error unless the sizes are those of attention.
Expected<void> checkAttention(const AttentionProblem &p);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_ATTENTION_H
