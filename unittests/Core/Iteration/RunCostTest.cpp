//===- RunCostTest.cpp - Money, CO2e and hints by hand --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Report/RunCost.h"
#include "gpucost/Core/Support/Prices.h"
#include "gtest/gtest.h"

using namespace gpucost;

TEST(Prices, ByNameOfTheGpu) {
  auto price = [](const char *text, const char *target) {
    auto prices = parsePrices(text);
    return prices ? priceOf(*prices, "a100-sxm-80gb", target) : std::nullopt;
  };
  EXPECT_EQ(price("1.5", "a100-bf16"), 1.5);
  EXPECT_EQ(price("a100:1.5, h100:3", "a100-bf16"), 1.5);
  EXPECT_EQ(price("a100-sxm-80gb:2,a100:1.5", "a100"), 2);
  EXPECT_EQ(price("h100:3", "a100"), std::nullopt);
  EXPECT_EQ(price("h100:3,*:1", "a100"), 1);
  EXPECT_EQ(price("0", "a100"), 0);
  for (const char *text : {"", "x", "-1", "nan", "inf", "0x10", "a100:", ":1",
                           "1,2", "a:1,a:2", "1e999"})
    EXPECT_FALSE(parsePrices(text)) << text;
}

/// 2 nodes of 4 GPUs, 1.5 an hour each, 800 W excluding GPUs, PUE 1.25.
static Settings cluster() {
  Settings settings;
  settings.gpus = 8;
  settings.nodes = 2;
  settings.price = "1.5";
  settings.grid = Scalar(400);
  settings.pue = Scalar(1.25);
  settings.nodeWatts = Watts(800);
  return settings;
}

TEST(RunCost, OfAnIteration) {
  RunEstimate cost = costOfIteration(Seconds(0.5), Joules(150), std::nullopt,
                                     cluster(), "a100-sxm-80gb");
  EXPECT_EQ(cost.expected.time, Seconds(0.5));
  // (8 x 150 J + 2 x 800 W x 0.5 s) x 1.25 = 2000 x 1.25 J.
  EXPECT_DOUBLE_EQ(cost.expected.energy.value(), 2500);
  // 8 GPUs x 1.5 / h x 0.5 s.
  EXPECT_DOUBLE_EQ(*cost.expected.money, 8 * 1.5 * 0.5 / 3600);
  // 2500 J = 2500 / 3.6e6 kWh, 400 g each.
  EXPECT_DOUBLE_EQ(*cost.expected.carbon, 400 * 2500 / 3.6e6);
  EXPECT_FALSE(cost.low || cost.high);
}

TEST(RunCost, NothingIsAssumed) {
  RunEstimate cost = costOfIteration(Seconds(1), Joules(100), std::nullopt,
                                     Settings(), "a100");
  EXPECT_EQ(cost.expected.energy, Joules(100));
  EXPECT_FALSE(cost.expected.money);
  EXPECT_FALSE(cost.expected.carbon);
}

TEST(RunCost, IntervalsAreThoseOfTimeAndEnergy) {
  IterationErrorBars bars{0.25, 0.1, 0.6};
  RunEstimate cost = costOfIteration(Seconds(0.5), Joules(160), bars, cluster(),
                                     "a100-sxm-80gb");
  ASSERT_TRUE(cost.low && cost.high);
  EXPECT_DOUBLE_EQ(cost.low->time.value(), 0.4);
  EXPECT_DOUBLE_EQ(cost.high->time.value(), 0.625);
  // The GPUs by the energy interval, the nodes by the time interval.
  EXPECT_DOUBLE_EQ(cost.low->energy.value(), (8 * 100 + 1600 * 0.4) * 1.25);
  EXPECT_DOUBLE_EQ(cost.high->energy.value(), (8 * 256 + 1600 * 0.625) * 1.25);
  EXPECT_DOUBLE_EQ(*cost.high->money, 8 * 1.5 * 0.625 / 3600);
  // Errors of equal iterations do not average out.
  EXPECT_DOUBLE_EQ((cost * 1000).high->time.value(), 625);
  EXPECT_DOUBLE_EQ(*(cost * 1000).expected.money, 8 * 1.5 * 500 / 3600);
}

TEST(RunCost, Iterations) {
  Settings settings;
  EXPECT_FALSE(iterationsOfRun(settings, 32, 4096));
  settings.runSamples = 100;
  // 3.125 iterations, the last of them not full.
  EXPECT_EQ(iterationsOfRun(settings, 32, 4096), 4);
  settings.epochs = Scalar(2.5);
  EXPECT_EQ(iterationsOfRun(settings, 32, 4096), 8);
  EXPECT_FALSE(iterationsOfRun(settings, 0, 4096));
  settings = Settings();
  settings.runTokens = 1'000'000'000'000;
  EXPECT_EQ(iterationsOfRun(settings, 32, 4096), 244140625);
  EXPECT_FALSE(iterationsOfRun(settings, 32, 0));
}
