//===- PlacedModelTest.cpp - Totals of an iteration without IR ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "StudySets.h"
#include "gpucost/Core/Iteration/FoldedLaunches.h"
#include "gpucost/Core/Model/Composition.h"
#include "gpucost/Core/Model/Software.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "gtest/gtest.h"
#include <limits>

using namespace gpucost;

namespace {

/// A100 with a gap of 1 us at the highest clock and a host that launches in 2
/// us.
CostModel a100() {
  Coefficients c = study::a100().coefficients();
  c.runtime = RuntimeCoefficients();
  c.runtime->kernelGapCycles = 1e-6 * study::a100().gpu().maxClock.value();
  c.runtime->hostLaunch = Seconds(2e-6);
  c.runtime->libraryWeight = 1;
  c.runtime->hostNorm = 6;
  c.collectives = CollectiveCoefficients();
  c.collectives->powerFraction = 0.5;
  CollectiveFit fit;
  fit.base = Seconds(10e-6);
  fit.bandwidth = BytesPerSecond(100e9);
  c.collectives->fits.push_back(fit);
  return study::model(study::a100().gpu(), std::move(c));
}

KernelWork gemm(int64_t size) {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  MatmulProblem problem{1, size, size, size, true};
  work.problem = problem;
  work.count.tensorFlops = countFlops(problem);
  work.count.bytesRead = 4 * size * size;
  work.count.bytesWritten = 2 * size * size;
  return work;
}

KernelWork relu(int64_t elements) {
  KernelWork work;
  work.family = KernelFamily::Elementwise;
  work.instructions = InstructionClass::Relu;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = ElementsProblem{elements, false};
  work.count.fp32Flops = elements;
  work.count.bytesRead = work.count.bytesWritten = 2 * elements;
  return work;
}

/// One launch site of `work` in `phase`.
void add(PreparedModel &model, const KernelWork &work, Phase phase,
         int64_t count) {
  auto index = static_cast<uint32_t>(model.works.size());
  model.works.push_back(work);
  KernelKind kind;
  kind.label = "kernel" + std::to_string(index);
  kind.phase = phase;
  kind.work = index;
  model.kinds.push_back(kind);
  Launch launch;
  launch.kind = launch.work = index;
  launch.count = count;
  launch.library = work.family == KernelFamily::Matmul;
  launch.readsEnd = static_cast<uint32_t>(model.reads.size());
  model.launches.push_back(launch);
}

PlacedModel place(PreparedModel model, const CostModel &gpu = a100()) {
  return cantFail(PlacedModel::create(
      std::make_shared<const PreparedModel>(std::move(model)), gpu));
}

PreparedModel twoPhases() {
  PreparedModel model;
  add(model, gemm(4096), Phase::Forward, 3);
  add(model, relu(1 << 24), Phase::Forward, 2);
  add(model, gemm(2048), Phase::Backward, 5);
  return model;
}

// (H1), (H2), (P5): the iteration is the sum of its phases, a phase is the sum
// of its launches and their gaps.
TEST(PlacedModel, SumsOfLaunchesPhasesAndIteration) {
  CostModel model = a100();
  PlacedModel placed = place(twoPhases(), model);
  Hertz clock = model.gpu().maxClock;
  IterationTotals totals = placed.totalsAt(clock, {});
  double forward = 3 * (placed.launchCost(0, clock).time.total.value() + 1e-6) +
                   2 * (placed.launchCost(1, clock).time.total.value() + 1e-6);
  const PhaseTotals &phase = totals.phases[static_cast<size_t>(Phase::Forward)];
  EXPECT_DOUBLE_EQ(phase.gpuBusy.value(), forward);
  // (H4) Five gaps of 1 us, and the added host time.
  EXPECT_NEAR(phase.gap().value(), 5e-6, 1e-12);
  EXPECT_NEAR(phase.hostWait().value(), phase.time.value() - forward, 1e-15);
  // Five launches, three of them library calls, which cost twice.
  EXPECT_DOUBLE_EQ(phase.host.value(), 8 * 2e-6);
  EXPECT_EQ(phase.kernels, 5);
  EXPECT_EQ(phase.flops, 3 * 2 * int64_t(4096) * 4096 * 4096 + 2 * (1 << 24));
  EXPECT_EQ(phase.bytes, 3 * 6 * int64_t(4096) * 4096 + 2 * 4 * (1 << 24));
  Seconds time;
  Joules energy;
  for (const PhaseTotals &each : totals.phases) {
    time += each.time;
    energy += each.energy;
  }
  EXPECT_DOUBLE_EQ(totals.time.value(), time.value());
  EXPECT_DOUBLE_EQ(totals.energy.value(), energy.value());
  EXPECT_EQ(placed.hostLaunches(), 10);
}

// (H8) A gap is a number of SM cycles: at half the clock it lasts twice as
// long.
TEST(PlacedModel, GapsFollowTheClock) {
  PlacedModel placed = place(twoPhases());
  Hertz clock = placed.model().gpu().maxClock;
  auto gaps = [&](Hertz at) {
    return placed.totalsAt(at, {}).phases[0].gap().value();
  };
  EXPECT_NEAR(gaps(clock), 5e-6, 1e-12);
  EXPECT_NEAR(gaps(clock * 0.5), 10e-6, 1e-12);
}

// (H9) autograd launches the backward pass from C++.
TEST(PlacedModel, BackwardLaunchesCostLess) {
  Coefficients c = a100().coefficients();
  c.runtime->backwardLaunch = 0.75;
  PlacedModel placed =
      place(twoPhases(), study::model(study::a100().gpu(), std::move(c)));
  IterationTotals totals = placed.totalsAt(placed.model().gpu().maxClock, {});
  auto host = [&](Phase phase) {
    return totals.phases[static_cast<size_t>(phase)].host.value();
  };
  // 5 launches take 2 us each, 3 of them are matmuls, which cost twice ...
  EXPECT_NEAR(host(Phase::Forward), (5 + 3) * 2e-6, 1e-15);
  // ... and 5 matmuls.
  EXPECT_NEAR(host(Phase::Backward), 0.75 * (5 + 5) * 2e-6, 1e-15);
}

// (P9) A limiter that regulates to 0.9 of 300 W.
TEST(PlacedModel, LimiterKeepsAShareOfTheLimit) {
  Coefficients c = a100().coefficients();
  c.power->limiterShare = 0.9;
  PlacedModel placed =
      place(twoPhases(), study::model(study::a100().gpu(), std::move(c)));
  Settings options, lower;
  options.powerLimit = Watts(300);
  lower.powerLimit = Watts(270);
  IterationTotals totals = placed.solve(options);
  EXPECT_TRUE(totals.point.throttled);
  EXPECT_LE(totals.power().value(), 270);
  EXPECT_EQ(totals.time, place(twoPhases()).solve(lower).time);
  EXPECT_EQ(placed.evaluate(options).powerLimit, Watts(300));
}

// (N8) A collective that overlaps a kernel takes 27 of its 108 multiprocessors.
TEST(PlacedModel, CollectivesKeepMultiprocessors) {
  auto exposed = [](double busySms, Seconds &transfer) {
    Coefficients c = a100().coefficients();
    c.collectives->busySms = busySms;
    PreparedModel model;
    add(model, gemm(4096), Phase::Backward, 1);
    KernelWork reduce;
    reduce.family = KernelFamily::Collective;
    reduce.format = NumericFormat::BF16;
    reduce.inputBits = reduce.outputBits = 16;
    CollectiveProblem problem;
    problem.bytes = 1 << 20;
    problem.worldSize = 4;
    reduce.problem = problem;
    add(model, reduce, Phase::Communication, 1);
    add(model, gemm(4096), Phase::Backward, 1);
    PlacedModel placed = place(std::move(model),
                               study::model(study::a100().gpu(), std::move(c)));
    Hertz clock = placed.model().gpu().maxClock;
    transfer = placed.launchCost(1, clock).time.total;
    return placed.totalsAt(clock, {})
        .phases[static_cast<size_t>(Phase::Communication)]
        .time.value();
  };
  Seconds transfer;
  EXPECT_EQ(exposed(0, transfer), 0);
  // All of the computation's time except two gaps is kernels.
  double kernels =
      2 * place(twoPhases()).launchCost(0, Hertz(1410e6)).time.total.value();
  double running = kernels / (kernels + 2e-6);
  EXPECT_NEAR(exposed(27, transfer), 0.25 * running * transfer.value(), 1e-12);
}

/// A collective of 4 GPUs that reads the result of launch `maker`.
void addCollective(PreparedModel &model, uint32_t maker, std::string origin) {
  KernelWork work;
  work.family = KernelFamily::Collective;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  CollectiveProblem problem;
  problem.bytes = 1 << 28;
  problem.worldSize = 4;
  work.problem = problem;
  model.reads.push_back(maker);
  add(model, work, Phase::Communication, 1);
  model.kinds.back().origin = std::move(origin);
}

// (X19)
TEST(PlacedModel, LevelsApplyToBoardsOfTheirVendor) {
  TrainingLevel common, ofAmd;
  common.software = ofAmd.software = Software::MaxText;
  common.slowdown = 1;
  ofAmd.architecture = Architecture::Cdna4;
  ofAmd.slowdown = 1.5;
  auto slowdown = [](const TrainingLevels &levels, Architecture board) {
    Coefficients c;
    c.trainingLevels = TrainingLevelCoefficients();
    c.trainingLevels->stacks = levels;
    EXPECT_TRUE(hasTrainingLevel(c, Software::MaxText));
    EXPECT_FALSE(hasTrainingLevel(c, Software::Megatron));
    const TrainingLevel *level = findTrainingLevel(c, Software::MaxText, board);
    return level ? level->slowdown : 0;
  };
  for (const TrainingLevels &levels :
       {TrainingLevels{common, ofAmd}, TrainingLevels{ofAmd, common}}) {
    EXPECT_EQ(slowdown(levels, Architecture::Hopper), 1);
    EXPECT_EQ(slowdown(levels, Architecture::Cdna3), 1.5);
  }
  EXPECT_EQ(slowdown({common}, Architecture::Cdna4), 1);
  EXPECT_EQ(slowdown({ofAmd}, Architecture::Hopper), 0);
}

// (X19) Two matmuls with a collective of sequence parallelism between them, and
// another behind: each takes a quarter of its time from computation.
TEST(PlacedModel, MatmulsWorkOnTheirPartsOfASequence) {
  Coefficients c = a100().coefficients();
  TrainingLevel level;
  level.software = Software::Megatron;
  level.slowdown = 1;
  level.tensorWait = 0.25;
  c.trainingLevels = TrainingLevelCoefficients();
  c.trainingLevels->stacks = {level};
  auto exposed = [&](Software software, double &transfer) {
    PreparedModel model;
    model.settings.mode = IterationMode::Training;
    model.settings.software = software;
    for (uint32_t launch : {0u, 2u}) {
      add(model, gemm(4096), Phase::Forward, 1);
      addCollective(model, launch, std::string(sequenceParallelOrigin));
      model.reads.push_back(launch + 1);
    }
    add(model, gemm(4096), Phase::Forward, 1);
    PlacedModel placed =
        place(std::move(model), study::model(study::a100().gpu(), c));
    Hertz clock = placed.model().gpu().maxClock;
    transfer = placed.launchCost(1, clock).time.total.value();
    return placed.totalsAt(clock, {})
        .phases[static_cast<size_t>(Phase::Communication)]
        .time.value();
  };
  double transfer = 0;
  EXPECT_NEAR(exposed(Software::Megatron, transfer), 0.5 * transfer, 1e-9);
  // A stack without a level waits for all of it.
  EXPECT_NEAR(exposed(Software::Nanotron, transfer), 2 * transfer, 1e-9);
}

// (H3) The host waits for the second kernel's result: two segments; in the
// second one the GPU waits for the first launch.
TEST(PlacedModel, SynchronizationsCutPhases) {
  CostModel model = a100();
  PreparedModel prepared;
  add(prepared, gemm(1024), Phase::Forward, 3);
  add(prepared, relu(1 << 20), Phase::Forward, 1);
  add(prepared, gemm(512), Phase::Forward, 40);
  prepared.launches[1].synchronizes = true;
  PlacedModel placed = place(prepared, model);
  Hertz clock = model.gpu().maxClock;
  auto launch = [&](size_t work) {
    return placed.launchCost(work, clock).time.total + Seconds(1e-6);
  };
  const RuntimeCoefficients &host = *model.coefficients().runtime;
  Seconds latency = model.coefficients().streaming->latency;
  // 3 matmuls, a relu and the copy of the size; launches of 2 us, matmuls
  // twice.
  Seconds first = launch(0) * 3.0 + launch(1) + latency + Seconds(1e-6);
  Seconds second = launch(2) * 40.0;
  IterationTotals totals = placed.totalsAt(clock, {});
  EXPECT_DOUBLE_EQ(totals.busy.value(), (first + second).value());
  EXPECT_DOUBLE_EQ(totals.host.value(), (3 * 2 + 1 + 1 + 40 * 2) * 2e-6);
  Seconds expected = phaseTime(host, first, Seconds(8 * 2e-6)) + Seconds(2e-6) +
                     phaseTime(host, second, Seconds(80 * 2e-6));
  EXPECT_DOUBLE_EQ(totals.time.value(), expected.value());
  // A graph has no host to wait for.
  Settings graph;
  graph.runtime = Runtime::CudaGraph;
  prepared.launches[1].synchronizes = false;
  EXPECT_DOUBLE_EQ(placed.totalsAt(clock, graph).time.value(),
                   place(prepared, model).totalsAt(clock, graph).time.value());
}

// (H12) The host reads whether gradients are finite; the GPU waits 3 us for the
// optimizer, 2 us for any other launch. LBFGS waits for its own numbers.
TEST(PlacedModel, OptimizersStartBehindTheCheck) {
  Coefficients c = a100().coefficients();
  c.runtime->optimizerStart = Seconds(3e-6);
  CostModel model = study::model(study::a100().gpu(), std::move(c));
  auto time = [&](Phase phase, bool waits, OptimizerKind kind) {
    PreparedModel prepared;
    add(prepared, relu(1 << 20), phase, 1);
    prepared.launches.back().synchronizes = waits;
    add(prepared, relu(1 << 24), phase, 1);
    Settings settings;
    settings.optimizer = kind;
    return place(prepared, model)
        .totalsAt(model.gpu().maxClock, settings)
        .time.value();
  };
  auto wait = [&](Phase phase, OptimizerKind kind = OptimizerKind::AdamW) {
    return time(phase, true, kind) - time(phase, false, kind);
  };
  double other = wait(Phase::Forward);
  EXPECT_GT(other, 2e-6);
  EXPECT_NEAR(wait(Phase::Optimizer), other + 3e-6, 1e-12);
  EXPECT_NEAR(wait(Phase::Optimizer, OptimizerKind::LBFGS), other, 1e-12);
}

// (H3) A loop body that synchronizes in each of its iterations is their sum.
TEST(PlacedModel, SynchronizationsOfLoops) {
  CostModel model = a100();
  auto time = [&](int64_t sites, int64_t count) {
    PreparedModel prepared;
    for (int64_t i = 0; i < sites; ++i) {
      add(prepared, gemm(512), Phase::Forward, 2 * count);
      add(prepared, relu(1 << 20), Phase::Forward, count);
      prepared.launches.back().synchronizes = true;
    }
    return place(std::move(prepared), model)
        .totalsAt(model.gpu().maxClock, {})
        .time.value();
  };
  EXPECT_NEAR(time(1, 4), time(4, 1), 1e-12);
}

// The same numbers as a query of only this kernel.
TEST(PlacedModel, LaunchesAreKernelQueries) {
  CostModel model = a100();
  PlacedModel placed = place(twoPhases(), model);
  for (double megahertz : {510.0, 900.0, 1200.0})
    for (size_t i = 0; i < 3; ++i) {
      KernelQuery query;
      query.clock = Hertz(megahertz * 1e6);
      query.powerLimit = Watts(1e4);
      KernelCost alone =
          cantFail(model.estimate(placed.prepared().works[i], query));
      LaunchCost launch = placed.launchCost(i, *query.clock);
      EXPECT_DOUBLE_EQ(launch.time.total.value(), alone.time.total.value());
      EXPECT_DOUBLE_EQ(launch.energy.value(), alone.energy.value());
      EXPECT_DOUBLE_EQ(launch.power().value(), alone.power.value());
    }
}

TEST(PlacedModel, PowerLimitHoldsForTheIteration) {
  PlacedModel placed = place(twoPhases());
  IterationTotals free = placed.solve({});
  Settings options;
  options.powerLimit = free.power() * 0.7;
  IterationTotals capped = placed.solve(options);
  EXPECT_TRUE(capped.point.throttled);
  EXPECT_LE(capped.power().value(), options.powerLimit->value());
  EXPECT_GT(capped.time.value(), free.time.value());
  // The next clock of the grid breaks the limit.
  Hertz next = capped.point.clock + placed.model().gpu().clockStep;
  EXPECT_GT(placed.totalsAt(next, options).power().value(),
            options.powerLimit->value());
}

// (P10) Among eight boards the one with the highest power needs 1 + 0.0459 *
// 1.434 times the power above idle: the upper quantile 1 - 7.625/8.25 of a
// normal distribution is 1.434.
TEST(PlacedModel, BoardsWaitForTheHungriest) {
  CostModel model = a100();
  PreparedModel eight = twoPhases();
  eight.settings.gpus = 8;
  PlacedModel placed = place(std::move(eight), model);
  Settings options;
  options.powerLimit = Watts(260);
  IterationTotals totals = placed.solve(options);
  IterationTotals alone = place(twoPhases(), model).solve(options);
  EXPECT_LT(totals.point.clock, alone.point.clock);
  auto hungriest = [&](Hertz clock) {
    Watts idle = model.idlePower(clock);
    return idle + (placed.totalsAt(clock, options).power() - idle) *
                      (1 + 0.08 / 5.4 * 3.1 * 1.434);
  };
  Watts limit = model.regulatedPower(Watts(260));
  EXPECT_LE(hungriest(totals.point.clock).value(), limit.value() * 1.0001);
  EXPECT_GT(hungriest(totals.point.clock * 1.01).value(), limit.value());
  // The report describes the mean board, which waits at idle power.
  Joules waiting =
      model.idlePower(alone.point.clock) * (totals.time - alone.time);
  EXPECT_GT(waiting.value(), 0);
  EXPECT_NEAR(totals.energy.value(), (alone.energy + waiting).value(),
              1e-9 * totals.energy.value());
  Joules phases;
  for (const PhaseTotals &phase : totals.phases)
    phases += phase.energy;
  EXPECT_NEAR(totals.energy.value(), phases.value(),
              1e-9 * totals.energy.value());
  EXPECT_LT(totals.power(), limit);
}

// (P7) Weights that the iteration pushes out of L2 come from DRAM, whatever the
// bytes of their kernel.
TEST(PlacedModel, LostWeightsComeFromDram) {
  CostModel gpu = a100();
  double l2 =
      gpu.coefficients().power->l2Fraction * gpu.gpu().l2Capacity.value();
  auto miss = [&](double bytes) { // (P2)
    double x = bytes / l2;
    return x * x * x / (1 + x * x * x);
  };
  constexpr double weights = 512 * 512 * 2;
  PreparedModel model;
  add(model, gemm(512), Phase::Forward, 1);
  model.persistentReads.push_back({0, 512 * 512 * 2, 512 * 512 * 2});
  model.launches[0].persistentReadsEnd = 1;
  double product = 3 * weights; // two operands and the result
  // Without other kernels only its bytes are touched between two reads.
  EXPECT_NEAR(place(model, gpu).eventsOf(0).dramBytes, product * miss(product),
              1e-9 * product);

  add(model, relu(1 << 24), Phase::Forward, 1);
  model.launches[1].persistentReadsEnd = 1;
  double all = product + 4.0 * (1 << 24);
  EXPECT_GT(miss(all), 0.9);
  EXPECT_NEAR(place(model, gpu).eventsOf(0).dramBytes,
              weights * miss(all) + (product - weights) * miss(product),
              1e-9 * product);
  // A loop over four slices of a tensor reads each slice once ...
  model.launches[0].count = 4;
  model.persistentReads[0].allBytes *= 4;
  all += 3 * product;
  EXPECT_NEAR(place(model, gpu).eventsOf(0).dramBytes,
              weights * miss(all) + (product - weights) * miss(product),
              1e-9 * product);
  // ... a loop that reads the same weights finds them the other three times.
  model.persistentReads[0].allBytes /= 4;
  EXPECT_NEAR(place(model, gpu).eventsOf(0).dramBytes,
              (weights * miss(all) + (4 * product - weights) * miss(product)) /
                  4,
              1e-9 * product);
}

/// `launch` reads `from` and writes `to`, `bytes` each.
void touch(PreparedModel &model, size_t launch, uint32_t from, uint32_t to,
           int64_t bytes) {
  model.touches.push_back({from, false, bytes});
  model.touches.push_back({to, true, bytes});
  model.launches[launch].touchesEnd =
      static_cast<uint32_t>(model.touches.size());
}

// (M12) A tensor that waits while other kernels touch more bytes than L2 holds
// is written to DRAM and read from there, even if its kernels touch few bytes.
TEST(PlacedModel, TensorsThatWaitComeFromDram) {
  CostModel gpu = a100();
  const StreamingCoefficients &c = *gpu.coefficients().streaming;
  // Half of it stays when 1.5 times the usable L2 are touched (M1).
  double usable = c.l2Fraction * gpu.gpu().l2Capacity.value();
  constexpr int64_t elements = 1 << 20, small = 2 * elements;
  auto between = static_cast<int64_t>(usable / 4 * 1.5);
  ASSERT_LT(2 * small, usable);
  // 0 -> 1 -> 2, something else, 1 -> 5.
  PreparedModel model;
  add(model, relu(elements), Phase::Forward, 1);
  add(model, relu(elements + 8), Phase::Forward, 1);
  add(model, relu(between - elements), Phase::Forward, 1);
  add(model, relu(elements + 16), Phase::Backward, 1);
  touch(model, 0, 0, 1, small);
  touch(model, 1, 1, 2, small);
  touch(model, 2, 3, 4, 2 * (between - elements));
  touch(model, 3, 1, 5, small);
  PlacedModel placed = place(model, gpu);
  Hertz clock = gpu.gpu().maxClock;
  auto missed = [&](size_t launch) { // (M2) without its roofs at work
    KernelTime time = placed.launchCost(launch, clock).time;
    return time.dram.value() * gpu.gpu().dramBandwidth.value() *
           c.dramEfficiency;
  };
  double read = 4.0 * (between - elements) + 4.0 * (elements + 16);
  double half = 2 - read / usable;
  ASSERT_NEAR(half, 0.5, 1e-3);
  // Tensor 0 was read an iteration ago; tensor 1 is half lost before its last
  // read, so half of it is written to DRAM.
  double all = read + 4.0 * elements + 4.0 * (elements + 8);
  double lost = std::min(all / usable - 1, 1.0);
  EXPECT_NEAR(missed(0), small * (lost + 1 - half), 1e-3 * small);
  // Just written: all of it is there. Nobody reads tensor 2.
  EXPECT_NEAR(missed(1), small * lost, 1e-3 * small);
  EXPECT_NEAR(missed(3), small * (1 - half + lost), 1e-3 * small);

  // A loop finds the output of its last round, whatever the iteration touches.
  model.launches[3].count = 4;
  EXPECT_EQ(place(model, gpu).launchCost(3, clock).time.dram, Seconds(0));
  // An accumulated pass is not a loop.
  model.launches[3].passes = 4;
  EXPECT_NEAR(place(model, gpu).launchCost(3, clock).time.dram.value(),
              placed.launchCost(3, clock).time.dram.value(), 1e-12);
}

// (P8) A kernel above the limit in an iteration that keeps it: time and energy
// of the iteration stay, the kernel is at the limit, the rest takes the excess.
TEST(PlacedModel, KernelsAboveTheLimitShareTheirEnergy) {
  PreparedModel model = twoPhases();
  PlacedModel placed = place(model);
  Hertz clock = placed.model().gpu().maxClock;
  Watts highest, lowest(1e9);
  for (size_t i = 0; i < 3; ++i) {
    highest = std::max(highest, placed.launchCost(i, clock).power());
    lowest = std::min(lowest, placed.launchCost(i, clock).power());
  }
  IterationTotals alone = placed.totalsAt(clock, {});
  ASSERT_GT(highest, alone.power());
  Settings options;
  options.powerLimit = (highest + alone.power()) * 0.5;
  IterationTotals totals = placed.solve(options);
  EXPECT_FALSE(totals.point.throttled);
  EXPECT_EQ(totals.time, alone.time);
  EXPECT_NEAR(totals.energy.value(), alone.energy.value(),
              1e-12 * alone.energy.value());
  EXPECT_GT(totals.share.scale, 1);
  IterationReport report = placed.evaluate(options);
  bool atLimit = false;
  for (const KernelRow &row : report.kernels) {
    EXPECT_LE(row.power.value(), options.powerLimit->value() * (1 + 1e-12));
    atLimit |= row.power == *options.powerLimit;
  }
  EXPECT_TRUE(atLimit);
  Joules phases;
  for (const PhaseTotals &phase : report.phases) {
    phases += phase.energy;
    EXPECT_LE(phase.energy / phase.time, *options.powerLimit);
  }
  EXPECT_NEAR(phases.value(), totals.energy.value(), 1e-12 * phases.value());
}

// No clock keeps the limit: the board exceeds it at its lowest clock.
TEST(PlacedModel, UnreachableLimitIsExceeded) {
  PlacedModel placed = place(twoPhases());
  Settings options;
  options.powerLimit = Watts(30); // below idle
  IterationReport report = placed.evaluate(options);
  EXPECT_TRUE(report.limitUnreachable);
  IterationTotals lowest = placed.totalsAt(report.clock, options);
  EXPECT_GT(report.averagePower.value(), 30);
  EXPECT_EQ(report.energy, lowest.energy);
  EXPECT_EQ(report.time, lowest.time);
  // A lower bound is not a prediction.
  EXPECT_FALSE(report.errorBars);
  EXPECT_TRUE(std::any_of(
      report.notes.begin(), report.notes.end(), [](const std::string &note) {
        return note.find("no clock keeps the power limit of 30 W: the GPU "
                         "consumes ") != std::string::npos;
      }));
  Joules phases;
  for (const PhaseTotals &phase : report.phases)
    phases += phase.energy;
  EXPECT_NEAR(phases.value(), report.energy.value(),
              1e-12 * report.energy.value());
  for (const KernelRow &row : report.kernels)
    EXPECT_DOUBLE_EQ(row.energy.value(), (row.power * row.time.total).value());
}

TEST(PlacedModel, ReportHoldsWhatTheTotalsHold) {
  PlacedModel placed = place(twoPhases());
  IterationTotals totals = placed.solve({});
  IterationReport report = placed.evaluate({});
  EXPECT_EQ(report.time, totals.time);
  EXPECT_EQ(report.energy, totals.energy);
  ASSERT_EQ(report.kernels.size(), 3u);
  double busy = 0;
  int64_t launches = 0;
  for (const KernelRow &row : report.kernels) {
    busy += row.time.total.value() * static_cast<double>(row.count);
    launches += row.count;
    EXPECT_DOUBLE_EQ(row.energy.value(), (row.power * row.time.total).value());
  }
  EXPECT_EQ(launches, 10);
  // (H8) Ten gaps, which are longer at the lower clock of the power limit.
  double gap = 1e-6 * (placed.model().gpu().maxClock / report.clock);
  EXPECT_LT(report.clock, placed.model().gpu().maxClock);
  EXPECT_NEAR(report.gpuBusy.value(), busy + 10 * gap, 1e-12);
  EXPECT_EQ(report.matrixFlops, 3 * 2 * int64_t(4096) * 4096 * 4096 +
                                    5 * 2 * int64_t(2048) * 2048 * 2048);
}

// A kernel without a matrix unit keeps its bytes and has a reason.
TEST(PlacedModel, KernelThatTheGpuLacks) {
  PreparedModel model;
  KernelWork fp8 = gemm(1024);
  fp8.format = NumericFormat::FP8; // not on A100
  add(model, fp8, Phase::Forward, 7);
  PlacedModel placed = place(std::move(model));
  EXPECT_EQ(placed.kernel(0).work.family, KernelFamily::Opaque);
  IterationReport report = placed.evaluate({});
  ASSERT_EQ(report.fallback.list.size(), 1u);
  EXPECT_EQ(report.fallback.list[0].count, 7);
  EXPECT_NE(report.fallback.list[0].reason.find("fp8"), std::string::npos);
  EXPECT_EQ(report.fallback.list[0].bytes, 7 * 6 * int64_t(1024) * 1024);
  EXPECT_EQ(report.kernels[0].coverage, Coverage::Fallback);
  EXPECT_GT(report.time.value(), 0);
}

// A count that saturates is an error, and its launch or op is named.
TEST(PlacedModel, CountsBeyondIntegers) {
  auto refusal = [](PreparedModel model) {
    auto placed = PlacedModel::create(
        std::make_shared<const PreparedModel>(std::move(model)), a100());
    return placed ? "" : placed.error().message;
  };
  int64_t most = std::numeric_limits<int64_t>::max();
  // 2^40 launches of 2^24 FLOP.
  PreparedModel launches;
  add(launches, relu(1 << 24), Phase::Forward, int64_t(1) << 40);
  EXPECT_NE(refusal(launches).find("have 2^63 or more"), std::string::npos);
  PreparedModel few;
  add(few, relu(1 << 24), Phase::Forward, int64_t(1) << 30);
  EXPECT_EQ(refusal(few), "");
  few.works[0].count.tensorFlops = most;
  EXPECT_NE(refusal(few).find("has 2^63 or more FLOP"), std::string::npos);
  few.works[0].count.tensorFlops = 0;
  few.memory.parameterBytes = most;
  EXPECT_EQ(refusal(few), "the model has 2^63 or more bytes of tensors in "
                          "memory, which cannot be counted");
}

TEST(PlacedModel, NothingToDo) {
  IterationReport report = place(PreparedModel()).evaluate({});
  EXPECT_EQ(report.time.value(), 0);
  EXPECT_EQ(report.mfu, 0);
  EXPECT_FALSE(report.throttled);
}

TEST(PlacedModel, MissingCoefficients) {
  auto placed = PlacedModel::create(std::make_shared<const PreparedModel>(),
                                    study::a100());
  ASSERT_FALSE(bool(placed));
  EXPECT_EQ(placed.error().message, "no runtime coefficients for A100");
}

/// `layers` layers of a matmul, an activation and an all-reduce that the next
/// layer waits for; each matmul reads a separate weight.
PreparedModel layered(uint32_t layers, bool communicates) {
  PreparedModel model;
  model.works = {relu(1 << 16), gemm(512), relu(1 << 18)};
  KernelWork sum;
  sum.family = KernelFamily::Collective;
  sum.format = NumericFormat::BF16;
  CollectiveProblem problem;
  problem.kind = CollectiveKind::AllReduce;
  problem.bytes = 1 << 19;
  problem.worldSize = 2;
  sum.problem = problem;
  sum.count.bytesRead = sum.count.bytesWritten = 1 << 19;
  model.works.push_back(sum);
  for (uint32_t work = 0; work < model.works.size(); ++work) {
    KernelKind kind;
    kind.work = work;
    kind.phase = work == 3 ? Phase::Communication : Phase::Forward;
    model.kinds.push_back(kind);
  }
  uint32_t result = 0;
  // Reads `result`, which the last launch wrote, and writes a new tensor.
  auto launch = [&](uint32_t work) {
    if (!model.launches.empty())
      model.reads.push_back(static_cast<uint32_t>(model.launches.size() - 1));
    model.touches.push_back({result, false, 1 << 18});
    model.touches.push_back({++result, true, 1 << 18});
    Launch own;
    own.kind = own.work = work;
    own.readsEnd = static_cast<uint32_t>(model.reads.size());
    own.persistentReadsEnd =
        static_cast<uint32_t>(model.persistentReads.size());
    own.touchesEnd = static_cast<uint32_t>(model.touches.size());
    model.launches.push_back(own);
  };
  launch(0);
  for (uint32_t layer = 0; layer < layers; ++layer) {
    model.persistentReads.push_back({layer, 1 << 19, 1 << 19});
    launch(1);
    launch(2);
    if (communicates)
      launch(3);
  }
  launch(0);
  return model;
}

/// Folding changes only the order of sums.
TEST(FoldedLaunches, PredictTheSame) {
  CostModel model = a100();
  for (bool communicates : {false, true}) {
    auto prepared = std::make_shared<const PreparedModel>(
        layered(/*layers=*/40, communicates));
    auto all = std::make_shared<const FoldedLaunches>(*prepared,
                                                      /*folds=*/false);
    EXPECT_EQ(all->entries().size(), prepared->launches.size());
    FoldedLaunches few(*prepared);
    ASSERT_EQ(few.blocks().size(), 1u);
    EXPECT_EQ(few.blocks()[0].end - few.blocks()[0].begin,
              communicates ? 3u : 2u);
    EXPECT_LT(few.entries().size(), 30u);
    int64_t launches = 0;
    for (const FoldedLaunches::Entry &entry : few.entries())
      launches += entry.repetitions;
    EXPECT_EQ(launches, static_cast<int64_t>(prepared->launches.size()));
    auto folded = cantFail(PlacedModel::create(prepared, model));
    auto unfolded =
        cantFail(PlacedModel::create(prepared, model, nullptr, nullptr, all));
    for (double ratio : {1.0, 0.7}) {
      Hertz clock = model.gpu().maxClock * ratio;
      IterationTotals a = folded.totalsAt(clock, {}),
                      b = unfolded.totalsAt(clock, {});
      EXPECT_NEAR(a.time / b.time, 1, 1e-12);
      EXPECT_NEAR(a.energy / b.energy, 1, 1e-12);
      Seconds exposed =
          b.phases[static_cast<size_t>(Phase::Communication)].time;
      EXPECT_EQ(exposed > Seconds(0), communicates);
    }
    for (size_t work = 0; work < prepared->works.size(); ++work)
      EXPECT_NEAR(folded.eventsOf(work).dramBytes,
                  unfolded.eventsOf(work).dramBytes,
                  1e-12 * prepared->works[work].count.compulsoryBytes());
  }
}

/// Layers of which each differs in one size are not folded.
TEST(FoldedLaunches, DifferentLayersAreNotFolded) {
  PreparedModel model = layered(/*layers=*/40, /*communicates=*/false);
  for (size_t i = 0; i < model.persistentReads.size(); ++i)
    model.persistentReads[i].bytes += static_cast<int64_t>(i);
  EXPECT_TRUE(FoldedLaunches(model).blocks().empty());
}

} // namespace
