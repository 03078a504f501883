//===- BudgetTest.cpp - Limits that a change must keep --------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Compare/Budget.h"
#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::compare;

/// One matmul that takes `us`, and an iteration of `ms`.
static ComparedReport report(double ms, double us) {
  ComparedReport result;
  result.iteration = {{"time_ms", ms}, {"energy_j", std::nullopt}};
  ComparedKernel kernel;
  kernel.op = "onnx.MatMul";
  kernel.family = "matmul";
  kernel.count = 2;
  kernel.timeUs = us;
  result.kernels = {kernel};
  return result;
}

/// From 10 ms to 11 ms (+10 %); the matmul from 4 ms to 5 ms (+25 %).
static Comparison comparison() {
  return compareReports(report(10, 2000), report(11, 2500));
}

/// Describes the lines of a budget, broken ones with a '!'.
static std::vector<std::string> check(llvm::StringRef budget) {
  llvm::Expected<std::vector<BudgetLine>> lines = readBudget(budget, "b");
  if (!lines)
    return {llvm::toString(lines.takeError())};
  llvm::Expected<std::vector<BudgetResult>> results =
      checkBudget(comparison(), *lines);
  if (!results)
    return {llvm::toString(results.takeError())};
  std::vector<std::string> texts;
  for (const BudgetResult &result : *results)
    texts.push_back((result.broken ? "!" : "") + describe(result));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(Budget, BoundsTotals) {
  EXPECT_EQ(check(R"({"most": {"time_ms": 11}})"),
            Texts{"time_ms is 11, at most 11"});
  EXPECT_EQ(check(R"({"most": {"time_ms": 10.9}})"),
            Texts{"!time_ms is 11, at most 10.9"});
  EXPECT_EQ(check(R"({"change": {"time_ms": 9}})"),
            Texts{"!time_ms changes by 10 %, at most 9 %"});
  // Something has to become faster.
  EXPECT_EQ(check(R"({"change": {"time_ms": -1}})"),
            Texts{"!time_ms changes by 10 %, at most -1 %"});
}

TEST(Budget, BoundsGroups) {
  EXPECT_EQ(check(R"({"most": {"families": {"matmul": {"time_ms": 4.9}}},
                      "change": {"families": {"matmul": {"time_ms": 25}}}})"),
            (Texts{"!families.matmul.time_ms is 5, at most 4.9",
                   "families.matmul.time_ms changes by 25 %, at most 25 %"}));
  EXPECT_EQ(check(R"({"most": {"ops": {"onnx.MatMul": {"launches": 2}}}})"),
            Texts{"ops.onnx.MatMul.launches is 2, at most 2"});
}

TEST(Budget, WhatIsNotKnownBreaksALimit) {
  EXPECT_EQ(check(R"({"most": {"energy_j": 5}})"),
            Texts{"!energy_j is not known, at most 5"});
  EXPECT_EQ(check(R"({"change": {"energy_j": 5}})"),
            Texts{"!energy_j changes by an unknown share, at most 5 %"});
}

TEST(Budget, MistakesAreErrors) {
  EXPECT_EQ(check("[]"), Texts{"'b': a budget is an object with 'most' and "
                               "'change'"});
  EXPECT_EQ(check("{}"), Texts{"'b': the budget has no limit"});
  EXPECT_EQ(check(R"({"least": {}})"),
            Texts{"'b': unknown member 'least'; a budget has 'most' and "
                  "'change'"});
  EXPECT_EQ(check(R"({"most": {"time": 1}})"),
            Texts{"the budget bounds 'time', which no report has"});
  EXPECT_EQ(check(R"({"most": {"time_ms": -1}})"),
            Texts{"'b': 'most.time_ms' expects a number of at least 0, but "
                  "got -1"});
  EXPECT_EQ(check(R"({"most": {"time_ms": "1"}})"),
            Texts{"'b': 'most.time_ms' expects a number of at least 0, but "
                  "got \"1\""});
  EXPECT_EQ(check(R"({"most": {"families": {"matmul": 3}}})"),
            Texts{"'b': 'most.families.matmul' expects an object, but got 3"});
  EXPECT_EQ(check(R"({"most": {"families": {"matmul": {"time_us": 3}}}})"),
            Texts{"'b': 'most.families.matmul.time_us' expects no limit: "
                  "families, phases and ops have time_ms, energy_j and "
                  "launches, but got 3"});
  EXPECT_EQ(check(R"({"most": {"families": {"conv": {"time_ms": 3}}}})"),
            Texts{"the budget bounds 'families.conv.time_ms', which no report "
                  "has"});
}
