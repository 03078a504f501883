//===- UseIteration.cpp - A prepared model on a GPU, without LLVM ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Iteration/PlacedModel.h"
#include "gpucost/Core/Support/QuantityText.h"
#include <cstdio>

using namespace gpucost;

/// 1 TB/s of DRAM, 100 W whatever it does.
static Expected<CostModel> toyModel() {
  Gpu gpu;
  gpu.name = "toy";
  gpu.smCount = 100;
  gpu.specialPerClock = 16;
  gpu.minClock = gpu.boostClock = gpu.maxClock = gpu.clockStep = Hertz(1e9);
  FormatRate fp32;
  fp32.format = NumericFormat::FP32;
  fp32.flopsPerClock = 256;
  fp32.peak = FlopsPerSecond(25.6e12);
  gpu.formats = {fp32};
  gpu.dramBandwidth = BytesPerSecond(1e12);
  gpu.dramCapacity = Bytes(80e9);
  gpu.l2Capacity = Bytes(10e6);
  gpu.powerLimit = Watts(400);

  Coefficients c;
  StreamingCoefficients &streaming = c.streaming.emplace();
  streaming.dramEfficiency = streaming.l2Fraction = 1;
  streaming.l2BytesPerClock = 1e6;
  streaming.issueScale = streaming.issueWidth = 1;
  InstructionCounts &counts = c.instructions.emplace();
  counts.softmaxScale = counts.normScale = 1;
  PowerCoefficients &power = c.power.emplace();
  power.tf32Energy = power.eightBitEnergy = power.genericMax = 1;
  power.l2Fraction = 1;
  power.referenceClock = Hertz(1e9);
  power.idleBase = Watts(100);
  c.runtime.emplace().hostNorm = 1;
  return CostModel::create(gpu, c);
}

/// Three copies of 500 MB.
static PreparedModel threeCopies() {
  PreparedModel model;
  KernelWork copy;
  copy.family = KernelFamily::DataMovement;
  copy.problem = ElementsProblem{125'000'000};
  copy.count.bytesRead = copy.count.bytesWritten = 500'000'000;
  model.works = {copy};
  model.kinds.resize(1);
  model.kinds[0].label = "copy";
  model.launches.resize(1);
  model.launches[0].count = 3;
  return model;
}

int main() {
  Expected<CostModel> gpu = toyModel();
  if (!gpu) {
    std::printf("error: %s\n", gpu.error().message.c_str());
    return 1;
  }
  Expected<PlacedModel> placed = PlacedModel::create(
      std::make_shared<const PreparedModel>(threeCopies()), *gpu);
  if (!placed) {
    std::printf("error: %s\n", placed.error().message.c_str());
    return 1;
  }
  IterationReport report = placed->evaluate();
  for (const KernelRow &row : report.kernels)
    std::printf("%lld x %s %s, %s\n", static_cast<long long>(row.count),
                row.label.c_str(), row.shape.c_str(),
                std::string(stringifyBound(row.time.bound)).c_str());
  std::printf("%s, %s\n", toText(report.time).c_str(),
              toText(report.energy).c_str());
}
