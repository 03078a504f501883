//===- SettingsJsonTest.cpp - Settings in JSON ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Support/SettingsJson.h"
#include <gtest/gtest.h>

using namespace gpucost;

static std::string write(const Scenario &scenario) {
  std::string text;
  JsonStream json(text);
  json.object(
      [&] { writeSettings(json, scenario, resolve(scenario, std::nullopt)); });
  return text;
}

static Scenario read(const std::string &text) {
  llvm::Expected<RecordedSettings> recorded = readSettings(text);
  if (recorded)
    return replay(*recorded, std::nullopt);
  ADD_FAILURE() << text << ": " << llvm::toString(recorded.takeError());
  return Scenario();
}

TEST(SettingsJson, ReadsBack) {
  Scenario scenario;
  EXPECT_TRUE(read(write(scenario)) == scenario);
  // A file name that is not a word, names with separators, fractions.
  scenario.targetFile = "a \"b\",c.mlir";
  scenario.bind = NamedValues{{"*", 3}, {"past, seq:1", 7}};
  scenario.clock = Hertz(1005.1 * 1e6);
  scenario.hostLaunch = Seconds(2.3 * 1e-6);
  scenario.powerLimit = Watts(250.1);
  scenario.mode = IterationMode::Training;
  scenario.optimizer = OptimizerKind::SGDMomentum;
  scenario.clipGradNorm = false;
  scenario.gpus = 4;
  EXPECT_TRUE(read(write(scenario)) == scenario);
  EXPECT_EQ(write(read(write(scenario))), write(scenario));
}

TEST(SettingsJson, WithoutGivenAllIsStated) {
  Scenario scenario = read(R"({"settings": {"runtime": "eager", "clock": null,
                                            "power-limit": 200}})");
  Scenario expected;
  expected.runtime = Runtime::Eager;
  expected.powerLimit = Watts(200);
  EXPECT_TRUE(scenario == expected);
}

TEST(SettingsJson, ChangedDefaultsAreStated) {
  std::string text = write(Scenario());
  size_t at = text.find("\"eager\"");
  ASSERT_NE(at, std::string::npos);
  text.replace(at, 7, "\"compiled\"");
  Scenario expected;
  expected.runtime = Runtime::Compiled;
  EXPECT_TRUE(read(text) == expected);
  // One that depends on the target: mixed precision was the default.
  llvm::Expected<RecordedSettings> recorded = readSettings(
      R"({"mode": "training", "precision_mode": "amp", "given": ["mode"]})");
  ASSERT_TRUE(static_cast<bool>(recorded));
  ScenarioTarget half;
  half.format = NumericFormat::FP16;
  EXPECT_FALSE(replay(*recorded, half).precisionMode.has_value());
  EXPECT_EQ(replay(*recorded, std::nullopt).precisionMode, PrecisionMode::Amp);
}
