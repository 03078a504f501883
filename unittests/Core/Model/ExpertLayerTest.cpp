//===- ExpertLayerTest.cpp - Rules (E1) and (X12) by hand -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ExpertLayer.h"
#include "gtest/gtest.h"

using namespace gpucost;

namespace {

/// 8 experts with 1024 columns and 12288 bytes; each token chooses 2 of them.
ExpertLayer layerOf(int64_t shards = 1) {
  ExpertLayer layer;
  layer.experts = 8;
  layer.chosen = 2;
  layer.columns = 1024;
  layer.bytes = 12288;
  layer.shards = shards;
  return layer;
}

TEST(ExpertLayer, OneTokenReadsItsTwo) {
  ExpertUse use = useOf(layerOf(), 1);
  EXPECT_DOUBLE_EQ(use.active, 2);
  EXPECT_EQ(use.items, 2);
  EXPECT_EQ(use.pairs, 2);
  EXPECT_EQ(use.rows, 1);
  EXPECT_EQ(use.columns, 1024);
  EXPECT_EQ(use.unread, 6 * 12288);
  EXPECT_EQ(readBytes(layerOf(), use, 8 * 4096), 2 * 4096);
}

/// 8 (1 - 0.75^4) = 5.46875 of 8: six items share the columns of 5.47 experts,
/// 1024 * 5.46875 / 6 = 933.3, whole tiles of 64.
TEST(ExpertLayer, FewTokensReadTheMean) {
  ExpertUse use = useOf(layerOf(), 4);
  EXPECT_DOUBLE_EQ(use.active, 5.46875);
  EXPECT_EQ(use.items, 6);
  EXPECT_EQ(use.rows, 2);
  EXPECT_EQ(use.columns, 960);
  EXPECT_EQ(use.unread, 31104);
}

TEST(ExpertLayer, WorstAndGiven) {
  ExpertLayer layer = layerOf();
  layer.worst = true;
  EXPECT_EQ(useOf(layer, 3).items, 6);
  EXPECT_EQ(useOf(layer, 5).items, 8);
  layer.worst = false;
  layer.active = 3;
  ExpertUse use = useOf(layer, 10);
  EXPECT_EQ(use.items, 3);
  EXPECT_EQ(use.rows, 7); // 20 pairs
  EXPECT_EQ(use.unread, 5 * 12288);
}

/// (X12) Four GPUs of two experts and one token each: the four tokens read
/// 5.46875 experts, 1.3671875 of each GPU.
TEST(ExpertLayer, DividedByFour) {
  ExpertUse use = useOf(layerOf(4), 1);
  EXPECT_DOUBLE_EQ(use.active, 1.3671875);
  EXPECT_EQ(use.pairs, 2);
  EXPECT_EQ(use.items, 2);
  EXPECT_EQ(use.rows, 1);
  EXPECT_EQ(use.unread, 7776);
  // All 32 tokens choose both experts of one GPU.
  ExpertLayer worst = layerOf(4);
  worst.worst = true;
  use = useOf(worst, 8);
  EXPECT_EQ(use.pairs, 64);
  EXPECT_EQ(use.items, 2);
  EXPECT_EQ(use.rows, 32);
  EXPECT_EQ(use.unread, 0);
  // One expert on each of 8 GPUs: a token chooses it once.
  worst.shards = 8;
  EXPECT_EQ(useOf(worst, 8).pairs, 64);
  EXPECT_EQ(useOf(layerOf(8), 8).pairs, 16);
}

/// (X28) Two GPUs of four experts, and the same 4 tokens: 4 of 8 choices on
/// each, with the variance 4 * 2/2 * 1/2 * 6/7 = 12/7; each of 4 experts is
/// read with p = 1 - 0.75^4 = 0.68359, 2.73438 with the variance 0.86517. z(2)
/// = 4.91 * (0.72222^0.14 - 0.27778^0.14) = 0.5874.
TEST(ExpertLayer, BusiestOfTwo) {
  ExpertLayer layer = layerOf(2);
  layer.shared = layer.busiest = true;
  ExpertUse use = useOf(layer, 4);
  EXPECT_EQ(use.pairs, 5); // 4 + 0.5874 * 1.3093 = 4.77
  EXPECT_NEAR(use.active, 2.73438 + 0.5874 * 0.93015, 1e-3);
  EXPECT_EQ(use.items, 4);
  EXPECT_EQ(use.rows, 2);
  // 4.76909 pairs are those of 4 tokens: on average 4 pairs and 2.73438
  // experts.
  MeanUse mean = meanOf(layer, 4 + 0.5874 * 1.3093);
  EXPECT_NEAR(mean.tokens, 4, 1e-3);
  EXPECT_NEAR(mean.pairs, 4, 1e-3);
  EXPECT_NEAR(mean.active, 2.73438, 1e-3);
  // Many tokens read all experts of each GPU, and no more.
  EXPECT_NEAR(useOf(layer, 1000).active, 4, 1e-9);
  // One token chooses 2 of 8: at most both on one GPU.
  EXPECT_LE(useOf(layer, 1).active, 2);
  // Without a choice there is no difference between GPUs.
  layer.chosen = 8;
  EXPECT_EQ(useOf(layer, 3).pairs, 12);
  EXPECT_DOUBLE_EQ(useOf(layer, 3).active, 4);
  layer.chosen = 2;
  layer.worst = true;
  use = useOf(layer, 3);
  EXPECT_EQ(use.pairs, 6);
  EXPECT_DOUBLE_EQ(use.active, 4);
}

} // namespace
