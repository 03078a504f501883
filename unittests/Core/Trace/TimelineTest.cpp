//===- TimelineTest.cpp - When each launch of an iteration runs -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Trace/Timeline.h"
#include "SampleModel.h"
#include "gtest/gtest.h"
#include <map>

using namespace gpucost;
using namespace gpucost::sample;

namespace {

struct Built {
  PlacedModel placed;
  IterationTotals totals;
  Timeline timeline;
};

Built build(PreparedModel model, Settings run = {},
            TimelineOptions options = {}) {
  PlacedModel placed = place(std::move(model));
  IterationTotals totals = placed.solve(run);
  Timeline timeline = cantFail(buildTimeline(placed, totals, run, options));
  return {placed, totals, timeline};
}

Phase phaseOf(const Built &built, const TimelineSlice &slice) {
  const PreparedModel &model = built.placed.prepared();
  return model.kinds[model.launches[slice.launch].kind].phase;
}

/// The sums of the timeline equal the totals, and nothing runs twice at a time
/// or before it is launched.
void expectConsistent(const Built &built) {
  std::map<Phase, Seconds> kernels, host;
  std::map<bool, Seconds> free;
  Seconds hostFree;
  for (const TimelineSlice &slice : built.timeline.slices) {
    Phase phase = phaseOf(built, slice);
    kernels[phase] += slice.time;
    host[phase] += slice.hostTime + slice.hostCopyTime;
    Seconds &stream = free[phase == Phase::Communication];
    EXPECT_GE(slice.start.value(), stream.value() - 1e-12);
    stream = slice.end();
    EXPECT_GE(slice.start.value(),
              (slice.hostStart + slice.hostTime).value() - 1e-12);
    EXPECT_GE(slice.hostStart.value(), hostFree.value() - 1e-12);
    hostFree = slice.hostEnd();
    EXPECT_LE(slice.end().value(), built.timeline.end.value() + 1e-12);
  }
  for (const PhaseTotals &phase : built.totals.phases) {
    EXPECT_NEAR(kernels[phase.phase].value(), phase.kernelTime.value(), 1e-12);
    EXPECT_NEAR(host[phase.phase].value(), phase.host.value(), 1e-12);
  }
  EXPECT_NEAR((built.timeline.end - built.timeline.begin).value(),
              built.totals.time.value(), 1e-12);
}

/// The energy that the power counters add up to.
double energyOf(const Built &built) {
  const Timeline &timeline = built.timeline;
  double joules = 0;
  Seconds computing;
  for (const TimelineSlice &slice : timeline.slices) {
    Phase phase = phaseOf(built, slice);
    if (phase == Phase::Communication) {
      joules += (timeline.linkPower * slice.time).value();
      continue;
    }
    uint32_t work = built.placed.prepared().launches[slice.launch].work;
    LaunchCost cost = built.placed.launchCost(work, built.totals);
    Seconds rest = slice.restEnd - slice.end();
    joules += (cost.power() * slice.time).value() +
              (timeline.restPower[static_cast<size_t>(phase)] * rest).value();
    computing += slice.time + rest;
  }
  Seconds exposed = timeline.end - timeline.begin - computing;
  return joules + (timeline.exposedPower * exposed).value();
}

} // namespace

TEST(Timeline, OneStreamAddsUp) {
  PreparedModel model;
  add(model, gemm(4096), Phase::Forward, 3);
  add(model, relu(1 << 20), Phase::Forward, 2);
  Built built = build(model);
  expectConsistent(built);
  ASSERT_EQ(built.timeline.slices.size(), 5u);
  EXPECT_NEAR(energyOf(built), built.totals.energy.value(),
              1e-9 * built.totals.energy.value());
  // Equal slots, since the phase is stretched evenly.
  const auto &slices = built.timeline.slices;
  EXPECT_NEAR((slices[1].start - slices[0].start).value(),
              (slices[2].start - slices[1].start).value(), 1e-12);
}

TEST(Timeline, CommunicationBesideComputation) {
  Built built = build(trainingStep());
  expectConsistent(built);
  EXPECT_GT(built.totals.phases[size_t(Phase::Communication)].time.value(), 0);
  EXPECT_NEAR(energyOf(built), built.totals.energy.value(),
              1e-9 * built.totals.energy.value());
  // A collective starts when the gradient before it is there.
  const auto &slices = built.timeline.slices;
  for (size_t i = 1; i < slices.size(); ++i)
    if (phaseOf(built, slices[i]) == Phase::Communication) {
      EXPECT_GE(slices[i].start.value(), slices[i - 1].end().value() - 1e-12);
    }
}

TEST(Timeline, HostHoldsUpTheGpu) {
  PreparedModel model;
  add(model, relu(1024), Phase::Forward, 100);
  Settings run;
  run.hostLaunch = Seconds(50e-6);
  Built built = build(model, run);
  expectConsistent(built);
  EXPECT_GT(built.totals.time.value(), 100 * 50e-6 * 0.999);
}

TEST(Timeline, GraphHasNoGapsAndNoHost) {
  PreparedModel model;
  add(model, relu(1 << 20), Phase::Forward, 4);
  Settings run;
  run.runtime = Runtime::CudaGraph;
  Built built = build(model, run);
  expectConsistent(built);
  EXPECT_TRUE(built.timeline.isGraph);
  const auto &slices = built.timeline.slices;
  EXPECT_NEAR(slices[1].start.value(), slices[0].end().value(), 1e-12);
}

TEST(Timeline, HostWaitsForASize) {
  PreparedModel model;
  add(model, relu(1 << 20), Phase::Forward);
  model.launches.back().synchronizes = true;
  add(model, relu(1 << 20), Phase::Forward);
  Built built = build(model);
  expectConsistent(built);
  const TimelineSlice &first = built.timeline.slices[0];
  EXPECT_GT(first.copyTime.value(), 0);
  EXPECT_GE(first.copyStart.value(), first.end().value());
  EXPECT_LE((first.copyStart + first.copyTime).value(),
            built.timeline.slices[1].start.value());
}

TEST(Timeline, PassesRunOneAfterAnother) {
  PreparedModel model = trainingStep();
  // Three accumulated passes; the update and the links belong to the last.
  for (Launch &launch : model.launches) {
    Phase phase = model.kinds[launch.kind].phase;
    if (phase != Phase::Optimizer && phase != Phase::Communication) {
      launch.count *= 3;
      launch.passes = 3;
    }
  }
  Built built = build(model);
  expectConsistent(built);
  EXPECT_EQ(built.timeline.slices.back().pass, 2);
  EXPECT_EQ(built.timeline.slices.size(), 3 * 10 + 2 + 2u);
  TimelineOptions options;
  options.collapseLoops = true;
  Built collapsed = build(model, {}, options);
  expectConsistent(collapsed);
  // Six sites of computation twice, two links and one update.
  EXPECT_EQ(collapsed.timeline.slices.size(), 6 * 2 + 2 + 1u);
  EXPECT_EQ(collapsed.timeline.slices[1].count, 6);
}

TEST(Timeline, FollowsMemory) {
  PreparedModel model;
  add(model, relu(1 << 20), Phase::Forward);
  add(model, relu(1 << 20), Phase::Forward);
  model.memory.parameterBytes = 1000;
  model.memory.activationBytes = 50;
  model.memory.trace.sizes = {20, 30};
  model.memory.trace.events = {1, 2, -1, -2};
  model.launches[0].memoryEvents = 1;
  model.launches[1].memoryEvents = 4;
  Built built = build(model);
  int64_t kept = built.placed.memoryPlan().peak - 50;
  EXPECT_EQ(built.timeline.slices[0].memory, kept + 20);
  EXPECT_EQ(built.timeline.slices[1].memory, built.placed.memoryPlan().peak);
  EXPECT_EQ(built.timeline.slices[1].memoryBehind, kept);
}

TEST(Timeline, TooManyLaunches) {
  PreparedModel model;
  add(model, relu(1024), Phase::Forward, 1000);
  PlacedModel placed = place(model);
  IterationTotals totals = placed.solve({});
  TimelineOptions options;
  options.mostSlices = 999;
  auto timeline = buildTimeline(placed, totals, {}, options);
  ASSERT_FALSE(timeline);
  EXPECT_EQ(timeline.error().message,
            "the iteration has 1000 launches, more than the 999 of a trace; "
            "--trace-loops=collapse makes fewer of them");
  options.collapseLoops = true;
  EXPECT_TRUE(bool(buildTimeline(placed, totals, {}, options)));
}

TEST(Timeline, NothingToRun) {
  PlacedModel placed = place({});
  IterationTotals totals = placed.solve({});
  EXPECT_TRUE(cantFail(buildTimeline(placed, totals, {})).slices.empty());
}
