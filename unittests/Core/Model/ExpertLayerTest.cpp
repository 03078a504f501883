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

} // namespace
