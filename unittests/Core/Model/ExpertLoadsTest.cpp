//===- ExpertLoadsTest.cpp - Loads and copies of experts (X29) ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/ExpertLoads.h"
#include "gpucost/Core/Model/ExpertLayer.h"
#include "gtest/gtest.h"
#include <cmath>
#include <numeric>

using namespace gpucost;

namespace {

double meanOf(const std::vector<double> &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

double deviationOf(const std::vector<double> &values) {
  double square = 0, mean = meanOf(values);
  for (double value : values)
    square += (value - mean) * (value - mean);
  return std::sqrt(square / static_cast<double>(values.size()));
}

TEST(ExpertLoads, HaveTheStatedSkew) {
  for (double skew : {0.3, 1.0, 2.0, 5.0}) {
    std::vector<double> loads = skewedLoads(256, 8, skew);
    ASSERT_EQ(loads.size(), 256u);
    EXPECT_NEAR(meanOf(loads), 1, 1e-9) << skew;
    EXPECT_NEAR(deviationOf(loads), skew, 1e-6) << skew;
    EXPECT_TRUE(std::is_sorted(loads.rbegin(), loads.rend()));
    // A token chooses an expert once at most.
    EXPECT_LE(loads.front(), 256.0 / 8 + 1e-9);
  }
  // All tokens choose the same 8 experts: 32 for them and 0 for the others has
  // the deviation sqrt(32 - 1).
  EXPECT_DOUBLE_EQ(largestSkew(256, 8), std::sqrt(31.0));
  EXPECT_DOUBLE_EQ(largestSkew(8, 8), 0);
}

TEST(ExpertLoads, AreEvenWithoutSkew) {
  EXPECT_TRUE(placeExperts({256, 8, 8, std::nullopt}, 0).isEven());
  // One copy of each expert is an equal number on each GPU.
  EXPECT_TRUE(placeExperts({256, 8, 8, 0}, 0).isEven());
  EXPECT_FALSE(placeExperts({256, 8, 8, std::nullopt}, 1).isEven());
  // One GPU has everything.
  EXPECT_EQ(placeExperts({256, 8, 1, std::nullopt}, 1).excess, 0);
}

/// TensorRT-LLM publishes the tokens of 32 GPUs for DeepSeek-R1
/// (examples/ep_load_balancer): their deviation is 0.48 of the mean, and the
/// busiest GPU has 1.56 of the mean more. 8 experts each with a deviation of
/// 1.38 have 1.38 / sqrt(8) * sqrt(248 / 255) = 0.48. With 32 copies on 36 GPUs
/// the busiest has 0.115 more, most of which are tokens of single steps.
TEST(ExpertLoads, ArePublished) {
  EXPECT_NEAR(placeExperts({256, 8, 32, std::nullopt}, 1.38).excess, 1.56, 0.1);
  EXPECT_LT(placeExperts({256, 8, 36, 32}, 1.38).excess, 0.02);
}

TEST(ExpertLoads, OfCopies) {
  ExpertLoads placed = placeExperts({4, 1, 2, 2}, 0.8);
  double mean = 0;
  for (double load : placed.copies)
    mean += load / ExpertLoads::classes;
  // All copies of a layer have the loads of all experts.
  EXPECT_NEAR(mean, 4.0 / 6, 1e-9);
  // More copies are more even, except for rests of a few tokens.
  double before = 10;
  for (int64_t redundant : {0, 8, 32, 64}) {
    double excess = placeExperts({64, 4, 8, redundant}, 2).excess;
    EXPECT_LE(excess, before + 0.01) << redundant;
    before = excess;
  }
  // Placing alone helps, too.
  EXPECT_LT(placeExperts({64, 4, 8, 0}, 2).excess,
            placeExperts({64, 4, 8, std::nullopt}, 2).excess);
}

/// (X29) 8 GPUs of 32 experts: the busiest GPU has the excess of its experts
/// and of the tokens of one step, and its memory has the copies.
TEST(ExpertLoads, OfTheBusiestGpu) {
  ExpertLayer layer;
  layer.experts = 256;
  layer.chosen = 8;
  layer.shards = 8;
  layer.columns = 4096;
  layer.bytes = 1000;
  layer.shared = layer.busiest = true;
  constexpr int64_t many = 1 << 20;
  // A million tokens: only the loads count, of 8 choices one on each GPU.
  EXPECT_NEAR(static_cast<double>(useOf(layer, many).pairs), many, 0.01 * many);
  layer.loads.excess = 0.5;
  EXPECT_NEAR(static_cast<double>(useOf(layer, many).pairs), 1.5 * many,
              0.01 * many);
  // Few tokens: the deviation of one token is sqrt(8/8 * 7/8 * 248/255), z(8)
  // is 1.43; both excesses are independent.
  layer.loads.excess = 0.5;
  double random = 1.434 * std::sqrt(0.875 * 248 / 255) / std::sqrt(100.0);
  EXPECT_NEAR(static_cast<double>(useOf(layer, 100).pairs),
              100 * (1 + std::hypot(0.5, random)), 1);
  // 288 copies, 36 on each GPU; all of them are read.
  layer.redundant = 32;
  EXPECT_EQ(layer.local(), 36);
  EXPECT_EQ(useOf(layer, many).items, 36);
  EXPECT_EQ(useOf(layer, many).unread, 0);
  EXPECT_EQ(readBytes(layer, useOf(layer, many), 36000), 36000);
}

/// Half of the experts with 1.5 times the mean load, half with 0.5: of 256, a
/// token reads 8; p = 1 - (1 - c * 8 / 256)^t.
TEST(ExpertLoads, ReadFewerExperts) {
  ExpertLayer layer;
  layer.experts = 256;
  layer.chosen = 8;
  layer.columns = 64;
  for (size_t i = 0; i < ExpertLoads::classes; ++i)
    layer.loads.copies[i] = i < ExpertLoads::classes / 2 ? 1.5 : 0.5;
  double expected = 128 * (1 - std::pow(1 - 1.5 / 32, 20)) +
                    128 * (1 - std::pow(1 - 0.5 / 32, 20));
  EXPECT_NEAR(useOf(layer, 20).active, expected, 1e-9);
  layer.loads = {};
  EXPECT_GT(useOf(layer, 20).active, expected);
}

} // namespace
