//===- CachingAllocator.h - PyTorch's caching allocator ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Computes the memory that a framework reserves for the tensors of an iteration
// by replaying their allocations with the rules of
// c10/cuda/CUDACachingAllocator.cpp. Equations (Y*) of docs/CostModel.md. It
// uses neither GPU addresses nor the IR.
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

/// Allocates blocks from segments; each segment belongs to one of two pools.
class CachingAllocator {
public:
  using Handle = uint32_t;
  /// More than the memory of any GPU, and small enough that sums do not
  /// overflow.
  static constexpr int64_t unlimited = int64_t(1) << 60;

  /// All segments together have at most `limit` bytes.
  explicit CachingAllocator(AllocatorMode mode, int64_t limit = unlimited)
      : mode(mode), limit(limit) {}

  /// (O8) Bytes that a tensor of `bytes` takes: multiples of 512.
  static int64_t roundedSize(int64_t bytes);

  /// The block of a new tensor; nullopt if there is no room for it even after
  /// releasing unused segments.
  std::optional<Handle> allocate(int64_t bytes);
  void release(Handle handle);

  /// Bytes of blocks in use, and their maximum so far.
  int64_t allocated() const { return used; }
  int64_t peakAllocated() const { return mostUsed; }
  /// Bytes of segments, and their maximum so far.
  int64_t reserved() const { return held; }
  int64_t peakReserved() const { return mostHeld; }
  /// All free blocks, sorted by pool and size.
  std::vector<FreeMemory> freeMemory() const;

private:
  static constexpr Handle none = ~Handle(0);
  /// A part of a segment, linked to its neighbours.
  struct Block {
    int64_t address = 0, size = 0;
    Handle previous = none, next = none;
    bool isFree = false, isSmall = false;
  };
  /// Free blocks by size, then address: the first large enough block is the
  /// best fit.
  using FreeBlock = std::tuple<int64_t, int64_t, Handle>;
  /// Sorted. There are few because neighbours are merged.
  using FreeBlocks = std::vector<FreeBlock>;

  Handle create(int64_t address, int64_t size, bool isSmall);
  void addFree(Handle handle);
  void removeFree(Handle handle);
  Handle findFree(int64_t size, bool isSmall);
  /// Reserves memory for a block of `size`; returns `none` if that exceeds the
  /// limit.
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
  /// Last block of each pool's growing segment.
  std::array<Handle, 2> tails = {none, none};
};

/// Allocations of an iteration, sizes in bytes.
struct AllocationTrace {
  /// Tensors that outlive the iteration, in model order.
  std::vector<int64_t> parameters, gradients;
  /// Optimizer states; each element covers all parameters.
  std::vector<int64_t> states;
  /// Temporary tensors.
  std::vector<int64_t> sizes;
  /// In order: i + 1 allocates tensor i, -(i + 1) frees it.
  std::vector<int32_t> events;
};

/// Tracks the bytes in use along the events of a trace, which must outlive this
/// object.
class LiveBytes {
public:
  explicit LiveBytes(const AllocationTrace &trace) : trace(trace) {}

  /// Applies all events before number `end` that are not yet applied; returns
  /// the peak of the bytes in use since the last call.
  int64_t follow(size_t end);
  /// Bytes in use after the events applied so far.
  int64_t now() const { return live; }

private:
  const AllocationTrace &trace;
  size_t done = 0;
  int64_t live = 0;
};

/// Peak memory of a trace.
struct ReservedMemory {
  int64_t allocated = 0; ///< peak bytes of blocks in use
  int64_t reserved = 0;  ///< peak bytes of segments
  bool fits = true;      ///< within the limit
};

/// (O11) Replays a process from its start until iterations repeat: parameters,
/// `workspaces` of `workspaceBytes` each, then iterations; the first update
/// allocates the optimizer states.
ReservedMemory replayTrace(const AllocationTrace &trace, AllocatorMode mode,
                           int64_t workspaceBytes, int workspaces,
                           int64_t limit = CachingAllocator::unlimited);

} // namespace gpucost

#endif // GPUCOST_CORE_MODEL_CACHINGALLOCATOR_H
