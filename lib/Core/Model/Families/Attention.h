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

/// What a schedule of one query token per sequence may choose, equation (Y13).
struct DecodeChoices {
  Tile tile;       ///< query rows and keys of the library's kernel
  double keys = 0; ///< that a query sees
  /// Whether each query head reads the cache separately: its tile has one row.
  bool separatesHeads = false;
  /// Splits of the keys that the library's kernel may have (D2).
  std::vector<int32_t> splits;
};
/// nullopt unless the kernel of `tiling` is a decode kernel (D*).
std::optional<DecodeChoices> findDecodeChoices(const CostModel &model,
                                               const KernelWork &work,
                                               const Tiling &tiling);

/// An error unless the sizes are those of attention.
Expected<void> checkAttention(const AttentionProblem &p);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_ATTENTION_H
