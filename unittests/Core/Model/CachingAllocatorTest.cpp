//===- CachingAllocatorTest.cpp - Blocks and segments by hand -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/CachingAllocator.h"
#include "gtest/gtest.h"

using namespace gpucost;

static constexpr int64_t KiB = 1 << 10, MiB = 1 << 20;
static constexpr AllocatorMode segments = AllocatorMode::Segments;
static constexpr AllocatorMode expandable = AllocatorMode::Expandable;

// (O8) Multiples of 512 bytes, at least one.
TEST(CachingAllocator, RoundsToBlocks) {
  EXPECT_EQ(CachingAllocator::roundedSize(0), 512);
  EXPECT_EQ(CachingAllocator::roundedSize(1), 512);
  EXPECT_EQ(CachingAllocator::roundedSize(512), 512);
  EXPECT_EQ(CachingAllocator::roundedSize(513), 1024);
}

// (O9) Requests up to 1 MiB get a segment of 2 MiB, requests below 10 MiB get
// 20 MiB, larger ones get their size, rounded up to 2 MiB.
TEST(CachingAllocator, SegmentsBySize) {
  for (auto [bytes, segment] : {std::pair(4 * KiB, 2 * MiB),
                                {MiB, 2 * MiB},
                                {MiB + 1, 20 * MiB},
                                {10 * MiB - 512, 20 * MiB},
                                {10 * MiB, 10 * MiB},
                                {10 * MiB + 1, 12 * MiB}}) {
    CachingAllocator allocator(segments);
    ASSERT_TRUE(allocator.allocate(bytes));
    EXPECT_EQ(allocator.reserved(), segment) << bytes;
    EXPECT_EQ(allocator.allocated(), CachingAllocator::roundedSize(bytes));
  }
}

// 512 KiB four times fill a small segment; the fifth needs another one.
TEST(CachingAllocator, SplitsSmallSegments) {
  CachingAllocator allocator(segments);
  for (int i = 0; i < 4; ++i)
    allocator.allocate(512 * KiB);
  EXPECT_EQ(allocator.reserved(), 2 * MiB);
  allocator.allocate(512 * KiB);
  EXPECT_EQ(allocator.reserved(), 4 * MiB);
}

// In a large segment a rest above 1 MiB is a separate block; a smaller one
// stays with its block: 12 MiB + 1 KiB take 14 MiB, and 2 MiB - 1 KiB of them
// are another block; 13.5 MiB take all 14 MiB.
TEST(CachingAllocator, SplitsLargeSegments) {
  CachingAllocator allocator(segments);
  allocator.allocate(12 * MiB + KiB);
  EXPECT_EQ(allocator.allocated(), 12 * MiB + KiB);
  allocator.allocate(2 * MiB - KiB);
  EXPECT_EQ(allocator.reserved(), 14 * MiB);
  EXPECT_EQ(allocator.allocated(), 14 * MiB);
  CachingAllocator other(segments);
  other.allocate(13 * MiB + 512 * KiB);
  EXPECT_EQ(other.allocated(), 14 * MiB);
}

// Free neighbours become one block: 8 + 8 MiB in a segment of 20 MiB, then 16
// MiB instead. The best fit is the smallest block that is large enough.
TEST(CachingAllocator, MergesAndReuses) {
  CachingAllocator allocator(segments);
  auto a = allocator.allocate(8 * MiB), b = allocator.allocate(8 * MiB);
  ASSERT_TRUE(a && b);
  EXPECT_EQ(allocator.reserved(), 20 * MiB);
  allocator.release(*a);
  allocator.release(*b);
  EXPECT_EQ(allocator.allocated(), 0);
  ASSERT_TRUE(allocator.allocate(16 * MiB));
  EXPECT_EQ(allocator.reserved(), 20 * MiB);
  EXPECT_EQ(allocator.peakAllocated(), 16 * MiB);

  // Free: 40 and 16 MiB. 12 MiB go into the second, 40 MiB fit still.
  CachingAllocator best(segments);
  auto large = best.allocate(40 * MiB), small = best.allocate(16 * MiB);
  best.release(*large);
  best.release(*small);
  best.allocate(12 * MiB);
  best.allocate(40 * MiB);
  EXPECT_EQ(best.reserved(), 56 * MiB);
}

// Fragments: every other one of 8 tensors (12 MiB each) is freed, then a 24 MiB
// tensor does not fit: 8 * 12 + 24 MiB. A growing segment with 20 MiB pages,
// 100 MiB, has 4 at its end and grows by 20.
TEST(CachingAllocator, Fragments) {
  for (AllocatorMode mode : {segments, expandable}) {
    CachingAllocator allocator(mode);
    std::vector<CachingAllocator::Handle> handles;
    for (int i = 0; i < 8; ++i)
      handles.push_back(*allocator.allocate(12 * MiB));
    for (int i = 0; i < 8; i += 2)
      allocator.release(handles[i]);
    allocator.allocate(24 * MiB);
    EXPECT_EQ(allocator.reserved(), 120 * MiB);
    EXPECT_EQ(allocator.allocated(), 72 * MiB);
  }
}

// (O10) One segment that grows: tensors of 10, 12, 14, ... MiB that come and go
// one after the other take a segment each, or the place of the largest.
TEST(CachingAllocator, SegmentsGrow) {
  for (AllocatorMode mode : {segments, expandable}) {
    CachingAllocator allocator(mode);
    for (int64_t size = 10; size <= 30; size += 2)
      allocator.release(*allocator.allocate(size * MiB));
    // 10 + 12 + ... + 30 = 220; 30 by pages of 20 is 40.
    EXPECT_EQ(allocator.reserved(), (mode == segments ? 220 : 40) * MiB);
    EXPECT_EQ(allocator.peakAllocated(), 30 * MiB);
  }
}

// If memory is short, unused segments are released: 30 MiB do not fit into 40
// together with a cached 20, but fit without it.
TEST(CachingAllocator, ReleasesUnusedSegments) {
  for (AllocatorMode mode : {segments, expandable}) {
    CachingAllocator allocator(mode, 40 * MiB);
    allocator.release(*allocator.allocate(20 * MiB));
    ASSERT_TRUE(allocator.allocate(30 * MiB));
    EXPECT_EQ(allocator.reserved(), (mode == segments ? 30 : 40) * MiB);
    EXPECT_FALSE(allocator.allocate(20 * MiB));
  }
}

// (O11) Two parameters of 4 MiB share a segment of 20 with a tensor of 6 MiB
// that lives while one of 12, in a separate segment, comes and goes. The two
// states of 8 MiB for both parameters come after the first iteration as four of
// 4 MiB: three in the 12 that are free in the first segment, one in the second.
// The remaining 8 MiB of the second segment take the 6 from now on; the 12 need
// another segment. Peak: 8 + 16 + 6 + 12 = 42 MiB of blocks.
TEST(CachingAllocator, ReplaysIterations) {
  AllocationTrace trace;
  trace.parameters = {4 * MiB, 4 * MiB};
  trace.states = {8 * MiB, 8 * MiB};
  trace.sizes = {6 * MiB, 12 * MiB};
  trace.events = {1, 2, -2, -1};
  ReservedMemory memory = replayTrace(trace, segments, 0, 1);
  EXPECT_EQ(memory.allocated, 42 * MiB);
  EXPECT_EQ(memory.reserved, (20 + 12 + 12) * MiB);
  EXPECT_TRUE(memory.fits);
  EXPECT_FALSE(replayTrace(trace, segments, 0, 1, 40 * MiB).fits);
}

// 100 and 30 bytes live together once; a huge tensor ends at the largest number
// and comes back to nothing.
TEST(LiveBytes, FollowsTheTrace) {
  AllocationTrace trace;
  trace.sizes = {100, 30, INT64_MAX, INT64_MAX};
  trace.events = {1, 2, -1, -2, 3, 4, -3, -4};
  LiveBytes live(trace);
  EXPECT_EQ(live.follow(1), 100);
  EXPECT_EQ(live.follow(3), 130);
  EXPECT_EQ(live.now(), 30);
  // Earlier events do not happen again or in reverse.
  EXPECT_EQ(live.follow(2), 30);
  EXPECT_EQ(live.follow(4), 30);
  EXPECT_EQ(live.now(), 0);
  EXPECT_EQ(live.follow(8), INT64_MAX);
  EXPECT_EQ(live.now(), 0);
}

// Two workspaces of 8.125 MiB in one segment of 20.
TEST(CachingAllocator, CountsWorkspaces) {
  ReservedMemory memory =
      replayTrace(AllocationTrace(), segments, 8'519'680, 2);
  EXPECT_EQ(memory.allocated, 2 * 8'519'680);
  EXPECT_EQ(memory.reserved, 20 * MiB);
}
