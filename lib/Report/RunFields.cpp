//===- RunFields.cpp - Runs, hints and sensitivities in JSON --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunFields.h"
#include <cmath>

using namespace gpucost;

static void writeCost(JsonStream &j, const std::optional<RunCost> &cost,
                      std::string_view end) {
  auto write = [&](const char *quantity, std::optional<double> value) {
    j.number(std::string(quantity).append(end), value.value_or(std::nan("")));
  };
  std::optional<double> hours, energy, money, carbon;
  if (cost) {
    hours = cost->time.value() / 3600;
    energy = cost->energy.value() / 3.6e6;
    money = cost->money;
    if (cost->carbon)
      carbon = *cost->carbon / 1000;
  }
  write("hours", hours);
  write("energy_kwh", energy);
  write("money", money);
  write("co2e_kg", carbon);
}

static void writeEstimate(JsonStream &j, std::string_view key,
                          const RunEstimate &estimate) {
  j.attributeObject(key, [&] {
    writeCost(j, estimate.expected, "");
    writeCost(j, estimate.low, "_low");
    writeCost(j, estimate.high, "_high");
  });
}

static void writeHint(JsonStream &j, const IterationReport &r) {
  if (!r.hint)
    return j.attribute("hint", nullptr);
  double unknown = std::nan("");
  j.attributeObject("hint", [&] {
    j.number("clock_mhz", r.hint->clock.value() * 1e-6);
    j.number("power_limit_w",
             r.hint->powerLimit ? r.hint->powerLimit->value() : unknown);
    j.number("time_ms", r.hint->time.value() * 1e3);
    j.number("energy_j", r.hint->energy.value());
  });
}

void gpucost::writeRun(JsonStream &j, const IterationReport &r) {
  double unknown = std::nan("");
  j.attributeObject("run", [&] {
    j.number("iterations", r.runIterations.value_or(unknown));
    if (r.runIterations)
      writeEstimate(j, "total", r.cost * *r.runIterations);
    else
      j.attribute("total", nullptr);
    for (auto [count, key] : {std::pair(r.samples, "per_million_samples"),
                              std::pair(r.tokens, "per_million_tokens")}) {
      if (count > 0 && !r.isUnknown())
        writeEstimate(j, key, r.cost * (1e6 / static_cast<double>(count)));
      else
        j.attribute(key, nullptr);
    }
  });
  writeHint(j, r);
  j.attributeArray("sensitivities", [&] {
    for (const Sensitivity &each : r.sensitivities)
      j.object([&] {
        j.attribute("name", each.name);
        j.attribute("value", each.value);
        j.attribute("is_fact", each.isFact);
        j.number("time_elasticity", each.time.value_or(unknown));
        j.number("energy_elasticity", each.energy.value_or(unknown));
        j.number("speedup_of_twice", each.speedup.value_or(unknown));
        j.number("factor_for_twice_the_speed", each.doubling.value_or(unknown));
      });
  });
}
