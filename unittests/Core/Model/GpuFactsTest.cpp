//===- GpuFactsTest.cpp - Changed facts of a GPU --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Model/GpuFacts.h"
#include "StudySets.h"
#include "gtest/gtest.h"

using namespace gpucost;

static std::string errorOf(const char *changes) {
  Expected<Gpu> gpu = changeFacts(study::gpu("A100"), changes);
  return gpu ? "no error" : gpu.error().message;
}

// The reported share of the memory stays the same.
TEST(GpuFacts, ReportedMemoryFollows) {
  Gpu gpu = study::gpu("A100");
  gpu.dramCapacity = Bytes(80e9);
  gpu.reportedMemory = Bytes(76e9);
  Expected<Gpu> half = changeFacts(gpu, "dram_capacity=40GB");
  ASSERT_TRUE(half) << half.error().message;
  EXPECT_DOUBLE_EQ(half->reportedMemory->value(), 38e9);
  Expected<Gpu> both =
      changeFacts(gpu, "dram_capacity=40GB,reported_memory=39GB");
  ASSERT_TRUE(both) << both.error().message;
  EXPECT_DOUBLE_EQ(both->reportedMemory->value(), 39e9);
}

TEST(GpuFacts, PeaksFollow) {
  Gpu a100 = study::gpu("A100");
  Expected<Gpu> gpu =
      changeFacts(a100, "sms=132, l2_capacity=60MiB, dram_bandwidth = 3300 "
                        "GBps, max_clock=2820MHz, bf16.flops_per_clock=4096");
  ASSERT_TRUE(gpu) << gpu.error().message;
  EXPECT_EQ(gpu->smCount, 132);
  EXPECT_EQ(gpu->l2Capacity, Bytes(60.0 * 1048576));
  EXPECT_EQ(gpu->dramBandwidth, BytesPerSecond(3300e9));
  EXPECT_EQ(gpu->maxClock, Hertz(2820e6));
  // Twice the highest clock: twice the clock of the peaks.
  double clock = a100.boostClock.value() * (2820e6 / a100.maxClock.value());
  EXPECT_DOUBLE_EQ(gpu->boostClock.value(), clock);
  // SMs x clock x FLOP per clock and SM.
  EXPECT_DOUBLE_EQ(gpu->find(NumericFormat::BF16)->peak.value(),
                   132 * clock * 4096);
  EXPECT_DOUBLE_EQ(gpu->peak(NumericFormat::BF16).value(), 132 * clock * 4096);
  EXPECT_DOUBLE_EQ(gpu->peak(NumericFormat::FP16).value(),
                   132 * clock * a100.flopsPerClock(NumericFormat::FP16));
  // Unstated facts are unchanged.
  EXPECT_EQ(gpu->powerLimit, a100.powerLimit);
}

TEST(GpuFacts, MistakesNameTheFact) {
  EXPECT_EQ(errorOf("sms"), "expected field=value, but got 'sms'");
  EXPECT_EQ(errorOf(""), "expected field=value, but got ''");
  EXPECT_EQ(errorOf("sms=132,"), "expected field=value, but got ''");
  EXPECT_NE(errorOf("cores=9").find("no fact 'cores'"), std::string::npos);
  EXPECT_EQ(errorOf("sms=1.5"), "'sms' expects a whole number, but got '1.5'");
  EXPECT_NE(errorOf("l2_capacity=60").find("expects a number and a unit"),
            std::string::npos);
  EXPECT_NE(errorOf("l2_capacity=60 MHz").find("expects a number and a unit"),
            std::string::npos);
  for (const char *text : {"sms=nan", "sms=inf", "sms=0x10", "sms=1e999"})
    EXPECT_NE(errorOf(text).find("'sms' expects a whole number"),
              std::string::npos)
        << text;
  EXPECT_NE(errorOf("sms=0").find("sms"), std::string::npos);
  EXPECT_NE(errorOf("sms=-5").find("sms"), std::string::npos);
  EXPECT_EQ(errorOf("sms=1,sms=2"), "'sms' is stated twice");
  EXPECT_NE(errorOf("bf16.peak=1 TFLOPS").find("'bf16.peak' follows"),
            std::string::npos);
  EXPECT_NE(errorOf("name=x").find("cannot be changed"), std::string::npos);
  EXPECT_NE(errorOf("architecture=ada").find("cannot be changed"),
            std::string::npos);
}

TEST(GpuFacts, Scaled) {
  Gpu a100 = study::gpu("A100");
  Expected<Gpu> gpu = scaleFact(a100, "sms", 1.1);
  ASSERT_TRUE(gpu);
  EXPECT_EQ(a100.smCount, 108);
  EXPECT_EQ(gpu->smCount, 119); // 118.8, rounded
  EXPECT_TRUE(scaleFact(a100, "dram_bandwidth", 2)->dramBandwidth ==
              a100.dramBandwidth * 2);
  EXPECT_FALSE(scaleFact(a100, "memory", 2));
  EXPECT_FALSE(scaleFact(a100, "sms", 0));
  std::vector<GpuFact> facts = factsOf(a100, NumericFormat::BF16);
  bool hasClock = false, hasRate = false;
  for (const GpuFact &fact : facts) {
    EXPECT_GT(fact.value, 0) << fact.name;
    EXPECT_TRUE(scaleFact(a100, fact.name, 1.1)) << fact.name;
    hasClock |= fact.name == "max_clock";
    hasRate |= fact.name == "bf16.flops_per_clock";
  }
  EXPECT_TRUE(hasClock && hasRate);
}
