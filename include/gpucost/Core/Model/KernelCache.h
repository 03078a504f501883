//===- KernelCache.h - Costs of repeated kernels ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A network launches few distinct kernels many times. The cache belongs to its
// caller, holds the answers of one model to one query and is not thread-safe:
// one per thread.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_KERNELCACHE_H
#define GPUCOST_CORE_MODEL_KERNELCACHE_H

#include "gpucost/Core/Model/CostModel.h"
#include <vector>

namespace gpucost {

/// Open hash table from `KernelWork` to its estimated cost. Errors are not
/// kept.
class KernelCache {
public:
  /// `model` must outlive the cache.
  explicit KernelCache(const CostModel &model, KernelQuery query = {});

  /// `CostModel::estimate` of `work`, computed once.
  Expected<KernelCost> estimate(const KernelWork &work);

  size_t size() const { return entries.size(); }

private:
  struct Entry {
    size_t hash;
    KernelWork work;
    KernelCost cost;
  };
  /// Slot that holds `work` or where it belongs.
  size_t findSlot(const KernelWork &work, size_t hash) const;
  void grow();

  const CostModel &model;
  KernelQuery query;
  std::vector<Entry> entries;
  /// Index into `entries` plus one, 0 = free; the size is a power of two.
  std::vector<uint32_t> slots;
};

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_KERNELCACHE_H
