//===- ModelNameTest.cpp - Short names of models --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/ModelName.h"
#include "gtest/gtest.h"

using namespace gpucost;

TEST(ModelName, FileOrFolder) {
  EXPECT_EQ(modelName("models/bert.onnx"), "bert.onnx");
  EXPECT_EQ(modelName("-"), "-");
  EXPECT_EQ(modelName(""), "");
  EXPECT_EQ(modelName("hub/Llama-3.1-8B"), "Llama-3.1-8B");
  EXPECT_EQ(modelName("hub/Llama-3.1-8B/"), "Llama-3.1-8B");
  EXPECT_EQ(modelName("hub/Llama-3.1-8B/config.json"), "Llama-3.1-8B");
  // No folder has a name.
  EXPECT_EQ(modelName("config.json"), "config.json");
  EXPECT_EQ(modelName("./config.json"), "config.json");
  EXPECT_EQ(modelName("../config.json"), "config.json");
  EXPECT_EQ(modelName("/config.json"), "/");
}
