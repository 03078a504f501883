//===- QuantityText.cpp - Text form of quantities -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/QuantityText.h"
#include <algorithm>
#include <charconv>
#include <cmath>

using namespace gpucost;

namespace gpucost {
#define GPUCOST_UNITS(TAG, ...)                                                \
  template <> Span<Unit> unitsOf<TAG>() {                                      \
    static constexpr Unit units[] = {__VA_ARGS__};                             \
    return units;                                                              \
  }

GPUCOST_UNITS(SecondsTag, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1.0})
GPUCOST_UNITS(HertzTag, {"Hz", 1.0}, {"kHz", 1e3}, {"MHz", 1e6}, {"GHz", 1e9})
GPUCOST_UNITS(BytesTag, {"B", 1.0}, {"KiB", 1024.0}, {"MiB", 1048576.0},
              {"GB", 1e9}, {"GiB", 1073741824.0})
GPUCOST_UNITS(FlopsTag, {"FLOP", 1.0}, {"KFLOP", 1e3}, {"MFLOP", 1e6},
              {"GFLOP", 1e9}, {"TFLOP", 1e12}, {"PFLOP", 1e15})
GPUCOST_UNITS(WattsTag, {"uW", 1e-6}, {"mW", 1e-3}, {"W", 1.0}, {"kW", 1e3})
GPUCOST_UNITS(JoulesTag, {"nJ", 1e-9}, {"uJ", 1e-6}, {"mJ", 1e-3}, {"J", 1.0},
              {"kJ", 1e3}, {"MJ", 1e6})
GPUCOST_UNITS(VoltsTag, {"mV", 1e-3}, {"V", 1.0})
GPUCOST_UNITS(BytesPerSecondTag, {"Bps", 1.0}, {"MBps", 1e6}, {"GBps", 1e9},
              {"TBps", 1e12})
GPUCOST_UNITS(FlopsPerSecondTag, {"FLOPS", 1.0}, {"GFLOPS", 1e9},
              {"TFLOPS", 1e12}, {"PFLOPS", 1e15})
GPUCOST_UNITS(JoulesPerEventTag, {"fJ", 1e-15}, {"pJ", 1e-12}, {"nJ", 1e-9})
#undef GPUCOST_UNITS

template <> Span<Unit> unitsOf<ScalarTag>() { return {}; }
} // namespace gpucost

std::optional<double> gpucost::findUnit(Span<Unit> units,
                                        std::string_view name) {
  for (const Unit &unit : units)
    if (unit.name == name)
      return unit.size;
  return std::nullopt;
}

std::string gpucost::listUnits(Span<Unit> units) {
  std::string text;
  for (const Unit &unit : units) {
    if (!text.empty())
      text += ", ";
    text += unit.name;
  }
  return text;
}

/// `value` with `digits` significant digits, independent of the locale.
static std::string withDigits(double value, int digits) {
  char buffer[40];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value,
                                    std::chars_format::general, digits);
  (void)error; // 40 characters suffice for every number
  return std::string(buffer, end);
}

static double readBack(const std::string &text) {
  double value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string gpucost::shortestDouble(double value) {
  std::string text;
  // Start with enough digits for the integer part: 400, not 4.0e+02.
  double size = std::fabs(value);
  int first =
      size >= 1 && size < 1e15 ? static_cast<int>(std::log10(size)) + 1 : 1;
  for (int digits = first; digits <= 17; ++digits) {
    text = withDigits(value, digits);
    if (readBack(text) == value)
      break;
  }
  // MLIR's float literals need a '.' before an exponent.
  size_t e = text.find('e');
  if (e != std::string::npos && text.find('.') == std::string::npos)
    text.insert(e, ".0");
  return text;
}

std::string gpucost::quantityText(double si, Span<Unit> units) {
  if (units.empty())
    return shortestDouble(si);
  // The largest unit with a value of at least 1; the base unit for 0.
  const Unit *best = units.begin();
  for (const Unit &unit : units)
    if (si == 0.0 ? unit.size == 1.0 : std::fabs(si) >= unit.size)
      best = &unit;
  // A smaller unit if no number in this one parses to the same double: 2039
  // GBps is not 2.039 TBps. Results of calculations have too many digits for
  // it.
  constexpr int stated = 15, exact = 17;
  for (const Unit *unit = best;; --unit) {
    double value = si / unit->size;
    // Rounding errors of the division must not result in 17 digits.
    for (int digits = 1; digits <= (unit == best ? exact : stated); ++digits)
      if (double rounded = readBack(withDigits(value, digits));
          rounded * unit->size == si)
        return shortestDouble(rounded) + " " + std::string(unit->name);
    if (unit == units.begin())
      return shortestDouble(si / best->size) + " " + std::string(best->name);
  }
}

std::string gpucost::roundedText(double si, Span<Unit> units) {
  constexpr int digits = 4;
  if (si == 0.0 || !std::isfinite(si))
    return quantityText(si, units);
  auto round = [&](const Unit &unit) {
    return readBack(withDigits(si / unit.size, digits));
  };
  static constexpr Unit number = {"", 1.0};
  const Unit *best = units.empty() ? &number : units.begin();
  for (const Unit &unit : units)
    if (std::fabs(round(unit)) >= 1)
      best = &unit;
  double value = round(*best);
  int before = static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
  constexpr size_t longest = 350; // the digits of any double before the point
  char buffer[longest];
  auto [end, error] =
      std::to_chars(buffer, buffer + longest, value, std::chars_format::fixed,
                    std::max(0, digits - before));
  std::string text = error == std::errc() ? std::string(buffer, end)
                                          : withDigits(value, digits);
  return best->name.empty() ? text : text + " " + std::string(best->name);
}
