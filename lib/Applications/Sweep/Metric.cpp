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

std::string sweep::textOf(Metric metric, double value, Per per) {
  switch (metric) {
  case Metric::Time:
    return siText(value, "s");
  case Metric::Energy:
    return siText(value, "J");
  case Metric::Edp:
    return siText(value, "Js");
  case Metric::Cost:
    // The unit of a price is unknown.
    return value > 0 && value < 1e-3
               ? formatSignificant(value * 1e6) + " money/million " +
                     (per == Per::Sample ? "samples" : "iterations")
               : formatSignificant(value) + " money";
  case Metric::Carbon:
    return siText(value, "g") + " CO2e";
  case Metric::Memory:
    return memoryText(value);
  case Metric::Power:
    return siText(value, "W");
  case Metric::Throughput:
    return formatSignificant(value) + " samples/s";
  }
  return "";
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
  case Metric::Throughput:
    if (r.samples <= 0 || r.time <= Seconds(0))
      return std::nullopt;
    return samples / r.time.value();
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
    return energy;
  case Metric::Edp:
    return std::hypot(time, energy);
  case Metric::Power:
    return std::log1p(r.errorBars->power);
  case Metric::Time:
  case Metric::Cost:
  case Metric::Memory:
  case Metric::Throughput:
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
