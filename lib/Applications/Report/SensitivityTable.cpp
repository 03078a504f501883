//===- SensitivityTable.cpp - What time and energy depend on --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TableParts.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <fmt/format.h>

using namespace gpucost;

static std::string elasticity(const std::optional<double> &value) {
  // No minus before a zero.
  if (!value)
    return "-";
  double rounded = std::round(*value * 100) / 100;
  return fmt::format("{:.2f}", rounded == 0 ? 0.0 : rounded);
}

static std::string factor(const std::optional<double> &value) {
  return value ? fmt::format("{:.2f}x", *value) : "-";
}

/// "1.01x at 1005 MHz" if the power limit lowers the clock.
static std::string speedupText(const Sensitivity &each) {
  std::string text = factor(each.speedup);
  return each.clockOfTwice
             ? text + fmt::format(" at {:.0f} MHz",
                                  each.clockOfTwice->value() * 1e-6)
             : text;
}

/// Facts and settings that would double the speed of the model.
static void printDoubling(llvm::raw_ostream &os, const IterationReport &r) {
  std::string single;
  const Sensitivity *best = nullptr;
  for (const Sensitivity &each : r.sensitivities) {
    if (each.doubling)
      single += (single.empty() ? "" : ", ") + factor(each.doubling) + " " +
                each.name;
    if (each.speedup && (!best || *each.speedup > *best->speedup))
      best = &each;
  }
  if (!best)
    return;
  std::string text = single.empty() ? "no single fact of the GPU does; twice " +
                                          best->name + " gives the most, " +
                                          factor(best->speedup)
                                    : "any of " + single + " does";
  os << "\n  twice the speed: ";
  printWrapped(os, text, 19, 4);
}

void gpucost::printSensitivities(llvm::raw_ostream &os,
                                 const IterationReport &r) {
  if (r.sensitivities.empty())
    return;
  os << "\n  sensitivity of time and energy (in %, for 1 % more of a fact or "
        "setting)\n";
  TextTable table({TextTable::left("fact or setting"),
                   TextTable::right("value"), TextTable::right("time"),
                   TextTable::right("energy"),
                   TextTable::right("twice: faster by"),
                   TextTable::right("for twice the speed")});
  for (const Sensitivity &each : r.sensitivities)
    table.addRow(
        {(each.isFact ? "" : "--") + each.name, each.value,
         elasticity(each.time), elasticity(each.energy), speedupText(each),
         each.isFact && !each.doubling ? "no factor" : factor(each.doubling)});
  table.print(os, 2);
  if (llvm::any_of(r.sensitivities, [](const Sensitivity &each) {
        return each.clockOfTwice.has_value();
      })) {
    os << "\n  at a clock: ";
    printWrapped(os,
                 "with twice the value, the power limit lowers the clock to "
                 "this; the elasticities hold for 10 % more",
                 14, 4);
  }
  printDoubling(os, r);
}
