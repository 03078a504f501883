//===- KernelCache.cpp - Costs of repeated kernels ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/KernelCache.h"

using namespace gpucost;

static constexpr size_t firstSlots = 64;

KernelCache::KernelCache(const CostModel &model, KernelQuery query)
    : model(model), query(query), slots(firstSlots, 0) {}

size_t KernelCache::findSlot(const KernelWork &work, size_t hash) const {
  size_t mask = slots.size() - 1;
  for (size_t slot = hash & mask;; slot = (slot + 1) & mask) {
    uint32_t index = slots[slot];
    if (index == 0)
      return slot;
    const Entry &entry = entries[index - 1];
    if (entry.hash == hash && entry.work == work)
      return slot;
  }
}

void KernelCache::grow() {
  slots.assign(slots.size() * 2, 0);
  size_t mask = slots.size() - 1;
  for (size_t i = 0; i < entries.size(); ++i) {
    size_t slot = entries[i].hash & mask;
    while (slots[slot] != 0)
      slot = (slot + 1) & mask;
    slots[slot] = static_cast<uint32_t>(i + 1);
  }
}

Expected<KernelCost> KernelCache::estimate(const KernelWork &work) {
  size_t hash = hash_value(work);
  size_t slot = findSlot(work, hash);
  if (slots[slot] != 0)
    return entries[slots[slot] - 1].cost;
  Expected<KernelCost> cost = model.estimate(work, query);
  if (!cost)
    return fail(cost.error());
  entries.push_back({hash, work, *cost});
  slots[slot] = static_cast<uint32_t>(entries.size());
  if (entries.size() * 2 > slots.size())
    grow();
  return cost;
}
