//===- TilingCache.h - The last matmuls on one GPU --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_CORE_ITERATION_TILINGCACHE_H
#define GPUCOST_LIB_CORE_ITERATION_TILINGCACHE_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include <array>
#include <vector>

namespace gpucost {

/// Places kernels on one GPU and caches tilings and terms of matmuls, which
/// take most of the time. Its memory is allocated once. Not thread-safe.
class TilingCache {
public:
  /// `model` must outlive the cache.
  explicit TilingCache(const CostModel &model) : model(model), sets(count) {}

  /// Like `placeKernel` without a schedule, possibly without terms.
  void place(const KernelWork &work, PlacedKernel &kernel) {
    if (!work.is<MatmulProblem>()) {
      kernel = placeKernel(model, work);
      return;
    }
    Set &set = sets[hash_value(work) % count];
    for (const Way &way : set.ways)
      if (way.terms && way.work == work) {
        kernel.work = work;
        kernel.tiling = way.tiling;
        kernel.reason.clear();
        kernel.terms = way.terms;
        return;
      }
    kernel = placeKernel(model, work);
    if (kernel.terms && kernel.reason.empty())
      set.ways[set.next++ % set.ways.size()] = {work, kernel.tiling,
                                                kernel.terms};
  }

private:
  struct Way {
    KernelWork work;
    Tiling tiling;
    std::optional<LaunchTerms> terms;
  };
  struct Set {
    std::array<Way, 4> ways;
    uint32_t next = 0; ///< the oldest way
  };
  /// About 5 MiB: the matmuls of some thousand numbers of tokens.
  static constexpr size_t count = 2048;
  const CostModel &model;
  std::vector<Set> sets;
};

} // namespace gpucost

#endif // GPUCOST_LIB_CORE_ITERATION_TILINGCACHE_H
