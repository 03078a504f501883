//===- ClosedLoopTest.cpp - Closed loops computed by hand -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Serve/ClosedLoop.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace gpucost;
using namespace gpucost::serve;

namespace {

/// A decode step takes 10 ms, of which 4 ms read weights, and a prompt token
/// 1 ms; prompts have 100 tokens and answers 3 steps after the first token.
struct Server {
  Loop loop;
  Scheduler scheduler;
  LoopTraffic traffic{100, 3};
  double request = 0; ///< s

  Server(int64_t users, int64_t requests) {
    loop.users = users;
    loop.requests = requests;
    loop.stepTokens = 150;
  }
  LoopResult run() const {
    LoopTimes times;
    times.decode = [](int64_t) { return Seconds(10e-3); };
    times.prompt = [](int64_t tokens) {
      return Seconds(1e-3 * static_cast<double>(tokens));
    };
    times.shared = Seconds(4e-3);
    times.request = Seconds(request);
    return play(loop, scheduler, traffic, times);
  }
  /// In ms, rounded.
  std::vector<int> first() const {
    std::vector<int> all;
    for (Seconds each : run().first)
      all.push_back(static_cast<int>(std::lround(each.value() * 1e3)));
    return all;
  }
};

} // namespace

// (V12) One user never waits for others: 7 ms, 100 ms for the prompt, and 10 ms
// for the step that begins before the first token is sent.
TEST(ClosedLoop, OneUser) {
  Server server(1, 2);
  server.request = 7e-3;
  EXPECT_EQ(server.first(), std::vector<int>({117, 117}));
  LoopResult result = server.run();
  EXPECT_NEAR(result.perToken.value(), 10e-3, 1e-12);
  EXPECT_NEAR(result.latency.value(), (7 + 100 + 30) * 1e-3, 1e-12);
  EXPECT_NEAR(result.end.value(), 2 * (7 + 100 + 30) * 1e-3, 1e-12);
  EXPECT_NEAR(result.outputs, 2, 1e-12);
}

// A step has 150 prompt tokens: the first prompt and half of the second. The
// rest of it, 50 ms, shares a step with a decode, which adds 10 - 4 ms.
TEST(ClosedLoop, PromptsJoinDecodes) {
  Server server(2, 2);
  EXPECT_EQ(server.first(), std::vector<int>({160, 150 + 56 + 10}));
}

// Whole prompts only: 100 ms, then 100 ms and a decode.
TEST(ClosedLoop, UndividedPrompts) {
  Server server(2, 2);
  server.scheduler.divides = false;
  EXPECT_EQ(server.first(), std::vector<int>({110, 100 + 106 + 10}));
  // A step has place for the tokens of the decodes, too.
  server.loop.stepTokens = 200;
  EXPECT_EQ(server.first(), std::vector<int>({210, 210}));
  // A prompt that is longer than a step runs alone.
  server.loop.stepTokens = 50;
  EXPECT_EQ(server.first(), std::vector<int>({110, 100 + 106 + 10}));
}

// Prompts in separate steps delay decodes by their whole time.
TEST(ClosedLoop, SeparatePrompts) {
  Server server(2, 2);
  server.scheduler.mixes = false;
  EXPECT_EQ(server.first(), std::vector<int>({160, 200 + 10}));
  LoopResult result = server.run();
  // The first answer: 50 ms of the other prompt and 3 steps.
  EXPECT_NEAR(result.perToken.value(), (80e-3 / 3 + 10e-3) / 2, 1e-12);
}

// The second user waits for the only slot until the first answer is complete,
// and so on.
TEST(ClosedLoop, Slots) {
  Server server(2, 4);
  server.loop.slots = 1;
  EXPECT_EQ(server.first(), std::vector<int>({110, 240, 240, 240}));
}

// A server without work looks at once, another one after every fourth step.
TEST(ClosedLoop, Polls) {
  Server server(2, 3);
  server.loop.stepTokens = 1000;
  server.traffic.outputSteps = 8;
  EXPECT_EQ(server.first(), std::vector<int>({210, 210, 110}));
  server.loop.leastLength = 0.5;
  // Inputs of 81, 62 and 93 tokens, answers of 6, 7 and 5 steps: the third
  // request comes after step 7, and is seen at once or after step 8, with which
  // the second answer ends.
  EXPECT_EQ(server.first(), std::vector<int>({153, 153, 93 + 6 + 10}));
  server.loop.pollSteps = 4;
  EXPECT_EQ(server.first(), std::vector<int>({153, 153, 10 + 93 + 10}));
}

// The third request of the same loop waits up to two decode steps for another
// one, unless 0.3 of a step is enough; the second answer ends after one.
TEST(ClosedLoop, Gathers) {
  Server server(2, 3);
  server.loop.stepTokens = 200;
  server.traffic.outputSteps = 8;
  server.loop.leastLength = 0.5;
  server.loop.gatherSteps = 2;
  EXPECT_EQ(server.first(), std::vector<int>({153, 153, 10 + 93 + 10}));
  server.loop.gatherShare = 0.3;
  EXPECT_EQ(server.first(), std::vector<int>({153, 153, 93 + 6 + 10}));
}

// Whatever the flags are, every request gets its answer, and no first token is
// faster than that of a single user.
TEST(ClosedLoop, AllRequestsEnd) {
  for (int64_t users : {1, 3, 16})
    for (int64_t slots : {0, 1, 5})
      for (int64_t poll : {1, 7})
        for (int64_t gather : {0, 9})
          for (int64_t tokens : {10, 150, 5000})
            for (bool mixes : {false, true})
              for (bool divides : {false, true}) {
                Server server(users, 10 * users);
                server.loop.slots = slots;
                server.loop.pollSteps = poll;
                server.loop.gatherSteps = gather;
                server.loop.stepTokens = tokens;
                server.scheduler = {mixes, divides};
                LoopResult result = server.run();
                ASSERT_EQ(result.first.size(), static_cast<size_t>(10 * users));
                EXPECT_GE(result.quantileOfFirst(0).value(), 110e-3 - 1e-9);
                EXPECT_GE(result.perToken.value(), 10e-3 - 1e-9);
                EXPECT_GE(result.latency.value(),
                          result.meanFirst().value() - 10e-3 + 30e-3 - 1e-9);
                EXPECT_LE(result.meanFirst().value(),
                          result.quantileOfFirst(1).value() + 1e-9);
              }
}

TEST(ClosedLoop, Contradictions) {
  Loop loop;
  EXPECT_EQ(loop.contradiction(), "");
  loop.slots = 4;
  EXPECT_EQ(loop.contradiction(), "--slots needs --users");
  loop.users = 8;
  EXPECT_EQ(loop.contradiction(), "");
  loop.requests = 4;
  EXPECT_EQ(loop.contradiction(),
            "--requests must be at least --users: every user sends one");
  loop.requests = 80;
  EXPECT_EQ(loop.contradiction(), "");
  loop.requestTime = Seconds(1e300);
  EXPECT_EQ(loop.contradiction(), "--request-ms must be at most 1000000");
}

// Steps that are played one by one are limited.
TEST(ClosedLoop, LongLoops) {
  Loop loop;
  loop.users = 8;
  loop.requests = 1'000'000;
  EXPECT_TRUE(loop.isShort({100, 1e6}));
  loop.stepTokens = 1;
  EXPECT_FALSE(loop.isShort({100, 1e6}));
  loop.stepTokens = 100;
  loop.gatherSteps = 1000;
  EXPECT_FALSE(loop.isShort({100, 1e6}));
  loop.gatherSteps = 0;
  loop.pollSteps = 10;
  EXPECT_FALSE(loop.isShort({100, 1e6}));
  EXPECT_TRUE(loop.isShort({100, 100}));
}

// Without free slots, prompts do not count as gathering: the second prompt
// waits for the slot, then for one more decode step of the other sequence.
TEST(ClosedLoop, GathersWithFreeSlots) {
  Server server(3, 3);
  server.loop.stepTokens = 1000;
  server.loop.slots = 2;
  server.loop.gatherSteps = 1;
  server.loop.leastLength = 0.5;
  server.traffic.outputSteps = 8;
  // Answers of 6 and 7 steps; the third request has 93 tokens.
  EXPECT_EQ(server.first(),
            std::vector<int>({153, 153, 143 + 60 + 10 + 93 + 10}));
}
