//===- ReadersTest.cpp - Readers of measurements at -O0 -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CalibrateKernel.h"
#include "gpucost/Applications/Transfer/Profile.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::calibration;
using namespace gpucost::transfer;

/// Times of the kernels in a table or trace, us.
static std::vector<double> timesOf(llvm::StringRef text) {
  llvm::Expected<Profile> profile = readProfile(text, "f");
  if (!profile) {
    ADD_FAILURE() << llvm::toString(profile.takeError());
    return {};
  }
  std::vector<double> times;
  for (const auto &kernel : profile->kernels)
    times.push_back(kernel.timeUs);
  return times;
}

// Every kernel that is read is destroyed here.
TEST(ReadersTest, CalibrationReadsAKernel) {
  auto kernel =
      readMeasuredKernel("softmax softmax rows=16 cols=64", "fp32", {});
  ASSERT_TRUE(bool(kernel));
  ASSERT_TRUE(kernel->kernel.has_value());
  EXPECT_EQ(kernel->kernel->work.as<RowsProblem>().cols, 64);
}

TEST(ReadersTest, TransferReadsATable) {
  EXPECT_EQ(timesOf("name,time_us\na,10\nb,20.5\n"),
            (std::vector<double>{10, 20.5}));
}

TEST(ReadersTest, TransferReadsATrace) {
  EXPECT_EQ(timesOf(R"({"traceEvents": [
      {"ph": "X", "cat": "kernel", "name": "a", "ts": 0, "dur": 10},
      {"ph": "X", "cat": "kernel", "name": "b", "ts": 20, "dur": 5}]})"),
            (std::vector<double>{10, 5}));
}
