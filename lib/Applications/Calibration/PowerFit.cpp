//===- PowerFit.cpp - Power of steady loads -------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PowerFit.h"
#include "gpucost/Core/Model/Software.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace gpucost;
using namespace gpucost::calibration;

/// No limiter acts: the clock is the measured one.
static constexpr double noLimit = 1e9;

/// Loads are benchmarks of their kernels at the clock that was read.
static KernelQuery atClock(const MeasuredLoad::Kernel &kernel, Hertz clock) {
  KernelQuery query = kernel.query;
  query.clock = clock;
  query.powerLimit = Watts(noLimit);
  query.benchmark = BenchmarkProtocol();
  return query;
}

static Watts eventPower(const CostModel &model, const MeasuredLoad &load) {
  Watts idle = model.idlePower(load.clock);
  if (load.kernels.empty())
    return idle;
  KernelEvents events;
  Seconds busy;
  for (const MeasuredLoad::Kernel &kernel : load.kernels) {
    // `powerFits` has asked the prior; other values lack nothing either.
    KernelCost cost =
        cantFail(model.estimate(kernel.work, atClock(kernel, load.clock)));
    events += cost.events;
    busy += cost.time.total;
  }
  // A replayed graph keeps the GPU busy all the time.
  busy = load.launchedByHost ? std::min(busy, load.iteration) : load.iteration;
  return idle + model.dynamicEnergy(events, busy, load.clock) / load.iteration;
}

static Watts loopPower(const CostModel &model, const MeasuredLoad &load) {
  Watts base =
      model.gpu().powerLimit * model.coefficients().tensorPower->staticFraction;
  Watts power = base;
  for (const MeasuredLoad::Kernel &kernel : load.kernels) {
    KernelCost cost =
        cantFail(model.estimate(kernel.work, atClock(kernel, load.clock)));
    power += (cost.power - base) * cost.time.total / load.iteration;
  }
  return power;
}

/// GEMM and attention were given one energy per FLOP: they share its factor.
static const Parameter tensorEnergy = {
    "tensor_gemm",
    "energy_per_flop",
    ParameterKind::Physical,
    0.4,
    1e-15,
    1e-10,
    [](Coefficients &c, double value) {
      double ratio = value / c.tensorGemm->energyPerFlop.value();
      c.tensorGemm->energyPerFlop *= ratio;
      for (auto *attention : attentionGroups(c))
        if (*attention) {
          (*attention)->energyPerFlop *= ratio;
          (*attention)->energyPerScore *= ratio;
        }
    }};

static void scaleCore(Coefficients &c, double value) {
  double ratio = value / c.power->perSmCycle.value();
  for (JoulesPerEvent *energy :
       {&c.power->perTensorFlop, &c.power->perPaddedFlop, &c.power->perFp32Flop,
        &c.power->perInstruction, &c.power->perL2Byte, &c.power->perSmCycle})
    *energy *= ratio;
}

Parameter calibration::boardFactor(const Coefficients &prior) {
  constexpr double lowest = 1e-15, highest = 1e-7;
  double deviation = prior.boards ? prior.boards->deviation : 0;
  if (!prior.power || prior.power->perSmCycle <= JoulesPerEvent(0))
    deviation = 0;
  return {"power", "per_sm_cycle", ParameterKind::Physical, deviation, lowest,
          highest, scaleCore};
}

static bool takesPartInLoop(const CostModel &prior,
                            const MeasuredLoad::Kernel &kernel) {
  const auto *attention = kernel.work.getIf<AttentionProblem>();
  return attention ? !runsDecodeKernel(prior, kernel.work)
                   : groupOf(kernel.work, kernel.query, prior) == "tensor_gemm";
}

std::vector<PowerFit>
calibration::powerFits(const CostModel &prior,
                       llvm::ArrayRef<MeasuredLoad> loads,
                       std::vector<std::string> &skipped) {
  PowerFit events{"power",
                  "power",
                  parametersOf("power", prior.coefficients()),
                  {},
                  eventPower};
  PowerFit loop{"tensor_power", "power of tensor kernels", {}, {}, loopPower};
  if (prior.coefficients().tensorPower &&
      tensorEnergy.get(prior.coefficients()))
    loop.parameters.push_back(&tensorEnergy);
  for (const MeasuredLoad &load : loads) {
    std::string reason;
    for (const MeasuredLoad::Kernel &kernel : load.kernels)
      if (auto cost = prior.estimate(kernel.work, atClock(kernel, load.clock));
          !cost)
        reason = cost.error().message;
    if (!prior.coefficients().power)
      reason = "the target has no power coefficients";
    if (!reason.empty()) {
      skipped.push_back(reason);
      continue;
    }
    events.loads.push_back(&load);
    if (!load.kernels.empty() &&
        llvm::all_of(load.kernels, [&](const auto &kernel) {
          return takesPartInLoop(prior, kernel);
        }))
      loop.loads.push_back(&load);
  }
  return {events, loop};
}
