//===- RunCost.cpp - Time, energy, cost and CO2e of a run -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Report/RunCost.h"
#include "gpucost/Core/Support/Prices.h"
#include <cmath>

using namespace gpucost;

/// Cost for one pair of time and energy per GPU.
static RunCost costOf(Seconds time, Joules energy, const Settings &settings,
                      std::optional<double> price) {
  auto gpus = static_cast<double>(settings.gpus);
  RunCost cost;
  cost.time = time;
  Joules nodes =
      settings.nodeWatts * time * static_cast<double>(settings.nodes);
  cost.energy = (energy * gpus + nodes) * settings.pue.value();
  constexpr double hour = 3600, kilowattHour = 3.6e6;
  if (price)
    cost.money = *price * gpus * time.value() / hour;
  if (settings.grid)
    cost.carbon = settings.grid->value() * cost.energy.value() / kilowattHour;
  return cost;
}

RunEstimate
gpucost::costOfIteration(Seconds time, Joules energy,
                         const std::optional<IterationErrorBars> &bars,
                         const Settings &settings, std::string_view name) {
  std::optional<double> price;
  if (settings.price)
    if (std::optional<Prices> prices = parsePrices(*settings.price))
      price = priceOf(*prices, name, settings.target.value_or(""));
  RunEstimate estimate;
  estimate.expected = costOf(time, energy, settings, price);
  if (!bars)
    return estimate;
  // All iterations have the same error, so errors do not average out.
  estimate.low = costOf(lowEnd(time, bars->time), lowEnd(energy, bars->energy),
                        settings, price);
  estimate.high = costOf(highEnd(time, bars->time),
                         highEnd(energy, bars->energy), settings, price);
  return estimate;
}

std::optional<double> gpucost::iterationsOfRun(const Settings &settings,
                                               int64_t samples,
                                               int64_t tokens) {
  const std::optional<int64_t> &size =
      settings.runSamples ? settings.runSamples : settings.runTokens;
  int64_t each = settings.runSamples ? samples : tokens;
  if (!size || each <= 0)
    return std::nullopt;
  double epochs = settings.epochs.value_or(Scalar(1)).value();
  return std::ceil(static_cast<double>(*size) * epochs /
                   static_cast<double>(each));
}
