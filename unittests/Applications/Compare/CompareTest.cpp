//===- CompareTest.cpp - What changed between two reports -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Compare/Compare.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::compare;

/// 10 launches take 4 us each, 2 take 30 us, with 20 us between them: 120 us.
static ComparedReport before() {
  ComparedReport report;
  report.iteration = {{"time_ms", 0.12},
                      {"energy_j", 0.02},
                      {"gap_ms", 0.02},
                      {"device_bytes", 1024}};
  ComparedKernel add;
  add.name = "add";
  add.op = "onnx.Add";
  add.family = "elementwise";
  add.shape = "n=8";
  add.bound = "l2";
  add.count = 10;
  add.timeUs = 4;
  add.energyJ = 0.001;
  ComparedKernel product = add;
  product.name = "product";
  product.op = "onnx.MatMul";
  product.family = "matmul";
  product.shape = "m=64 n=32 k=16";
  product.tile = "64x32";
  product.splitK = 1;
  product.count = 2;
  product.timeUs = 30;
  product.energyJ = 0.005;
  report.kernels = {product, add};
  report.phases = {{"forward", 0.12, 0.02, 12}};
  return report;
}

TEST(Compare, TheSameReportHasNoChange) {
  Comparison same = compareReports(before(), before());
  EXPECT_TRUE(same.isSame());
  EXPECT_EQ(same.unchangedKernels, 2u);
  EXPECT_TRUE(same.kernels.empty());
}

TEST(Compare, ChangesAddUpByCountAndByLaunch) {
  // Add: 15 x 5 = 75 us after 10 x 4 = 40: 5 more of 4 us are 20, 15 times 1 us
  // longer are 15. The matmul: 2 x 25 = 50 after 60: 10 less. Gaps 30
  // after 20. Together 20 + 15 - 10 + 10 = 35 us: 155 after 120.
  ComparedReport after = before();
  after.kernels[1].count = 15;
  after.kernels[1].timeUs = 5;
  after.kernels[1].bound = "dram";
  after.kernels[0].timeUs = 25;
  after.kernels[0].tile = "32x32";
  after.kernels[0].splitK = 2;
  after.iteration["gap_ms"] = 0.03;
  after.iteration["time_ms"] = 0.155;
  Comparison changed = compareReports(before(), after);
  EXPECT_FALSE(changed.isSame());
  ASSERT_EQ(changed.kernels.size(), 2u);
  const KernelChange &add = changed.kernels[0];
  EXPECT_EQ(add.either().op, "onnx.Add"); // 35 us before -10 us
  EXPECT_DOUBLE_EQ(add.byCountUs, 20);
  EXPECT_DOUBLE_EQ(add.byLaunchUs, 15);
  EXPECT_DOUBLE_EQ(add.energyJ, 0.005); // 5 more of 1 mJ
  EXPECT_EQ(add.why,
            (std::vector<std::string>{"count 10 -> 15", "bound l2 -> dram",
                                      "time per launch"}));
  const KernelChange &product = changed.kernels[1];
  EXPECT_DOUBLE_EQ(product.byCountUs, 0);
  EXPECT_DOUBLE_EQ(product.byLaunchUs, -10);
  EXPECT_EQ(product.why, std::vector<std::string>{"tile 64x32 -> 32x32/2"});
  double sum = *changed.between.front().difference() * 1e3;
  for (const KernelChange &kernel : changed.kernels)
    sum += kernel.timeUs();
  EXPECT_NEAR(sum, 35, 1e-9);
  EXPECT_NEAR(*changed.totals.front().difference() * 1e3, 35, 1e-9);
  EXPECT_NEAR(*changed.totals.front().relative(), 35.0 / 120, 1e-9);
}

TEST(Compare, ShapesNameTheSizesThatDiffer) {
  ComparedReport after = before();
  after.kernels[0].shape = "m=128 n=32 k=16";
  Comparison changed = compareReports(before(), after);
  ASSERT_EQ(changed.kernels.size(), 1u);
  EXPECT_EQ(changed.kernels[0].why, std::vector<std::string>{"m 64 -> 128"});
}

TEST(Compare, NewAndVanishedKernelsAreTheirWholeTime) {
  ComparedReport after = before();
  after.kernels[1].op = "onnx.Mul";
  Comparison changed = compareReports(before(), after);
  ASSERT_EQ(changed.kernels.size(), 2u);
  EXPECT_DOUBLE_EQ(changed.kernels[0].timeUs(), -40);
  EXPECT_EQ(changed.kernels[0].why.front(), "vanished");
  EXPECT_DOUBLE_EQ(changed.kernels[1].timeUs(), 40);
  EXPECT_EQ(changed.kernels[1].why.front(), "new");
  EXPECT_EQ(changed.unchangedKernels, 1u);
}

TEST(Compare, GroupsAddUpAndComeByTheirChange) {
  ComparedReport after = before();
  after.kernels[0].count = 4;  // 120 us after 60
  after.kernels[1].timeUs = 3; // 30 us after 40
  Comparison changed = compareReports(before(), after);
  ASSERT_EQ(changed.families.size(), 2u);
  EXPECT_EQ(changed.families[0].timeUs.name, "matmul");
  EXPECT_DOUBLE_EQ(*changed.families[0].timeUs.difference(), 60);
  EXPECT_DOUBLE_EQ(*changed.families[0].energyJ.difference(), 0.01);
  EXPECT_DOUBLE_EQ(*changed.families[0].launches.difference(), 2);
  EXPECT_DOUBLE_EQ(*changed.families[1].timeUs.difference(), -10);
}

TEST(Compare, CollectivesAreInNoFamily) {
  // They add the exposed communication to the time.
  ComparedReport after = before();
  ComparedKernel collective = after.kernels[1];
  collective.op = "gpucost.collective";
  collective.family = "collective";
  collective.phase = "communication";
  after.kernels.push_back(collective);
  Comparison changed = compareReports(before(), after);
  EXPECT_EQ(changed.families.size(), 2u);
  ASSERT_EQ(changed.kernels.size(), 1u);
  EXPECT_EQ(changed.kernels[0].either().phase, "communication");
}

TEST(Compare, NothingKnownIsNoChangeOfZero) {
  ComparedReport after = before();
  after.iteration["energy_j"] = std::nullopt;
  Comparison changed = compareReports(before(), after);
  EXPECT_FALSE(changed.isSame());
  for (const Change &change : changed.totals)
    if (change.name == "energy_j")
      EXPECT_EQ(change.difference(), std::nullopt);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static std::string errorOf(llvm::StringRef json) {
  llvm::Expected<ComparedReport> report = readReport(json, "f");
  return report ? "" : llvm::toString(report.takeError());
}

TEST(ReadReport, VersionsMayLackFields) {
  llvm::Expected<ComparedReport> report = readReport(
      R"({"schema_version": 1, "iteration": {"time_ms": 2.5, "energy_j": null},
          "kernels": [{"op": "a", "family": "matmul", "shape": "m=1",
                       "count": 3, "time_us": 1.5, "tile": null,
                       "rule": "gradient"}]})",
      "f");
  ASSERT_TRUE(static_cast<bool>(report));
  EXPECT_EQ(report->value("time_ms"), 2.5);
  EXPECT_EQ(report->iteration.count("energy_j"), 1u);
  EXPECT_EQ(report->value("energy_j"), std::nullopt);
  EXPECT_DOUBLE_EQ(report->kernels.front().totalUs(), 4.5);
  EXPECT_EQ(report->kernels.front().origin, "gradient");
}

TEST(ReadReport, HostileFilesGetOneDiagnostic) {
  EXPECT_EQ(errorOf(std::string(1000000, '[')),
            "'f': line 1, column 251: JSON is nested more than 250 deep");
  EXPECT_NE(errorOf("{").find("'f': no JSON"), std::string::npos);
  EXPECT_EQ(errorOf("{}"), "'f': no report of --report=json: it has no "
                           "'iteration' and 'kernels'");
  EXPECT_EQ(errorOf(R"({"iteration": 1, "kernels": []})"),
            "'f': 'iteration' expects an object, but got 1");
  EXPECT_EQ(errorOf(R"({"iteration": {}, "kernels": [7]})"),
            "'f': 'kernels[0]' expects an object");
  std::string kernel = R"({"iteration": {}, "kernels": [{"op": "a",
      "family": "b", "shape": "c", "count": 1, "time_us": )";
  EXPECT_EQ(errorOf(kernel + "-1}]}"),
            "'f': 'kernels[0].time_us' expects a number of at least 0, but "
            "got -1");
  EXPECT_EQ(errorOf(kernel + "1e999}]}").substr(0, 4), "'f':");
}
