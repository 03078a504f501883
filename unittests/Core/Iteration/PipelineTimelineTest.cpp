//===- PipelineTimelineTest.cpp -------------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/PipelineTimeline.h"
#include "gtest/gtest.h"
#include <numeric>
#include <set>

using namespace gpucost;

namespace {

constexpr PipelineSchedule everySchedule[] = {
    PipelineSchedule::GPipe, PipelineSchedule::OneForwardOneBackward,
    PipelineSchedule::Interleaved, PipelineSchedule::ZeroBubbleH1,
    PipelineSchedule::ZeroBubbleV};

PipelineLayout layoutOf(PipelineSchedule schedule, int64_t ranks,
                        int64_t perRank = 1) {
  if (schedule == PipelineSchedule::Interleaved ||
      schedule == PipelineSchedule::ZeroBubbleV)
    perRank = std::max<int64_t>(perRank, 2);
  return {ranks, perRank, schedule, /*trains=*/true};
}

/// Stages that take `forward`, `backward` and `weights` seconds.
std::vector<StageTimes> equalStages(const PipelineLayout &layout,
                                    double forward, double backward,
                                    double weights = 0, double send = 0) {
  StageTimes stage;
  stage.forward = Seconds(forward);
  stage.backward = Seconds(backward);
  stage.weights = Seconds(weights);
  stage.sendForward = stage.sendBackward = Seconds(send);
  return std::vector<StageTimes>(static_cast<size_t>(layout.stages()), stage);
}

PipelineTimeline run(const PipelineLayout &layout, int64_t microBatches,
                     const std::vector<StageTimes> &stages) {
  return cantFail(runPasses(layout, orderPasses(layout, microBatches), stages));
}

/// Waiting time of all ranks over the time of their passes.
double bubbleOf(const PipelineTimeline &timeline) {
  Seconds busy, waiting;
  for (Seconds each : timeline.busy)
    busy += each;
  for (Seconds each : timeline.waiting)
    waiting += each;
  return waiting / busy;
}

/// The passes of a rank: "F0 F1 B0 B1".
std::string textOf(const std::vector<PipelinePass> &order) {
  std::string text;
  for (const PipelinePass &pass : order) {
    text += text.empty() ? "" : " ";
    text += pass.kind == PassKind::Forward    ? "F"
            : pass.kind == PassKind::Backward ? "B"
                                              : "W";
    text += std::to_string(pass.microBatch);
  }
  return text;
}

/// (X14)
TEST(PipelineTimeline, Orders) {
  auto orders = orderPasses(layoutOf(PipelineSchedule::GPipe, 2), 3);
  EXPECT_EQ(textOf(orders[0]), "F0 F1 F2 B0 B1 B2");
  orders = orderPasses(layoutOf(PipelineSchedule::OneForwardOneBackward, 3), 4);
  EXPECT_EQ(textOf(orders[0]), "F0 F1 F2 B0 F3 B1 B2 B3");
  EXPECT_EQ(textOf(orders[2]), "F0 B0 F1 B1 F2 B2 F3 B3");
  orders = orderPasses(layoutOf(PipelineSchedule::ZeroBubbleH1, 2), 3);
  EXPECT_EQ(textOf(orders[0]), "F0 F1 B0 W0 F2 B1 W1 B2 W2");
  EXPECT_EQ(textOf(orders[1]), "F0 B0 F1 B1 W0 F2 B2 W1 W2");
  // Two stages on each of two ranks: the second half of the model starts after
  // two micro-batches.
  orders = orderPasses(layoutOf(PipelineSchedule::Interleaved, 2), 4);
  EXPECT_EQ(textOf(orders[1]),
            "F0 F1 F0 B0 F1 B1 F2 B0 F3 B1 F2 B2 F3 B3 B2 B3");
  EXPECT_EQ(orders[1][2].stage, 3);
  EXPECT_EQ(orders[1][3].stage, 3);
}

/// Every pass runs once, after its inputs: no schedule deadlocks.
TEST(PipelineTimeline, EveryPassRunsOnce) {
  for (PipelineSchedule schedule : everySchedule)
    for (int64_t ranks : {2, 3, 4, 8})
      for (int64_t microBatches : {1, 2, 3, 4, 8, 16, 24}) {
        PipelineLayout layout = layoutOf(schedule, ranks);
        if (schedule == PipelineSchedule::Interleaved && microBatches % ranks)
          continue;
        auto orders = orderPasses(layout, microBatches);
        std::set<std::tuple<int, int64_t, int64_t>> passes;
        size_t count = 0;
        for (size_t rank = 0; rank < orders.size(); ++rank)
          for (const PipelinePass &pass : orders[rank]) {
            EXPECT_EQ(layout.rankOf(pass.stage), int64_t(rank));
            passes.insert({int(pass.kind), pass.stage, pass.microBatch});
            ++count;
          }
        size_t kinds = layout.splitsBackward() ? 3 : 2;
        EXPECT_EQ(count, kinds * size_t(layout.stages() * microBatches));
        EXPECT_EQ(passes.size(), count);
        auto timeline =
            runPasses(layout, orders, equalStages(layout, 1, 1.5, 0.5, 0.1));
        ASSERT_TRUE(timeline) << timeline.error().message;
        for (size_t rank = 0; rank < orders.size(); ++rank)
          EXPECT_GE(timeline->waiting[rank], Seconds(0));
      }
}

/// (X15) (p - 1)/m with m micro-batches, (p - 1)/(v m) with v stages on each
/// rank.
TEST(PipelineTimeline, BubbleOfEqualStages) {
  for (int64_t ranks : {2, 4, 8})
    for (int64_t microBatches : {8, 16, 32}) {
      double p = double(ranks), m = double(microBatches);
      for (PipelineSchedule schedule :
           {PipelineSchedule::GPipe, PipelineSchedule::OneForwardOneBackward}) {
        PipelineLayout layout = layoutOf(schedule, ranks);
        PipelineTimeline timeline =
            run(layout, microBatches, equalStages(layout, 1, 2));
        EXPECT_NEAR(timeline.time.value(), 3 * (m + p - 1), 1e-9);
        EXPECT_NEAR(bubbleOf(timeline), (p - 1) / m, 1e-12);
      }
      for (int64_t perRank : {2, 4}) {
        PipelineLayout layout =
            layoutOf(PipelineSchedule::Interleaved, ranks, perRank);
        double v = double(perRank);
        PipelineTimeline timeline =
            run(layout, microBatches, equalStages(layout, 1 / v, 2 / v));
        EXPECT_NEAR(bubbleOf(timeline), (p - 1) / (v * m), 1e-9)
            << ranks << " " << microBatches << " " << perRank;
      }
    }
}

/// (X15) A head on the last stage sets the pace: m(stage + head) and
/// (p - 1)/v times a stage, the terms of step times fitted to published
/// trainings: BLOOM on 384 A100 and GPT-3 on 64 A100 (seconds).
TEST(PipelineTimeline, HeadOnTheLastStage) {
  struct Row {
    PipelineSchedule schedule;
    int64_t ranks, perRank, microBatches;
    double head, bubble;
  };
  for (const Row &row : {Row{PipelineSchedule::OneForwardOneBackward, 12, 1, 64,
                             13.863491741, 16.265748330},
                         Row{PipelineSchedule::Interleaved, 8, 3, 64,
                             0.274805595, 0.472941952}}) {
    PipelineLayout layout = layoutOf(row.schedule, row.ranks, row.perRank);
    double pass = row.bubble / double(row.ranks - 1);
    double head = row.head / double(row.microBatches);
    auto stages = equalStages(layout, pass / 3, pass * 2 / 3);
    stages.back().forward += Seconds(head / 3);
    stages.back().backward += Seconds(head * 2 / 3);
    double busy = pass * double(row.perRank * row.microBatches);
    EXPECT_NEAR(run(layout, row.microBatches, stages).time.value(),
                busy + row.head + row.bubble, 1e-9);
  }
}

/// ZB-H1 (Qi et al. 2024): (p - 1)(F + B - W) instead of (p - 1)(F + B + W).
TEST(PipelineTimeline, ZeroBubble) {
  PipelineLayout layout = layoutOf(PipelineSchedule::ZeroBubbleH1, 4);
  PipelineTimeline timeline = run(layout, 8, equalStages(layout, 1, 1, 1));
  EXPECT_NEAR(timeline.time.value(), 3 * 8 + 3, 1e-9);
  layout = layoutOf(PipelineSchedule::OneForwardOneBackward, 4);
  EXPECT_NEAR(run(layout, 8, equalStages(layout, 1, 2)).time.value(), 3 * 8 + 9,
              1e-9);
  // Two stages of half the work on each rank.
  layout = layoutOf(PipelineSchedule::ZeroBubbleV, 4);
  timeline = run(layout, 8, equalStages(layout, 0.5, 0.5, 0.5));
  EXPECT_LT(timeline.time.value(), 3 * 8 + 3);
  EXPECT_GE(timeline.time.value(), 3 * 8);
}

/// A transfer of 0.25 s that blocks both ranks: 2 ranks, 2 micro-batches.
TEST(PipelineTimeline, Transfers) {
  PipelineLayout layout = layoutOf(PipelineSchedule::OneForwardOneBackward, 2);
  PipelineTimeline timeline =
      run(layout, 2, equalStages(layout, 1, 2, 0, 0.25));
  // Rank 0: F0 0-1, sent 1.25; F1 1.25-2.25, sent 2.5; B0 4.5-6.5.
  // Rank 1: F0 1.25-2.25, B0 2.25-4.25, sent 4.5; F1 4.5-5.5, B1 5.5-7.5,
  // sent 7.75. Rank 0: B1 7.75-9.75.
  EXPECT_DOUBLE_EQ(timeline.passes[0][2].start.value(), 4.5);
  EXPECT_DOUBLE_EQ(timeline.time.value(), 9.75);
  EXPECT_DOUBLE_EQ(timeline.transfers[0].value(), 0.5);
  EXPECT_DOUBLE_EQ(timeline.waiting[0].value(), 9.75 - 6 - 0.5);
}

/// Slower links never shorten an iteration.
TEST(PipelineTimeline, TimeGrowsWithTransfers) {
  for (PipelineSchedule schedule : everySchedule) {
    PipelineLayout layout = layoutOf(schedule, 4);
    double before = 0;
    for (double send : {0.0, 0.01, 0.1, 0.5, 2.0}) {
      double time =
          run(layout, 8, equalStages(layout, 1, 1.3, 0.7, send)).time.value();
      EXPECT_GE(time, before);
      before = time;
    }
  }
}

/// The slowest of 3 stages sets the pace: 1 + 3 + 1 for the first
/// micro-batch, 3 for each of the 3 others.
TEST(PipelineTimeline, Inference) {
  PipelineLayout layout{3, 1, PipelineSchedule::OneForwardOneBackward,
                        /*trains=*/false};
  auto stages = equalStages(layout, 1, 0);
  stages[1].forward = Seconds(3);
  PipelineTimeline timeline = run(layout, 4, stages);
  EXPECT_DOUBLE_EQ(timeline.time.value(), 1 + 3 * 4 + 1);
}

TEST(PipelineTimeline, TailsFollowTheLastPass) {
  PipelineLayout layout = layoutOf(PipelineSchedule::OneForwardOneBackward, 2);
  auto stages = equalStages(layout, 1, 2);
  stages[0].tail = Seconds(0.5);
  stages[1].tail = Seconds(4);
  // Rank 1 ends its passes at 7, rank 0 at 9.
  EXPECT_DOUBLE_EQ(run(layout, 2, stages).time.value(), 11);
}

TEST(PipelineTimeline, ImpossibleOrders) {
  PipelineLayout layout = layoutOf(PipelineSchedule::OneForwardOneBackward, 2);
  auto orders = orderPasses(layout, 2);
  std::swap(orders[0][0], orders[0][2]);
  EXPECT_FALSE(runPasses(layout, orders, equalStages(layout, 1, 1)));
}

/// (X16) Micro-batches in flight: p - rank with 1F1B, all with GPipe.
TEST(PipelineTimeline, Activations) {
  StageActivations stage;
  stage.saved = 100;
  stage.forwardPeak = 110;
  stage.peak = 130;
  auto held = [&](PipelineSchedule schedule, int64_t rank, int64_t m = 8,
                  int64_t perRank = 1) {
    PipelineLayout layout = layoutOf(schedule, 4, perRank);
    return holdActivations(
        heldPasses(layout, orderPasses(layout, m)[static_cast<size_t>(rank)]),
        std::vector<StageActivations>(static_cast<size_t>(layout.stages()),
                                      stage));
  };
  auto oneByOne = PipelineSchedule::OneForwardOneBackward;
  EXPECT_EQ(held(oneByOne, 0).inFlight, 4);
  EXPECT_EQ(held(oneByOne, 0).peak, 3 * 100 + 130);
  EXPECT_EQ(held(oneByOne, 3).inFlight, 1);
  EXPECT_EQ(held(oneByOne, 3).peak, 130);
  EXPECT_EQ(held(PipelineSchedule::GPipe, 3).peak, 7 * 100 + 130);
  // 2 (3 - r) + (3 - 1) 4 passes first, also with as many micro-batches as
  // ranks: the last rank keeps one micro-batch of its last stage.
  for (int64_t m : {4, 8}) {
    EXPECT_EQ(held(PipelineSchedule::Interleaved, 3, m, 3).inFlight, 9);
    EXPECT_EQ(held(PipelineSchedule::Interleaved, 3, m, 3).peak, 8 * 100 + 130);
  }
  EXPECT_EQ(held(PipelineSchedule::Interleaved, 2, 8, 3).inFlight, 11);
  // Rank r of ZB-H1 delays the gradients of weights by r micro-batches.
  for (int64_t rank = 0; rank < 4; ++rank)
    EXPECT_EQ(held(PipelineSchedule::ZeroBubbleH1, rank).inFlight, 4);
  // As much as 4 whole stages: 8 halves.
  EXPECT_LE(held(PipelineSchedule::ZeroBubbleV, 0).inFlight, 8 + 1);
  for (PipelineSchedule schedule : everySchedule)
    for (int64_t rank = 0; rank < 4; ++rank)
      EXPECT_LE(held(schedule, rank, 8).peak, held(schedule, rank, 16).peak);
}

/// A known schedule gives the same times and memory as its passes one by one.
TEST(PipelineTimeline, KnownSchedules) {
  ScheduleMemo memo;
  for (PipelineSchedule schedule : everySchedule)
    for (int64_t ranks : {2, 4})
      for (int64_t microBatches : {4, 8, 12}) {
        bool isInterleaved = schedule == PipelineSchedule::Interleaved;
        PipelineLayout layout =
            layoutOf(schedule, ranks, isInterleaved ? 3 : 1);
        auto stages = equalStages(layout, 1, 1.5, 0.5, 0.1);
        std::vector<StageActivations> bytes(stages.size());
        for (size_t i = 0; i < stages.size(); ++i) {
          auto number = static_cast<int64_t>(i);
          stages[i].forward += Seconds(0.01 * static_cast<double>(i));
          stages[i].tail = Seconds(0.1 * static_cast<double>(i % 3));
          bytes[i] = {100 + 7 * number % 5, 120 + 11 * number % 7,
                      130 + 13 * number % 11};
        }
        auto orders = orderPasses(layout, microBatches);
        PipelineTimeline all = cantFail(runPasses(layout, orders, stages));
        auto known = memo.find(layout, microBatches);
        EXPECT_EQ(memo.find(layout, microBatches), known);
        PipelineTimeline totals = known->passes.runTotals(stages);
        EXPECT_EQ(totals.time, all.time);
        EXPECT_EQ(totals.busy, all.busy);
        EXPECT_EQ(totals.waiting, all.waiting);
        EXPECT_TRUE(totals.passes.empty());
        for (size_t rank = 0; rank < orders.size(); ++rank) {
          int64_t held = 0, inFlight = 0, mostBytes = 0, mostInFlight = 0;
          for (const PipelinePass &pass : orders[rank]) {
            const auto &[saved, forward, peak] =
                bytes[static_cast<size_t>(pass.stage)];
            if (pass.kind == PassKind::Forward) {
              mostBytes = std::max(mostBytes, held + forward);
              held += saved;
              mostInFlight = std::max(mostInFlight, ++inFlight);
              continue;
            }
            mostBytes = std::max(mostBytes, held - saved + peak);
            if ((pass.kind == PassKind::Weights) == layout.splitsBackward()) {
              held -= saved;
              --inFlight;
            }
          }
          RankActivations most = holdActivations(known->held[rank], bytes);
          EXPECT_EQ(most.peak, mostBytes);
          EXPECT_EQ(most.inFlight, mostInFlight);
        }
      }
}

/// (X30) Rank 1 takes twice as long as rank 0, which may therefore be as slow:
/// only its first forward and its last backward pass delay the iteration.
TEST(PipelineTimeline, EndsRunAtTheUsualClock) {
  PipelineLayout layout = layoutOf(PipelineSchedule::OneForwardOneBackward, 2);
  auto usual = equalStages(layout, 2, 4);
  usual[0] = equalStages(layout, 1, 2)[0];
  auto slow = equalStages(layout, 2, 4);
  auto orders = orderPasses(layout, 4);
  // F of rank 0, four times F and B of rank 1, B of rank 0.
  EXPECT_EQ(run(layout, 4, usual).time, Seconds(1 + 4 * (2 + 4) + 2));
  EXPECT_EQ(run(layout, 4, slow).time, Seconds(2 + 4 * (2 + 4) + 4));
  PipelineTimeline ends = cantFail(runPasses(layout, orders, slow, usual));
  EXPECT_EQ(ends.time, Seconds(27));
  EXPECT_EQ(ends.busy[0], Seconds(1 + 3 * 2 + 3 * 4 + 2));
  EXPECT_EQ(ends.busy[1], Seconds(24));
  // One micro-batch has no other passes.
  EXPECT_EQ(
      cantFail(runPasses(layout, orderPasses(layout, 1), slow, usual)).time,
      run(layout, 1, usual).time);
  // Work is conserved in every schedule, and equal ends change nothing.
  for (PipelineSchedule schedule : everySchedule) {
    PipelineLayout some = layoutOf(schedule, 4);
    auto times = equalStages(some, 1, 1.5, 0.5, 0.1);
    if (!some.splitsBackward())
      for (StageTimes &each : times)
        each.joinBackward();
    auto order = orderPasses(some, 8);
    PipelineTimeline same = cantFail(runPasses(some, order, times, times));
    EXPECT_EQ(same.time, run(some, 8, times).time);
  }
}

} // namespace
