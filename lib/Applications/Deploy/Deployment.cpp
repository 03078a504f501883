//===- Deployment.cpp - Numbers of a candidate ----------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Engines.h"
#include "Sizing.h"
#include "gpucost/Applications/Sweep/Optimize.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::deploy;
using namespace gpucost::sweep;

static constexpr double million = 1e6;

static std::string planOf(const Engine &engine) {
  std::optional<Parallelism> plan = engine.scenario.parallel;
  if (engine.isUsable() && engine.gpus > 1)
    plan = engine.settings.plan();
  return plan ? toText(*plan) : "tp1";
}

std::string Deployment::gpuName() const {
  if (!engine)
    return "";
  return engine->target ? engine->target->costModel.gpu().name
                        : engine->scenario.target.value_or("");
}

std::string Deployment::formatName() const {
  return engine && engine->target
             ? std::string(stringifyEnum(engine->target->facts.format))
             : std::string();
}

std::string Deployment::planText() const {
  return engine ? planOf(*engine) : "";
}

std::string Deployment::promptPlanText() const {
  return prompts ? planOf(*prompts) : "";
}

std::string Deployment::flags() const {
  return engine ? flagsOf(withoutDefaults(engine->scenario)) : "";
}

std::optional<Watts> Deployment::powerLimit() const {
  return engine ? engine->scenario.powerLimit : std::nullopt;
}

int64_t Deployment::deviceBytes() const {
  return engine->deviceBytes(std::max<int64_t>(batchLimit / engine->ranks, 1));
}

int64_t Deployment::gpus() const {
  return replicas * engine->gpus +
         (prompts ? promptReplicas * prompts->gpus : 0);
}

double Deployment::runningPerReplica() const {
  return state.decodes * static_cast<double>(engine->ranks);
}

Watts Deployment::nodePower() const {
  // Writers also evaluate the numbers of rejected candidates, which may have no
  // target.
  if (!isFeasible())
    return Watts(0);
  return power * static_cast<double>(gpusPerNode(*engine)) +
         engine->settings.nodeWatts;
}

std::optional<double> Deployment::costPerMillion() const {
  if (!perSecond.money)
    return std::nullopt;
  return *perSecond.money / tokensPerSecond * million;
}

std::optional<double> Deployment::carbonPerMillion() const {
  if (!perSecond.carbon)
    return std::nullopt;
  return *perSecond.carbon / tokensPerSecond * million;
}

std::optional<double> Deployment::decodeWidth() const {
  return partOf(engine->decodeBars, &IterationErrorBars::time);
}

std::optional<double> Deployment::promptWidth() const {
  return partOf((prompts ? prompts : engine)->promptBars,
                &IterationErrorBars::time);
}

std::optional<double> Deployment::energyWidth() const {
  return partOf(engine->decodeBars, &IterationErrorBars::energy);
}

std::optional<double> deploy::valueOf(const Deployment &d, Metric metric) {
  if (const MetricRow &row = rowOf(metric); row.isOfRequest)
    return row.percentile == 0 || d.hasQuantiles
               ? std::optional(valueOfRequest(d.state, metric))
               : std::nullopt;
  switch (metric) {
  case Metric::Energy:
    return d.energyPerToken().value();
  case Metric::Cost:
    return d.costPerMillion();
  case Metric::Carbon:
    return d.carbonPerMillion();
  case Metric::Memory:
    return static_cast<double>(d.deviceBytes());
  case Metric::Power:
    return d.power.value();
  case Metric::TotalPower:
    return d.totalPower().value();
  case Metric::Throughput:
    return d.tokensPerSecond;
  case Metric::Gpus:
    return static_cast<double>(d.gpus());
  case Metric::GpuRate:
    return d.gpuRate();
  default: // only an iteration has it
    return std::nullopt;
  }
}

std::optional<double> deploy::widthOf(const Deployment &d, Metric metric) {
  std::optional<double> width = d.decodeWidth();
  switch (rowOf(metric).error) {
  case MetricError::None:
    return 0;
  case MetricError::Energy:
    width = d.energyWidth();
    break;
  case MetricError::Power:
    width = partOf(d.engine->decodeBars, &IterationErrorBars::power);
    break;
  case MetricError::Prompt:
    width = d.promptWidth();
    break;
  case MetricError::Time:
  case MetricError::EnergyTime:
    break;
  }
  return width ? std::optional(std::log1p(*width)) : std::nullopt;
}
