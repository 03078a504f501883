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

/// Each node sends 50 GB/s; 10 us a hop.
Network stated() {
  Network network;
  network.bandwidth = BytesPerSecond(50e9);
  network.latency = Seconds(10 * us);
  return network;
}

/// In a node 100 GB/s (all-to-all 50) and 1 us a step; 5, 3 and 2 us per
/// collective. Each node sends 50 GB/s; 10 us a hop.
Coefficients coefficients(bool hasNetwork = true) {
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
    c.collectives->network = stated();
  return c;
}

CostModel model(bool hasNetwork = true) {
  return study::model(study::gpu("A100"), coefficients(hasNetwork));
}

/// A system with the same bandwidth: 8 GPUs share 4 adapters of 25 GB/s, of
/// which messages get half. Trees have 8 hops per level and 8 more; a quarter
/// of the shorter stage is not hidden.
Network system() {
  Network network;
  network.name = "toy";
  network.gpus = 8;
  network.adapters = 4;
  network.bandwidth = BytesPerSecond(25e9);
  return network;
}

CostModel modelOf(const Network &network) {
  Coefficients c = coefficients();
  c.collectives->network = network;
  c.network = NetworkCoefficients();
  c.network->hop = Seconds(10 * us);
  c.network->reach = 0.5;
  c.network->serial = 0.25;
  c.network->treeLevel = c.network->treeStart = 8;
  c.network->gatherTrees = true;
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

double microsecondsOf(const Network &network, const KernelWork &work) {
  auto time = predict(work, modelOf(network));
  if (!time) {
    ADD_FAILURE() << time.error().message;
    return -1;
  }
  return time->total.value() / us;
}

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

// (N6) Inside 82 + 80 us. Between: a ring 20 + 160 us (trees would take 16 hops
// and 320 us); the longer stage and a quarter of the other one.
TEST(NamedNetwork, StagesOverlap) {
  EXPECT_NEAR(
      microsecondsOf(system(), work(CollectiveKind::AllReduce, 8 * MB, 16, 2)),
      180 + 162 / 4.0, 1e-6);
  // Inside 80 us, between 10 + 80 us.
  EXPECT_NEAR(
      microsecondsOf(system(), work(CollectiveKind::AllGather, 8 * MB, 16, 2)),
      90 + 80 / 4.0, 1e-6);
}

// (N6) One GPU in each of 64 nodes uses one adapter, 12.5 GB/s. A ring has 63
// hops, a tree 8 * 6 + 8 = 56: 560 + 0.64 us.
TEST(NamedNetwork, ManyNodesAreATree) {
  EXPECT_NEAR(
      microsecondsOf(system(), work(CollectiveKind::AllGather, 8000, 64, 64)),
      560.64, 1e-6);
  // Ring of an all-reduce 126 hops; 560 + 1.28 us.
  EXPECT_NEAR(
      microsecondsOf(system(), work(CollectiveKind::AllReduce, 8000, 64, 64)),
      561.28, 1e-6);
}

// Inside 3 + 3 + 60 us. Two groups of four GPUs share 50 GB/s; one group alone
// has two of the four adapters.
TEST(NamedNetwork, GroupsShareTheAdapters) {
  for (int64_t groups : {1, 2})
    EXPECT_NEAR(microsecondsOf(system(), work(CollectiveKind::AllGather, 8 * MB,
                                              8, 2, groups)),
                10 + 160 + 66 / 4.0, 1e-6);
}

// Between 10 + 160 us with half of the bandwidth between the switches.
TEST(NamedNetwork, Oversubscription) {
  Network network = system();
  network.oversubscription = 2;
  EXPECT_NEAR(
      microsecondsOf(network, work(CollectiveKind::AllGather, 8 * MB, 16, 2)),
      170 + 80 / 4.0, 1e-6);
}

// Four nodes: a ring takes 60 + 240 us, switches 20 + 160 us.
TEST(NamedNetwork, SwitchesAddUp) {
  Network network = system();
  KernelWork reduce = work(CollectiveKind::AllReduce, 8 * MB, 32, 4);
  EXPECT_NEAR(microsecondsOf(network, reduce), 300 + 162 / 4.0, 1e-6);
  network.inNetworkReduction = true;
  EXPECT_NEAR(microsecondsOf(network, reduce), 180 + 162 / 4.0, 1e-6);
}

// 64 GPUs in 8 nodes, 8 MB each. Every row crosses: 70 + 8 * 7 MB / 50 GB/s =
// 1190 us, inside 2 us + 1 MB * 7/8 / 50 GB/s. A token of 4 rows goes to 8 * (1
// - (7/8)^4) = 3.3105 nodes: 70 + 1120 * 0.82764 us, and inside 2 us + 8 MB *
// 7/8 / 50 GB/s; of two nodes 70 + 560 us.
TEST(NamedNetwork, TokensCrossOnce) {
  KernelWork exchange = work(CollectiveKind::AllToAll, 8 * MB, 64, 8);
  EXPECT_NEAR(microsecondsOf(system(), exchange), 1190 + 19.5 / 4, 1e-6);
  auto &problem = exchange.edit<CollectiveProblem>();
  problem.choices = 4;
  EXPECT_NEAR(microsecondsOf(system(), exchange),
              70 + 1120 * 0.827636719 + 142 / 4.0, 1e-3);
  problem.nodeLimit = 2;
  EXPECT_NEAR(microsecondsOf(system(), exchange), 70 + 560 + 142 / 4.0, 1e-6);
}

// From stage to stage: eight GPUs of a node send 8 MB at the same time, or one
// of them with one adapter.
TEST(NamedNetwork, StageToStage) {
  EXPECT_NEAR(
      microsecondsOf(system(), work(CollectiveKind::SendRecv, 8 * MB, 2, 2, 8)),
      10 + 1280, 1e-6);
  EXPECT_NEAR(
      microsecondsOf(system(), work(CollectiveKind::SendRecv, 8 * MB, 2, 2, 1)),
      10 + 640, 1e-6);
}

// (N1) The fit of more than 8 GPUs: 20 + 15 us + 7.5 MB / 40 GB/s; 8 GPUs keep
// theirs.
TEST(Network, LargeDomains) {
  Coefficients c = coefficients(/*hasNetwork=*/false);
  c.collectives->fits.push_back({CollectiveKind::AllGather, 0, Seconds(20 * us),
                                 Seconds(us), Seconds(0), BytesPerSecond(40e9),
                                 0, /*above=*/8});
  CostModel domain = study::model(study::gpu("A100"), c);
  auto large = predict(work(CollectiveKind::AllGather, 8 * MB, 16, 1), domain);
  ASSERT_TRUE(bool(large));
  EXPECT_NEAR(large->total.value() / us, 222.5, 1e-6);
  auto small = predict(work(CollectiveKind::AllGather, 8 * MB, 8, 1), domain);
  ASSERT_TRUE(bool(small));
  EXPECT_NEAR(small->total.value() / us, 80, 1e-6);
}

TEST(Network, WhatIsMissing) {
  auto error = [](const KernelWork &work, bool hasNetwork = true) {
    auto time = predict(work, model(hasNetwork));
    return time ? std::string() : time.error().message;
  };
  EXPECT_EQ(
      error(work(CollectiveKind::AllGather, 8, 16, 2), false),
      "no network between 2 nodes; state it with --network=NAME or GB/s:us");
  std::string uneven =
      "expected a collective with equally many GPUs in each node";
  EXPECT_EQ(error(work(CollectiveKind::AllGather, 8, 16, 3)), uneven);
  EXPECT_EQ(error(work(CollectiveKind::AllGather, 8, 16, 0)), uneven);
  EXPECT_EQ(error(work(CollectiveKind::AllGather, 8, 16, 2, 0)), uneven);
  KernelWork exchange = work(CollectiveKind::AllToAll, 8, 16, 2);
  exchange.edit<CollectiveProblem>().choices = -1;
  EXPECT_EQ(error(exchange),
            "expected 'choices' and 'node_limit' of at least 0");
  Coefficients c = modelOf(system()).coefficients();
  c.network.reset();
  auto bare = CostModel::create(study::gpu("A100"), c);
  ASSERT_TRUE(bool(bare));
  auto time = predict(work(CollectiveKind::AllGather, 8, 16, 2), *bare);
  ASSERT_FALSE(bool(time));
  EXPECT_EQ(time.error().message,
            "'" + study::gpu("A100").name +
                "' has no coefficients for named networks");
}

} // namespace
