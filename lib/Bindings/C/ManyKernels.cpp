//===- ManyKernels.cpp - Arrays of kernels of the C interface -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include "gpucost/Core/Support/Hashing.h"

using namespace gpucost;
using namespace gpucost::capi;

/// A kernel of the caller for comparison: every byte counts.
static uint64_t hashKernel(const gpucostKernel &kernel) {
  uint64_t words[sizeof(gpucostKernel) / sizeof(uint64_t)];
  static_assert(sizeof(words) == sizeof(gpucostKernel));
  std::memcpy(words, &kernel, sizeof(words));
  size_t used = 2 + wordsOf(kernel.family);
  uint64_t hash = 0;
  for (size_t i = 0; i < used; ++i)
    hash = combineHashes(hash, words[i]);
  return hash;
}

namespace {

/// Open hash table from kernels to numbers.
class KernelIndex {
public:
  KernelIndex() : slots(64) {}

  /// The number of the kernel that `isSame(number)` finds, or where it belongs.
  template <typename IsSame> uint32_t &find(uint64_t hash, IsSame isSame) {
    size_t mask = slots.size() - 1;
    for (size_t at = hash & mask;; at = (at + 1) & mask) {
      Slot &slot = slots[at];
      if (slot.number == 0 ||
          (slot.tag == tagOf(hash) && isSame(slot.number - 1))) {
        slot.tag = tagOf(hash);
        return slot.number;
      }
    }
  }
  /// To be called for each number that was stored; `hashOf(number)`.
  template <typename HashOf> void added(HashOf hashOf) {
    if (++count * 2 <= slots.size())
      return;
    std::vector<Slot> old(slots.size() * 2);
    old.swap(slots);
    size_t mask = slots.size() - 1;
    for (const Slot &slot : old) {
      if (slot.number == 0)
        continue;
      size_t at = hashOf(slot.number - 1) & mask;
      while (slots[at].number != 0)
        at = (at + 1) & mask;
      slots[at] = slot;
    }
  }

private:
  struct Slot {
    uint32_t number = 0; ///< plus one; 0 is free
    uint32_t tag = 0;
  };
  static uint32_t tagOf(uint64_t hash) {
    return static_cast<uint32_t>(hash >> 32);
  }
  std::vector<Slot> slots;
  size_t count = 0;
};

/// Both arrays of a batch, the answers and the first error.
struct Batch {
  StructArray<const gpucostKernel> kernels;
  StructArray<gpucostCost> costs;
  std::optional<Failure> first;

  Batch(const gpucostKernel *kernel, size_t kernelStride, size_t count,
        gpucostCost *cost, size_t costStride)
      : kernels(kernel, kernelStride, checked(count), "gpucostKernel"),
        costs(cost, costStride, count, "gpucostCost") {}

  /// Element `i`, with the size of the first one.
  gpucostKernel read(size_t i) const {
    const gpucostKernel *given = kernels.at(i);
    // The usual case without a byte by byte comparison.
    return given->size == sizeof(gpucostKernel)
               ? *given
               : readStruct(given, "gpucostKernel");
  }
  void write(size_t i, const gpucostCost &cost) const {
    writeStruct(costs.prepare(i), cost);
  }
  /// Calls `answer(i)` for each kernel. One that fails has no cost, and the
  /// batch fails with the first failure at its end.
  template <typename Answer> void run(size_t count, Answer answer) {
    for (size_t i = 0; i < count; ++i) {
      try {
        answer(i);
      } catch (const Failure &failure) {
        gpucostCost none = unknownCost();
        none.status = failure.status;
        write(i, none);
        if (!first)
          first = {failure.status, concat("kernel ", i, ": ", failure.message)};
      }
    }
    if (first)
      throw *first;
  }

private:
  static size_t checked(size_t count) {
    require(count < std::numeric_limits<uint32_t>::max(),
            "more than 2^32 - 2 kernels in one call");
    return count;
  }
};

} // namespace

gpucostStatus gpucostEstimateMany(const gpucostModel *model,
                                  const gpucostKernel *kernels,
                                  size_t kernelStride, size_t count,
                                  const gpucostQuery *given, gpucostCost *costs,
                                  size_t costStride) {
  return guard([&] {
    require(model, "the model is NULL");
    KernelQuery query = readQuery(*model, given);
    Batch batch(kernels, kernelStride, count, costs, costStride);
    // Repeated kernels are found in the array of the caller: no copies.
    KernelIndex known;
    batch.run(count, [&](size_t i) {
      gpucostKernel kernel = batch.read(i);
      uint32_t &number = known.find(hashKernel(kernel), [&](uint32_t j) {
        gpucostKernel other = batch.read(j);
        return std::memcmp(&kernel, &other, sizeof(kernel)) == 0;
      });
      if (number) {
        gpucostCost *to = batch.costs.prepare(i);
        std::memcpy(to, batch.costs.at(number - 1), to->size);
        return;
      }
      number = static_cast<uint32_t>(i) + 1;
      known.added([&](uint32_t j) { return hashKernel(batch.read(j)); });
      batch.write(i, estimate(*model, kernel, query));
    });
  });
}

struct gpucostCache {
  /// A copy, so that the caller may free the original.
  gpucostModel model;
  KernelQuery query;
  KernelIndex index;
  struct Entry {
    gpucostKernel kernel;
    gpucostCost cost;
  };
  std::vector<Entry> entries;
};

gpucostStatus gpucostCacheCreate(const gpucostModel *model,
                                 const gpucostQuery *given,
                                 gpucostCache **cache) {
  return guard([&] {
    require(model, "the model is NULL");
    require(cache, "the place for the cache is NULL");
    *cache = new gpucostCache{*model, readQuery(*model, given), {}, {}};
  });
}

void gpucostCacheFree(gpucostCache *cache) { delete cache; }

size_t gpucostCacheSize(const gpucostCache *cache) {
  return cache ? cache->entries.size() : 0;
}

gpucostStatus gpucostCacheEstimateMany(gpucostCache *cache,
                                       const gpucostKernel *kernels,
                                       size_t kernelStride, size_t count,
                                       gpucostCost *costs, size_t costStride) {
  return guard([&] {
    require(cache, "the cache is NULL");
    Batch batch(kernels, kernelStride, count, costs, costStride);
    std::vector<gpucostCache::Entry> &entries = cache->entries;
    batch.run(count, [&](size_t i) {
      gpucostKernel kernel = batch.read(i);
      uint32_t &number = cache->index.find(hashKernel(kernel), [&](uint32_t j) {
        return std::memcmp(&kernel, &entries[j].kernel, sizeof(kernel)) == 0;
      });
      // Failures are not kept: their text would be lost.
      gpucostCost cost = number ? entries[number - 1].cost
                                : estimate(cache->model, kernel, cache->query);
      batch.write(i, cost);
      if (number)
        return;
      entries.push_back({kernel, cost});
      number = static_cast<uint32_t>(entries.size());
      cache->index.added(
          [&](uint32_t j) { return hashKernel(entries[j].kernel); });
    });
  });
}
