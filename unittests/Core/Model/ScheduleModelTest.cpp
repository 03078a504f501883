//===- ScheduleModelTest.cpp - Level, choice and faults of schedules ------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScheduleFixture.h"
#include "StudySets.h"
#include "gpucost/Core/Model/Schedule.h"
#include "gtest/gtest.h"
#include <cmath>
#include <set>

using namespace gpucost;
using study::product;

namespace {

/// A100 with matmuls, power and schedules.
CostModel modelOf(bool withFacts = true) {
  return study::scheduleModel("A100", 25.6,
                              withFacts ? std::optional(study::smFacts(164))
                                        : std::nullopt);
}

Schedule tensorSchedule(int32_t m, int32_t n, int32_t k, int32_t warps,
                        int32_t stages) {
  Schedule s;
  s.tileM = m, s.tileN = n, s.tileK = k, s.warps = warps, s.stages = stages;
  s.splitK = s.cluster = 1;
  return s;
}

std::string errorOf(const ScheduleModel &schedules, const Schedule &s) {
  auto cost = schedules.estimate(s);
  return cost ? "" : cost.error().message;
}

// (V1) The fastest candidate takes the time that the calibrated model predicts
// for the library.
TEST(ScheduleModel, FastestCandidateHasTheCalibratedLevel) {
  CostModel model = modelOf();
  for (auto format : {NumericFormat::BF16, NumericFormat::FP32}) {
    KernelWork work = product(4096, 4096, 4096, format);
    Tiling library = cantFail(model.selectTiling(work));
    Seconds expected =
        cantFail(model.predictTime(work, library, model.gpu().maxClock)).total;
    ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
    Seconds least(1e9);
    for (const Schedule &s : schedules.candidates())
      least = std::min(least, schedules.timeOf(s));
    if (format == NumericFormat::BF16)
      EXPECT_NEAR(least / expected, 1, 1e-12);
    else // the reference only has the tiles of the calibrated table
      EXPECT_LE(least, expected * (1 + 1e-12));
    EXPECT_EQ(schedules.timeOf(schedules.complete({})), least);
  }
}

// The best of a space equals an exhaustive search, in the same order.
TEST(ScheduleModel, TopIsExhaustiveSearch) {
  CostModel model = modelOf();
  KernelWork work = product(512, 4096, 1024, NumericFormat::BF16);
  ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
  std::vector<Schedule> space = schedules.candidates();
  // 5 x 4 tiles, 2 K steps, 2 warp counts, 4 stage counts, and the splits.
  EXPECT_EQ(space.size() % 320, 0u);
  for (Objective objective :
       {Objective::Time, Objective::Energy, Objective::EnergyDelay}) {
    auto valueOf = [&](const KernelCost &cost) {
      double energy = cost.energy.value(), time = cost.time.total.value();
      return objective == Objective::Time     ? time
             : objective == Objective::Energy ? energy
                                              : energy * time;
    };
    std::vector<double> values;
    for (const Schedule &s : space)
      if (auto cost = schedules.estimate(s))
        values.push_back(valueOf(cost->cost));
    ASSERT_LT(values.size(), space.size()); // some cannot run
    std::sort(values.begin(), values.end());
    std::vector<ScheduledCost> best = schedules.top(space, 8, {objective, {}});
    ASSERT_EQ(best.size(), 8u);
    for (size_t i = 0; i < best.size(); ++i)
      EXPECT_DOUBLE_EQ(valueOf(best[i].cost), values[i]);
  }
}

// The search skips schedules that cannot be faster at the clock that the limit
// allows; the clocks of schedules differ.
TEST(ScheduleModel, TopIsExhaustiveUnderAPowerLimit) {
  CostModel model = modelOf();
  for (double watts : {150.0, 250.0, 400.0}) {
    KernelQuery limited;
    limited.powerLimit = Watts(watts);
    KernelWork work = product(4096, 4096, 4096, NumericFormat::BF16);
    ScheduleModel schedules =
        cantFail(ScheduleModel::create(model, work, limited));
    std::vector<Schedule> space = schedules.candidates();
    std::vector<std::pair<double, std::string>> all;
    for (const Schedule &s : space)
      if (auto cost = schedules.estimate(s))
        all.emplace_back(cost->cost.time.total.value(),
                         describeSchedule(cost->schedule));
    std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
      return a.first < b.first;
    });
    std::vector<ScheduledCost> best = schedules.top(space, 5);
    ASSERT_EQ(best.size(), 5u);
    for (size_t i = 0; i < best.size(); ++i) {
      EXPECT_EQ(best[i].cost.time.total.value(), all[i].first);
      EXPECT_EQ(describeSchedule(best[i].schedule), all[i].second);
    }
  }
}

/// `top` against all schedules of `space`, to the last bit.
void expectExhaustive(const ScheduleModel &schedules,
                      const std::vector<Schedule> &space,
                      const std::string &what) {
  std::vector<std::pair<double, std::string>> all;
  for (const Schedule &s : space)
    if (auto cost = schedules.estimate(s))
      all.emplace_back(cost->cost.time.total.value(),
                       describeSchedule(cost->schedule));
  std::stable_sort(all.begin(), all.end(), [](const auto &a, const auto &b) {
    return a.first < b.first;
  });
  for (size_t count : {1, 3}) {
    std::vector<ScheduledCost> best = schedules.top(space, count);
    ASSERT_EQ(best.size(), count) << what;
    for (size_t i = 0; i < count; ++i) {
      EXPECT_EQ(best[i].cost.time.total.value(), all[i].first) << what;
      EXPECT_EQ(describeSchedule(best[i].schedule), all[i].second) << what;
    }
  }
}

// A schedule that bounds of tiles and schedules exclude is never the best: few
// and many rows, short and long K, edges, all formats, with and without limits.
TEST(ScheduleModel, TopIsExhaustiveForManyProducts) {
  CostModel model = modelOf();
  uint32_t state = 1;
  auto pick = [&](std::initializer_list<int64_t> sizes) {
    state = state * 1664525U + 1013904223U;
    return sizes.begin()[(state >> 16) % sizes.size()];
  };
  for (int i = 0; i < 60; ++i) {
    auto format = i % 3 == 0   ? NumericFormat::FP32
                  : i % 3 == 1 ? NumericFormat::BF16
                               : NumericFormat::INT8;
    KernelWork work = product(pick({1, 16, 77, 128, 1000, 4096, 20000}),
                              pick({1, 64, 333, 1024, 4096, 12288}),
                              pick({16, 64, 1000, 4096, 16384}), format);
    if (format == NumericFormat::INT8)
      work.inputBits = 8;
    const auto &p = work.as<MatmulProblem>();
    KernelQuery query;
    if (i % 2)
      query.powerLimit = Watts(100 + 50.0 * (i % 7));
    if (i % 5 == 0)
      query.clock = model.gpu().maxClock * 0.8;
    auto schedules = ScheduleModel::create(model, work, query);
    ASSERT_TRUE(static_cast<bool>(schedules));
    // Every 7th candidate leaves the tiles of neighbours apart.
    std::vector<Schedule> space, all = schedules->candidates();
    size_t stride = format == NumericFormat::FP32 ? 7 : 1;
    for (size_t at = 0; at < all.size(); at += stride)
      space.push_back(all[at]);
    expectExhaustive(*schedules, space,
                     std::to_string(p.m) + " x " + std::to_string(p.n) + " x " +
                         std::to_string(p.k) + ", case " + std::to_string(i));
    if (format != NumericFormat::FP32) {
      Schedule whole = schedules->complete({});
      EXPECT_EQ(describeSchedule(whole),
                describeSchedule(*std::min_element(
                    all.begin(), all.end(),
                    [&](const Schedule &a, const Schedule &b) {
                      return schedules->timeOf(a) < schedules->timeOf(b);
                    })));
    }
  }
}

TEST(ScheduleModel, EnergyUnderATimeLimit) {
  CostModel model = modelOf();
  KernelWork work = product(64, 4096, 4096, NumericFormat::BF16);
  ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
  std::vector<Schedule> space = schedules.candidates();
  Seconds fastest = schedules.top(space, 1)[0].cost.time.total;
  ScheduleGoal goal{Objective::Energy, fastest * 1.05};
  ScheduledCost best = schedules.top(space, 1, goal)[0];
  EXPECT_LE(best.cost.time.total, *goal.timeLimit);
  for (const Schedule &s : space)
    if (auto cost = schedules.estimate(s);
        cost && cost->cost.time.total <= *goal.timeLimit)
      EXPECT_GE(cost->cost.energy, best.cost.energy);
  goal.timeLimit = fastest * 0.5;
  EXPECT_TRUE(schedules.top(space, 1, goal).empty());
}

// (V2) A partial schedule: the model chooses the fields that are 0 and keeps
// the others.
TEST(ScheduleModel, CompletesWhatIsOpen) {
  CostModel model = modelOf();
  KernelWork work = product(4096, 4096, 4096, NumericFormat::FP32);
  ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
  Schedule open;
  open.tileM = open.tileN = 128;
  open.warps = 4;
  Schedule whole = schedules.complete(open);
  EXPECT_EQ(whole.tileM, 128);
  EXPECT_EQ(whole.warps, 4);
  EXPECT_EQ(whole.threadTileM * whole.threadTileN, 128 * 128 / (4 * 32));
  Seconds chosen = schedules.timeOf(whole);
  for (const Schedule &s : schedules.candidates(open)) {
    EXPECT_EQ(s.warps, 4);
    EXPECT_GE(schedules.timeOf(s), chosen);
  }
}

// The power limit acts on a given schedule as on any kernel (P6).
TEST(ScheduleModel, PowerLimitSlowsASchedule) {
  CostModel model = modelOf();
  KernelWork work = product(8192, 8192, 8192, NumericFormat::BF16);
  KernelQuery limited;
  limited.powerLimit = Watts(200);
  Schedule s = tensorSchedule(128, 128, 32, 8, 3);
  ScheduleModel free = cantFail(ScheduleModel::create(model, work));
  ScheduleModel held = cantFail(ScheduleModel::create(model, work, limited));
  KernelCost fast = cantFail(free.estimate(s)).cost;
  KernelCost slow = cantFail(held.estimate(s)).cost;
  EXPECT_EQ(free.timeOf(s), held.timeOf(s)); // at the maximum clock
  EXPECT_TRUE(slow.throttled);
  EXPECT_GT(slow.time.total, fast.time.total);
  EXPECT_LE(slow.power, Watts(200));
  EXPECT_NEAR(slow.energy / (slow.power * slow.time.total), 1, 1e-12);
}

// (Y10) A network counts every tensor once, whatever a tile reads again, so
// that energy follows the time of the schedule: 3 * 134217728 bytes, and (P5).
TEST(ScheduleModel, EnergyFollowsTheSchedule) {
  CostModel model = modelOf();
  KernelWork work = product(8192, 8192, 8192, NumericFormat::BF16);
  ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
  ScheduledCost fast =
      cantFail(schedules.estimate(tensorSchedule(128, 128, 64, 8, 3)));
  ScheduledCost slow =
      cantFail(schedules.estimate(tensorSchedule(32, 32, 64, 4, 3)));
  double once = 3.0 * 134217728;
  for (const ScheduledCost &each : {fast, slow}) {
    EXPECT_NEAR(each.cost.events.dramBytes, once * model.missFraction(once),
                1e3);
    Seconds time = each.cost.time.total;
    EXPECT_DOUBLE_EQ(
        each.cost.energy.value(),
        model.energy(each.cost.events, time, time, each.cost.clock).value());
  }
  EXPECT_GT(slow.cost.time.total, fast.cost.time.total);
  EXPECT_GT(slow.cost.energy, fast.cost.energy);
  EXPECT_LT(slow.cost.power, fast.cost.power);
}

// (Y10) In a benchmark the tile counts (G9). 4096^3: a tile of 64 x 64 feeds
// twice the bytes of one with 128 x 128 from L2; 8192^3, 268 MB of operands,
// exceeds L2, and smaller tiles read more of it again (G4).
TEST(ScheduleModel, EnergyOfABenchmarkFollowsTheTile) {
  CostModel model = modelOf();
  KernelQuery query;
  query.benchmark = BenchmarkProtocol();
  auto launchOf = [&](int64_t size, int32_t tile, int32_t warps) {
    KernelWork work = product(size, size, size, NumericFormat::BF16);
    ScheduleModel schedules =
        cantFail(ScheduleModel::create(model, work, query));
    return cantFail(schedules.launch(tensorSchedule(tile, tile, 64, warps, 3)));
  };
  const TensorPowerCoefficients &power = *model.coefficients().tensorPower;
  ScheduledLaunch small = launchOf(4096, 64, 4), large = launchOf(4096, 128, 8);
  EXPECT_DOUBLE_EQ(small.terms.events.l2Bytes, 2 * large.terms.events.l2Bytes);
  EXPECT_NEAR((small.terms.onChip - large.terms.onChip).value() /
                  (power.perL2Byte.value() * large.terms.events.l2Bytes),
              1, 1e-9);
  EXPECT_GT(launchOf(8192, 64, 4).terms.offChip,
            launchOf(8192, 128, 8).terms.offChip);
}

// (W3) A GELU in the epilogue: 20 fp32 operations on each of 1024 * 1024
// results, whatever the schedule.
TEST(ScheduleModel, FusedMembersAddTheSame) {
  CostModel model = modelOf();
  KernelWork work = product(1024, 1024, 1024, NumericFormat::BF16);
  ScheduleModel plain = cantFail(ScheduleModel::create(model, work));
  work.count.fused.fp32Flops = 20 << 20;
  ScheduleModel fused = cantFail(ScheduleModel::create(model, work));
  const Gpu &gpu = model.gpu();
  double seconds = (20 << 20) / (gpu.smCount * gpu.maxClock.value() *
                                 gpu.flopsPerClock(NumericFormat::FP32));
  for (int32_t tile : {64, 128}) {
    Schedule s = tensorSchedule(tile, 64, 64, 4, 3);
    double more = (cantFail(fused.estimate(s)).cost.time.total -
                   cantFail(plain.estimate(s)).cost.time.total)
                      .value();
    EXPECT_NEAR(more / seconds, 1, 1e-6);
  }
}

// (Z1) 256 x 256 results of 4 warps are 512 accumulators a thread: 96 + 512 -
// 255 = 353 registers too many. Three stages of (256 + 256) * 64 * 2 bytes are
// 192 KiB, an SM has 163.
TEST(ScheduleModel, SaysWhyAScheduleCannotRun) {
  CostModel model = modelOf();
  ScheduleModel schedules = cantFail(ScheduleModel::create(
      model, product(4096, 4096, 4096, NumericFormat::BF16)));
  EXPECT_EQ(errorOf(schedules, tensorSchedule(256, 256, 64, 4, 2)),
            "infeasible schedule: the accumulators of a 256 x 256 tile of 4 "
            "warps leave 353 registers of a thread to spill, too many to "
            "compile");
  EXPECT_EQ(errorOf(schedules, tensorSchedule(256, 256, 64, 8, 3)),
            "infeasible schedule: 196608 bytes of shared memory in a CTA, "
            "'A100' has 166912");
  Schedule crowded = tensorSchedule(128, 128, 64, 4, 2);
  crowded.ctasPerSm = 9;
  EXPECT_NE(errorOf(schedules, crowded).find("9 CTAs do not fit"),
            std::string::npos);
  Schedule cluster = tensorSchedule(128, 128, 64, 4, 2);
  cluster.cluster = 2;
  EXPECT_NE(errorOf(schedules, cluster).find("a cluster of 2 CTAs"),
            std::string::npos);
}

// 128 x 128 results of threads with 8 x 8: 256 threads, 8 warps, not 4.
TEST(ScheduleModel, SaysWhyThreadsContradict) {
  CostModel model = modelOf();
  ScheduleModel schedules = cantFail(ScheduleModel::create(
      model, product(4096, 4096, 4096, NumericFormat::FP32)));
  Schedule s;
  s.tileM = s.tileN = 128;
  s.threadTileM = s.threadTileN = 8;
  s.warps = 4;
  EXPECT_NE(errorOf(schedules, s).find("are not 4 warps"), std::string::npos);
  s.warps = 8;
  EXPECT_EQ(errorOf(schedules, s), "");
  s.vectorM = 16;
  EXPECT_NE(errorOf(schedules, s).find("wider than a thread's 8 x 8"),
            std::string::npos);
  s.vectorM = 0;
  s.tileM = 96;
  EXPECT_NE(errorOf(schedules, s).find("powers of two"), std::string::npos);
}

TEST(ScheduleModel, NeedsFactsAndAProduct) {
  CostModel model = modelOf(/*withFacts=*/false);
  auto schedules =
      ScheduleModel::create(model, product(64, 64, 64, NumericFormat::BF16));
  ASSERT_FALSE(schedules);
  EXPECT_NE(schedules.error().message.find("states no facts of its SMs"),
            std::string::npos);
  KernelWork convolution;
  convolution.family = KernelFamily::Convolution;
  convolution.problem = ConvolutionProblem();
  EXPECT_FALSE(ScheduleModel::create(modelOf(), convolution));
}

//===----------------------------------------------------------------------===//
// Attention
//===----------------------------------------------------------------------===//

KernelWork attention(int64_t queries, int64_t keys, bool causal) {
  KernelWork work;
  work.family = KernelFamily::Attention;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem =
      AttentionProblem{2, 16, 16, queries, keys, 128, /*window=*/0, causal};
  work.count.tensorFlops = countFlops(work.as<AttentionProblem>());
  return work;
}

CostModel modelWithAttention() {
  CostModel plain = modelOf();
  Coefficients c = plain.coefficients();
  c.attentionFull = c.attentionCausal =
      study::attention("A100 ctx sglang fa2", "fa2");
  return study::model(plain.gpu(), std::move(c));
}

// (Y12) Without a schedule, and with the library's tile, the time is the
// calibrated one; another tile has its blocks, its rounds and its traffic.
TEST(ScheduleModel, AttentionHasTheTimeOfItsTile) {
  CostModel model = modelWithAttention();
  KernelWork work = attention(2048, 2048, true);
  Tiling library = cantFail(model.selectTiling(work));
  KernelCost calibrated = cantFail(model.estimate(work));
  ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
  EXPECT_FALSE(schedules.isValidated());
  ScheduledCost open = cantFail(schedules.estimate({}));
  EXPECT_EQ(open.schedule.tileM, library.tile.m);
  EXPECT_EQ(open.schedule.tileN, library.tile.n);
  EXPECT_DOUBLE_EQ(open.cost.time.total.value(), calibrated.time.total.value());
  EXPECT_DOUBLE_EQ(open.cost.energy.value(), calibrated.energy.value());
  EXPECT_FALSE(open.cost.time.inCalibratedDomain);
  // 16 rows a CTA: each of 2048 / 16 tiles in 32 heads reads its keys and
  // values for itself. The sum over i of ceil(16 * (i + 1) / 64) blocks with 64
  // keys is 4 * (1 + ... + 32) = 2112 a head; 2 * 64 * 128 elements at 2 bytes
  // each.
  Schedule s;
  s.tileM = 16, s.tileN = 64, s.warps = 4, s.stages = 2;
  ScheduledCost narrow = cantFail(schedules.estimate(s));
  EXPECT_EQ(narrow.cost.tiling.ctas, 32 * 128);
  EXPECT_DOUBLE_EQ(narrow.cost.events.l2Bytes, 32.0 * 2112 * 2 * 64 * 128 * 2);
  EXPECT_GT(narrow.cost.time.total, open.cost.time.total);
}

// (Y11) 128 x 64 of 4 warps, head dimension 128: (128 * 128 + 128 * 64) / 128 =
// 192 sums and scores + 96 registers, 33 beyond 255; shared memory 2 * 128 *
// (128 + 2 * 2 * 64) = 98304 bytes, so one CTA of 163 KiB.
TEST(ScheduleModel, AttentionSaysWhatItTakes) {
  CostModel model = modelWithAttention();
  ScheduleModel schedules =
      cantFail(ScheduleModel::create(model, attention(2048, 2048, false)));
  Schedule s;
  s.tileM = 128, s.tileN = 64, s.warps = 4, s.stages = 2;
  s = schedules.complete(s);
  EXPECT_EQ(s.splitK, 1);
  ScheduleFit fit = schedules.check(s);
  EXPECT_EQ(fit.fault, ScheduleFault::None);
  EXPECT_EQ(fit.spilled, 33);
  EXPECT_EQ(fit.sharedBytes, 98304);
  EXPECT_EQ(fit.ctasPerSm, 1);
  s.stages = 4; // 2 * 128 * (128 + 512) = 163840
  EXPECT_EQ(errorOf(schedules, s), "");
  s.stages = 5; // 2 * 128 * (128 + 640) = 196608
  EXPECT_EQ(errorOf(schedules, s),
            "infeasible schedule: 196608 bytes of shared memory in a CTA, "
            "'A100' has 166912");
  s.stages = 1, s.tileM = 256, s.tileN = 128; // 512 sums and scores
  EXPECT_NE(errorOf(schedules, s).find("leave 353 registers"),
            std::string::npos);
  s = {};
  s.tileK = 32;
  EXPECT_NE(
      errorOf(schedules, s).find("attention has only tile_m, tile_n, stages"),
      std::string::npos);
  EXPECT_FALSE(ScheduleModel::create(model, attention(1, 2048, false)));
  // Every schedule of the space that can run has a time, none two entries.
  std::vector<Schedule> space = schedules.candidates();
  std::set<std::string> texts;
  for (const Schedule &each : space)
    EXPECT_TRUE(texts.insert(describeSchedule(each)).second);
  for (const ScheduledCost &cost : schedules.top(space, space.size()))
    EXPECT_TRUE(std::isfinite(cost.cost.energy.value()));
}

// (M9) bf16 on 108 SMs with 2048 threads: loads of one element keep 108 * 2048
// * 4 * 2 = 1769472 bytes in flight, loads of 16 bytes eight times as many;
// 2039 GB/s for 435 ns need 886965.
TEST(ScheduleModel, NarrowLoadsKeepTooFewBytesUnderWay) {
  CostModel model = modelOf();
  KernelWork work;
  work.family = KernelFamily::Elementwise;
  work.instructions = InstructionClass::Relu;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.edit<ElementsProblem>().elements = 1 << 28;
  work.count.bytesRead = work.count.bytesWritten = int64_t(2) << 28;
  ScheduleModel schedules = cantFail(ScheduleModel::create(model, work));
  KernelTime calibrated =
      cantFail(model.predictTime(work, Tiling(), model.gpu().maxClock));
  Schedule s;
  s.warps = 4;
  s.vectorM = 8;
  EXPECT_EQ(schedules.timeOf(s), calibrated.total); // the calibrated kernel
  s.vectorM = 1;
  double needed = 886965, narrow = 1769472, wide = 8 * narrow;
  double slow = (wide / (wide + needed)) / (narrow / (narrow + needed));
  ScheduledCost cost = cantFail(schedules.estimate(s));
  EXPECT_NEAR(cost.cost.time.dram / calibrated.dram, slow, 1e-6);
  EXPECT_EQ(cost.fit.ctasPerSm, 16); // 2048 threads in CTAs of 128
  // One warp a CTA: 32 CTAs hold half of the threads.
  s.warps = 1;
  EXPECT_EQ(schedules.check(s).ctasPerSm, 32);
  EXPECT_GT(schedules.timeOf(s), cost.cost.time.total);
  s.vectorM = 16;
  EXPECT_NE(errorOf(schedules, s).find("at most 16 bytes"), std::string::npos);
}

TEST(ScheduleModel, DescribesWhatIsSet) {
  Schedule s = tensorSchedule(128, 64, 32, 4, 3);
  s.stageA = OperandPath::Shared;
  EXPECT_EQ(describeSchedule(s),
            "tile_m=128 tile_n=64 tile_k=32 split_k=1 stages=3 warps=4 "
            "cluster=1 stage_a=shared");
  EXPECT_EQ(describeSchedule({}), "");
}

} // namespace
