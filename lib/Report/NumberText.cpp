//===- NumberText.cpp - Numbers as people and programs read them ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Report/NumberText.h"
#include "gpucost/Support/JsonStream.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Unicode.h"
#include <cmath>
#include <fmt/format.h>

using namespace gpucost;

namespace {
struct Prefix {
  const char *name;
  double size;
};
} // namespace

static constexpr Prefix siPrefixes[] = {
    {"p", 1e-12}, {"n", 1e-9}, {"u", 1e-6}, {"m", 1e-3}, {"", 1},    {"k", 1e3},
    {"M", 1e6},   {"G", 1e9},  {"T", 1e12}, {"P", 1e15}, {"E", 1e18}};
static constexpr Prefix binaryPrefixes[] = {{"", 1},        {"Ki", 0x1p10},
                                            {"Mi", 0x1p20}, {"Gi", 0x1p30},
                                            {"Ti", 0x1p40}, {"Pi", 0x1p50}};

/// Prefix that gives a number of at least 1 after rounding to three digits.
static const Prefix &choosePrefix(llvm::ArrayRef<Prefix> prefixes,
                                  double value) {
  const Prefix *best = &prefixes.front();
  for (const Prefix &prefix : prefixes)
    if (std::fabs(value) >= 0.9995 * prefix.size)
      best = &prefix;
  return *best;
}

/// Bytes, FLOPs, ... are whole: no "0.5 mB".
static llvm::ArrayRef<Prefix> prefixesFor(llvm::StringRef unit) {
  llvm::ArrayRef<Prefix> all = siPrefixes;
  bool countable = unit.starts_with("B") || unit.starts_with("FLOP");
  return countable ? all.drop_front(4) : all;
}

/// Decimals that give `value` that many significant digits.
static int decimalsOf(double value, int digits) {
  if (value == 0)
    return 0;
  // Rounding may add a digit: 9.996 is 10.0, not 10.00.
  std::string text = fmt::format("{:.{}e}", std::fabs(value), digits - 1);
  int exponent = 0;
  llvm::StringRef(text).split('e').second.ltrim('+').getAsInteger(10, exponent);
  return std::max(0, digits - 1 - exponent);
}

std::string gpucost::formatSignificant(double value, int digits) {
  if (!std::isfinite(value))
    return unknownText.str();
  return fmt::format("{:.{}f}", value, decimalsOf(value, digits));
}

static NumberWithUnit scale(double value, llvm::StringRef unit,
                            llvm::ArrayRef<Prefix> prefixes) {
  if (!std::isfinite(value))
    return {unknownText.str(), ""};
  if (value == 0)
    return {"0", unit.str()};
  // An average of next to no traffic.
  if (unit == "B" && value > 0 && value < 1)
    return {"<1", unit.str()};
  const Prefix &prefix = choosePrefix(prefixes, value);
  double scaled = value / prefix.size;
  // A count of less than 1000 units is exact.
  bool isCount = prefix.size == 1 && scaled == std::floor(scaled);
  return {formatSignificant(scaled, isCount ? 1 : 3), prefix.name + unit.str()};
}

NumberWithUnit gpucost::formatSi(double value, llvm::StringRef unit) {
  return scale(value, unit, prefixesFor(unit));
}

NumberWithUnit gpucost::formatMemory(double bytes) {
  NumberWithUnit text = scale(bytes, "B", binaryPrefixes);
  llvm::StringRef number = text.number;
  if (number.contains('.')) // capacities are round: 80 GiB
    text.number = number.rtrim('0').rtrim('.').str();
  return text;
}

std::string gpucost::formatPercent(double share) {
  if (!std::isfinite(share))
    return unknownText.str();
  double percent = share * 100;
  if (percent != 0 && std::fabs(percent) < 0.05)
    return "<0.1 %";
  return fmt::format("{:.1f} %", percent);
}

NumberColumn gpucost::formatColumn(llvm::ArrayRef<double> values,
                                   llvm::StringRef unit, int digits) {
  double largest = 0;
  for (double value : values)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  const Prefix &prefix =
      largest > 0 ? choosePrefix(prefixesFor(unit), largest) : siPrefixes[4];
  int decimals = decimalsOf(largest / prefix.size, digits);
  NumberColumn column;
  column.unit = prefix.name + unit.str();
  for (double value : values)
    column.numbers.push_back(
        std::isfinite(value)
            ? fmt::format("{:.{}f}", value / prefix.size, decimals)
            : unknownText.str());
  return column;
}

bool gpucost::printNumber(llvm::raw_ostream &os, double value) {
  std::optional<std::string> digits = programNumber(value);
  if (digits)
    os << *digits;
  return digits.has_value();
}

void gpucost::printCsvCell(llvm::raw_ostream &os, llvm::StringRef text) {
  bool spaced = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  if (!spaced && text.find_first_of(",\"\r\n") == llvm::StringRef::npos) {
    os << text;
    return;
  }
  os << '"';
  for (char c : text)
    os << (c == '"' ? "\"\"" : llvm::StringRef(&c, 1));
  os << '"';
}

std::string gpucost::printable(llvm::StringRef text) {
  std::string result = toUtf8(text);
  for (char &c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
      c = ' ';
  if (llvm::sys::unicode::columnWidthUTF8(result) < 0)
    for (char &c : result) // unassigned or unprintable code points
      if (static_cast<unsigned char>(c) >= 0x80)
        c = '?';
  return result;
}

size_t gpucost::textWidth(llvm::StringRef text) {
  int width = llvm::sys::unicode::columnWidthUTF8(text);
  return width < 0 ? text.size() : static_cast<size_t>(width);
}

std::string gpucost::shorten(llvm::StringRef text, size_t width) {
  if (textWidth(text) <= width)
    return text.str();
  if (width <= 2)
    return std::string(width, '.');
  while (textWidth(text) > width - 2) {
    // Drop one code point: its continuation bytes, then its first byte.
    while (text.size() > 1 && (text.back() & 0xC0) == 0x80)
      text = text.drop_back();
    text = text.drop_back();
  }
  return (text.rtrim() + "..").str();
}
