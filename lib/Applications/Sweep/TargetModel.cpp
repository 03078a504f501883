//===- TargetModel.cpp - A GPU and what it costs --------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Sweep/TargetModel.h"
#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Compiler/Analysis/Iteration/ModuleSettings.h"
#include "gpucost/Compiler/Support/CheckScenario.h"
#include "gpucost/Core/Targets/TargetChoice.h"

using namespace gpucost;
using namespace gpucost::sweep;

Outcome<TargetModel> sweep::resolveTarget(const Scenario &scenario) {
  if (!scenario.target && !scenario.targetFile)
    return {nullptr, "no GPU; give one with --target", PointStatus::Refused};
  Expected<TargetChoice> choice = chooseTarget(scenario);
  if (!choice)
    return {nullptr, choice.error().message, PointStatus::Refused};
  const auto &[gpu, format] = choice->target;
  Expected<CostModel> costModel = CostModel::create(
      gpu, choice->coefficients, resolve(scenario, std::nullopt).kernels());
  if (!costModel)
    return {nullptr, costModel.error().message, PointStatus::Error};
  ScenarioTarget facts = getScenarioTarget(*costModel, format);
  return {std::make_shared<const TargetModel>(std::move(*costModel),
                                              std::move(facts)),
          "", PointStatus::Ok};
}

void sweep::setMemory(PointResult &result, const MemoryPlan &memory,
                      const Gpu &gpu, bool isRejected) {
  result.gpu = gpu.name;
  result.peakBytes = memory.peak;
  result.deviceBytes = memory.device;
  result.memoryVerdict = memory.verdict();
  if (memory.fits || isRejected)
    return;
  result.status = PointStatus::DoesNotFit;
  result.reason =
      memoryNeedText(static_cast<double>(memory.device), memory.nominal,
                     memory.total, static_cast<double>(memory.usable));
}

void sweep::setTotals(PointResult &result, const PointTotals &totals,
                      const CostModel &model, const Settings &settings) {
  result.time = totals.time;
  result.energy = totals.energy;
  result.power =
      totals.time > Seconds(0) ? totals.energy / totals.time : Watts(0);
  result.errorBars = totals.errorBars;
  if (const auto &bars = model.coefficients().errorBars)
    result.correlation = bars->correlation;
  result.clock = totals.clock.clock;
  result.throttled = totals.clock.throttled;
  result.mfu = totals.mfu;
  result.gpus = settings.gpus;
  result.cost = costOfIteration(totals.time, totals.energy, totals.errorBars,
                                settings, model.gpu().name)
                    .expected;
}
