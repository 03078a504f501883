//===- PowerCalibrationTest.cpp - Energies from steady loads --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SyntheticGpu.h"
#include "gtest/gtest.h"

using namespace gpucost;
using namespace gpucost::calibration;
using namespace gpucost::calibration::synthetic;

static CalibrationResult run(const std::vector<MeasuredLoad> &loads) {
  Measurements measurements;
  measurements.kernels = kernels(prior(), 0);
  measurements.loads = loads;
  auto result = calibrate(prior(), measurements, {});
  EXPECT_TRUE(bool(result));
  return std::move(*result);
}

TEST(PowerCalibrationTest, FiveLoadsRecoverIdlePowerAndEnergies) {
  CostModel truth = withChanged([](Coefficients &c) {
    c.power->idleBase *= 1.25;
    c.power->perTensorFlop *= 1.3;
    c.power->perFp32Flop *= 0.8;
    c.power->perDramByte *= 1.3;
  });
  CalibrationResult result = run(loads(truth, 0.01));
  const PowerCoefficients &want = *truth.coefficients().power,
                          &got = *result.coefficients.power;
  EXPECT_NEAR(got.idleBase / want.idleBase, 1, 0.08);
  EXPECT_NEAR(got.perTensorFlop / want.perTensorFlop, 1, 0.12);
  EXPECT_NEAR(got.perFp32Flop / want.perFp32Flop, 1, 0.12);
  EXPECT_NEAR(got.perDramByte / want.perDramByte, 1, 0.15);
  const FamilyError &power = find(result, "power");
  EXPECT_EQ(power.count, 5u);
  EXPECT_GT(power.before, 0.08);
  EXPECT_LT(power.fitted, 0.02);
}

TEST(PowerCalibrationTest, LoopEnergyMovesWithTensorLoads) {
  std::vector<MeasuredLoad> measured = loads(prior(), 0);
  // The prediction of the time-power loop for this load, clock and rate, plus
  // 30 W: 0.2 x limit + energy x rate, so only the energy can grow.
  MeasuredLoad &tensor = measured.back();
  KernelQuery query = tensor.kernels[0].query;
  query.benchmark = BenchmarkProtocol();
  KernelCost cost = cantFail(prior().estimate(tensor.kernels[0].work, query));
  Watts base = prior().gpu().powerLimit *
               prior().coefficients().tensorPower->staticFraction;
  tensor.power = base +
                 (cost.power - base) * (cost.time.total / tensor.iteration) +
                 Watts(30);
  CalibrationResult result = run(measured);
  const FamilyError &loop = find(result, "power of tensor kernels");
  EXPECT_EQ(loop.count, 1u);
  EXPECT_LT(loop.fitted, loop.before / 5);
  EXPECT_GT(result.coefficients.tensorGemm->energyPerFlop,
            prior().coefficients().tensorGemm->energyPerFlop);
}

// A board whose core takes 10 % more: all energies of the core move, also that
// of padded rows, which no load has.
TEST(PowerCalibrationTest, FactorOfABoardMovesAllEnergies) {
  auto boardOf = [](double factor) {
    return withChanged([factor](Coefficients &c) {
      c.boards.emplace();
      c.boards->deviation = 0.07;
      c.power->perPaddedFlop = JoulesPerEvent(1e-12);
      for (JoulesPerEvent *energy :
           {&c.power->perTensorFlop, &c.power->perPaddedFlop,
            &c.power->perFp32Flop, &c.power->perInstruction,
            &c.power->perL2Byte, &c.power->perSmCycle})
        *energy *= factor;
    });
  };
  Measurements measurements;
  measurements.loads = loads(boardOf(1.1), 0);
  CalibrationResult result = cantFail(calibrate(boardOf(1), measurements, {}));
  EXPECT_NEAR(result.coefficients.power->perPaddedFlop.value(), 1.1e-12,
              0.03e-12);
}

TEST(PowerCalibrationTest, ExactLoadsOfThePriorMoveNoEventEnergy) {
  CalibrationResult result = run(loads(prior(), 0));
  for (const FittedParameter &p : result.parameters)
    if (p.group == "power")
      EXPECT_NEAR(p.deviations, 0, 1e-3) << p.field;
}
