//===- RolloutTest.cpp - Rollouts against hand-computed ones --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/PostTrain/Rollout.h"
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

using namespace gpucost;
using namespace gpucost::posttrain;

namespace {

/// A step takes 10 ms, 1 ms for each decode, 1 us for each token that a decode
/// attends to and 0.1 ms for each prompt token; it consumes 100 W.
Expected<StepPart> stepOf(int64_t decodes, int64_t context,
                          const PromptPart &prompts) {
  double tokens = static_cast<double>(prompts.count * prompts.query);
  double time = 10e-3 + 1e-3 * static_cast<double>(decodes) +
                1e-6 * static_cast<double>(decodes * context) + 0.1e-3 * tokens;
  return StepPart{Seconds(time), Joules(100 * time)};
}

RolloutTraffic trafficOf(std::vector<int64_t> outputs, int64_t input) {
  RolloutTraffic traffic;
  traffic.inputs.assign(outputs.size(), input);
  traffic.outputs = std::move(outputs);
  traffic.slots = 1024;
  traffic.stepTokens = 1 << 20;
  traffic.bytesPerToken = 1;
  traffic.cacheBytes = 1e9;
  traffic.sharesPrompts = false;
  return traffic;
}

} // namespace

// (V14) Lengths are quantiles, and the longest is that of all answers.
TEST(RolloutTest, LengthsAreQuantiles) {
  LengthShares half = {{100, 0.5}, {200, 0.4}, {900, 0.1}};
  std::vector<int64_t> drawn = drawLengths(half, 10, 10, 0.41421356);
  std::vector<int64_t> sorted = drawn;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_EQ(sorted, (std::vector<int64_t>{100, 100, 100, 100, 100, 200, 200,
                                          200, 200, 900}));
  EXPECT_NE(sorted, drawn);
  // Of 4 answers none is among the longest tenth, of 40 in all one is.
  EXPECT_EQ(drawLengths(half, 4, 4, 0.41421356),
            drawLengths(half, 4, 4, 0.41421356));
  auto longest = [&](int64_t all) {
    std::vector<int64_t> some = drawLengths(half, 4, all, 0.41421356);
    return *std::max_element(some.begin(), some.end());
  };
  EXPECT_EQ(longest(4), 200);
  EXPECT_EQ(longest(40), 900);
}

// (V14) Two answers of 3 and 5 tokens to prompts of 10: a step with 20 prompt
// tokens, 2 decodes of both, 2 of the longer one.
TEST(RolloutTest, DrainsByHand) {
  auto run = playRollout(trafficOf({3, 5}, 10), stepOf);
  ASSERT_TRUE(run.has_value());
  double prompts = 10e-3 + 0.1e-3 * 20;
  // Contexts of 10 and 11 tokens, then 12 and 13.
  double both = 2 * (10e-3 + 2e-3) + 2e-6 * (10 + 11);
  double one = 2 * (10e-3 + 1e-3) + 1e-6 * (12 + 13);
  EXPECT_NEAR(run->all.time.value(), prompts + both + one, 1e-12);
  EXPECT_NEAR(run->all.energy.value(), 100 * (prompts + both + one), 1e-9);
  EXPECT_EQ(run->steps, 5);
  EXPECT_EQ(run->promptTokens, 20);
  EXPECT_EQ(run->outputTokens, 8);
  EXPECT_EQ(run->mostRunning, 2);
  // Both had 12 tokens in the cache when the first one ended.
  EXPECT_EQ(run->mostBytes, 24);
  // One answer of two is not less than half.
  EXPECT_EQ(run->tail.value(), 0);
}

// (V14) With one slot, answers follow each other.
TEST(RolloutTest, SlotsLimitTheAnswers) {
  RolloutTraffic traffic = trafficOf({3, 5}, 10);
  traffic.slots = 1;
  auto run = playRollout(traffic, stepOf);
  auto first = playRollout(trafficOf({3}, 10), stepOf),
       second = playRollout(trafficOf({5}, 10), stepOf);
  ASSERT_TRUE(run && first && second);
  EXPECT_NEAR(run->all.time.value(),
              (first->all.time + second->all.time).value(), 1e-12);
  EXPECT_EQ(run->mostRunning, 1);
}

// (V14) So does a cache that holds one answer.
TEST(RolloutTest, TheCacheLimitsTheAnswers) {
  RolloutTraffic traffic = trafficOf({5, 5}, 10);
  traffic.cacheBytes = 20;
  auto run = playRollout(traffic, stepOf);
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->mostRunning, 1);
  traffic.cacheBytes = 14;
  run = playRollout(traffic, stepOf);
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().message, "the cache of one answer does not fit");
}

// (V14) Answers to one prompt compute it once; the others join the step like
// decodes.
TEST(RolloutTest, AnswersShareTheirPrompt) {
  RolloutTraffic traffic = trafficOf({4, 4, 4, 4}, 100);
  traffic.inputs = {100, 100};
  traffic.samples = 2;
  auto apart = playRollout(traffic, stepOf);
  traffic.sharesPrompts = true;
  auto shared = playRollout(traffic, stepOf);
  ASSERT_TRUE(apart && shared);
  EXPECT_EQ(apart->promptTokens, 400);
  EXPECT_EQ(shared->promptTokens, 200);
  // 2 x 100 prompt tokens less, 2 decodes with a context of 100 more.
  EXPECT_NEAR((apart->all.time - shared->all.time).value(),
              200 * 0.1e-3 - 2 * (1e-3 + 100e-6), 1e-12);
  // The cache has each prompt once, and 3 tokens of each answer.
  EXPECT_EQ(shared->mostBytes, 2 * 100 + 4 * 3);
  EXPECT_EQ(apart->mostBytes, 4 * 103);
}

// (V14) A prompt that is longer than a step is divided; decodes join.
TEST(RolloutTest, LongPromptsAreDivided) {
  RolloutTraffic traffic = trafficOf({2, 2}, 1000);
  traffic.stepTokens = 400;
  auto run = playRollout(traffic, stepOf);
  ASSERT_TRUE(run.has_value());
  EXPECT_EQ(run->promptTokens, 2000);
  // 400, 400, 200 of the first, 400 of the second with the decode of the first,
  // 400, 200, and the decode of the second.
  EXPECT_EQ(run->steps, 7);
}

// (V14) No rollout is faster than the steps of its longest answer alone, and
// more slots never make it slower by more than its prompts.
TEST(RolloutTest, IsAboveItsFloor) {
  std::vector<int64_t> outputs =
      drawLengths({{50, 0.3}, {200, 0.5}, {1500, 0.2}}, 64, 64, 0.41421356);
  auto floor = sumDecodes(stepOf, 1, 32, 1499);
  ASSERT_TRUE(floor.has_value());
  double before = INFINITY;
  for (int64_t slots : {8, 16, 32, 64}) {
    RolloutTraffic traffic = trafficOf(outputs, 32);
    traffic.slots = slots;
    auto run = playRollout(traffic, stepOf);
    ASSERT_TRUE(run.has_value());
    EXPECT_GT(run->all.time, floor->time);
    EXPECT_LT(run->all.time.value(), before);
    EXPECT_LE(run->mostRunning, slots);
    EXPECT_EQ(run->outputTokens,
              std::accumulate(outputs.begin(), outputs.end(), int64_t(0)));
    before = run->all.time.value();
  }
}

// A failing step is an error.
TEST(RolloutTest, ReportsErrors) {
  auto run = playRollout(
      trafficOf({3}, 10),
      [](int64_t, int64_t, const PromptPart &) -> Expected<StepPart> {
        return fail("no such step");
      });
  ASSERT_FALSE(run.has_value());
  EXPECT_EQ(run.error().message, "no such step");
}
