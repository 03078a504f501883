//===- GroupsTest.cpp - Launches added up by op, layer or scope -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Report/Groups.h"
#include "SampleReport.h"
#include "gtest/gtest.h"

using namespace gpucost;

TEST(Groups, ScopeIsThePathOfTheModule) {
  EXPECT_EQ(scopeOf("/model/layers.3/mlp/MatMul"), "model/layers.3/mlp");
  EXPECT_EQ(scopeOf("l0.q"), "l0");
  EXPECT_EQ(scopeOf("node_MatMul_120"), "");
  EXPECT_EQ(scopeOf(""), "");
}

TEST(Groups, LayerEndsAtTheFirstNumber) {
  EXPECT_EQ(layerOf("model/layers.3/mlp/experts.7"), "model/layers.3");
  EXPECT_EQ(layerOf("l12"), "l12");
  EXPECT_EQ(layerOf("encoder/layer.0/attention"), "encoder/layer.0");
  EXPECT_EQ(layerOf("lm_head"), "lm_head");
}

// Names of PyTorch 2 have no path, but the names of its weights have one: a
// node that reads no weight belongs to the common scope of its neighbours.
TEST(Groups, ScopesOfWeights) {
  std::vector<std::string> nodes = {"node_add",   "node_linear", "node_gelu",
                                    "node_mm",    "node_norm",   "node_cast",
                                    "/head/Cast", "node_softmax"};
  std::vector<std::string> weights = {
      "", "layer.0.up.weight", "", "", "layer.0.norm.weight", "", "", ""};
  std::vector<std::string> scopes = {
      "", "layer.0.up", "layer.0", "layer.0", "layer.0.norm", "", "head", ""};
  EXPECT_EQ(scopesOf(nodes, weights), scopes);
  // Only whole parts of a path: "up" and "upper" share nothing.
  EXPECT_EQ(scopesOf({"a", "b", "c"}, {"up.w", "", "upper.w"})[1], "");
  EXPECT_EQ(scopesOf({"a", "b", "c"}, {"l.1.w", "", "l.10.w"})[1], "l");
  EXPECT_EQ(scopesOf({"a", "b", "c"}, {"l.1.w", "", "l.1.w"})[1], "l.1");
}

/// Two layers: 2 + 3 us and 10 us.
static IterationReport report() {
  IterationReport report = sample::report();
  report.gpuBusy = Seconds(20e-6);
  std::vector<NodeRow> nodes = {{"/net/layers.0/a/MatMul", 1, Seconds(2e-6), 0,
                                 Joules(1), 100, 10, "onnx.MatMul", ""},
                                {"/net/layers.0/b/MatMul", 2, Seconds(3e-6), 0,
                                 Joules(2), 200, 20, "onnx.MatMul", ""},
                                {"/net/layers.1/a/Relu", 4, Seconds(10e-6), 0,
                                 Joules(4), 400, 40, "onnx.Relu", ""}};
  report.nodes = [nodes] { return nodes; };
  return report;
}

TEST(Groups, SumsMostTimeFirst) {
  std::vector<NodeRow> layers = groupNodes(report(), GroupBy::Layer);
  ASSERT_EQ(layers.size(), 2u);
  EXPECT_EQ(layers[0].node, "net/layers.1");
  EXPECT_EQ(layers[1].node, "net/layers.0");
  EXPECT_EQ(layers[1].launches, 3);
  EXPECT_DOUBLE_EQ(layers[1].time.value(), 5e-6);
  EXPECT_DOUBLE_EQ(layers[1].energy.value(), 3);
  EXPECT_EQ(layers[1].flops, 300);
  EXPECT_EQ(layers[1].bytes, 30);
  EXPECT_EQ(groupNodes(report(), GroupBy::Scope).size(), 3u);
  std::vector<NodeRow> ops = groupNodes(report(), GroupBy::Op);
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_EQ(ops[0].node, "onnx.Relu");
}

TEST(Groups, BothWritersHaveThem) {
  ReportOptions options;
  options.groupBy = GroupBy::Layer;
  std::string table = sample::write("table", report(), options);
  EXPECT_NE(table.find("  by layer: 2\n"), std::string::npos) << table;
  EXPECT_NE(table.find("  50.0         4"), std::string::npos) << table;
  std::string json = sample::write("json", report(), options);
  EXPECT_NE(json.find("\"group_by\": \"layer\""), std::string::npos);
  EXPECT_NE(json.find("\"name\": \"net/layers.0\""), std::string::npos);
  EXPECT_EQ(sample::write("json", report()).find("groups"), std::string::npos);
}
