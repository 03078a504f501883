//===- NodesTest.cpp - GPUs of a plan on nodes ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/LayerBalance.h"
#include "gpucost/Core/Scenario/PipelineLayout.h"
#include "gpucost/Core/Scenario/ScenarioFaults.h"
#include "gtest/gtest.h"

using namespace gpucost;

namespace {

Scenario training(std::string_view plan) {
  Scenario scenario;
  scenario.mode = IterationMode::Training;
  scenario.parallel = *parseParallelism(plan);
  scenario.batch = 1;
  return scenario;
}

/// A GPU whose nodes contain 8, and a named network.
ScenarioTarget testSystem(int64_t gpusPerNode = 8) {
  ScenarioTarget target;
  target.gpu = "toy";
  target.gpusPerNode = gpusPerNode;
  target.network = "fabric";
  return target;
}

int64_t nodesOf(std::string_view plan, int64_t gpusPerNode = 8) {
  return resolve(training(plan), testSystem(gpusPerNode)).nodes;
}

TEST(Nodes, FollowFromTheNamedNetwork) {
  EXPECT_EQ(nodesOf("tp4.dp2"), 1);
  EXPECT_EQ(nodesOf("tp8.dp2"), 2);
  EXPECT_EQ(nodesOf("tp8.pp16.dp128"), 2048);
  EXPECT_EQ(nodesOf("fsdp131072"), 16384);
  EXPECT_EQ(nodesOf("tp8.dp16", 72), 2);
  // Equal nodes with whole groups of six: 24 GPUs on 4 nodes.
  EXPECT_EQ(nodesOf("tp6.dp4"), 4);
  // Whole ranks of three GPUs: two in a node.
  EXPECT_EQ(nodesOf("pp8.dp3"), 4);
}

TEST(Nodes, StatedOnesAreKept) {
  Scenario scenario = training("tp4.dp4");
  scenario.nodes = 4;
  EXPECT_EQ(resolve(scenario, testSystem()).nodes, 4);
  scenario.nodes.reset();
  ScenarioTarget stated = testSystem();
  stated.network.clear();
  EXPECT_EQ(resolve(scenario, stated).nodes, 1);
}

TEST(Nodes, ContradictionsAreErrors) {
  Scenario scenario = training("fsdp64");
  scenario.network = "fabric";
  EXPECT_EQ(findFault(scenario, testSystem()), "");
  scenario.nodes = 4;
  EXPECT_EQ(findFault(scenario, testSystem()),
            "--gpus=64 on --nodes=4 puts 16 on each, but a node of 'fabric' "
            "holds 8; spread them with --nodes=8");
  Scenario wide = training("tp16.dp2");
  wide.network = "fabric";
  wide.nodes = 2;
  EXPECT_EQ(findFault(wide, testSystem()),
            "tensor parallelism stays inside a node: a node of 'fabric' holds "
            "8 GPUs, but its groups have 16");
}

// (X10) 2048 nodes of eight GPUs: tensor parallelism fills a node, so all eight
// groups of data parallelism of a rank share its network; the stride of the
// latter is 8.
TEST(Nodes, SpanOfAGroup) {
  Settings settings = resolve(training("tp8.pp16.dp128"), testSystem());
  GroupSpan tensor = spanOf(settings, 8, 1);
  EXPECT_EQ(tensor.nodes, 1);
  EXPECT_EQ(tensor.groups, 1);
  GroupSpan data = spanOf(settings, 128, 8);
  EXPECT_EQ(data.nodes, 128);
  EXPECT_EQ(data.groups, 8);
  // Four of a node in each group of fsdp, two groups.
  Settings half = resolve(training("tp2.fsdp16"), testSystem());
  GroupSpan shards = spanOf(half, 16, 2);
  EXPECT_EQ(shards.nodes, 4);
  EXPECT_EQ(shards.groups, 2);
  // Two ranks in a node: their groups stay inside.
  Settings ranks = resolve(training("tp2.pp8.dp2"), testSystem());
  EXPECT_EQ(ranks.nodes, 4);
  GroupSpan inside = spanOf(ranks, 2, 2);
  EXPECT_EQ(inside.nodes, 1);
  EXPECT_EQ(inside.groups, 1);
}

// (X31) Copies of 8 shards fill nodes of 8: gathers stay inside, and the 8
// all-reduces of a node share its network. Copies of 6 do not fill them.
TEST(Nodes, CopiesOfShards) {
  Settings settings = resolve(training("fsdp8.dp16"), testSystem());
  EXPECT_EQ(settings.nodes, 16);
  GroupSpan shards = shardsSpan(settings), copies = copiesSpan(settings);
  EXPECT_EQ(shards.gpus, 8);
  EXPECT_EQ(shards.nodes, 1);
  EXPECT_EQ(copies.gpus, 16);
  EXPECT_EQ(copies.nodes, 16);
  EXPECT_EQ(copies.groups, 8);
  // With cp2, a copy has two nodes.
  Settings wide = resolve(training("cp2.fsdp8.dp2"), testSystem());
  EXPECT_EQ(shardsSpan(wide).nodes, 2);
  EXPECT_EQ(copiesSpan(wide).gpus, 2);
  EXPECT_EQ(copiesSpan(wide).groups, 8);
  EXPECT_EQ(resolve(training("fsdp6.dp4"), testSystem()).nodes, 4);
  Scenario uneven = training("fsdp6.dp4");
  uneven.network = "fabric";
  uneven.nodes = 3;
  EXPECT_EQ(findFault(uneven, testSystem()),
            "the 6 GPUs of a copy do not fill nodes of 8 evenly (--gpus=24 on "
            "--nodes=3)");
}

TEST(Nodes, LimitsOfPlans) {
  EXPECT_TRUE(parseParallelism("tp8.pp16.dp1024"));
  EXPECT_FALSE(parseParallelism("tp8.pp16.dp1025"));
  EXPECT_FALSE(parseParallelism("dp131073"));
}

// (X13) By hand: a head of 3.6 layers behind 16 layers: 9.8 of them for each of
// two stages; the first one ends with the tenth layer, which exceeds it.
TEST(Stages, EndWithTheLayerThatExceedsTheirShare) {
  LayerWork work{std::vector<double>(16, 2.0), 3.6};
  EXPECT_EQ(balanceLayers(work, 2, StageSlots::Work),
            (std::vector<int64_t>{10, 6}));
  EXPECT_EQ(balanceLayers(work, 2, StageSlots::Layers),
            (std::vector<int64_t>{8, 8}));
  // 10 layers do not exceed half of 20.
  work.head = 4;
  EXPECT_EQ(balanceLayers(work, 2, StageSlots::Work),
            (std::vector<int64_t>{11, 5}));
  // The head is more than a half: it has a stage without layers.
  work.head = 20;
  EXPECT_EQ(balanceLayers(work, 2, StageSlots::Work), std::vector<int64_t>());
}

TEST(Stages, SplitByWorkWithNanotron) {
  Scenario scenario = training("pp2");
  scenario.software = Software::Nanotron;
  EXPECT_EQ(resolve(scenario, testSystem()).stageSlots, StageSlots::Work);
  scenario.stageSlots = StageSlots::Layers;
  EXPECT_EQ(resolve(scenario, testSystem()).stageSlots, StageSlots::Layers);
}

// (X13) Megatron-LM before sequence parallelism divides messages among the GPUs
// of a tensor parallel group; later the tokens are divided anyway.
TEST(Messages, AreDividedWithoutSequenceParallelism) {
  auto parts = [](Software software, std::optional<bool> tokens) {
    Scenario scenario = training("tp4.pp2");
    scenario.software = software;
    scenario.sequenceParallel = tokens;
    return partsOfMessage(resolve(scenario, testSystem()));
  };
  EXPECT_EQ(parts(Software::MegatronLm3, std::nullopt), 4);
  EXPECT_EQ(parts(Software::MegatronLm3, true), 1);
  EXPECT_EQ(parts(Software::MegatronDeepSpeed, std::nullopt), 4);
  EXPECT_EQ(parts(Software::Megatron, false), 1);
  EXPECT_EQ(parts(Software::PyTorch, std::nullopt), 1);
}

// (X18) fp16 gradients stay in fp16 in Megatron-LM of 2021 and 2022, 16-bit
// ones with InternEvo.
TEST(Gradients, OfHalfPrecision) {
  auto grads = [](Software software, NumericFormat format) {
    Scenario scenario = training("dp2");
    scenario.software = software;
    ScenarioTarget target = testSystem();
    target.format = format;
    return resolve(scenario, target).mainGrads;
  };
  EXPECT_EQ(grads(Software::MegatronLm3, NumericFormat::FP16),
            StateFormat::AsIs);
  EXPECT_EQ(grads(Software::MegatronLm3, NumericFormat::BF16),
            StateFormat::FP32);
  EXPECT_EQ(grads(Software::InternEvo, NumericFormat::BF16), StateFormat::AsIs);
  EXPECT_EQ(grads(Software::Nanotron, NumericFormat::BF16), StateFormat::FP32);
}

} // namespace
