//===- QuantityText.h - Text form of quantities -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parsing and printing with units: `2039 GBps`, `14.2 us`, `250 W`, `1410 MHz`,
// `40 MiB`, `0.73 pJ`. Printing selects the unit with 1 <= value < 1000 and the
// shortest digits that parse to the same double, or four significant digits.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_QUANTITYTEXT_H
#define GPUCOST_CORE_SUPPORT_QUANTITYTEXT_H

#include "gpucost/Core/Support/Quantity.h"
#include "gpucost/Core/Support/Span.h"
#include <optional>
#include <string>
#include <string_view>

namespace gpucost {

/// A unit name and its size in the SI base unit.
struct Unit {
  std::string_view name;
  double size;
};

/// The units of a dimension, ascending by size.
template <typename Tag> Span<Unit> unitsOf();

/// The size of unit `name` in `units`; nullopt if unknown.
std::optional<double> findUnit(Span<Unit> units, std::string_view name);
/// "us, ms, s": for messages.
std::string listUnits(Span<Unit> units);
/// `si` in the best unit of `units`; a pure number if `units` is empty.
std::string quantityText(double si, Span<Unit> units);
/// Shortest decimal text that parses to the same double.
std::string shortestDouble(double value);

/// `si` with four significant digits, trailing zeros included, in the unit of
/// the rounded value with 1 <= value < 1000: "33.40 us", "1.000 ms".
std::string roundedText(double si, Span<Unit> units);

template <typename Tag> std::string toText(Quantity<Tag> q) {
  return quantityText(q.value(), unitsOf<Tag>());
}
template <typename Tag> std::string roundedText(Quantity<Tag> q) {
  return roundedText(q.value(), unitsOf<Tag>());
}

template <> Span<Unit> unitsOf<SecondsTag>();
template <> Span<Unit> unitsOf<HertzTag>();
template <> Span<Unit> unitsOf<BytesTag>();
template <> Span<Unit> unitsOf<FlopsTag>();
template <> Span<Unit> unitsOf<WattsTag>();
template <> Span<Unit> unitsOf<JoulesTag>();
template <> Span<Unit> unitsOf<VoltsTag>();
template <> Span<Unit> unitsOf<BytesPerSecondTag>();
template <> Span<Unit> unitsOf<FlopsPerSecondTag>();
template <> Span<Unit> unitsOf<JoulesPerEventTag>();
template <> Span<Unit> unitsOf<ScalarTag>();

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_QUANTITYTEXT_H
