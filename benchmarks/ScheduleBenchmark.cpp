//===- ScheduleBenchmark.cpp - Speed of questions about schedules ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Targets: the time of a given schedule under 0.3 us, the best of 200 schedules
// for a new matmul under 30 us.
//
//===----------------------------------------------------------------------===//

#include "ScheduleFixture.h"
#include "StudySets.h"
#include "gpucost/Core/Model/Schedule.h"
#include <benchmark/benchmark.h>

using namespace gpucost;

static CostModel modelOf(const char *name, MatrixPath path) {
  SmFacts sm = study::smFacts(228);
  sm.matrixPath = path;
  return study::scheduleModel(name, 42, sm);
}

/// The first `count` schedules that fit.
static std::vector<Schedule> feasible(const ScheduleModel &schedules,
                                      size_t count) {
  std::vector<Schedule> space;
  for (const Schedule &s : schedules.candidates())
    if (schedules.check(s) && space.size() < count)
      space.push_back(s);
  return space;
}

/// Time of one schedule after another.
static void givenSchedule(benchmark::State &state, NumericFormat format) {
  CostModel model = modelOf("H100", MatrixPath::Wgmma);
  ScheduleModel schedules = cantFail(
      ScheduleModel::create(model, study::product(4096, 4096, 4096, format)));
  std::vector<Schedule> space = feasible(schedules, 256);
  size_t i = 0;
  for (auto _ : state) {
    Seconds time = schedules.timeOf(space[++i % space.size()]);
    benchmark::DoNotOptimize(time);
  }
}
BENCHMARK_CAPTURE(givenSchedule, bf16, NumericFormat::BF16);
BENCHMARK_CAPTURE(givenSchedule, fp32, NumericFormat::FP32);

/// Time, power and energy of it.
static void givenScheduleWithPower(benchmark::State &state,
                                   NumericFormat format) {
  CostModel model = modelOf("H100", MatrixPath::Wgmma);
  ScheduleModel schedules = cantFail(
      ScheduleModel::create(model, study::product(64, 4096, 4096, format)));
  std::vector<Schedule> space = feasible(schedules, 256);
  size_t i = 0;
  for (auto _ : state) {
    ScheduledCost cost =
        cantFail(schedules.estimate(space[++i % space.size()]));
    benchmark::DoNotOptimize(cost);
  }
}
BENCHMARK_CAPTURE(givenScheduleWithPower, bf16, NumericFormat::BF16);
BENCHMARK_CAPTURE(givenScheduleWithPower, fp32, NumericFormat::FP32);

/// A matmul that was not queried before, best of 200.
static void bestOf200(benchmark::State &state, NumericFormat format) {
  CostModel model = modelOf("H100", MatrixPath::Wgmma);
  std::vector<Schedule> space =
      feasible(cantFail(ScheduleModel::create(
                   model, study::product(4096, 4096, 4096, format))),
               200);
  int64_t m = 128;
  for (auto _ : state) {
    m = 128 + (m + 257) % 8192;
    ScheduleModel schedules = cantFail(
        ScheduleModel::create(model, study::product(m, 4096, 4096, format)));
    std::vector<ScheduledCost> best = schedules.top(space, 1);
    benchmark::DoNotOptimize(best);
  }
}
BENCHMARK_CAPTURE(bestOf200, bf16, NumericFormat::BF16);
BENCHMARK_CAPTURE(bestOf200, fp32, NumericFormat::FP32);

/// Only the preparation.
static void newProduct(benchmark::State &state, NumericFormat format) {
  CostModel model = modelOf("H100", MatrixPath::Wgmma);
  int64_t m = 128;
  for (auto _ : state) {
    m = 128 + (m + 257) % 8192;
    ScheduleModel schedules = cantFail(
        ScheduleModel::create(model, study::product(m, 4096, 4096, format)));
    benchmark::DoNotOptimize(schedules);
  }
}
BENCHMARK_CAPTURE(newProduct, bf16, NumericFormat::BF16);
BENCHMARK_CAPTURE(newProduct, fp32, NumericFormat::FP32);

BENCHMARK_MAIN();
