//===- Timeline.h - When each launch of an iteration runs -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iteration of a report, launch by launch: kernels in program order on one
// stream, collectives on another as in (N3), the host's launches ahead of them.
// What a phase waits for its host is spread evenly over its launches. Every sum
// of the timeline is that of the report. docs/Trace.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TRACE_TIMELINE_H
#define GPUCOST_TRACE_TIMELINE_H

#include "gpucost/Iteration/PlacedModel.h"
#include <array>
#include <vector>

namespace gpucost {

struct TimelineOptions {
  /// The launches of a loop are one slice, and so are those of accumulated
  /// passes that are alike.
  bool collapseLoops = false;
  /// An iteration of more slices is an error.
  int64_t mostSlices = 2'000'000;
};

/// One launch, or with `collapseLoops` several.
struct TimelineSlice {
  /// Index into PreparedModel::launches.
  uint32_t launch = 0;
  /// Launches that it stands for.
  int64_t count = 1;
  /// Accumulated pass, from 0.
  int64_t pass = 0;
  /// From the start of the trace.
  Seconds start;
  /// On the GPU; of all `count` launches.
  Seconds time;
  /// Where gaps and waits for the host behind it end; from there to the next
  /// kernel the GPU waits for communication.
  Seconds restEnd;
  /// Of a launch whose size the host waits for: the copy of the size.
  Seconds copyStart, copyTime;
  /// The host's call, and behind it the call for the copy.
  Seconds hostStart, hostTime, hostCopyTime;
  /// Bytes on the GPU while it runs and behind it.
  int64_t memory = 0, memoryBehind = 0;

  Seconds end() const { return start + time; }
  Seconds hostEnd() const { return hostStart + hostTime + hostCopyTime; }
};

struct Timeline {
  /// In program order: of each stream one after another.
  std::vector<TimelineSlice> slices;
  /// Of the iteration on the GPU; the host begins earlier.
  Seconds begin, end;
  Seconds hostBegin, hostEnd;
  /// What the board draws between the kernels of each phase, and while nothing
  /// hides communication.
  std::array<Watts, getMaxEnumValForPhase() + 1> restPower{};
  Watts exposedPower;
  /// What collectives add to that as long as they run.
  Watts linkPower;
  /// The host launches the iteration as one graph.
  bool isGraph = false;
};

/// The timeline of `totals`, which are those of `placed` with `run`. An error
/// when it has too many slices.
Expected<Timeline> buildTimeline(const PlacedModel &placed,
                                 const IterationTotals &totals,
                                 const IterationOptions &run,
                                 const TimelineOptions &options = {});

} // namespace gpucost

#endif // GPUCOST_TRACE_TIMELINE_H
