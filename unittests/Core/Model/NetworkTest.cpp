//===- NetworkTest.cpp - Collectives over several nodes -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gtest/gtest.h"

using namespace gpucost;

namespace {

constexpr double us = 1e-6;

/// In a node 100 GB/s (all-to-all 50) and 1 us a step; 5, 3 and 2 us per
/// collective. Each node sends 50 GB/s; 10 us a hop.
CostModel model(bool hasNetwork = true) {
  Coefficients c;
  c.collectives = CollectiveCoefficients();
  auto add = [&](CollectiveKind kind, double base, double step, double speed) {
    c.collectives->fits.push_back({kind, 0, Seconds(base * us),
                                   Seconds(step * us), Seconds(0),
                                   BytesPerSecond(speed * 1e9), 0});
  };
  add(CollectiveKind::ReduceScatter, 5, 1, 100);
  add(CollectiveKind::AllGather, 3, 1, 100);
  add(CollectiveKind::AllToAll, 2, 0, 50);
  if (hasNetwork)
    c.collectives->network =
        NetworkLink{BytesPerSecond(50e9), Seconds(10 * us)};
  return study::model(study::gpu("A100"), c);
}

KernelWork work(CollectiveKind kind, int64_t bytes, int64_t gpus, int64_t nodes,
                int64_t groups = 1) {
  KernelWork work;
  work.family = KernelFamily::Collective;
  work.problem = CollectiveProblem{kind, bytes, gpus, nodes, groups};
  return work;
}

Expected<KernelTime> predict(const KernelWork &work, const CostModel &model) {
  auto tiling = model.selectTiling(work);
  if (!tiling)
    return fail(tiling.error());
  return model.predictTime(work, *tiling, model.gpu().maxClock);
}

double microseconds(CollectiveKind kind, int64_t bytes, int64_t gpus,
                    int64_t nodes, int64_t groups = 1) {
  auto time = predict(work(kind, bytes, gpus, nodes, groups), model());
  if (!time) {
    ADD_FAILURE() << time.error().message;
    return -1;
  }
  // Nothing of it was measured, but within a node.
  EXPECT_EQ(time->inCalibratedDomain, nodes == 1);
  return time->total.value() / us;
}

constexpr int64_t MB = 1'000'000;

// (N6) Two nodes with eight GPUs each. Inside: 5 + 7 steps + 8 MB * 7/8 / 100
// GB/s = 82 us and 3 + 7 + 70 = 80 us. Between: a ring with 2 hops, 20 us, and
// 2 * 8 MB * 1/2 / 50 GB/s = 160 us; trees would take 20 + 320 us.
TEST(Network, AllReduceOfLongMessagesIsARing) {
  EXPECT_NEAR(microseconds(CollectiveKind::AllReduce, 8 * MB, 16, 2),
              82 + 80 + 20 + 160, 1e-6);
  // One GPU per node: 6 hops and 2 * 8 MB * 3/4 / 50 GB/s, nothing inside.
  EXPECT_NEAR(microseconds(CollectiveKind::AllReduce, 8 * MB, 4, 4), 60 + 240,
              1e-6);
}

// (N6) 8 kB over 8 nodes: 14 hops in a ring, 2 * log2(8) = 6 in trees, which
// send all of 2 * 8 kB: 60 + 0.32 us. Inside: 12 + 0.07 and 10 + 0.07 us.
TEST(Network, AllReduceOfShortMessagesIsATree) {
  EXPECT_NEAR(microseconds(CollectiveKind::AllReduce, 8000, 64, 8),
              12.07 + 10.07 + 60.32, 1e-6);
  // Five nodes have 3 levels: log2(5) is rounded up. 40 GPUs.
  EXPECT_NEAR(microseconds(CollectiveKind::AllReduce, 8000, 40, 5),
              12.07 + 10.07 + 60.32, 1e-6);
}

TEST(Network, OtherCollectivesByHand) {
  // Inside 80 us; 1 hop and 8 MB / 2 / 50 GB/s = 80 us.
  EXPECT_NEAR(microseconds(CollectiveKind::AllGather, 8 * MB, 16, 2),
              80 + 10 + 80, 1e-6);
  EXPECT_NEAR(microseconds(CollectiveKind::ReduceScatter, 8 * MB, 16, 2),
              82 + 10 + 80, 1e-6);
  // Half of the buffer stays: 2 us + 4 MB * 7/8 / 50 GB/s = 72 us. Each of the
  // eight sends 4 MB to the other node: 10 us + 32 MB / 50 GB/s.
  EXPECT_NEAR(microseconds(CollectiveKind::AllToAll, 8 * MB, 16, 2),
              72 + 10 + 640, 1e-6);
  // (N7) Inside 3 + 7 us + 8 MB / 100 GB/s.
  EXPECT_NEAR(microseconds(CollectiveKind::Broadcast, 8 * MB, 16, 2),
              10 + 160 + 90, 1e-6);
  // Each of the eight sends 8 MB.
  EXPECT_NEAR(microseconds(CollectiveKind::SendRecv, 8 * MB, 16, 2), 10 + 1280,
              1e-6);
}

// Two collectives of four GPUs per node share its network: 3 + 3 us + 8 MB *
// 3/4 / 100 GB/s inside, 10 us + 2 * 4 MB / 50 GB/s between.
TEST(Network, GroupsShareIt) {
  EXPECT_NEAR(microseconds(CollectiveKind::AllGather, 8 * MB, 8, 2, 2),
              66 + 10 + 160, 1e-6);
}

// (N7) In one node as an all-gather: 3 + 7 us + 8 MB / 100 GB/s; from GPU to
// GPU one step, however many do so. Neither was measured.
TEST(Network, BroadcastAndSendInsideOfANode) {
  auto broadcast = predict(work(CollectiveKind::Broadcast, 8 * MB, 8, 1),
                           model(/*hasNetwork=*/false));
  ASSERT_TRUE(bool(broadcast));
  EXPECT_NEAR(broadcast->total.value(), 90 * us, 1e-12);
  EXPECT_FALSE(broadcast->inCalibratedDomain);
  for (int64_t gpus : {2, 8}) {
    auto send = predict(work(CollectiveKind::SendRecv, 8 * MB, gpus, 1),
                        model(/*hasNetwork=*/false));
    ASSERT_TRUE(bool(send));
    EXPECT_NEAR(send->total.value(), 84 * us, 1e-12);
  }
}

// (N2) V does not depend on the nodes: 2 * 8 MB * 15/16 sent and as much
// received, read and written.
TEST(Network, TrafficIsThatOfOneNode) {
  for (int64_t nodes : {1, 2, 16}) {
    KernelWork each = work(CollectiveKind::AllGather, 8 * MB, 16, nodes);
    auto tiling = model().selectTiling(each);
    ASSERT_TRUE(bool(tiling));
    auto events = model().countEvents(each, *tiling);
    ASSERT_TRUE(bool(events));
    EXPECT_NEAR(events->dramBytes, 2 * 7.5e6, 1e-3);
  }
  EXPECT_EQ(collectiveBytes(CollectiveKind::Broadcast, 8, 4), 8);
  EXPECT_EQ(collectiveBytes(CollectiveKind::Broadcast, 8, 1), 0);
  EXPECT_EQ(collectiveBytes(CollectiveKind::SendRecv, 8, 4), 8);
}

TEST(Network, WhatIsMissing) {
  auto error = [](const KernelWork &work, bool hasNetwork = true) {
    auto time = predict(work, model(hasNetwork));
    return time ? std::string() : time.error().message;
  };
  EXPECT_EQ(error(work(CollectiveKind::AllGather, 8, 16, 2), false),
            "no network between 2 nodes; state it with --network=GB/s:us");
  std::string uneven =
      "expected a collective with equally many GPUs in each node";
  EXPECT_EQ(error(work(CollectiveKind::AllGather, 8, 16, 3)), uneven);
  EXPECT_EQ(error(work(CollectiveKind::AllGather, 8, 16, 0)), uneven);
  EXPECT_EQ(error(work(CollectiveKind::AllGather, 8, 16, 2, 0)), uneven);
}

} // namespace
