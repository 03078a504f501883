//===- AttentionBlocks.h - KV blocks of tiled attention ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many KV blocks the query tiles of one head (or packed head group) visit,
// in closed form: equation (A1) of docs/CostModel.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_MODEL_FAMILIES_ATTENTIONBLOCKS_H
#define GPUCOST_LIB_CORE_MODEL_FAMILIES_ATTENTIONBLOCKS_H

#include "gpucost/Core/Model/KernelFamily.h"
#include <cstdint>

namespace gpucost {

/// One head, or the `rowsPerQuery = groupHeads / groups` heads that share a KV
/// head when they are packed into one query tile.
struct AttentionGrid {
  int64_t queries = 0, keys = 0, window = 0;
  bool causal = false;
  /// Rows of the tile per query position, as a fraction.
  int64_t rowsNumerator = 1, rowsDenominator = 1;
  int64_t tileRows = 0, tileColumns = 0;
};

struct AttentionBlocks {
  double tiles = 0; ///< query tiles
  double total = 0; ///< KV blocks of all tiles
  double most = 0;  ///< KV blocks of the longest
};

/// Exact up to 2^30 positions; beyond, causal tiles count as their mean.
AttentionBlocks countBlocks(const AttentionGrid &grid);

/// Events of a kernel with `flops` FLOPs of matmuls, weighted by the energy of
/// their format, `scores` scores, `bytes` of DRAM and `l2Bytes` of L2 traffic.
void addAttentionEvents(const CostModel &model, double flops, double scores,
                        double bytes, double l2Bytes, LaunchTerms &terms);

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_MODEL_FAMILIES_ATTENTIONBLOCKS_H
