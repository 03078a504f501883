//===- SchedulesTest.cpp - Schedules through C ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Handles.h"
#include <cmath>
#include <vector>

TEST(CSchedules, FeasibilityAndCost) {
  auto model = modelOf("h100-bf16");
  gpucostKernel kernel = matmul(4096, 4096, 4096);
  std::vector<gpucostSchedule> schedules(3, initialized<gpucostSchedule>());
  schedules[0].tile_m = 128;
  schedules[0].tile_n = 128;
  schedules[0].tile_k = 64;
  schedules[0].warps = 8;
  // 64 steps of (256 + 256) x 64 x 2 bytes: 1 MiB of shared memory for 16.
  schedules[1] = schedules[0];
  schedules[1].tile_m = schedules[1].tile_n = 256;
  schedules[1].stages = 16;
  std::vector<gpucostScheduleCost> costs(3, initialized<gpucostScheduleCost>());
  ASSERT_EQ(gpucostEstimateSchedules(model.get(), &kernel, nullptr,
                                     schedules.data(), 0, 3, costs.data(), 0),
            GPUCOST_OK)
      << gpucostLastError();
  EXPECT_EQ(costs[0].fault, uint32_t(GPUCOST_FEASIBLE));
  EXPECT_STREQ(costs[0].reason, "");
  EXPECT_GT(costs[0].cost.time, 0);
  EXPECT_EQ(costs[0].cost.flops, int64_t(2) << 36);
  EXPECT_GT(costs[0].schedule.stages, 0) << "chosen by the model";
  EXPECT_EQ(costs[1].fault, uint32_t(GPUCOST_FAULT_SHARED_MEMORY));
  EXPECT_NE(std::string(costs[1].reason), "");
  EXPECT_TRUE(std::isnan(costs[1].cost.time));
  EXPECT_EQ(costs[2].fault, uint32_t(GPUCOST_FEASIBLE))
      << "all chosen by the model";
  // The model chooses no worse.
  EXPECT_LE(costs[2].cost.time, costs[0].cost.time);
}

TEST(CSchedules, TopOfASpace) {
  auto model = modelOf("h100-bf16");
  gpucostKernel kernel = matmul(2048, 2048, 2048);
  size_t count = 0;
  ASSERT_EQ(gpucostScheduleCandidates(model.get(), &kernel, nullptr, nullptr, 0,
                                      &count),
            GPUCOST_OK);
  ASSERT_GT(count, 10u);
  std::vector<gpucostSchedule> space(count, initialized<gpucostSchedule>());
  ASSERT_EQ(gpucostScheduleCandidates(model.get(), &kernel, nullptr,
                                      space.data(), 0, &count),
            GPUCOST_OK);
  std::vector<gpucostScheduleCost> own(8, initialized<gpucostScheduleCost>()),
      given = own, all(count, initialized<gpucostScheduleCost>());
  size_t found = own.size();
  ASSERT_EQ(gpucostTopSchedules(model.get(), &kernel, nullptr, nullptr, nullptr,
                                0, 0, nullptr, own.data(), 0, &found),
            GPUCOST_OK);
  EXPECT_EQ(found, 8u);
  ASSERT_EQ(gpucostTopSchedules(model.get(), &kernel, nullptr, nullptr,
                                space.data(), 0, count, nullptr, given.data(),
                                0, &found),
            GPUCOST_OK);
  ASSERT_EQ(gpucostEstimateSchedules(model.get(), &kernel, nullptr,
                                     space.data(), 0, count, all.data(), 0),
            GPUCOST_OK);
  // The first one is the best of all that can run; the order is by time.
  double best = INFINITY;
  for (const gpucostScheduleCost &each : all)
    if (each.fault == GPUCOST_FEASIBLE)
      best = std::min(best, each.cost.time);
  EXPECT_EQ(own[0].cost.time, best);
  for (size_t i = 0; i < found; ++i) {
    EXPECT_EQ(std::memcmp(&own[i].schedule, &given[i].schedule,
                          sizeof(gpucostSchedule)),
              0);
    if (i)
      EXPECT_LE(own[i - 1].cost.time, own[i].cost.time);
  }
  // Least energy takes no more energy than least time.
  auto goal = initialized<gpucostGoal>();
  goal.objective = GPUCOST_LEAST_ENERGY;
  ASSERT_EQ(gpucostTopSchedules(model.get(), &kernel, nullptr, nullptr, nullptr,
                                0, 0, &goal, given.data(), 0, &found),
            GPUCOST_OK);
  EXPECT_LE(given[0].cost.energy, own[0].cost.energy);
  goal.time_limit = 1e-9;
  EXPECT_EQ(gpucostTopSchedules(model.get(), &kernel, nullptr, nullptr, nullptr,
                                0, 0, &goal, given.data(), 0, &found),
            GPUCOST_INFEASIBLE);
}

TEST(CSchedules, ReasonsThatDoNotFit) {
  auto device = initialized<gpucostDevice>();
  ASSERT_EQ(gpucostTargetDevice("h100", &device), GPUCOST_OK);
  // 2 bytes for each character: the fault names the GPU.
  std::string name;
  for (int i = 0; i < 200; ++i)
    name += "\u00e9";
  device.name = name.c_str();
  auto options = initialized<gpucostModelOptions>();
  options.coefficients = "h100-sxm-80gb";
  gpucostModel *raw = nullptr;
  ASSERT_EQ(gpucostModelCreateForDevice(&device, GPUCOST_BF16, &options, &raw),
            GPUCOST_OK)
      << gpucostLastError();
  Handle<gpucostModel> model(raw);
  gpucostKernel kernel = matmul(4096, 4096, 4096);
  auto schedule = initialized<gpucostSchedule>();
  schedule.tile_m = schedule.tile_n = 256;
  schedule.tile_k = 64;
  schedule.warps = 8;
  schedule.stages = 16;
  auto cost = initialized<gpucostScheduleCost>();
  char *reason = nullptr;
  size_t size = 0;
  auto ask = [&] {
    gpucostFree(reason);
    reason = nullptr;
    ASSERT_EQ(gpucostEstimateSchedules(model.get(), &kernel, nullptr, &schedule,
                                       0, 1, &cost, 0),
              GPUCOST_OK)
        << gpucostLastError();
    ASSERT_EQ(gpucostScheduleReason(model.get(), &kernel, nullptr, &schedule,
                                    &reason, &size),
              GPUCOST_OK)
        << gpucostLastError();
    ASSERT_EQ(size, std::strlen(reason));
  };
  ask();
  EXPECT_EQ(cost.fault, uint32_t(GPUCOST_FAULT_SHARED_MEMORY));
  std::string whole = reason, part = cost.reason;
  EXPECT_NE(whole.find(name), whole.npos) << whole;
  EXPECT_EQ(whole.substr(0, part.size()), part);
  // The part ends with a complete character.
  EXPECT_GE(part.size(), 254u);
  EXPECT_EQ(part.substr(part.size() - 2), "\u00e9");
  // Without a fault there is no reason.
  schedule.stages = 3;
  ask();
  EXPECT_STREQ(reason, cost.reason);
  gpucostFree(reason);
  EXPECT_NE(errorOf(gpucostScheduleReason(model.get(), &kernel, nullptr,
                                          &schedule, nullptr, nullptr)),
            "");
}

TEST(CSchedules, Mistakes) {
  auto model = modelOf("h100-bf16");
  gpucostKernel kernel = matmul(64, 64, 64);
  auto schedule = initialized<gpucostSchedule>();
  auto cost = initialized<gpucostScheduleCost>();
  auto ask = [&] {
    return errorOf(gpucostEstimateSchedules(model.get(), &kernel, nullptr,
                                            &schedule, 0, 1, &cost, 0));
  };
  schedule.tile_m = -1;
  EXPECT_EQ(ask(),
            "schedule 0: a schedule: expected 'tile_m' of at least 0 and "
            "at most 4096, but got -1");
  schedule = initialized<gpucostSchedule>();
  schedule.stage_a = 3;
  EXPECT_EQ(ask(),
            "schedule 0: 'stage_a' of a schedule is 3, which is not a valid "
            "value");
  schedule = initialized<gpucostSchedule>();
  kernel.family = GPUCOST_COLLECTIVE;
  kernel.problem = {};
  kernel.problem.collective = {GPUCOST_ALL_REDUCE, 8, 0, 0, 1024, 0, 0};
  EXPECT_EQ(gpucostEstimateSchedules(model.get(), &kernel, nullptr, &schedule,
                                     0, 1, &cost, 0),
            GPUCOST_UNSUPPORTED);
}

TEST(CSchedules, Rank) {
  auto model = modelOf("h100-bf16");
  // Without a common part, 0.1 tells 20 % apart, but not 5 %; a common part
  // tells more apart.
  std::vector<double> times = {1.05e-3, NAN, 1e-3, 1.5e-3, INFINITY},
                      widths = {0.1, 0.1, 0.1, 0.1, 0.1};
  std::vector<size_t> order(5), groups(5);
  size_t ranked = 0, worth = 0;
  ASSERT_EQ(gpucostRank(model.get(), times.data(), widths.data(), 5, 0,
                        order.data(), groups.data(), &ranked, &worth),
            GPUCOST_OK)
      << gpucostLastError();
  EXPECT_EQ(ranked, 3u);
  EXPECT_EQ(worth, 2u);
  EXPECT_EQ(order[0], 2u);
  EXPECT_EQ(order[1], 0u);
  EXPECT_EQ(order[2], 3u);
  EXPECT_EQ(groups[1], 0u);
  EXPECT_EQ(groups[2], 1u);
  // Nothing is told apart without intervals.
  ASSERT_EQ(gpucostRank(model.get(), times.data(), nullptr, 5, 0, order.data(),
                        groups.data(), &ranked, &worth),
            GPUCOST_OK);
  EXPECT_EQ(worth, 3u);
  EXPECT_EQ(errorOf(gpucostRank(model.get(), times.data(), nullptr, 5, 0.3,
                                order.data(), groups.data(), &ranked, &worth)),
            "'confidence' expects a number in 0.5..1, or 0 for 0.8");
  EXPECT_EQ(errorOf(gpucostRank(model.get(), nullptr, nullptr, 5, 0,
                                order.data(), groups.data(), &ranked, &worth)),
            "'times', 'order' or 'groups' is NULL");
  EXPECT_EQ(gpucostRank(model.get(), nullptr, nullptr, 0, 0, nullptr, nullptr,
                        &ranked, &worth),
            GPUCOST_OK);
  EXPECT_EQ(ranked, 0u);
}
