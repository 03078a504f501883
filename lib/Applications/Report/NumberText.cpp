//===- NumberText.cpp - Numbers as people and programs read them ----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Applications/Report/NumberText.h"
#include "gpucost/Applications/Report/Units.h"
#include "gpucost/Core/Model/ErrorBars.h"
#include "gpucost/Core/Support/JsonStream.h"
#include "llvm/ADT/STLExtras.h"
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

/// Set by `ScopedUnits`.
static thread_local const UnitChoice *chosenUnits = nullptr;

ScopedUnits::ScopedUnits(const UnitChoice &units) : before(chosenUnits) {
  chosenUnits = &units;
}

ScopedUnits::~ScopedUnits() { chosenUnits = before; }

std::optional<std::pair<std::string, double>>
UnitChoice::prefixOf(llvm::StringRef unit) const {
  auto it = prefixes.find(unit.str());
  return it == prefixes.end() ? std::nullopt : std::optional(it->second);
}

llvm::Expected<UnitChoice> UnitChoice::parse(llvm::StringRef text) {
  static constexpr llvm::StringLiteral quantities[] = {"FLOP", "Hz", "s",
                                                       "J",    "W",  "B"};
  UnitChoice choice;
  for (llvm::StringRef part : llvm::split(text, ',')) {
    part = part.trim();
    const auto *quantity = llvm::find_if(
        quantities, [&](llvm::StringRef name) { return part.ends_with(name); });
    llvm::StringRef name = quantity == std::end(quantities)
                               ? llvm::StringRef()
                               : part.drop_back(quantity->size());
    auto isName = [&](const Prefix &prefix) { return name == prefix.name; };
    llvm::ArrayRef<Prefix> all = siPrefixes;
    const Prefix *found = llvm::find_if(all, isName);
    if (found == all.end() && *quantity == "B") {
      all = binaryPrefixes;
      found = llvm::find_if(all, isName);
    }
    if (quantity == std::end(quantities) || found == all.end())
      return llvm::createStringError("unknown unit '" + part +
                                     "'; expected units such as ms, mJ, W, GB, "
                                     "GiB, TFLOP, MHz");
    if (!choice.prefixes
             .try_emplace(quantity->str(), std::pair(name.str(), found->size))
             .second)
      return llvm::createStringError("two units of one quantity, the second is "
                                     "'" +
                                     part + "'");
  }
  return choice;
}

/// The prefix of all numbers in `unit`, if the user chose one.
static std::optional<std::pair<std::string, double>>
chosenPrefix(llvm::StringRef unit) {
  return chosenUnits ? chosenUnits->prefixOf(unit) : std::nullopt;
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
                            llvm::ArrayRef<Prefix> prefixes, int digits) {
  if (!std::isfinite(value))
    return {unknownText.str(), ""};
  if (value == 0)
    return {"0", unit.str()};
  if (auto chosen = chosenPrefix(unit))
    return {formatSignificant(value / chosen->second, digits),
            chosen->first + unit.str()};
  // An average of next to no traffic.
  if (unit == "B" && value > 0 && value < 1)
    return {"<1", unit.str()};
  const Prefix &prefix = choosePrefix(prefixes, value);
  double scaled = value / prefix.size;
  // A count of less than 1000 units is exact.
  bool isCount = prefix.size == 1 && scaled == std::floor(scaled);
  return {formatSignificant(scaled, isCount ? 1 : digits),
          prefix.name + unit.str()};
}

NumberWithUnit gpucost::formatSi(double value, llvm::StringRef unit,
                                 int digits) {
  return scale(value, unit, prefixesFor(unit), digits);
}

NumberWithUnit gpucost::formatMemory(double bytes, int digits) {
  NumberWithUnit text = scale(bytes, "B", binaryPrefixes, digits);
  llvm::StringRef number = text.number;
  if (number.contains('.')) // capacities are round: 80 GiB
    text.number = number.rtrim('0').rtrim('.').str();
  return text;
}

/// What `usable` is a part of, after a space; "" for all of the memory.
static std::string memoryBehind(Bytes nominal, Bytes total, double usable) {
  std::string all = memoryText(total.value());
  std::string board = memoryText(nominal.value());
  std::string ofBoard = all == board ? "" : "nominal " + board;
  if (memoryText(usable) != all)
    return " (of " + all + (ofBoard.empty() ? "" : "; " + ofBoard) + ")";
  return ofBoard.empty() ? "" : " (" + ofBoard + ")";
}

std::string gpucost::memoryLimitText(Bytes nominal, Bytes total,
                                     double usable) {
  return memoryText(usable) + memoryBehind(nominal, total, usable);
}

std::string gpucost::memoryNeedText(double need, Bytes nominal, Bytes total,
                                    double usable) {
  auto [needed, limit] = formatApart(need, usable, formatMemory);
  return "needs " + needed + " of " + limit +
         memoryBehind(nominal, total, usable);
}

std::pair<std::string, std::string>
gpucost::formatApart(double a, double b,
                     llvm::function_ref<NumberWithUnit(double, int)> format) {
  constexpr int least = 3, most = 7;
  std::pair<std::string, std::string> texts;
  for (int digits = least; digits <= most && texts.first == texts.second;
       ++digits)
    texts = {format(a, digits).str(), format(b, digits).str()};
  return texts;
}

std::string gpucost::intervalText(double value, double halfWidth,
                                  llvm::StringRef unit, double atMost) {
  return siText(lowEnd(value, halfWidth), unit) + " to " +
         siText(std::min(highEnd(value, halfWidth), atMost), unit);
}

std::string gpucost::countText(int64_t count, llvm::StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

std::string gpucost::rateText(double rate) {
  return rate >= 100 ? fmt::format("{:.0f}", rate)
                     : fmt::format("{:.3g}", rate);
}

std::string gpucost::formatPercent(double share) {
  if (!std::isfinite(share))
    return unknownText.str();
  double percent = share * 100;
  if (percent != 0 && std::fabs(percent) < 0.05)
    return "<0.1 %";
  return fmt::format("{:.1f} %", percent);
}

std::string gpucost::percentText(double part, double whole) {
  return fmt::format("{:.1f}", whole > 0 ? part / whole * 100 : 0.0);
}

NumberColumn gpucost::formatColumn(llvm::ArrayRef<double> values,
                                   llvm::StringRef unit, int digits,
                                   bool prefixed) {
  double largest = 0;
  for (double value : values)
    if (std::isfinite(value))
      largest = std::max(largest, std::fabs(value));
  Prefix prefix = prefixed && largest > 0
                      ? choosePrefix(prefixesFor(unit), largest)
                      : siPrefixes[4];
  auto chosen = chosenPrefix(unit);
  if (chosen)
    prefix = {chosen->first.c_str(), chosen->second};
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

/// Whether spreadsheets compute the cell `text` when they open the file.
static bool isFormula(llvm::StringRef text) {
  llvm::StringRef start = text.ltrim();
  double number;
  return start.size() > 1 && llvm::StringRef("=+-@").contains(start.front()) &&
         text.getAsDouble(number);
}

void gpucost::printCsvCell(llvm::raw_ostream &os, llvm::StringRef given) {
  // An apostrophe marks text.
  std::string text =
      (isFormula(printable(given)) ? "'" : "") + printable(given);
  bool spaced = !text.empty() && (text.front() == ' ' || text.back() == ' ');
  bool special =
      llvm::any_of(text, [](char c) { return c == ',' || c == '"'; });
  if (!spaced && !special) {
    os << text;
    return;
  }
  os << '"';
  for (char c : text)
    os << (c == '"' ? "\"\"" : llvm::StringRef(&c, 1));
  os << '"';
}

llvm::StringRef gpucost::nearestName(llvm::StringRef text,
                                     llvm::ArrayRef<llvm::StringRef> names,
                                     unsigned most) {
  llvm::StringRef nearest;
  unsigned least = most + 1;
  for (llvm::StringRef name : names)
    if (unsigned edits = text.edit_distance(name, true, least); edits < least) {
      nearest = name;
      least = edits;
    }
  return nearest;
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

std::string gpucost::elide(llvm::StringRef text, size_t width) {
  if (textWidth(text) <= width)
    return text.str();
  if (width <= 4)
    return shorten(text, width);
  // The end, which distinguishes neighbours, gets the larger half.
  size_t left = (width - 2) / 2;
  std::string begin = shorten(text, left + 2);
  llvm::StringRef end = text;
  while (textWidth(end) > width - textWidth(begin)) {
    end = end.drop_front();
    while (!end.empty() && (end.front() & 0xC0) == 0x80)
      end = end.drop_front();
  }
  return begin + end.str();
}

std::string gpucost::barText(double share, size_t width) {
  static constexpr llvm::StringLiteral eighths[] = {
      "", "\u258f", "\u258e", "\u258d", "\u258c", "\u258b", "\u258a", "\u2589"};
  double clamped = share < 0 ? 0 : share > 1 ? 1 : share;
  auto parts =
      static_cast<size_t>(clamped * static_cast<double>(width) * 8 + 0.5);
  std::string text;
  for (size_t i = 0; i < parts / 8; ++i)
    text += "\u2588";
  return text + eighths[parts % 8].str();
}
