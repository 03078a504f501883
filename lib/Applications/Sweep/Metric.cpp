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

/// Numbers of a column in one unit.
MetricUnit sweep::unitOf(Metric metric, double smallest, Per per) {
  switch (metric) {
  case Metric::Time:
  case Metric::Ttft:
  case Metric::TtftP50:
  case Metric::TtftP90:
  case Metric::TtftP95:
  case Metric::TtftP99:
  case Metric::Tpot:
  case Metric::Latency:
    return {"s"};
  case Metric::Energy:
    return {"J"};
  case Metric::Edp:
    return {"Js"};
  case Metric::Cost:
    if (per == Per::OutputToken)
      return {"money/million tokens", 1, /*prefixed=*/false};
    // The unit of a price is unknown.
    if (smallest > 0 && smallest < 1e-3)
      return {per == Per::Sample ? "money/million samples"
                                 : "money/million iterations",
              1e-6, /*prefixed=*/false};
    return {"money", 1, /*prefixed=*/false};
  case Metric::RunCost:
    return {"money", 1, /*prefixed=*/false};
  case Metric::Carbon:
  case Metric::RunCarbon:
    return {per == Per::OutputToken ? "g CO2e/million tokens" : "g CO2e", 1,
            /*prefixed=*/true};
  case Metric::Memory:
    return {"GiB", 0x1p30, /*prefixed=*/false};
  case Metric::Power:
  case Metric::TotalPower:
    return {"W"};
  case Metric::RunHours:
    return {"h", 3600, /*prefixed=*/false};
  case Metric::RunEnergy:
    return {"kWh", 3.6e6, /*prefixed=*/false};
  case Metric::Throughput:
    return {per == Per::OutputToken ? "tokens/s" : "samples/s", 1,
            /*prefixed=*/false};
  case Metric::Gpus:
    return {"GPUs", 1, /*prefixed=*/false};
  case Metric::UserRate:
    return {"tokens/s/user", 1, /*prefixed=*/false};
  case Metric::GpuRate:
    return {"tokens/s/GPU", 1, /*prefixed=*/false};
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

bool sweep::isPerSample(Metric metric) {
  switch (metric) {
  case Metric::Time:
  case Metric::Energy:
  case Metric::Edp:
  case Metric::Cost:
  case Metric::Carbon:
    return true;
  case Metric::Memory:
  case Metric::Power:
  case Metric::TotalPower:
  case Metric::RunHours:
  case Metric::RunEnergy:
  case Metric::RunCost:
  case Metric::RunCarbon:
  case Metric::Throughput:
  case Metric::Ttft:
  case Metric::TtftP50:
  case Metric::TtftP90:
  case Metric::TtftP95:
  case Metric::TtftP99:
  case Metric::Tpot:
  case Metric::Latency:
  case Metric::Gpus:
  case Metric::UserRate:
  case Metric::GpuRate:
    break;
  }
  return false;
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
  // Only a deployment has these.
  case Metric::Ttft:
  case Metric::TtftP50:
  case Metric::TtftP90:
  case Metric::TtftP95:
  case Metric::TtftP99:
  case Metric::Tpot:
  case Metric::Latency:
  case Metric::Gpus:
  case Metric::UserRate:
  case Metric::GpuRate:
    break;
  }
  return std::nullopt;
}

std::optional<double> sweep::widthOf(const PointResult &r, Metric metric) {
  if (metric == Metric::Memory)
    return 0;
  if (!r.errorBars)
    return std::nullopt;
  double time = std::log1p(r.errorBars->time);
  double energy = std::log1p(r.errorBars->energy);
  switch (metric) {
  case Metric::Energy:
  case Metric::Carbon:
  case Metric::RunEnergy:
  case Metric::RunCarbon:
    return energy;
  case Metric::Edp:
    return std::hypot(time, energy);
  case Metric::Power:
  case Metric::TotalPower:
    return std::log1p(r.errorBars->power);
  case Metric::Time:
  case Metric::Cost:
  case Metric::RunHours:
  case Metric::RunCost:
  case Metric::Memory:
  case Metric::Throughput:
  case Metric::Ttft:
  case Metric::TtftP50:
  case Metric::TtftP90:
  case Metric::TtftP95:
  case Metric::TtftP99:
  case Metric::Tpot:
  case Metric::Latency:
  case Metric::Gpus:
  case Metric::UserRate:
  case Metric::GpuRate:
    break;
  }
  return time;
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
