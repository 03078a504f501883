//===- Timeline.h - Schedule of an iteration's launches ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The iteration of a report, launch by launch: kernels in program order on one
// stream, collectives on another (overlap, N3), the host's launches ahead of
// both. Host waits of a phase are spread evenly over its launches. The sums of
// the timeline equal the totals in the report. docs/Trace.md.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TRACE_TIMELINE_H
#define GPUCOST_CORE_TRACE_TIMELINE_H

#include "gpucost/Core/Iteration/PlacedModel.h"
#include <array>
#include <vector>

namespace gpucost {

struct TimelineOptions {
  /// Combine the launches in a loop, or in equal gradient-accumulation passes,
  /// into one slice.
  bool collapseLoops = false;
  /// An iteration with more slices is an error.
  int64_t mostSlices = 2'000'000;
};

/// One launch, or several with `collapseLoops`.
struct TimelineSlice {
  /// Index into PreparedModel::launches.
  uint32_t launch = 0;
  /// Launches that it represents.
  int64_t count = 1;
  /// Gradient-accumulation pass, from 0.
  int64_t pass = 0;
  /// Time since the start of the trace.
  Seconds start;
  /// GPU time of all `count` launches.
  Seconds time;
  /// End of the gaps and host waits that follow; from then until the next
  /// kernel the GPU waits for communication.
  Seconds restEnd;
  /// If the host waits for a size that this launch computes: the copy of the
  /// size.
  Seconds copyStart, copyTime;
  /// The host's call, and the call for the copy that follows.
  Seconds hostStart, hostTime, hostCopyTime;
  /// Bytes on the GPU during and after the launch.
  int64_t memory = 0, memoryBehind = 0;

  Seconds end() const { return start + time; }
  Seconds hostEnd() const { return hostStart + hostTime + hostCopyTime; }
};

struct Timeline {
  /// In program order; slices of one stream do not overlap.
  std::vector<TimelineSlice> slices;
  /// The iteration on the GPU; the host begins earlier.
  Seconds begin, end;
  Seconds hostBegin, hostEnd;
  /// Board power between the kernels of each phase, and during exposed
  /// communication.
  std::array<Watts, getMaxEnumValForPhase() + 1> restPower{};
  Watts exposedPower;
  /// Additional power while collectives run.
  Watts linkPower;
  /// The host launches the iteration as one graph.
  bool isGraph = false;
};

/// Builds the timeline of `totals`, which `placed` returned for `run`. Fails if
/// it has too many slices.
Expected<Timeline> buildTimeline(const PlacedModel &placed,
                                 const IterationTotals &totals,
                                 const Settings &run,
                                 const TimelineOptions &options = {});

} // namespace gpucost

#endif // GPUCOST_CORE_TRACE_TIMELINE_H
