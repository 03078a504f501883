//===- TilingCache.h - Tilings of the last matmuls --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ITERATION_TILINGCACHE_H
#define GPUCOST_LIB_CORE_ITERATION_TILINGCACHE_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include <vector>

namespace gpucost {

/// Places kernels on one GPU and caches the tilings of matmuls, whose choice
/// takes most of the time. Its memory is allocated once. Not thread-safe.
class TilingCache {
public:
  /// `model` must outlive the cache.
  explicit TilingCache(const CostModel &model) : model(model), slots(count) {}

  /// Like `placeKernel` without a schedule, possibly without terms.
  PlacedKernel place(const KernelWork &work) {
    if (!work.is<MatmulProblem>())
      return placeKernel(model, work);
    Slot &slot = slots[hash_value(work) % count];
    if (slot.isUsed && slot.work == work)
      return PlacedKernel{work, slot.tiling, "", {}, "", {}};
    PlacedKernel kernel = placeKernel(model, work);
    if (kernel.reason.empty())
      slot = {work, kernel.tiling, true};
    return kernel;
  }

private:
  struct Slot {
    KernelWork work;
    Tiling tiling;
    bool isUsed = false;
  };
  /// About 2.5 MiB: the matmuls of some thousand numbers of tokens.
  static constexpr size_t count = 8192;
  const CostModel &model;
  std::vector<Slot> slots;
};

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ITERATION_TILINGCACHE_H
