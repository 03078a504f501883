//===- CachingAllocator.cpp - PyTorch's caching allocator -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Constants are named as in CUDACachingAllocator.cpp, without the k: smallSize,
// smallBuffer, ...

#include "gpucost/Core/Model/CachingAllocator.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <algorithm>

using namespace gpucost;

static constexpr int64_t mebibyte = int64_t(1) << 20;
static constexpr int64_t minBlockSize = 512;
/// Tensors up to this size are in the small pool.
static constexpr int64_t smallSize = mebibyte;
static constexpr int64_t smallBuffer = 2 * mebibyte;
static constexpr int64_t largeBuffer = 20 * mebibyte;
static constexpr int64_t minLargeAlloc = 10 * mebibyte;
static constexpr int64_t roundLarge = 2 * mebibyte;
/// More than the memory of any GPU, and small enough that sums do not overflow.
static constexpr int64_t largestTensor = int64_t(1) << 52;

static int64_t roundUp(int64_t bytes, int64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

int64_t CachingAllocator::roundedSize(int64_t bytes) {
  return roundUp(std::clamp(bytes, int64_t(1), largestTensor), minBlockSize);
}

/// (O9) Size of a new segment for a block of `size`.
static int64_t segmentSize(int64_t size) {
  if (size <= smallSize)
    return smallBuffer;
  return size < minLargeAlloc ? largeBuffer : roundUp(size, roundLarge);
}

void CachingAllocator::hold(int64_t bytes) {
  held += bytes;
  mostHeld = std::max(mostHeld, held);
}

CachingAllocator::Handle CachingAllocator::create(int64_t address, int64_t size,
                                                  bool isSmall) {
  Handle handle = static_cast<Handle>(blocks.size());
  if (spare.empty()) {
    blocks.emplace_back();
  } else {
    handle = spare.back();
    spare.pop_back();
  }
  blocks[handle] = Block();
  blocks[handle].address = address;
  blocks[handle].size = size;
  blocks[handle].isSmall = isSmall;
  return handle;
}

void CachingAllocator::addFree(Handle handle) {
  Block &block = blocks[handle];
  block.isFree = true;
  FreeBlocks &pool = freeBlocks[block.isSmall];
  FreeBlock free{block.size, block.address, handle};
  pool.insert(std::lower_bound(pool.begin(), pool.end(), free), free);
}

void CachingAllocator::removeFree(Handle handle) {
  Block &block = blocks[handle];
  block.isFree = false;
  FreeBlocks &pool = freeBlocks[block.isSmall];
  FreeBlock free{block.size, block.address, handle};
  pool.erase(std::lower_bound(pool.begin(), pool.end(), free));
}

CachingAllocator::Handle CachingAllocator::findFree(int64_t size,
                                                    bool isSmall) {
  FreeBlocks &pool = freeBlocks[isSmall];
  auto best =
      std::lower_bound(pool.begin(), pool.end(), FreeBlock{size, -1, 0});
  if (best == pool.end())
    return none;
  Handle handle = std::get<Handle>(*best);
  blocks[handle].isFree = false;
  pool.erase(best);
  return handle;
}

/// (O10) The segment of a pool grows by pages; free memory at its end is
/// reused.
CachingAllocator::Handle CachingAllocator::growSegment(int64_t size,
                                                       bool isSmall) {
  Handle tail = tails[isSmall];
  bool continues = tail != none && blocks[tail].isFree;
  int64_t missing = size - (continues ? blocks[tail].size : 0);
  int64_t more = roundUp(missing, isSmall ? smallBuffer : largeBuffer);
  if (more > limit - held)
    return none;
  hold(more);
  // The segments of the two pools are 2^60 addresses apart.
  constexpr int64_t smallPool = int64_t(1) << 60;
  if (tail == none) {
    tails[isSmall] = create(isSmall ? smallPool : 0, more, isSmall);
  } else if (continues) {
    removeFree(tail);
    blocks[tail].size += more;
  } else {
    Handle added =
        create(blocks[tail].address + blocks[tail].size, more, isSmall);
    blocks[added].previous = tail;
    blocks[tail].next = added;
    tails[isSmall] = added;
  }
  return tails[isSmall];
}

CachingAllocator::Handle CachingAllocator::reserve(int64_t size, bool isSmall) {
  if (mode == AllocatorMode::Expandable)
    return growSegment(size, isSmall);
  int64_t bytes = segmentSize(size);
  if (bytes > limit - held)
    return none;
  hold(bytes);
  Handle handle = create(nextAddress, bytes, isSmall);
  nextAddress += bytes;
  return handle;
}

/// Splits off the rest of a block if it is large enough.
void CachingAllocator::split(Handle handle, int64_t size) {
  Block &block = blocks[handle];
  int64_t rest = block.size - size;
  bool splits = block.isSmall || mode == AllocatorMode::Expandable
                    ? rest >= minBlockSize
                    : rest > smallSize;
  if (!splits)
    return;
  Handle other = create(block.address + size, rest, block.isSmall);
  Block &first = blocks[handle]; // `create` may have moved it
  first.size = size;
  blocks[other].previous = handle;
  blocks[other].next = first.next;
  if (first.next != none)
    blocks[first.next].previous = other;
  first.next = other;
  if (tails[first.isSmall] == handle)
    tails[first.isSmall] = other;
  addFree(other);
}

std::optional<CachingAllocator::Handle>
CachingAllocator::allocate(int64_t bytes) {
  int64_t size = roundedSize(bytes);
  bool isSmall = size <= smallSize;
  Handle handle = findFree(size, isSmall);
  if (handle == none)
    handle = reserve(size, isSmall);
  if (handle == none) {
    releaseUnused();
    handle = reserve(size, isSmall);
  }
  if (handle == none)
    return std::nullopt;
  split(handle, size);
  used += blocks[handle].size;
  mostUsed = std::max(mostUsed, used);
  return handle;
}

std::vector<FreeMemory> CachingAllocator::freeMemory() const {
  std::vector<FreeMemory> all;
  for (const FreeBlocks &pool : freeBlocks)
    for (const auto &[size, address, handle] : pool)
      all.push_back({address, size, held});
  return all;
}

void CachingAllocator::mergeWithNext(Handle handle) {
  Handle next = blocks[handle].next;
  blocks[handle].size += blocks[next].size;
  blocks[handle].next = blocks[next].next;
  if (blocks[next].next != none)
    blocks[blocks[next].next].previous = handle;
  if (tails[blocks[handle].isSmall] == next)
    tails[blocks[handle].isSmall] = handle;
  spare.push_back(next);
}

void CachingAllocator::release(Handle handle) {
  used -= blocks[handle].size;
  if (Handle next = blocks[handle].next; next != none && blocks[next].isFree) {
    removeFree(next);
    mergeWithNext(handle);
  }
  if (Handle previous = blocks[handle].previous;
      previous != none && blocks[previous].isFree) {
    removeFree(previous);
    mergeWithNext(previous);
    handle = previous;
  }
  addFree(handle);
}

/// Returns segments without tensors to the GPU; of growing segments, free
/// blocks are returned page by page (their addresses are not reused).
void CachingAllocator::releaseUnused() {
  for (FreeBlocks &pool : freeBlocks) {
    for (auto it = pool.begin(); it != pool.end();) {
      Handle handle = std::get<Handle>(*it);
      const Block &block = blocks[handle];
      bool isWhole = block.previous == none && block.next == none;
      int64_t page = block.isSmall ? smallBuffer : largeBuffer;
      int64_t begin = roundUp(block.address, page);
      int64_t end = (block.address + block.size) / page * page;
      bool grows = mode == AllocatorMode::Expandable;
      int64_t bytes = grows ? std::max<int64_t>(end - begin, 0) : block.size;
      if (grows ? bytes == 0 || handle == tails[block.isSmall] : !isWhole) {
        ++it;
        continue;
      }
      held -= bytes;
      it = pool.erase(it);
      // The remainders on both sides share pages with the neighbours and remain
      // unused.
      if (!grows)
        spare.push_back(handle);
      else
        blocks[handle].isFree = false;
    }
  }
}

int64_t LiveBytes::follow(size_t end) {
  int64_t most = live;
  for (; done < end; ++done) {
    int32_t event = trace.events[done];
    int64_t bytes = trace.sizes[static_cast<size_t>(std::abs(event)) - 1];
    live =
        event > 0 ? saturatingSum(live, bytes) : live - std::min(live, bytes);
    most = std::max(most, live);
  }
  return most;
}

namespace {

/// Replays consecutive iterations of a trace.
class Replay {
public:
  Replay(const AllocationTrace &trace, AllocatorMode mode, int64_t limit)
      : trace(trace), allocator(mode, limit), handles(trace.sizes.size()) {}

  void allocate(int64_t bytes) {
    if (bytes > 0 && fits)
      fits = allocator.allocate(bytes).has_value();
  }
  void iterate();
  void addStates();

  bool fits = true;
  const AllocationTrace &trace;
  CachingAllocator allocator;

private:
  std::vector<CachingAllocator::Handle> handles;
};

} // namespace

void Replay::iterate() {
  for (int32_t event : trace.events) {
    size_t tensor = static_cast<size_t>(std::abs(event)) - 1;
    if (trace.sizes[tensor] <= 0)
      continue;
    if (event < 0) {
      allocator.release(handles[tensor]);
      continue;
    }
    auto handle = allocator.allocate(trace.sizes[tensor]);
    fits = handle.has_value();
    if (!fits)
      return;
    handles[tensor] = *handle;
  }
}

/// A framework keeps one state tensor per parameter.
void Replay::addStates() {
  double parameters = 0;
  for (int64_t bytes : trace.parameters)
    parameters += static_cast<double>(bytes);
  for (int64_t state : trace.states) {
    double whole =
        static_cast<double>(std::clamp<int64_t>(state, 0, largestTensor));
    if (parameters <= 0)
      allocate(static_cast<int64_t>(whole));
    else
      for (int64_t bytes : trace.parameters)
        allocate(static_cast<int64_t>(
            whole * (static_cast<double>(bytes) / parameters)));
  }
}

ReservedMemory gpucost::replayTrace(const AllocationTrace &trace,
                                    AllocatorMode mode, int64_t workspaceBytes,
                                    int workspaces, int64_t limit) {
  // The second iteration adapts to the optimizer states; the third equals the
  // second.
  constexpr int iterations = 3;
  Replay run(trace, mode, limit);
  for (const std::vector<int64_t> *kept : {&trace.parameters, &trace.gradients})
    for (int64_t bytes : *kept)
      run.allocate(bytes);
  for (int i = 0; i < workspaces; ++i)
    run.allocate(workspaceBytes);
  std::vector<FreeMemory> before;
  for (int i = 0; i < iterations && run.fits; ++i) {
    run.iterate();
    if (i == 0 && run.fits)
      run.addStates();
    // With the same free memory, the next iteration is identical.
    std::vector<FreeMemory> after = run.allocator.freeMemory();
    if (i > 0 && after == before)
      break;
    before = std::move(after);
  }
  return {run.allocator.peakAllocated(), run.allocator.peakReserved(),
          run.fits};
}
