//===- TensorGemmTest.cpp - Equations (G1)-(G11) against the study --------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gpucost/Core/Model/KernelFamily.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

struct Vector {
  const char *set;
  int64_t m, n, k;
  double us, mhz, watts;
  int32_t tileM, tileN, ctas, split;
};

constexpr Vector vectors[] = {
#include "TensorGemmVectors.inc"
};

KernelWork gemm(int64_t m, int64_t n, int64_t k,
                NumericFormat format = NumericFormat::BF16, int bits = 16) {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = format;
  work.inputBits = work.outputBits = bits;
  work.problem = MatmulProblem{1, m, n, k, true};
  return work;
}

CostModel modelOf(std::string_view name) {
  Coefficients c;
  c.tensorGemm = study::tensorGemm(name);
  c.tensorPower = study::tensorPower();
  return study::model(study::gpu(name), std::move(c));
}

/// As the study's benchmarks ran; without another protocol in `query`.
KernelCost estimate(const CostModel &model, const KernelWork &work,
                    KernelQuery query = {}) {
  if (!query.benchmark)
    query.benchmark = BenchmarkProtocol();
  return cantFail(model.estimate(work, query));
}

double timeOf(const CostModel &model, const KernelWork &work,
              const KernelQuery &query = {}) {
  Tiling tiling = cantFail(model.selectTiling(work, query));
  return cantFail(model.predictTime(work, tiling, model.gpu().maxClock, query))
      .total.value();
}

// (G1)-(G10): 72 shapes on six GPUs, 1e-3 as the studies document.
TEST(TensorGemm, ReproducesStudy) {
  double worstTime = 0, worstPower = 0;
  for (const Vector &v : vectors) {
    CostModel model = modelOf(v.set);
    KernelCost cost = estimate(model, gemm(v.m, v.n, v.k));
    double us = cost.time.total.value() * 1e6;
    worstTime = std::max(worstTime, std::abs(us / v.us - 1));
    worstPower =
        std::max(worstPower, std::abs(cost.power.value() / v.watts - 1));
    SCOPED_TRACE(testing::Message()
                 << v.set << " " << v.m << " " << v.n << " " << v.k);
    EXPECT_NEAR(us, v.us, 1e-3 * v.us);
    EXPECT_NEAR(cost.clock.value() * 1e-6, v.mhz, 1e-3 * v.mhz);
    EXPECT_NEAR(cost.power.value(), v.watts, 1e-3 * v.watts);
    EXPECT_EQ(cost.tiling.tile.m, v.tileM);
    EXPECT_EQ(cost.tiling.tile.n, v.tileN);
    EXPECT_EQ(cost.tiling.tile.ctasPerSm, v.ctas);
    EXPECT_EQ(cost.tiling.splitK, v.split);
    EXPECT_TRUE(cost.time.inCalibratedDomain);
  }
  RecordProperty("worst_time", std::to_string(worstTime));
  RecordProperty("worst_power", std::to_string(worstPower));
}

// The pruned search finds the same as trying every candidate (G8).
TEST(TensorGemm, PruningIsExact) {
  for (const char *name : {"A100", "H100", "L40S"}) {
    CostModel model = modelOf(name);
    const TensorGemmCoefficients &c = *model.coefficients().tensorGemm;
    const KernelModel *kernel =
        implementationOf(ImplementationKind::TensorGemm).model;
    int64_t sizes[] = {1, 7, 96, 1000, 4096, 20000};
    for (int64_t m : sizes)
      for (int64_t n : sizes)
        for (int64_t k : sizes) {
          KernelWork work = gemm(m, n, k);
          double least = INFINITY;
          for (const Tile &tile : c.tiles)
            for (int32_t split : c.splitK) {
              if (split > 1 && double(k) / split < 128)
                continue;
              Tiling tiling;
              tiling.tile = tile;
              tiling.splitK = split;
              auto terms =
                  cantFail(kernel->terms(model, work, tiling, KernelQuery()));
              least = std::min(least, timeAt(terms, 1.0).value());
            }
          EXPECT_DOUBLE_EQ(timeOf(model, work), least)
              << m << " " << n << " " << k;
        }
  }
}

TEST(TensorGemm, EdgeShapesAreFiniteAndOrdered) {
  CostModel model = modelOf("H100");
  double fixed = model.coefficients().tensorGemm->fixedTime.value();
  int64_t huge = int64_t(1) << 40;
  for (auto [m, n, k] : {std::tuple<int64_t, int64_t, int64_t>{1, 1, 1},
                         {1, 1, 100},
                         {1, 4096, 65},
                         {4096, 1, 3},
                         {5, 7, huge},
                         {huge, huge, huge}}) {
    KernelCost cost = estimate(model, gemm(m, n, k));
    EXPECT_TRUE(std::isfinite(cost.time.total.value()));
    EXPECT_GT(cost.time.total.value(), fixed);
    EXPECT_TRUE(std::isfinite(cost.energy.value()));
    EXPECT_GE(cost.tiling.ctas, 1);
    EXPECT_LE(cost.tiling.smUtilization, 1.0);
  }
  // K is padded to steps of 64 (G1): 65 costs as much as 128 in the tensor
  // pipe.
  Tiling tiling = cantFail(model.selectTiling(gemm(4096, 4096, 128)));
  auto compute = [&](int64_t k) {
    return cantFail(model.predictTime(gemm(4096, 4096, k), tiling,
                                      model.gpu().maxClock))
        .compute.value();
  };
  EXPECT_DOUBLE_EQ(compute(65), compute(128));
  EXPECT_LT(compute(64), compute(65));
}

TEST(TensorGemm, MoreWorkTakesLonger) {
  CostModel model = modelOf("A100");
  double previous = 0;
  for (int64_t size = 64; size <= 32768; size *= 2) {
    double time = timeOf(model, gemm(size, size, size));
    EXPECT_GT(time, previous) << size;
    previous = time;
  }
}

TEST(TensorGemm, EmptyProblemCostsOneLaunch) {
  CostModel model = modelOf("A100");
  for (const KernelWork &work :
       {gemm(0, 64, 64), gemm(64, 0, 64), gemm(64, 64, 0)}) {
    KernelCost cost = estimate(model, work);
    EXPECT_DOUBLE_EQ(cost.time.total.value(), 3.046e-6);
    EXPECT_EQ(cost.tiling.ctas, 0);
    EXPECT_EQ(cost.events.tensorFlops, 0);
    EXPECT_EQ(cost.time.bound, Bound::Latency);
  }
}

// (G3)-(G5) of a batch: CTAs, bytes and FLOP times b, patch per batch item.
TEST(TensorGemm, BatchMultipliesTheWork) {
  CostModel model = modelOf("A100");
  KernelWork one = gemm(4096, 4096, 1024), eight = one;
  eight.edit<MatmulProblem>().batch = 8;
  Tiling tiling = cantFail(model.selectTiling(one));
  auto at = [&](const KernelWork &work) {
    return cantFail(model.predictTime(work, tiling, model.gpu().maxClock));
  };
  EXPECT_NEAR(at(eight).dram / at(one).dram, 8.0, 1e-9);
  auto events = [&](const KernelWork &work) {
    return cantFail(model.countEvents(work, tiling));
  };
  EXPECT_DOUBLE_EQ(events(eight).tensorFlops, 8 * events(one).tensorFlops);
  EXPECT_DOUBLE_EQ(events(eight).l2Bytes, 8 * events(one).l2Bytes);
}

// (G9): tf32 counts twice, fp8 and int8 half.
TEST(TensorGemm, FormatsScaleRateAndEnergy) {
  Coefficients c;
  c.tensorGemm = study::tensorGemm("H100");
  c.tensorPower = study::tensorPower();
  c.instructions = study::instructions();
  c.power = study::power();
  CostModel model = study::model(study::gpu("H100"), std::move(c));
  double flops = 2.0 * 8192 * 8192 * 8192;
  auto cost = [&](NumericFormat format, int bits) {
    KernelQuery cold;
    cold.powerLimit = Watts(1e6); // no throttling
    return estimate(model, gemm(8192, 8192, 8192, format, bits), cold);
  };
  KernelCost bf16 = cost(NumericFormat::BF16, 16);
  KernelCost tf32 = cost(NumericFormat::TF32, 32);
  KernelCost fp8 = cost(NumericFormat::FP8, 8);
  EXPECT_DOUBLE_EQ(bf16.events.tensorFlops, flops);
  EXPECT_DOUBLE_EQ(tf32.events.tensorFlops, 2 * flops);
  EXPECT_DOUBLE_EQ(fp8.events.tensorFlops, flops / 2);
  // (G2) Steps also wait longer.
  EXPECT_NEAR(tf32.time.compute / bf16.time.compute, 2.1, 0.1);
  EXPECT_NEAR(fp8.time.compute / bf16.time.compute, 0.5, 0.05);
  EXPECT_FALSE(tf32.time.inCalibratedDomain);
  EXPECT_FALSE(fp8.time.inCalibratedDomain);
}

/// A model whose matmuls in `format` have a set, for each of `stacks`.
static CostModel
lowPrecision(std::vector<std::pair<Software, TensorGemmCoefficients>> stacks,
             Software software = Software::PyTorch,
             NumericFormat format = NumericFormat::FP8) {
  Coefficients c;
  c.tensorGemm = study::tensorGemm("H100");
  c.tensorPower = study::tensorPower();
  for (auto &[stack, set] : stacks)
    c.lowPrecision.push_back({format, stack, set});
  return study::model(study::gpu("H100"), std::move(c), KernelChoice(software));
}

// (G15) The set of the software, else the first one; FP8 kernels also for
// formats of its rate, tensor_gemm for the others.
TEST(TensorGemm, StacksHaveSetsOfFormats) {
  TensorGemmCoefficients slow = study::tensorGemm("H100"), slower = slow;
  slow.fixedTime = Seconds(1);
  slower.fixedTime = Seconds(2);
  auto fixed = [&](Software software, NumericFormat format, int bits = 8) {
    CostModel model = lowPrecision(
        {{Software::Vllm, slow}, {Software::Sglang, slower}}, software);
    KernelWork work = gemm(64, 64, 64, format, bits);
    Tiling tiling = cantFail(model.selectTiling(work, {}));
    return cantFail(model.launchTerms(work, tiling, {})).fixed.value();
  };
  EXPECT_DOUBLE_EQ(fixed(Software::Vllm, NumericFormat::FP8), 1);
  EXPECT_DOUBLE_EQ(fixed(Software::Vllm0_19, NumericFormat::FP8), 1);
  EXPECT_DOUBLE_EQ(fixed(Software::Sglang, NumericFormat::FP8), 2);
  EXPECT_DOUBLE_EQ(fixed(Software::PyTorch, NumericFormat::FP8), 1);
  EXPECT_DOUBLE_EQ(fixed(Software::Sglang, NumericFormat::FP8E5M2), 2);
  EXPECT_DOUBLE_EQ(fixed(Software::Sglang, NumericFormat::FP8BLOCK), 2);
  EXPECT_LT(fixed(Software::Sglang, NumericFormat::BF16, 16), 1e-3);
  EXPECT_LT(fixed(Software::Sglang, NumericFormat::INT8), 1e-3);
}

// (G16) 528 = 33 * 16 rows, 513 and 520 are no multiples of 16, 120 are few.
TEST(TensorGemm, OddRowsComputeLonger) {
  TensorGemmCoefficients set = study::tensorGemm("H100");
  set.latencyCycles = 0;
  set.tiles = {{256, 128, 1}};
  set.splitK = {1};
  auto compute = [&](int64_t m, double odd) {
    set.oddRows = odd;
    CostModel model = lowPrecision({{Software::PyTorch, set}});
    KernelWork work = gemm(m, 4096, 4096, NumericFormat::FP8, 8);
    Tiling tiling = cantFail(model.selectTiling(work, {}));
    return cantFail(model.launchTerms(work, tiling, {})).compute.value();
  };
  EXPECT_DOUBLE_EQ(compute(528, 0.25), compute(528, 0));
  EXPECT_DOUBLE_EQ(compute(120, 0.25), compute(120, 0));
  EXPECT_NEAR(compute(513, 0.25) / compute(513, 0), 1.25, 1e-12);
  EXPECT_NEAR(compute(520, 0.25) / compute(520, 0), 1.25, 1e-12);
}

// (G19) Only products of 8 bits.
TEST(TensorGemm, SplitAccumulatorsComputeLonger) {
  TensorGemmCoefficients set = study::tensorGemm("H100");
  set.latencyCycles = 0;
  set.tiles = {{256, 128, 1}};
  set.splitK = {1};
  set.splitAccumulator = 0.15;
  auto compute = [&](NumericFormat format, int bits, bool splits) {
    CostModel model = lowPrecision({{Software::PyTorch, set}});
    KernelWork work = gemm(4096, 4096, 4096, format, bits);
    work.edit<MatmulProblem>().splitAccumulator = splits;
    Tiling tiling = cantFail(model.selectTiling(work, {}));
    return cantFail(model.launchTerms(work, tiling, {})).compute.value();
  };
  EXPECT_NEAR(compute(NumericFormat::FP8, 8, true) /
                  compute(NumericFormat::FP8, 8, false),
              1.15, 1e-12);
  EXPECT_DOUBLE_EQ(compute(NumericFormat::BF16, 16, true),
                   compute(NumericFormat::BF16, 16, false));
}

// (G17) Up to 64 rows the first tile, up to 128 the second, then the third.
TEST(TensorGemm, LibrariesSelectTilesByRows) {
  TensorGemmCoefficients set = study::tensorGemm("H100");
  set.tiles = {{64, 64, 2}, {64, 128, 1}, {128, 128, 1}};
  set.rowLimits = {64, 128};
  set.splitK = {1};
  CostModel model = lowPrecision({{Software::PyTorch, set}});
  auto tile = [&](int64_t m) {
    KernelWork work = gemm(m, 128, 8192, NumericFormat::FP8, 8);
    Tile chosen = cantFail(model.selectTiling(work, {})).tile;
    return std::pair(chosen.m, chosen.n);
  };
  EXPECT_EQ(tile(1), std::pair(64, 64));
  EXPECT_EQ(tile(64), std::pair(64, 64));
  EXPECT_EQ(tile(65), std::pair(64, 128));
  EXPECT_EQ(tile(128), std::pair(64, 128));
  EXPECT_EQ(tile(129), std::pair(128, 128));
  EXPECT_EQ(tile(8192), std::pair(128, 128));
}

// (G18) 8,192 rows of 1,600 cycles and 128 elements of 0.5 cycles each, on 132
// SMs at 1,980 MHz.
TEST(TensorGemm, QuantisedRowsTakeTime) {
  TensorGemmCoefficients set = study::tensorGemm("H100");
  auto issue = [&](double cycles, double element) {
    set.rowCycles = cycles;
    set.elementCycles = element;
    CostModel model = lowPrecision({{Software::PyTorch, set}});
    KernelWork work = gemm(8192, 128, 128, NumericFormat::FP8, 8);
    Tiling tiling = cantFail(model.selectTiling(work, {}));
    return cantFail(model.launchTerms(work, tiling, {})).serialIssue.value();
  };
  EXPECT_EQ(issue(0, 0), 0);
  EXPECT_NEAR(issue(1600, 0.5), 8192 * (1600 + 64.0) / (132 * 1980e6), 1e-12);
}

TEST(TensorGemm, MissingFormatIsAnError) {
  CostModel model = modelOf("A100");
  auto cost = model.estimate(gemm(64, 64, 64, NumericFormat::FP8, 8));
  ASSERT_FALSE(bool(cost));
  EXPECT_EQ(cost.error().message,
            "'A100' has no tensor cores for format 'fp8'");
}

TEST(TensorGemm, MisalignedRowsAreSlower) {
  Coefficients c;
  c.tensorGemm = study::tensorGemm("A100");
  c.tensorGemm->misalignedEfficiency = 0.5;
  CostModel model = study::model(study::gpu("A100"), std::move(c));
  EXPECT_GT(timeOf(model, gemm(8192, 8192, 8191)),
            1.5 * timeOf(model, gemm(8192, 8192, 8192)));
  // (G2) A transposed A is contiguous along m: any k is aligned, an odd m not.
  auto transposed = [](int64_t m, int64_t k) {
    KernelWork work = gemm(m, 8192, k);
    work.edit<MatmulProblem>().transA = true;
    return work;
  };
  EXPECT_LT(timeOf(model, transposed(8192, 8191)),
            1.01 * timeOf(model, gemm(8192, 8192, 8192)));
  EXPECT_GT(timeOf(model, transposed(8191, 8192)),
            1.5 * timeOf(model, gemm(8192, 8192, 8192)));
}

/// The feed from L2 is the bound of every product.
static Coefficients feedBound(double misalignedEfficiency) {
  Coefficients c;
  c.tensorGemm = study::tensorGemm("A100");
  c.tensorGemm->misalignedEfficiency = misalignedEfficiency;
  c.tensorGemm->l2BytesPerClock = 1;
  return c;
}

// (G2) Rows of 4 bytes are loaded 4 bytes at a time, twice as fast as single
// elements. The narrower of both operands counts. (G13) The feed from L2 slows
// down as the tensor cores do, even where it is the bound.
TEST(TensorGemm, RowsOfFourBytesLoadTwice) {
  CostModel model = study::model(study::gpu("A100"), feedBound(0.25));
  double aligned = timeOf(model, gemm(8192, 8192, 8192));
  auto slower = [&](int64_t n, int64_t k) {
    return timeOf(model, gemm(8192, n, k)) / aligned;
  };
  EXPECT_NEAR(slower(8191, 8192), 4, 0.04);
  EXPECT_NEAR(slower(8190, 8192), 2, 0.02);
  EXPECT_NEAR(slower(8188, 8190), 2, 0.02);
  EXPECT_NEAR(slower(8190, 8191), 4, 0.04);
}

// (G2) The heads of early Megatron begin at any element: a further factor.
TEST(TensorGemm, MisalignedBatchesAreSlower) {
  Coefficients c = feedBound(0.5);
  c.tensorGemm->misalignedBatch = 0.25;
  auto slower = [&](int64_t batch, Software software) {
    KernelChoice choice;
    choice.software = software;
    CostModel model = study::model(study::gpu("A100"), c, choice);
    auto time = [&](int64_t k) {
      KernelWork work = gemm(8192, 8192, k);
      work.edit<MatmulProblem>().batch = batch;
      return timeOf(model, work);
    };
    return time(8191) / time(8192);
  };
  EXPECT_NEAR(slower(1, Software::MegatronLm3), 2, 0.02);
  EXPECT_NEAR(slower(4, Software::MegatronLm3), 8, 0.1);
  EXPECT_NEAR(slower(4, Software::PyTorch), 2, 0.02);
}

// (G2) Their views can begin between two rows of 4 bytes.
TEST(TensorGemm, ViewsOfEarlyMegatronLoadElements) {
  Coefficients c = feedBound(0.25);
  auto time = [&](Software software) {
    KernelChoice choice;
    choice.software = software;
    KernelWork work = gemm(8192, 8192, 8190);
    work.edit<MatmulProblem>().batch = 4;
    return timeOf(study::model(study::gpu("A100"), c, choice), work);
  };
  EXPECT_NEAR(time(Software::MegatronLm3) / time(Software::PyTorch), 2, 0.02);
}

// (G12) 4096 x 1024 is 16 x 8 = 128 tiles of 256 x 128: more than the 108 SMs,
// so a library does not take smaller ones, and only splits K = 4096 if it is at
// least 2 * 2048.
TEST(TensorGemm, LibrariesTakeWholeTiles) {
  auto model = [](double waves, double depth) {
    Coefficients c;
    c.tensorGemm = study::tensorGemm("A100");
    c.tensorGemm->wholeTileWaves = waves;
    c.tensorGemm->wholeSplitDepth = depth;
    return study::model(study::gpu("A100"), std::move(c));
  };
  auto choice = [](const CostModel &model, const KernelWork &work,
                   bool best = false) {
    KernelQuery query;
    query.bestTile = best;
    return cantFail(model.selectTiling(work, query));
  };
  auto area = [](const Tiling &t) { return t.tile.m * t.tile.n; };
  KernelWork work = gemm(4096, 1024, 4096);
  CostModel free = model(0, 0), whole = model(1, 2049);
  // Two waves, and the second one is nearly empty: smaller tiles or a split are
  // faster, by the model.
  Tiling fastest = choice(free, work);
  Tiling taken = choice(whole, work);
  EXPECT_EQ(area(taken), 256 * 128);
  EXPECT_EQ(taken.splitK, 1);
  EXPECT_FALSE(fastest == taken);
  EXPECT_LE(choice(model(1, 2048), work).splitK, 2);
  EXPECT_GT(timeOf(whole, work), timeOf(free, work));
  // A compiler requests the fastest one.
  EXPECT_TRUE(choice(whole, work, /*best=*/true) == fastest);
  // 100 tiles at most: no rule. 3328 x 1024 makes 13 x 8 = 104.
  KernelWork small = gemm(3328, 1024, 4096);
  EXPECT_TRUE(choice(whole, small) == choice(free, small));
  // The rule does not apply to batches or if no such tile fits.
  KernelWork narrow = gemm(65536, 64, 4096), batched = gemm(4096, 1024, 4096);
  batched.edit<MatmulProblem>().batch = 2;
  EXPECT_TRUE(choice(whole, narrow) == choice(free, narrow));
  EXPECT_TRUE(choice(whole, batched) == choice(free, batched));
}

// (G10): the limit holds, and one that no clock reaches is reported.
TEST(TensorGemm, PowerLimit) {
  CostModel model = modelOf("A100");
  KernelWork work = gemm(8192, 8192, 8192);
  KernelQuery query;
  double previous = 0;
  for (double limit : {400.0, 300.0, 250.0}) {
    query.powerLimit = Watts(limit);
    KernelCost cost = estimate(model, work, query);
    EXPECT_TRUE(cost.throttled);
    EXPECT_FALSE(cost.limitUnreachable);
    EXPECT_NEAR(cost.power.value(), limit, 1e-3 * limit);
    EXPECT_LE(cost.power.value(), limit);
    EXPECT_GT(cost.time.total.value(), previous);
    previous = cost.time.total.value();
  }
  query.powerLimit = Watts(90); // P0 by itself is 80 W
  KernelCost cost = estimate(model, work, query);
  EXPECT_TRUE(cost.limitUnreachable);
  EXPECT_GT(cost.power.value(), 90);
  EXPECT_NEAR(cost.clock.value(), 0.35 * 1410e6, 1e3);
}

TEST(TensorGemm, LessActiveOperandsRunFaster) {
  CostModel model = modelOf("A100");
  KernelWork work = gemm(8192, 8192, 8192);
  KernelQuery network;
  network.benchmark = BenchmarkProtocol{0.7, std::nullopt, Seconds(0)};
  EXPECT_LT(estimate(model, work, network).time.total.value(),
            estimate(model, work).time.total.value());
}

// (G11): a burst shorter than the limiter's delay runs at full clock.
TEST(TensorGemm, ShortBurstEscapesTheLimiter) {
  CostModel model = modelOf("A100");
  KernelWork work = gemm(8192, 8192, 8192);
  double unlimited = timeOf(model, work);
  double limited = estimate(model, work).time.total.value();
  KernelQuery query;
  query.benchmark = BenchmarkProtocol{1, Seconds(0.010), Seconds(0)};
  EXPECT_DOUBLE_EQ(estimate(model, work, query).time.total.value(), unlimited);
  query.benchmark->warmUp = Seconds(1);
  EXPECT_DOUBLE_EQ(estimate(model, work, query).time.total.value(), limited);
  // tau = 35.03 ms: half of the burst is over at warm-up + 35.03 ms.
  query.benchmark->warmUp = Seconds(0);
  query.benchmark->burst = Seconds(2 * 0.03503);
  EXPECT_NEAR(estimate(model, work, query).time.total.value(),
              2 / (1 / unlimited + 1 / limited), 1e-9);
}

// (W1): compute scales with the clock, DRAM does not.
TEST(TensorGemm, TimeAtAClock) {
  CostModel model = modelOf("A100");
  auto at = [&](const KernelWork &work, double share) {
    Tiling tiling = cantFail(model.selectTiling(work));
    return cantFail(
        model.predictTime(work, tiling, model.gpu().maxClock * share));
  };
  KernelWork large = gemm(8192, 8192, 8192), skinny = gemm(1, 16384, 16384);
  EXPECT_NEAR(at(large, 0.5).total / at(large, 1).total, 2.0, 0.02);
  EXPECT_EQ(at(large, 1).bound, Bound::Tensor);
  EXPECT_DOUBLE_EQ(at(skinny, 0.5).dram.value(), at(skinny, 1).dram.value());
  EXPECT_LT(at(skinny, 0.5).total / at(skinny, 1).total, 1.5);
  EXPECT_EQ(at(skinny, 1).bound, Bound::DRAM);

  Tiling tiling = cantFail(model.selectTiling(large));
  auto tooFast = model.predictTime(large, tiling, Hertz(2e9));
  EXPECT_FALSE(bool(tooFast));
}

// (G5): operands used a moment ago are in L2.
TEST(TensorGemm, ReuseSavesDramTraffic) {
  CostModel model = modelOf("L40S");
  KernelWork work = gemm(16, 4096, 4096);
  KernelQuery warm;
  warm.reuseBytesA = warm.reuseBytesB = 1e6;
  EXPECT_LT(timeOf(model, work, warm), timeOf(model, work));
}

// (G3)-(G6) with 4-bit weights: a quarter of the bytes of B, the same FLOPs.
TEST(TensorGemm, FewBitWeightsSaveTraffic) {
  CostModel model = modelOf("A100");
  KernelWork full = gemm(16, 4096, 4096), packed = full;
  packed.edit<MatmulProblem>().weightBits = 4;
  Tiling tiling = cantFail(model.selectTiling(full));
  auto events = [&](const KernelWork &work) {
    return cantFail(model.countEvents(work, tiling));
  };
  // A and C have 16 x 4096 2-byte elements, B 4096 x 4096 at 2 or 1/2 byte.
  EXPECT_DOUBLE_EQ(events(full).dramBytes, 131072 + 33554432 + 131072);
  EXPECT_DOUBLE_EQ(events(packed).dramBytes, 131072 + 8388608 + 131072);
  EXPECT_DOUBLE_EQ(events(packed).tensorFlops, events(full).tensorFlops);
  // A row of B has a quarter of A's bytes: (TM + TN / 4) / (TM + TN) of the
  // feed.
  double m = tiling.tile.m, n = tiling.tile.n;
  EXPECT_DOUBLE_EQ(events(packed).l2Bytes,
                   events(full).l2Bytes * (m + n / 4) / (m + n));
  EXPECT_LT(timeOf(model, packed), 0.5 * timeOf(model, full));
}

} // namespace
