//===- CollectiveFitTest.cpp - Links and networks are found again ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CollectiveFit.h"
#include "SyntheticGpu.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gpucost/Core/Query/KernelQueriesWork.h"
#include "llvm/ADT/StringExtras.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::calibration;
using namespace gpucost::calibration::synthetic;

static void addLinks(Coefficients &c) {
  if (!c.collectives)
    c.collectives.emplace();
  c.collectives->fits.clear();
  for (CollectiveKind kind :
       {CollectiveKind::AllReduce, CollectiveKind::ReduceScatter,
        CollectiveKind::AllGather}) {
    CollectiveFit fit;
    fit.kind = kind;
    fit.base = Seconds(5e-6);
    fit.step = Seconds(0.8e-6);
    fit.root = decltype(fit.root)(5e-9);
    fit.bandwidth = BytesPerSecond(240e9);
    fit.ramp = 0.6;
    c.collectives->fits.push_back(fit);
  }
}

/// The A100 in nodes of 8 GPUs with 8 adapters of 25 GB/s.
static CostModel machine(llvm::function_ref<void(Coefficients &)> change) {
  return withChanged([&](Coefficients &c) {
    addLinks(c);
    Network network;
    network.name = "test";
    network.gpus = 8;
    network.adapters = 8;
    network.bandwidth = BytesPerSecond(25e9);
    c.collectives->network = network;
    if (!c.network) {
      c.network.emplace();
      c.network->reach = 0.6;
      c.network->hop = Seconds(5e-6);
      c.network->serial = 0.1;
      c.network->errors = {{ErrorClass::BetweenNodes, 4, 4, 1}};
    }
    c.errorBars.emplace();
    c.errorBars->outside = 1;
    c.errorBars->smallBelow = Seconds(10e-6);
    c.errorBars->mediumBelow = Seconds(100e-6);
    change(c);
  });
}

static TimedKernel collective(const CostModel &truth, CollectiveKind kind,
                              int64_t bytes, int64_t nodes, double noise) {
  CollectiveProblem p;
  p.kind = kind;
  p.bytes = bytes;
  p.worldSize = 8 * nodes;
  p.nodes = nodes;
  TimedKernel row;
  row.work = *collectiveWork(p);
  auto cost = truth.estimate(row.work, row.query);
  EXPECT_TRUE(bool(cost));
  row.time = cost->time.total * (1 + noise);
  row.family = std::string(stringifyCollectiveKind(kind)) + " " +
               std::to_string(p.worldSize);
  row.shape = row.family + " " + std::to_string(bytes);
  return row;
}

static std::vector<TimedKernel> sweep(const CostModel &truth, int64_t nodes,
                                      double noise) {
  std::vector<TimedKernel> rows;
  for (int64_t bytes = 1 << 14; bytes <= int64_t(1) << 30; bytes *= 2)
    rows.push_back(collective(truth, CollectiveKind::AllReduce, bytes, nodes,
                              rows.size() % 2 ? noise : -noise));
  return rows;
}

static CalibrationResult run(const CostModel &prior,
                             std::vector<TimedKernel> rows) {
  Measurements measurements;
  measurements.collectives = std::move(rows);
  auto result = calibrate(prior, measurements, {});
  EXPECT_TRUE(bool(result));
  return std::move(*result);
}

TEST(CollectiveFitTest, LinksOfANodeAreFoundAgain) {
  constexpr double noise = 0.02;
  CostModel prior = machine([](Coefficients &) {});
  CostModel truth = machine([](Coefficients &c) {
    for (CollectiveFit &fit : c.collectives->fits) {
      fit.bandwidth = BytesPerSecond(fit.bandwidth.value() * 0.7);
      fit.base = fit.base + Seconds(8e-6);
    }
  });
  CalibrationResult result = run(prior, sweep(truth, 1, noise));
  auto fitted = CostModel::create(prior.gpu(), result.coefficients);
  ASSERT_TRUE(bool(fitted));
  for (const TimedKernel &row : sweep(truth, 1, 0)) {
    auto cost = fitted->estimate(row.work, row.query);
    ASSERT_TRUE(bool(cost));
    EXPECT_NEAR(cost->time.total / row.time, 1, 2 * noise) << row.shape;
  }
  EXPECT_GT(result.families.front().before, 0.2);
  ASSERT_TRUE(result.families.front().heldOut);
  EXPECT_LT(*result.families.front().heldOut, 3 * noise);
  // Only the fit for 8 GPUs changes; 4 GPUs keep the shipped one.
  CollectiveProblem four;
  four.kind = CollectiveKind::AllReduce;
  four.bytes = 1 << 24;
  four.worldSize = 4;
  auto before = prior.estimate(*collectiveWork(four), {}),
       after = fitted->estimate(*collectiveWork(four), {});
  ASSERT_TRUE(before && after);
  EXPECT_EQ(before->time.total.value(), after->time.total.value());
}

TEST(CollectiveFitTest, ReachOfANetworkIsFoundAgain) {
  CostModel prior = machine([](Coefficients &) {});
  CostModel truth = machine([](Coefficients &c) { c.network->reach = 0.85; });
  CalibrationResult result = run(prior, sweep(truth, 4, 0));
  EXPECT_NEAR(result.coefficients.network->reach, 0.85, 0.01);
  // Exact rows: the half-widths are those of the fit. Regions without rows
  // keep theirs.
  const KernelError &width = result.coefficients.network->errors.front();
  EXPECT_LT(width.large, 0.1);
}

TEST(CollectiveFitTest, RowsWithoutCoefficientsAreNamed) {
  CostModel prior = machine([](Coefficients &) {});
  std::vector<TimedKernel> rows = sweep(prior, 1, 0);
  std::vector<TimedKernel> between = sweep(prior, 2, 0);
  rows.insert(rows.end(), between.begin(), between.end());
  CostModel alone = withChanged(addLinks);
  CalibrationResult result = run(alone, rows);
  EXPECT_EQ(result.skipped.size(), between.size());
  EXPECT_EQ(result.skipped.front(),
            "collectives between nodes need --network=NAME or FILE");
}
