//===- SpaceTest.cpp - Lists and ranges of settings -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/Space.h"
#include "gtest/gtest.h"
#include <set>

using namespace gpucost;
using namespace gpucost::sweep;
using Texts = std::vector<std::string>;

static Texts expand(const char *flag, Texts texts) {
  llvm::Expected<Texts> values = expandValues(flag, texts);
  EXPECT_TRUE(static_cast<bool>(values)) << llvm::toString(values.takeError());
  return values ? *values : Texts();
}

static std::string errorOf(const char *flag, Texts texts) {
  llvm::Expected<Texts> values = expandValues(flag, texts);
  return values ? "no error" : llvm::toString(values.takeError());
}

TEST(Values, ListsAndRanges) {
  EXPECT_EQ(expand("batch", {"1..4"}), (Texts{"1", "2", "3", "4"}));
  EXPECT_EQ(expand("batch", {"1..20x2"}), (Texts{"1", "2", "4", "8", "16"}));
  EXPECT_EQ(expand("batch", {"4..10:3,1", "7,64"}),
            (Texts{"4", "7", "10", "1", "64"}));
  // (1410 - 600) / 15 = 54 steps: both ends are values.
  Texts clocks = expand("clock", {"600..1410:15"});
  EXPECT_EQ(clocks.size(), 55u);
  EXPECT_EQ(clocks.front(), "600");
  EXPECT_EQ(clocks.back(), "1410");
  // Rounding of 0.1 + 0.1 + 0.1 loses no value.
  EXPECT_EQ(expand("host-launch-us", {"0..0.3:0.1"}).size(), 4u);
  EXPECT_EQ(expand("clock", {"default,900"}), (Texts{"default", "900"}));
  EXPECT_EQ(expand("target", {"a100, h100-fp16"}),
            (Texts{"a100", "h100-fp16"}));
  EXPECT_EQ(expand("parallel", {"ddp,tp2.fsdp4"}), (Texts{"ddp", "tp2.fsdp4"}));
}

TEST(Values, ThatHoldCommasAreRepeated) {
  EXPECT_EQ(expand("bind", {"batch:1,seq:8", "batch:2,seq:8"}),
            (Texts{"batch:1,seq:8", "batch:2,seq:8"}));
  EXPECT_EQ(expand("recompute", {"none", "Softmax,Gelu"}),
            (Texts{"none", "Softmax,Gelu"}));
}

TEST(Values, EqualOnesCountOnce) {
  EXPECT_EQ(expand("batch", {"1..3", "2", " 3"}), (Texts{"1", "2", "3"}));
  EXPECT_EQ(expand("clock", {"900,900.0,9e2"}), (Texts{"900"}));
}

TEST(Values, HostileRangesAreOneError) {
  EXPECT_EQ(errorOf("batch", {"1..1000000000000000000"}),
            "--batch=1..1000000000000000000: more than 100000 values");
  for (const char *text :
       {"1..1e18", "0x..4", "1..8x", "1..8:", "a..b", "..", "1..", "nan..3",
        "1..8xnan", "1..99999999999999999999"})
    EXPECT_NE(errorOf("batch", {text}).find("a range is first..last"),
              std::string::npos)
        << text << ": " << errorOf("batch", {text});
  EXPECT_NE(errorOf("clock", {"nan..3:1"}).find("a range is"),
            std::string::npos);
  EXPECT_NE(errorOf("clock", {"1..inf:1"}).find("a range is"),
            std::string::npos);
  EXPECT_NE(errorOf("clock", {"600..900"}).find("needs a step"),
            std::string::npos);
  EXPECT_NE(errorOf("clock", {"1..1e9:1e-9"}).find("more than"),
            std::string::npos);
  EXPECT_NE(errorOf("batch", {"8..1"}).find("runs from 8 up to 1"),
            std::string::npos);
  for (const char *text : {"1..8x1", "1..8x0", "1..8x-2", "0..8x2"})
    EXPECT_NE(errorOf("batch", {text}).find("a factor must be above 1"),
              std::string::npos)
        << text;
  for (const char *text : {"1..8:0", "1..8:-1"})
    EXPECT_NE(errorOf("batch", {text}).find("a step must be above 0"),
              std::string::npos)
        << text;
  EXPECT_NE(errorOf("batch", {""}).find("a value is empty"), std::string::npos);
  EXPECT_NE(errorOf("batch", {"1,,2"}).find("a value is empty"),
            std::string::npos);
  // Values themselves are checked by their setting.
  EXPECT_EQ(errorOf("batch", {"0..2"}),
            "--batch expects at least 1, but got '0'");
  EXPECT_NE(errorOf("mode", {"inference,trainin"}).find("unknown value"),
            std::string::npos);
  EXPECT_EQ(errorOf("colour", {"1"}), "unknown setting 'colour'");
}

static llvm::Expected<Space> spaceOf(std::vector<AxisText> settings) {
  return Space::create({"a.onnx", "b.onnx"}, settings);
}

TEST(SpaceTest, PointsThatShareWorkAreNeighbours) {
  // Flags in any order: kernels, then GPUs, then clocks.
  llvm::Expected<Space> space = spaceOf({{"clock", {"600,900,1200"}},
                                         {"target", {"a100,h100"}},
                                         {"batch", {"1,2"}},
                                         {"seq", {"128"}},
                                         {"power-limit", {"200,300"}}});
  ASSERT_TRUE(static_cast<bool>(space));
  // 2 models x 2 batches x 2 GPUs x (3 clocks x 2 limits).
  EXPECT_EQ(space->size(), 48);
  EXPECT_EQ(space->blockSize(), 6);
  EXPECT_EQ(space->blocks(), 8);
  EXPECT_EQ(space->modelOf(3), 0u);
  EXPECT_EQ(space->modelOf(4), 1u);
  // Block 6 = model b, batch 2, a100; its point 4 = clock 1200, limit 200.
  Scenario scenario = space->scenarioOf(6 * 6 + 4);
  EXPECT_EQ(scenario.batch, 2);
  EXPECT_EQ(scenario.seq, 128);
  EXPECT_EQ(scenario.target, "a100");
  EXPECT_EQ(scenario.clock, Hertz(1200e6));
  EXPECT_EQ(scenario.powerLimit, Watts(200));
}

TEST(SpaceTest, ATargetFileMayHaveAFormat) {
  llvm::Expected<Space> space = spaceOf({{"target", {"bf16,fp16"}},
                                         {"target-file", {"a.mlir,b.mlir"}},
                                         {"clock", {"900,1200"}}});
  ASSERT_TRUE(static_cast<bool>(space));
  std::set<std::string> gpus;
  for (int64_t point = 0; point < space->size(); ++point) {
    Scenario scenario = space->scenarioOf(point);
    ASSERT_TRUE(scenario.target && scenario.targetFile);
    gpus.insert(*scenario.target + *scenario.targetFile);
  }
  EXPECT_EQ(gpus.size(), 4u);
  for (const Axis &axis : space->axes())
    for (size_t value = 0; value < 2; ++value) {
      int64_t point = space->firstWith(axis, value);
      size_t index = static_cast<size_t>(&axis - space->axes().data());
      EXPECT_EQ(space->valuesOf(point)[index], value);
      EXPECT_TRUE(point == 0 || space->valuesOf(point - 1)[index] != value);
    }
}

TEST(SpaceTest, DefaultStatesNothing) {
  llvm::Expected<Space> space =
      spaceOf({{"clock", {"default,900"}}, {"target", {"a100"}}});
  ASSERT_TRUE(static_cast<bool>(space));
  EXPECT_FALSE(space->scenarioOf(0).clock);
  EXPECT_EQ(space->scenarioOf(1).clock, Hertz(900e6));
}

TEST(SpaceTest, DescriptionsTellSpacesApart) {
  auto describe = [](std::vector<AxisText> settings) {
    return llvm::cantFail(spaceOf(std::move(settings))).describe();
  };
  // The order of flags, and how ranges are written, do not matter; values do.
  EXPECT_EQ(describe({{"batch", {"1..2"}}, {"seq", {"8"}}}),
            describe({{"seq", {"8"}}, {"batch", {"1", "2"}}}));
  EXPECT_NE(describe({{"batch", {"1,2"}}}), describe({{"batch", {"2,1"}}}));
  EXPECT_NE(describe({{"batch", {"1"}}}), describe({{"seq", {"1"}}}));
}

TEST(SpaceTest, MistakesAreOneError) {
  auto error = [](llvm::Expected<Space> space) {
    return space ? std::string() : llvm::toString(space.takeError());
  };
  EXPECT_EQ(error(spaceOf({{"batch", {"1"}}, {"batch", {"2"}}})),
            "--batch is stated twice");
  EXPECT_EQ(error(Space::create({"a", "a"}, {})),
            "the model 'a' is given twice");
  // 10^4 x 10^4 x 2 models.
  EXPECT_EQ(error(spaceOf({{"batch", {"1..10000"}}, {"seq", {"1..10000"}}})),
            "more than 100000000 points; take fewer values");
}

TEST(SpaceTest, Files) {
  llvm::Expected<SpaceText> space = readSpaceFile(
      R"({"models": ["a.onnx"], "settings": {"target": ["a100", "h100"],
          "seq": 128, "clock": [900.5, "600..700:50"], "channels-last": true}})");
  ASSERT_TRUE(static_cast<bool>(space));
  EXPECT_EQ(space->models, Texts{"a.onnx"});
  ASSERT_EQ(space->settings.size(), 4u);
  EXPECT_EQ(space->settings[0].flag, "channels-last");
  EXPECT_EQ(space->settings[1].texts, (Texts{"900.5", "600..700:50"}));
  EXPECT_EQ(space->settings[2].texts, Texts{"128"});
  for (const char *text :
       {"[]", "{", R"({"model": "a"})", R"({"settings": []})",
        R"({"settings": {"seq": null}})", R"({"settings": {"seq": [[1]]}})"}) {
    llvm::Expected<SpaceText> wrong = readSpaceFile(text);
    EXPECT_FALSE(static_cast<bool>(wrong)) << text;
    llvm::consumeError(wrong.takeError());
  }
}
