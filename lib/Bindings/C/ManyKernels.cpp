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
  Result first;

  Result open(const gpucostKernel *kernel, size_t kernelStride, size_t count,
              gpucostCost *cost, size_t costStride) {
    if (count >= std::numeric_limits<uint32_t>::max())
      return invalid("more than 2^32 - 2 kernels in one call");
    Result result = StructArray<const gpucostKernel>::create(
        kernel, kernelStride, count, "gpucostKernel", kernels);
    if (result.failed())
      return result;
    return StructArray<gpucostCost>::create(cost, costStride, count,
                                            "gpucostCost", costs);
  }
  /// Element `i`, with the size of the first one.
  Result read(size_t i, gpucostKernel &kernel) const {
    const gpucostKernel *given = kernels.at(i);
    // The usual case without a byte by byte comparison.
    if (given->size == sizeof(gpucostKernel)) {
      kernel = *given;
      return ok();
    }
    return readStruct(given, kernel, "gpucostKernel");
  }
  void write(size_t i, const gpucostCost &cost) const {
    writeStruct(costs.prepare(i), cost);
  }
  /// What stands for a kernel without a cost.
  gpucostCost note(size_t i, const Result &result) {
    gpucostCost out = unknownCost();
    out.status = result.status;
    if (!first.failed())
      first = error(result.status, "kernel ", i, ": ", result.message);
    return out;
  }
};

} // namespace

static gpucostCost answer(const gpucostModel &model, const KernelQuery &query,
                          const gpucostKernel &kernel, size_t i, Batch &batch) {
  gpucostCost out;
  Result result = estimate(model, kernel, query, out);
  return result.failed() ? batch.note(i, result) : out;
}

gpucostStatus gpucostEstimateMany(const gpucostModel *model,
                                  const gpucostKernel *kernels,
                                  size_t kernelStride, size_t count,
                                  const gpucostQuery *given, gpucostCost *costs,
                                  size_t costStride) {
  return guard([&] {
    if (!model)
      return invalid("the model is NULL");
    KernelQuery query;
    if (Result result = readQuery(*model, given, query); result.failed())
      return result;
    Batch batch;
    if (Result result =
            batch.open(kernels, kernelStride, count, costs, costStride);
        result.failed())
      return result;
    // Repeated kernels are found in the array of the caller: no copies.
    KernelIndex known;
    for (size_t i = 0; i < count; ++i) {
      gpucostKernel kernel, other;
      if (Result result = batch.read(i, kernel); result.failed()) {
        batch.write(i, batch.note(i, result));
        continue;
      }
      uint32_t &number = known.find(hashKernel(kernel), [&](uint32_t j) {
        return !batch.read(j, other).failed() &&
               std::memcmp(&kernel, &other, sizeof(kernel)) == 0;
      });
      if (number) {
        gpucostCost *to = batch.costs.prepare(i);
        std::memcpy(to, batch.costs.at(number - 1), to->size);
        continue;
      }
      number = static_cast<uint32_t>(i) + 1;
      batch.write(i, answer(*model, query, kernel, i, batch));
      known.added([&](uint32_t j) {
        gpucostKernel each;
        return batch.read(j, each).failed() ? 0 : hashKernel(each);
      });
    }
    return batch.first;
  });
}

struct gpucostCache {
  /// Its own, so that the caller may free theirs.
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
    if (!model || !cache)
      return invalid(model ? "the place for the cache is" : "the model is",
                     " NULL");
    KernelQuery query;
    if (Result result = readQuery(*model, given, query); result.failed())
      return result;
    *cache = new gpucostCache{*model, query, {}, {}};
    return ok();
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
    if (!cache)
      return invalid("the cache is NULL");
    Batch batch;
    if (Result result =
            batch.open(kernels, kernelStride, count, costs, costStride);
        result.failed())
      return result;
    std::vector<gpucostCache::Entry> &entries = cache->entries;
    for (size_t i = 0; i < count; ++i) {
      gpucostKernel kernel;
      if (Result result = batch.read(i, kernel); result.failed()) {
        batch.write(i, batch.note(i, result));
        continue;
      }
      uint32_t &number = cache->index.find(hashKernel(kernel), [&](uint32_t j) {
        return std::memcmp(&kernel, &entries[j].kernel, sizeof(kernel)) == 0;
      });
      if (number) {
        batch.write(i, entries[number - 1].cost);
        continue;
      }
      gpucostCost cost = answer(cache->model, cache->query, kernel, i, batch);
      batch.write(i, cost);
      // Errors are not kept: their text would be lost.
      if (cost.status != GPUCOST_OK)
        continue;
      entries.push_back({kernel, cost});
      number = static_cast<uint32_t>(entries.size());
      cache->index.added(
          [&](uint32_t j) { return hashKernel(entries[j].kernel); });
    }
    return batch.first;
  });
}
