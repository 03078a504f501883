//===- PowerTest.cpp - Equations (P1)-(P6) against the study --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StudySets.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace gpucost;

namespace {

/// A100-PCIe of the power study: 40 MiB of L2, 250 W.
CostModel modelOf() {
  Coefficients c;
  c.tensorGemm = study::tensorGemm("A100");
  c.simtLinear = study::simtGemm("A100-40", /*linear=*/true);
  c.simtBatched = study::simtGemm("A100-40", /*linear=*/false);
  c.streaming = study::streaming();
  c.instructions = study::instructions();
  c.power = study::power();
  Gpu gpu = study::gpu("A100-40");
  gpu.clockStep = Hertz(15e6);
  return study::model(gpu, std::move(c));
}

KernelEvents eventsOf(const CostModel &model, const KernelWork &work) {
  Tiling tiling = cantFail(model.selectTiling(work));
  return cantFail(model.countEvents(work, tiling));
}

KernelWork gemm(NumericFormat format, int64_t b, int64_t m, int64_t n,
                int64_t k) {
  KernelWork work;
  work.family = KernelFamily::Matmul;
  work.format = format;
  work.inputBits = work.outputBits = format == NumericFormat::FP32 ? 32 : 16;
  work.problem = MatmulProblem{b, m, n, k, b == 1};
  return work;
}

KernelWork elements(KernelFamily family, InstructionClass kind, int64_t count,
                    int inputs, bool strided = false) {
  KernelWork work;
  work.family = family;
  work.instructions = kind;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = ElementsProblem{count, strided};
  work.count.bytesRead = 2 * count * inputs;
  work.count.bytesWritten = 2 * count;
  return work;
}

KernelWork rows(KernelFamily family, int64_t count, int64_t columns) {
  KernelWork work;
  work.family = family;
  work.format = NumericFormat::BF16;
  work.inputBits = work.outputBits = 16;
  work.problem = RowsProblem{count, columns};
  work.count.bytesRead = work.count.bytesWritten = 2 * count * columns;
  return work;
}

// (P1), (P2): the ten kernels of the study to the printed digits. Units: GFLOP,
// GFLOP, million thread instructions, MB after the L2 filter.
TEST(Power, CountsEventsOfTheStudy) {
  struct Row {
    const char *name;
    KernelWork work;
    double tensor, fp32, instructions, dram;
  };
  constexpr int64_t mi = 1 << 20;
  KernelWork convolution;
  convolution.family = KernelFamily::Convolution;
  convolution.format = NumericFormat::BF16;
  convolution.inputBits = convolution.outputBits = 16;
  convolution.problem = ConvolutionProblem{
      32, 128, 28, 28, 128, 28, 28, 3, 3, 1, 1, 1, /*channelsLast=*/true};
  const Row table[] = {
      {"gemm", gemm(NumericFormat::BF16, 1, 4096, 4096, 1024), 34.36, 0, 0,
       43.73},
      {"gemm k", gemm(NumericFormat::BF16, 1, 1024, 1024, 4096), 8.59, 0, 0,
       4.89},
      {"bmm", gemm(NumericFormat::BF16, 256, 512, 512, 64), 8.59, 0, 0, 167.09},
      {"fp32", gemm(NumericFormat::FP32, 1, 1024, 4096, 1024), 0, 8.59, 0,
       27.80},
      {"add",
       elements(KernelFamily::Elementwise, InstructionClass::Add, 64 * mi, 2),
       0, 0, 402.65, 402.53},
      {"gelu",
       elements(KernelFamily::Elementwise, InstructionClass::Gelu, 16 * mi, 1),
       0, 0, 503.32, 63.09},
      {"strided copy",
       elements(KernelFamily::DataMovement, InstructionClass::Copy, 16 * mi, 1,
                true),
       0, 0, 285.37, 63.09},
      {"softmax", rows(KernelFamily::Softmax, 65536, 512), 0, 0, 551.06,
       133.16},
      {"layernorm", rows(KernelFamily::Normalization, 16384, 1024), 0, 0,
       378.79, 63.09},
      // 32 * (128 + 128) * 784 * 2 B + 128 * 128 * 9 * 2 B = 13.14 MB, and 1 -
      // 1 / (1 + (13.14 / 26.80)^3) = 10.5 % of it reach DRAM. The study's row
      // contains two layout kernels as well; they are separate works here.
      {"convolution", convolution, 7.40, 0, 0, 1.385},
  };
  CostModel model = modelOf();
  for (const Row &row : table) {
    KernelEvents e = eventsOf(model, row.work);
    SCOPED_TRACE(row.name);
    EXPECT_NEAR(e.tensorFlops * 1e-9, row.tensor, 0.006);
    EXPECT_NEAR(e.fp32Flops * 1e-9, row.fp32, 0.006);
    EXPECT_NEAR(e.instructions * 1e-6, row.instructions, 0.03);
    EXPECT_NEAR(e.dramBytes * 1e-6, row.dram, 0.006);
  }
}

TEST(Power, WideSoftmaxAndLongRows) {
  CostModel model = modelOf();
  // 24 instead of 16 instructions above 1024 columns, times 1.0264.
  KernelEvents wide = eventsOf(model, rows(KernelFamily::Softmax, 65536, 2048));
  EXPECT_DOUBLE_EQ(wide.instructions, 65536.0 * 2048 * 24 * 1.0264);
  // A row of 64 KiB is read three times and written once.
  KernelEvents longRows =
      eventsOf(model, rows(KernelFamily::Softmax, 65536, 32768));
  EXPECT_NEAR(longRows.dramBytes, 65536.0 * 32768 * 2 * 4, 1e6);
}

// (P5), (P6) on whole iterations, given the study's times and event totals. The
// table prints the totals to two or three digits: 0.5 % of the power.
TEST(Power, ReproducesWorkloads) {
  struct Row {
    const char *set;
    double busyMs, totalMs, tensorT, fp32T, instructionsG, dramG, watts, joules;
  };
  for (const Row &row : {
           Row{"A100", 5.82, 12.79, 0.079, 0, 1.04, 0.02, 66.3, 0.849},
           {"A100", 163.85, 163.85, 10.720, 0, 233.68, 90.57, 180.0, 29.486},
           {"A100", 193.52, 193.52, 6.803, 0, 311.67, 144.08, 172.8, 33.448},
           {"A100", 987.59, 987.59, 0, 10.308, 89.46, 83.19, 153.1, 151.193},
           {"A100", 26.40, 26.40, 0.999, 0, 32.95, 19.10, 166.6, 4.398},
           {"A10", 382.30, 382.30, 11.455, 0, 144.21, 90.74, 121.3, 46.37},
           {"H100", 247.64, 247.64, 42.881, 0, 695.63, 444.54, 585.4, 144.972},
       }) {
    Gpu gpu = study::gpu("A100-40");
    Coefficients c;
    PowerCoefficients p = study::power();
    p.idleVoltage = p.idleClock = Watts(0);
    p.idleBase = Watts(47.35);
    Hertz clock(900e6);
    if (row.set == std::string_view("A10")) {
      gpu.smCount = 72;
      p.perTensorFlop = JoulesPerEvent(1.1486e-12);
      p.perFp32Flop = JoulesPerEvent(8.2008e-12);
      p.perInstruction = JoulesPerEvent(25.675e-12);
      p.perDramByte = JoulesPerEvent(69.41e-12);
      p.perSmCycle = JoulesPerEvent(288.5e-12);
      p.idleBase = Watts(42);
    } else if (row.set == std::string_view("H100")) {
      gpu.smCount = 132;
      p.perTensorFlop = JoulesPerEvent(1.013e-12);
      p.perFp32Flop = JoulesPerEvent(9.8632e-12);
      p.perInstruction = JoulesPerEvent(35.189e-12);
      p.perDramByte = JoulesPerEvent(83.19e-12);
      p.perSmCycle = JoulesPerEvent(180.5e-12);
      p.idleBase = Watts(118.22);
      clock = p.referenceClock = Hertz(1830e6);
      p.voltage = {{clock, Volts(1.0)}};
    }
    c.power = p;
    c.instructions = study::instructions();
    CostModel model = study::model(gpu, std::move(c));
    KernelEvents events;
    events.tensorFlops = row.tensorT * 1e12;
    events.fp32Flops = row.fp32T * 1e12;
    events.instructions = row.instructionsG * 1e9;
    events.dramBytes = row.dramG * 1e9;
    Seconds busy(row.busyMs * 1e-3), total(row.totalMs * 1e-3);
    Joules energy = model.idlePower(clock) * total +
                    model.dynamicEnergy(events, busy, clock);
    EXPECT_NEAR(energy.value(), row.joules, 5e-3 * row.joules) << row.set;
    EXPECT_NEAR((energy / total).value(), row.watts, 5e-3 * row.watts)
        << row.set;
  }
}

// (P3): linear between the points, flat outside, relative to the reference.
TEST(Power, VoltageCurves) {
  CostModel model = modelOf();
  EXPECT_DOUBLE_EQ(model.voltageRatio(Hertz(300e6)), 1.0);
  EXPECT_DOUBLE_EQ(model.voltageRatio(Hertz(900e6)), 1.0);
  EXPECT_NEAR(model.voltageRatio(Hertz(1275e6)), 0.803125 / 0.69375, 1e-12);
  EXPECT_DOUBLE_EQ(model.voltageRatio(Hertz(1410e6)), 0.89375 / 0.69375);

  Coefficients c;
  c.power = study::power();
  c.instructions = study::instructions();
  c.power->voltage.clear();
  c.power->genericKnee = 0.72;
  c.power->genericMax = 1.29;
  CostModel generic = study::model(study::gpu("A100-40"), std::move(c));
  EXPECT_DOUBLE_EQ(generic.voltageRatio(Hertz(0.72 * 1410e6)), 1.0);
  EXPECT_NEAR(generic.voltageRatio(Hertz(0.86 * 1410e6)), 1.145, 1e-12);
  EXPECT_DOUBLE_EQ(generic.voltageRatio(Hertz(1410e6)), 1.29);
}

// (P4) measured: 47.4 W at 900 MHz (32.02 + 10.93 + 5.01 * 0.9), 67.3 at 1410.
TEST(Power, IdleCurve) {
  CostModel model = modelOf();
  EXPECT_NEAR(model.idlePower(Hertz(900e6)).value(), 47.459, 1e-9);
  EXPECT_NEAR(model.idlePower(Hertz(1410e6)).value(), 67.34, 0.3);
}

// (P6): the highest clock on the 15 MHz grid that keeps the limit.
TEST(Power, LimitLowersTheClock) {
  CostModel model = modelOf();
  KernelWork work = gemm(NumericFormat::FP32, 1, 4096, 4096, 4096);
  KernelQuery query;
  query.powerLimit = Watts(1e4);
  KernelCost free = cantFail(model.estimate(work, query));
  EXPECT_FALSE(free.throttled);
  EXPECT_DOUBLE_EQ(free.clock.value(), 1410e6);
  EXPECT_DOUBLE_EQ((free.power * free.time.total).value(), free.energy.value());

  query.powerLimit = free.power * 0.6;
  KernelCost capped = cantFail(model.estimate(work, query));
  EXPECT_TRUE(capped.throttled);
  EXPECT_FALSE(capped.limitUnreachable);
  EXPECT_LE(capped.power.value(), query.powerLimit->value());
  EXPECT_GT(capped.time.total.value(), free.time.total.value());
  EXPECT_NEAR(std::remainder(1410e6 - capped.clock.value(), 15e6), 0, 1);
  // One step up breaks the limit.
  KernelQuery up;
  up.clock = capped.clock + Hertz(15e6);
  up.powerLimit = Watts(1e4);
  EXPECT_GT(cantFail(model.estimate(work, up)).power.value(),
            query.powerLimit->value());

  query.powerLimit = Watts(40); // below idle
  KernelCost never = cantFail(model.estimate(work, query));
  EXPECT_TRUE(never.limitUnreachable);
  EXPECT_GT(never.power.value(), 40);
  EXPECT_DOUBLE_EQ(never.energy.value(),
                   (never.power * never.time.total).value());
}

} // namespace
