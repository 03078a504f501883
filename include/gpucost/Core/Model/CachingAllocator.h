//===- CachingAllocator.h - Memory as PyTorch takes it ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a framework reserves for the tensors of an iteration: a replay of their
// allocations by the rules of c10/cuda/CUDACachingAllocator.cpp. Equations (Y*)
// of docs/CostModel.md. No addresses of a GPU, no IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_MODEL_CACHINGALLOCATOR_H
#define GPUCOST_CORE_MODEL_CACHINGALLOCATOR_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include <array>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

namespace gpucost {

/// A free block, and the bytes of all segments.
struct FreeMemory {
  int64_t address = 0, size = 0, held = 0;
  bool operator==(const FreeMemory &o) const {
    return address == o.address && size == o.size && held == o.held;
  }
};

/// Blocks of memory cut from segments, each segment of one of two pools.
class CachingAllocator {
public:
  using Handle = uint32_t;
  /// More than any GPU has; sums stay far from overflow.
  static constexpr int64_t unlimited = int64_t(1) << 60;

  /// Segments together take at most `limit` bytes.
  explicit CachingAllocator(AllocatorMode mode, int64_t limit = unlimited)
      : mode(mode), limit(limit) {}

  /// (O8) Bytes that a tensor of `bytes` takes: multiples of 512.
  static int64_t roundedSize(int64_t bytes);

  /// The block of a new tensor; nullopt when not even the release of unused
  /// segments leaves room for it.
  std::optional<Handle> allocate(int64_t bytes);
  void release(Handle handle);

  /// Blocks in use, and the most so far.
  int64_t allocated() const { return used; }
  int64_t peakAllocated() const { return mostUsed; }
  /// Segments, and the most so far.
  int64_t reserved() const { return held; }
  int64_t peakReserved() const { return mostHeld; }
  /// Every free block, by pool and size.
  std::vector<FreeMemory> freeMemory() const;

private:
  static constexpr Handle none = ~Handle(0);
  /// A part of a segment; its neighbours there are linked.
  struct Block {
    int64_t address = 0, size = 0;
    Handle previous = none, next = none;
    bool isFree = false, isSmall = false;
  };
  /// Free blocks by size, then address: the first that is large enough fits
  /// best.
  using FreeBlock = std::tuple<int64_t, int64_t, Handle>;
  /// Sorted. There are few: neighbours merge.
  using FreeBlocks = std::vector<FreeBlock>;

  Handle create(int64_t address, int64_t size, bool isSmall);
  void addFree(Handle handle);
  void removeFree(Handle handle);
  Handle findFree(int64_t size, bool isSmall);
  /// New memory for a block of `size`; `none` beyond the limit.
  Handle reserve(int64_t size, bool isSmall);
  Handle growSegment(int64_t size, bool isSmall);
  void split(Handle handle, int64_t size);
  void mergeWithNext(Handle handle);
  void releaseUnused();
  void hold(int64_t bytes);

  AllocatorMode mode;
  int64_t limit;
  int64_t used = 0, mostUsed = 0, held = 0, mostHeld = 0, nextAddress = 0;
  std::vector<Block> blocks;
  std::vector<Handle> spare;
  std::array<FreeBlocks, 2> freeBlocks;
  /// Last block of the growing segment of each pool.
  std::array<Handle, 2> tails = {none, none};
};

/// Allocations of an iteration, sizes in bytes.
struct AllocationTrace {
  /// Tensors that outlive the iteration, in the order of the model.
  std::vector<int64_t> parameters, gradients;
  /// States of the optimizer, each for all parameters together.
  std::vector<int64_t> states;
  /// Tensors that come and go.
  std::vector<int64_t> sizes;
  /// In order: i + 1 where tensor i is made, -(i + 1) where it is freed.
  std::vector<int32_t> events;
};

/// Follows the bytes of tensors in use along the events of a trace, which must
/// outlive it.
class LiveBytes {
public:
  explicit LiveBytes(const AllocationTrace &trace) : trace(trace) {}

  /// Applies the events before number `end`, none of them twice; returns the
  /// most bytes in use since the last call.
  int64_t follow(size_t end);
  /// Bytes in use behind the events so far.
  int64_t now() const { return live; }

private:
  const AllocationTrace &trace;
  size_t done = 0;
  int64_t live = 0;
};

/// What a framework and a GPU see of a trace.
struct ReservedMemory {
  int64_t allocated = 0; ///< most bytes of blocks in use
  int64_t reserved = 0;  ///< most bytes of segments
  bool fits = true;      ///< within the limit
};

/// (O11) The trace from the start of a process until its iterations repeat:
/// parameters, `workspaces` of `workspaceBytes`, then iterations; states come
/// with the first update.
ReservedMemory replayTrace(const AllocationTrace &trace, AllocatorMode mode,
                           int64_t workspaceBytes, int workspaces,
                           int64_t limit = CachingAllocator::unlimited);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_CACHINGALLOCATOR_H
