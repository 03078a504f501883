//===- RunLines.cpp - Runs and hints in the summary -----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableParts.h"
#include "gpucost/Applications/Report/Report.h"
#include "gpucost/Core/Scenario/SettingRow.h"
#include "llvm/ADT/Twine.h"
#include <fmt/format.h>

using namespace gpucost;

/// In hours if `expected` is long.
static std::string duration(Seconds time, Seconds expected) {
  constexpr double hour = 3600;
  return expected.value() / hour >= 0.1
             ? formatSignificant(time.value() / hour) + " h"
             : siText(time);
}

/// In kWh if `expected` is large.
static std::string energyText(Joules energy, Joules expected) {
  constexpr double kilowattHour = 3.6e6;
  return expected.value() / kilowattHour >= 0.001
             ? formatSignificant(energy.value() / kilowattHour) + " kWh"
             : siText(energy);
}

/// The parts of a cost as text: "13.4 h", "52.1 kWh", "160 money", with the
/// units of `expected`.
static std::vector<std::string> partsOf(const RunCost &cost,
                                        const RunCost &expected) {
  std::vector<std::string> parts{duration(cost.time, expected.time),
                                 energyText(cost.energy, expected.energy)};
  if (cost.money)
    parts.push_back(formatSignificant(*cost.money) + " money");
  if (cost.carbon)
    parts.push_back(siText(*cost.carbon, "g") + " CO2e");
  return parts;
}

/// "12.1 to 14.9" for two numbers in the unit of `text`, else with their units.
static std::string rangeText(llvm::StringRef text, llvm::StringRef low,
                             llvm::StringRef high) {
  llvm::StringRef unit = text.split(' ').second;
  if (low.split(' ').second == unit && high.split(' ').second == unit)
    return (low.split(' ').first + " to " + high.split(' ').first).str();
  return (low + " to " + high).str();
}

std::string gpucost::costText(const RunEstimate &estimate) {
  std::string text;
  const RunCost &expected = estimate.expected;
  std::vector<std::string> parts = partsOf(expected, expected), low, high;
  if (estimate.low && estimate.high) {
    low = partsOf(*estimate.low, expected);
    high = partsOf(*estimate.high, expected);
  }
  for (size_t i = 0; i < parts.size(); ++i) {
    text += (i ? ", " : "") + parts[i];
    if (!low.empty())
      text += " (" + rangeText(parts[i], low[i], high[i]) + ")";
  }
  return text;
}

std::string gpucost::statedRunText(const Scenario &stated) {
  std::string text;
  forEachSetting([&](const auto &row) {
    if (row.group != SettingGroup::Run)
      return;
    if (const auto &value = stated.*row.stated)
      text += (text.empty() ? "--" : ", --") + std::string(row.flag) + "=" +
              toText(*value, row.spec);
  });
  return text;
}

static void printHint(llvm::raw_ostream &os, const IterationReport &r) {
  if (!r.hint)
    return;
  std::string flag = fmt::format("--clock={:g}", r.hint->clock.value() * 1e-6);
  if (r.hint->powerLimit)
    flag +=
        fmt::format(" (or --power-limit={:g})", r.hint->powerLimit->value());
  printText(os, "hint",
            flag + ": " + formatPercent(1 - r.hint->energy / r.energy) +
                " less energy, " +
                formatPercent(std::max(0.0, r.hint->time / r.time - 1)) +
                " more time");
}

std::string gpucost::runText(const IterationReport &r) {
  if (!r.runIterations)
    return "";
  return fmt::format("{:.0f} iterations: ", *r.runIterations) +
         (r.isLowerBound() ? "at least " : "") +
         costText(r.cost * *r.runIterations);
}

void gpucost::printRun(llvm::raw_ostream &os, const IterationReport &r) {
  printHint(os, r);
  std::string stated = statedRunText(r.given);
  if (stated.empty())
    return;
  std::string bound = r.isLowerBound() ? "at least " : "";
  if (r.runIterations)
    printText(os, "run", runText(r));
  for (auto [count, noun] :
       {std::pair(r.samples, "samples"), std::pair(r.tokens, "tokens")})
    if (count > 0)
      printText(os, "million",
                std::string(noun) + ": " + bound +
                    costText(r.cost * (1e6 / static_cast<double>(count))));
  printText(os, "stated", stated);
}
