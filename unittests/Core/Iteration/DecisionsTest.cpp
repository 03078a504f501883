//===- DecisionsTest.cpp - Hints and sensitivities by hand ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Iteration/OperatingHint.h"
#include "gpucost/Core/Iteration/Sensitivities.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

static CostModel a100(Seconds hostLaunch) {
  Coefficients c = study::a100().coefficients();
  c.runtime = RuntimeCoefficients();
  c.runtime->hostLaunch = hostLaunch;
  c.runtime->hostNorm = 6;
  return study::model(study::a100().gpu(), std::move(c));
}

static PlacedModel place(const KernelWork &work,
                         Seconds hostLaunch = Seconds(1e-9)) {
  PreparedModel model;
  model.works.push_back(work);
  model.kinds.emplace_back();
  Launch launch;
  launch.count = 10;
  model.launches.push_back(launch);
  return cantFail(PlacedModel::create(
      std::make_shared<const PreparedModel>(std::move(model)),
      a100(hostLaunch)));
}

/// Reads and writes 4 GiB.
static PlacedModel copies(Seconds hostLaunch = Seconds(1e-9)) {
  KernelWork work;
  work.family = KernelFamily::Elementwise;
  work.instructions = InstructionClass::Copy;
  work.format = NumericFormat::FP32;
  work.inputBits = work.outputBits = 32;
  work.problem = ElementsProblem{int64_t(1) << 30, false};
  work.count.bytesRead = work.count.bytesWritten = int64_t(1) << 32;
  return place(work, hostLaunch);
}

static PlacedModel products() {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  MatmulProblem problem{1, 8192, 8192, 8192, true};
  work.problem = problem;
  work.count.tensorFlops = countFlops(problem);
  work.count.bytesRead = 4 * int64_t(8192) * 8192;
  work.count.bytesWritten = 2 * int64_t(8192) * 8192;
  return place(work);
}

static const Sensitivity &find(const std::vector<Sensitivity> &list,
                               const std::string &name) {
  for (const Sensitivity &each : list)
    if (each.name == name)
      return each;
  ADD_FAILURE() << "no " << name;
  return list.front();
}

TEST(Sensitivities, Elasticity) {
  // a = 3 x^-0.5: from x = 4 to 16 it halves.
  EXPECT_DOUBLE_EQ(*elasticityOf(4, 16, 1.5, 0.75), -0.5);
  EXPECT_DOUBLE_EQ(*elasticityOf(2, 4, 7, 7), 0);
  EXPECT_FALSE(elasticityOf(4, 4, 1, 1));
  EXPECT_FALSE(elasticityOf(1, 2, 0, 1));
}

TEST(Sensitivities, CopiesFollowTheMemory) {
  PlacedModel model = copies();
  std::vector<Sensitivity> list = factSensitivities(model, {});
  // Parts join as t^4 = dram^4 + others^4: the elasticity is -(dram / t)^4, and
  // half the DRAM time gives t (1 - 15/16 (dram / t)^4)^(1/4).
  KernelTime time = model.launchCost(0, model.model().gpu().maxClock).time;
  double share = std::pow(time.dram / time.total, 4);
  EXPECT_GT(share, 0.4);
  const Sensitivity &memory = find(list, "dram_bandwidth");
  EXPECT_NEAR(*memory.time, -share, 0.02);
  EXPECT_NEAR(*memory.speedup, 1 / std::pow(1 - 15.0 / 16 * share, 0.25), 0.01);
  // The remaining terms take more than half the time.
  EXPECT_FALSE(memory.doubling);
  // Memory and SM clock together: everything but the start of the kernel.
  EXPECT_NEAR(*memory.time + *find(list, "max_clock").time, -1, 0.03);
  const Sensitivity &tensor = find(list, "bf16.flops_per_clock");
  EXPECT_EQ(*tensor.time, 0);
  EXPECT_EQ(*tensor.speedup, 1);
  EXPECT_FALSE(tensor.doubling);
}

TEST(Sensitivities, ProductsFollowTheMultiprocessors) {
  Settings options;
  // Far from the limit of the board.
  options.powerLimit = Watts(1e6);
  std::vector<Sensitivity> list = factSensitivities(products(), options);
  EXPECT_NEAR(*find(list, "dram_bandwidth").time, 0, 0.05);
  EXPECT_LT(*find(list, "max_clock").time, -0.7);
  EXPECT_LT(*find(list, "sms").time, -0.7);
  // Nothing is faster for a fact in itself than 1 to 1.
  for (const Sensitivity &each : list)
    EXPECT_LT(*each.speedup, 2.1) << each.name;
}

TEST(Hint, OnlyWhereMuchIsSaved) {
  // Only the copies slow down with the clock of the L2.
  EXPECT_FALSE(findHint(copies(), copies().evaluate()));
  // The host takes 8 ms for each launch of 5 ms.
  PlacedModel model = copies(Seconds(8e-3));
  IterationReport report = model.evaluate();
  std::optional<OperatingHint> hint = findHint(model, report);
  ASSERT_TRUE(hint);
  EXPECT_LT(hint->energy, report.energy * 0.9);
  EXPECT_LT(hint->time, report.time * 1.05);
  EXPECT_LT(hint->clock, report.clock);
  // The predicted values equal a report at this clock.
  Settings options;
  options.clock = hint->clock;
  IterationTotals totals = model.solve(options);
  EXPECT_EQ(totals.time, hint->time);
  EXPECT_EQ(totals.energy, hint->energy);
  // No other clock that it may take saves 2 % beyond it.
  const Gpu &gpu = model.model().gpu();
  for (Hertz clock = gpu.maxClock; clock >= gpu.minClock;
       clock = clock - Hertz(15e6)) {
    options.clock = clock;
    IterationTotals other = model.solve(options);
    if (other.time < report.time * 1.05) {
      EXPECT_GT(other.energy, hint->energy * 0.98) << clock.value();
    }
  }
}

TEST(Hint, NotWhereTheUserHasChosen) {
  PlacedModel model = copies(Seconds(8e-3));
  IterationReport report = model.evaluate();
  report.given.clock = Hertz(1410e6);
  EXPECT_FALSE(findHint(model, report));
  report.given = {};
  report.given.powerLimit = Watts(300);
  EXPECT_FALSE(findHint(model, report));
}
