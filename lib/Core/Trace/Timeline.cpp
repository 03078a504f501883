//===- Timeline.cpp - Schedule of an iteration's launches -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Trace/Timeline.h"
#include "HostSchedule.h"
#include <algorithm>

using namespace gpucost;

namespace {

/// Gradient-accumulation passes that one round through the launches represents.
struct Pass {
  int64_t first = 0, count = 1;
  /// Launches that belong to the iteration instead of a pass run in the last
  /// pass.
  bool isLast = true;
};

class TimelineBuilder {
public:
  TimelineBuilder(const PlacedModel &placed, const IterationTotals &totals,
                  const Settings &run, const TimelineOptions &options)
      : placed(placed), prepared(placed.prepared()), totals(totals), run(run),
        options(options) {}

  Expected<Timeline> build();

private:
  bool isLink(const Launch &launch) const {
    return prepared.kinds[launch.kind].phase == Phase::Communication;
  }
  size_t phaseOf(const Launch &launch) const {
    return static_cast<size_t>(prepared.kinds[launch.kind].phase);
  }
  bool waits(const Launch &launch) const {
    return launch.synchronizes && !timeline.isGraph;
  }
  Seconds timeOf(const Launch &launch) const { return times[launch.work]; }
  Seconds copyOf(const Launch &launch) const;
  int64_t launchesIn(const Launch &launch, const Pass &pass) const;
  std::vector<Pass> passes() const;
  std::string findExcess() const;
  void findStretch();
  void findPowers();
  void addPass(const Pass &pass);
  Seconds addSlices(uint32_t index, const Pass &pass, int64_t count,
                    Seconds start);
  void followMemory(TimelineSlice &slice);
  void fitToTotals();

  const PlacedModel &placed;
  const PreparedModel &prepared;
  const IterationTotals &totals;
  const Settings &run;
  const TimelineOptions &options;
  Timeline timeline;
  Seconds gap;
  std::vector<Seconds> times;
  /// Stretch of host-bound phases: launch time divided by the time of kernel
  /// and gap.
  std::array<double, getMaxEnumValForPhase() + 1> stretch{};
  /// End of each stream's last slice.
  Seconds compute, link;
  /// Live bytes in this pass.
  std::optional<LiveBytes> live;
};

} // namespace

/// (H3) Time to copy a size for which the host waits, and the gap before it.
Seconds TimelineBuilder::copyOf(const Launch &launch) const {
  if (!waits(launch))
    return Seconds(0);
  const auto &streaming = placed.model().coefficients().streaming;
  return streaming ? streaming->latency : Seconds(0);
}

/// Launches that do not divide evenly among the passes run in the last passes.
int64_t TimelineBuilder::launchesIn(const Launch &launch,
                                    const Pass &pass) const {
  if (launch.passes <= 1)
    return pass.isLast ? launch.count : 0;
  auto until = [&](int64_t number) {
    auto done = static_cast<__int128>(launch.count) *
                std::min(number, launch.passes) / launch.passes;
    return static_cast<int64_t>(done);
  };
  return until(pass.first + pass.count) - until(pass.first);
}

std::vector<Pass> TimelineBuilder::passes() const {
  int64_t count = 1;
  for (const Launch &launch : prepared.launches)
    count = std::max(count, launch.passes);
  std::vector<Pass> result;
  if (options.collapseLoops && count > 1)
    result.push_back({0, count - 1, false});
  else
    for (int64_t i = 0; i + 1 < count; ++i)
      result.push_back({i, 1, false});
  result.push_back({count - 1, 1, true});
  return result;
}

/// Error message if the iteration has too many slices; "" otherwise.
std::string TimelineBuilder::findExcess() const {
  int64_t slices = 0;
  for (const Launch &launch : prepared.launches)
    slices = saturatingSum(slices, options.collapseLoops
                                       ? std::min<int64_t>(launch.passes, 2)
                                       : launch.count);
  if (slices <= options.mostSlices)
    return "";
  return "the iteration has " + std::to_string(slices) +
         " launches, more than the " + std::to_string(options.mostSlices) +
         " of a trace" +
         (options.collapseLoops
              ? ""
              : "; --trace-loops=collapse makes fewer of them");
}

void TimelineBuilder::findStretch() {
  std::array<Seconds, getMaxEnumValForPhase() + 1> busy{};
  for (const Launch &launch : prepared.launches) {
    Seconds each = timeOf(launch) + gap;
    if (waits(launch))
      each += copyOf(launch) + gap;
    busy[phaseOf(launch)] += each * static_cast<double>(launch.count);
  }
  for (size_t i = 0; i < stretch.size(); ++i)
    stretch[i] = busy[i] > Seconds(0) ? totals.phases[i].time / busy[i] : 1.0;
  stretch[static_cast<size_t>(Phase::Communication)] = 1;
}

void TimelineBuilder::findPowers() {
  constexpr auto links = static_cast<size_t>(Phase::Communication);
  std::array<Joules, getMaxEnumValForPhase() + 1> energy{};
  std::array<Seconds, getMaxEnumValForPhase() + 1> busy{};
  KernelEvents traffic;
  for (const Launch &launch : prepared.launches) {
    auto count = static_cast<double>(launch.count);
    if (isLink(launch)) {
      traffic += placed.eventsOf(launch.work) * count;
      busy[links] += timeOf(launch) * count;
      continue;
    }
    energy[phaseOf(launch)] +=
        placed.launchCost(launch.work, totals).energy * count;
    busy[phaseOf(launch)] += timeOf(launch) * count;
  }
  for (size_t i = 0; i < busy.size(); ++i) {
    Seconds rest = totals.phases[i].time - busy[i];
    // More than a rounding error.
    if (i != links && rest > totals.phases[i].time * 1e-9)
      timeline.restPower[i] = (totals.phases[i].energy - energy[i]) / rest;
  }
  // (N4) The traffic of all collectives, and the board during the exposed time.
  const PhaseTotals &phase = totals.phases[links];
  Joules hidden = std::min(
      placed.model().dynamicEnergy(traffic, Seconds(0), totals.point.clock),
      phase.energy);
  if (busy[links] > Seconds(0))
    timeline.linkPower = hidden / busy[links];
  if (phase.time > Seconds(0))
    timeline.exposedPower = (phase.energy - hidden) / phase.time;
}

/// Applies allocations and frees until the end of the launch.
void TimelineBuilder::followMemory(TimelineSlice &slice) {
  slice.memory = live->follow(prepared.launches[slice.launch].memoryEvents);
  slice.memoryBehind = live->now();
}

/// Appends `count` launches of `index` from `start`; returns when their stream
/// is free.
Seconds TimelineBuilder::addSlices(uint32_t index, const Pass &pass,
                                   int64_t count, Seconds start) {
  const Launch &launch = prepared.launches[index];
  size_t phase = phaseOf(launch);
  Seconds copy = copyOf(launch);
  Seconds slot = timeOf(launch);
  if (!isLink(launch))
    slot = (slot + gap + (waits(launch) ? copy + gap : Seconds(0))) *
           stretch[phase];
  RuntimeCoefficients host =
      placed.hostOf(prepared.kinds[launch.kind].phase, run);
  Seconds call = host.hostLaunch * static_cast<double>(launch.hostLaunches) *
                 (1 + (launch.library ? host.libraryWeight : 0.0));
  if (isLink(launch))
    call = Seconds(0);
  int64_t slices = options.collapseLoops ? 1 : count;
  auto each = static_cast<double>(count / slices);
  for (int64_t i = 0; i < slices; ++i) {
    TimelineSlice slice;
    slice.launch = index;
    slice.count = count / slices;
    slice.pass = pass.first;
    slice.start = start;
    slice.time = timeOf(launch) * each;
    slice.restEnd = start + slot * each;
    if (waits(launch)) {
      slice.copyStart = slice.end() + gap * each;
      slice.copyTime = copy * each;
      slice.hostCopyTime = host.hostLaunch * each;
    }
    slice.hostTime = call * each;
    if (!isLink(launch))
      followMemory(slice);
    start = slice.restEnd;
    timeline.slices.push_back(slice);
  }
  return start;
}

/// One round through the launches, with overlap (N3).
void TimelineBuilder::addPass(const Pass &pass) {
  Seconds begin = std::max(compute, link);
  compute = link = begin;
  live.emplace(prepared.memory.trace);
  std::vector<Seconds> ends(prepared.reads.empty() ? 0
                                                   : prepared.launches.size());
  uint32_t read = 0;
  for (uint32_t i = 0; i < prepared.launches.size(); ++i) {
    const Launch &launch = prepared.launches[i];
    int64_t count = launchesIn(launch, pass);
    if (count == 0) {
      read = std::max(read, launch.readsEnd);
      continue;
    }
    if (prepared.kinds[launch.kind].phase == Phase::Optimizer)
      compute = std::max(compute, link);
    Seconds &stream = isLink(launch) ? link : compute;
    Seconds start = stream;
    for (; read < launch.readsEnd; ++read)
      start = std::max(start, ends[prepared.reads[read]]);
    stream = addSlices(i, pass, count, start);
    if (!ends.empty())
      ends[i] = stream;
  }
}

/// (N8) The slow-down by collectives is spread over the iteration; kernels keep
/// their times.
void TimelineBuilder::fitToTotals() {
  Seconds end = std::max(compute, link);
  double longer = end > Seconds(0) ? std::max(totals.time / end, 1.0) : 1.0;
  timeline.end = end * longer;
  if (longer <= 1 + 1e-12)
    return;
  for (TimelineSlice &slice : timeline.slices) {
    Seconds later = slice.start * longer - slice.start;
    slice.start += later;
    slice.restEnd += later;
    slice.copyStart += later;
  }
}

Expected<Timeline> TimelineBuilder::build() {
  if (std::string excess = findExcess(); !excess.empty())
    return fail(excess);
  timeline.isGraph = run.runtime == Runtime::CudaGraph;
  gap = placed.gapAt(totals.point.clock, run);
  times.resize(prepared.works.size());
  for (size_t i = 0; i < times.size(); ++i)
    times[i] = placed.launchCost(i, totals.point.clock).time.total;
  findStretch();
  findPowers();
  for (const Pass &pass : passes())
    addPass(pass);
  fitToTotals();
  scheduleHost(timeline.slices);
  if (timeline.slices.empty())
    return std::move(timeline);

  // The trace begins with the host. Memory includes tensors that outlive the
  // iteration.
  int64_t kept = placed.memoryPlan().peak - prepared.memory.temporaryBytes();
  Seconds lead = Seconds(0) - timeline.slices.front().hostStart;
  for (TimelineSlice &slice : timeline.slices) {
    for (Seconds *time :
         {&slice.start, &slice.restEnd, &slice.copyStart, &slice.hostStart})
      *time += lead;
    slice.memory = saturatingSum(slice.memory, kept);
    slice.memoryBehind = saturatingSum(slice.memoryBehind, kept);
    timeline.hostEnd = std::max(timeline.hostEnd, slice.hostEnd());
  }
  timeline.begin = lead;
  timeline.end += lead;
  return std::move(timeline);
}

Expected<Timeline> gpucost::buildTimeline(const PlacedModel &placed,
                                          const IterationTotals &totals,
                                          const Settings &run,
                                          const TimelineOptions &options) {
  return TimelineBuilder(placed, totals, run, options).build();
}
