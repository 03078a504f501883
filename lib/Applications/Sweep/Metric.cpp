//===- Metric.cpp - Numbers of points -------------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Sweep/Goal.h"
#include <cmath>

using namespace gpucost;
using namespace gpucost::sweep;

static constexpr bool yes = true, no = false;
using Kind = MetricQuantity;
using Bars = MetricError;

/// In the order of the enumerators; "yes, no": iterations have it, deployments
/// do not. The GPUs that requests need, and their cost, follow the time of a
/// step.
static constexpr MetricRow rows[] = {
    // clang-format off
    {Metric::Time,       Kind::Time,       Bars::Time,       yes, no,  yes},
    {Metric::Energy,     Kind::Energy,     Bars::Energy,     yes, yes, yes},
    {Metric::Edp,        Kind::EnergyTime, Bars::EnergyTime, yes, no,  yes},
    {Metric::Cost,       Kind::Money,      Bars::Time,       yes, yes, yes},
    {Metric::Carbon,     Kind::Mass,       Bars::Energy,     yes, yes, yes},
    {Metric::Memory,     Kind::Memory,     Bars::None,       yes, yes},
    {Metric::Power,      Kind::Power,      Bars::Power,      yes, yes},
    {Metric::TotalPower, Kind::Power,      Bars::Power,      yes, yes},
    {Metric::RunHours,   Kind::Time,       Bars::Time,       yes, no,  no, no, no, "h", 3600},
    {Metric::RunEnergy,  Kind::Energy,     Bars::Energy,     yes, no,  no, no, no, "kWh", 3.6e6},
    {Metric::RunCost,    Kind::Money,      Bars::Time,       yes, no,  no, no, no, "money"},
    {Metric::RunCarbon,  Kind::Mass,       Bars::Energy,     yes, no},
    {Metric::Throughput, Kind::Plain,      Bars::Time,       yes, yes, no, no, yes, "samples/s"},
    {Metric::Ttft,       Kind::Time,       Bars::Prompt,     no,  yes, no, yes},
    {Metric::TtftP50,    Kind::Time,       Bars::Prompt,     no,  yes, no, yes, no, "", 1, 0.5},
    {Metric::TtftP90,    Kind::Time,       Bars::Prompt,     no,  yes, no, yes, no, "", 1, 0.9},
    {Metric::TtftP95,    Kind::Time,       Bars::Prompt,     no,  yes, no, yes, no, "", 1, 0.95},
    {Metric::TtftP99,    Kind::Time,       Bars::Prompt,     no,  yes, no, yes, no, "", 1, 0.99},
    {Metric::Tpot,       Kind::Time,       Bars::Time,       no,  yes, no, yes},
    {Metric::Latency,    Kind::Time,       Bars::Time,       no,  yes, no, yes},
    {Metric::Gpus,       Kind::Plain,      Bars::Time,       no,  yes, no, no, no, "GPUs"},
    {Metric::UserRate,   Kind::Plain,      Bars::Time,       no,  yes, no, yes, yes, "tokens/s/user"},
    {Metric::GpuRate,    Kind::Plain,      Bars::Time,       no,  yes, no, no, yes, "tokens/s/GPU"},
    // clang-format on
};

static constexpr bool isInOrder() {
  for (size_t i = 0; i < std::size(rows); ++i)
    if (rows[i].metric != static_cast<Metric>(i))
      return false;
  return rows[std::size(rows) - 1].metric == Metric::GpuRate;
}
static_assert(isInOrder());

const MetricRow &sweep::rowOf(Metric metric) {
  return rows[static_cast<size_t>(metric)];
}

/// Numbers of a column in one unit.
MetricUnit sweep::unitOf(Metric metric, double smallest, Per per) {
  const MetricRow &row = rowOf(metric);
  if (metric == Metric::Throughput && per == Per::OutputToken)
    return {"tokens/s", 1, /*prefixed=*/false};
  if (!row.unit.empty())
    return {row.unit, row.unitSize, /*prefixed=*/false};
  switch (row.quantity) {
  case Kind::Time:
    return {"s"};
  case Kind::Energy:
    return {"J"};
  case Kind::EnergyTime:
    return {"Js"};
  case Kind::Money:
    if (per == Per::OutputToken)
      return {"money/million tokens", 1, /*prefixed=*/false};
    // The unit of a price is unknown.
    if (smallest > 0 && smallest < 1e-3)
      return {per == Per::Sample ? "money/million samples"
                                 : "money/million iterations",
              1e-6, /*prefixed=*/false};
    return {"money", 1, /*prefixed=*/false};
  case Kind::Mass:
    return {per == Per::OutputToken ? "g CO2e/million tokens" : "g CO2e", 1,
            /*prefixed=*/true};
  case Kind::Memory:
    return {"GiB", 0x1p30, /*prefixed=*/false};
  case Kind::Power:
    return {"W"};
  case Kind::Plain:
    break;
  }
  return {""};
}

std::string sweep::textOf(Metric metric, double value, Per per) {
  return textOf(metric, value, unitOf(metric, value, per));
}

std::string sweep::textOf(Metric metric, double value, const MetricUnit &unit) {
  if (metric == Metric::Memory)
    return memoryText(value);
  value /= unit.size;
  return unit.prefixed ? siText(value, unit.name)
                       : formatSignificant(value) + " " + unit.name.str();
}

static std::optional<double> valueOfRun(const std::optional<RunCost> &run,
                                        Metric metric) {
  if (!run)
    return std::nullopt;
  if (metric == Metric::RunHours)
    return run->time.value();
  if (metric == Metric::RunEnergy)
    return run->energy.value();
  return metric == Metric::RunCost ? run->money : run->carbon;
}

std::optional<double> sweep::valueOf(const PointResult &r, Metric metric,
                                     Per per) {
  if (!r.hasNumbers() || (per == Per::Sample && r.samples <= 0))
    return std::nullopt;
  double samples = static_cast<double>(r.samples);
  double share = per == Per::Sample ? 1 / samples : 1;
  double time = r.time.value() * share, energy = r.cost.energy.value() * share;
  switch (metric) {
  case Metric::Time:
    return time;
  case Metric::Energy:
    return energy;
  case Metric::Edp:
    return time * energy;
  case Metric::Cost:
    return r.cost.money ? std::optional(*r.cost.money * share) : std::nullopt;
  case Metric::Carbon:
    return r.cost.carbon ? std::optional(*r.cost.carbon * share) : std::nullopt;
  case Metric::Memory:
    return static_cast<double>(r.deviceBytes);
  case Metric::Power:
    return r.power.value();
  case Metric::TotalPower:
    return r.totalPower().value();
  case Metric::RunHours:
  case Metric::RunEnergy:
  case Metric::RunCost:
  case Metric::RunCarbon:
    return valueOfRun(r.run(), metric);
  case Metric::Throughput:
    if (r.samples <= 0 || r.time <= Seconds(0))
      return std::nullopt;
    return samples / r.time.value();
  default: // only a deployment has it
    break;
  }
  return std::nullopt;
}

std::optional<double> sweep::widthOf(const PointResult &r, Metric metric) {
  Bars error = rowOf(metric).error;
  if (error == Bars::None)
    return 0;
  if (!r.errorBars)
    return std::nullopt;
  double time = std::log1p(r.errorBars->time);
  double energy = std::log1p(r.errorBars->energy);
  if (error == Bars::EnergyTime)
    return std::hypot(time, energy);
  if (error == Bars::Power)
    return std::log1p(r.errorBars->power);
  return error == Bars::Energy ? energy : time;
}

std::optional<double> sweep::widthOfRatio(const PointResult &a,
                                          const PointResult &b, Metric metric) {
  std::optional<double> ua = widthOf(a, metric), ub = widthOf(b, metric);
  if (!ua || !ub)
    return std::nullopt;
  double common = a.gpu == b.gpu ? std::min(a.correlation, b.correlation) : 0.0;
  // Positive except for rounding.
  return std::sqrt(
      std::max(0.0, *ua * *ua + *ub * *ub - 2 * common * *ua * *ub));
}
