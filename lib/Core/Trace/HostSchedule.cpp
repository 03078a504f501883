//===- HostSchedule.cpp - Schedules the host's launches -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostSchedule.h"
#include <algorithm>

using namespace gpucost;

void gpucost::scheduleHost(std::vector<TimelineSlice> &slices) {
  if (slices.empty())
    return;
  // The latest start of each launch, stored temporarily in `hostStart`.
  Seconds next = slices.back().start + slices.back().hostCopyTime;
  for (auto it = slices.rbegin(); it != slices.rend(); ++it) {
    it->hostStart = std::min(it->start, next - it->hostCopyTime) - it->hostTime;
    next = it->hostStart;
  }
  Seconds free = slices.front().hostStart;
  for (TimelineSlice &slice : slices) {
    slice.hostStart = std::min(slice.hostStart, free);
    free = slice.hostEnd();
    if (slice.copyTime > Seconds(0))
      free = std::max(free, slice.copyStart + slice.copyTime);
  }
}
