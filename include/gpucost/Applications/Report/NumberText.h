//===- NumberText.h - Numbers as people and programs read them --*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text of numbers in reports. People get three significant digits and a unit;
// programs get seven. A number that is not finite is never printed.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_APPLICATIONS_REPORT_NUMBERTEXT_H
#define GPUCOST_APPLICATIONS_REPORT_NUMBERTEXT_H

#include "gpucost/Core/Support/Quantity.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace gpucost {

/// Text printed for an unknown number.
constexpr llvm::StringLiteral unknownText = "<unknown>";

/// A number and its unit, apart so that a table can align both.
struct NumberWithUnit {
  std::string number, unit;
  /// "1.23 ms".
  std::string str() const {
    return unit.empty() ? number : number + " " + unit;
  }
};

/// `digits` significant digits without an exponent: 0.0123, 12.3, 1230.
std::string formatSignificant(double value, int digits = 3);

/// `digits` significant digits with the SI prefix that gives 1 <= number <
/// 1000: formatSi(1.23e-5, "s") is 12.3 us.
NumberWithUnit formatSi(double value, llvm::StringRef unit, int digits = 3);

/// The same in powers of 1024, for memory: 80 GiB.
NumberWithUnit formatMemory(double bytes, int digits = 3);

/// "12.3 us".
inline std::string siText(double value, llvm::StringRef unit) {
  return formatSi(value, unit).str();
}
inline std::string siText(Seconds time) { return siText(time.value(), "s"); }
inline std::string siText(Joules energy) { return siText(energy.value(), "J"); }
inline std::string siText(Watts power) { return siText(power.value(), "W"); }
inline std::string siText(Bytes bytes) { return siText(bytes.value(), "B"); }
/// "10.1 ms to 14.3 ms": the ends of an interval around `value`.
std::string intervalText(double value, double halfWidth, llvm::StringRef unit,
                         double atMost = HUGE_VAL);
/// "80 GiB".
template <typename Number> std::string memoryText(Number bytes) {
  return formatMemory(static_cast<double>(bytes)).str();
}
/// The usable memory of a GPU with the memory that it is a part of:
/// "71.2 GiB (of 79.1 GiB; nominal 80 GiB)".
std::string memoryLimitText(Bytes nominal, Bytes total, double usable);
/// "needs 15.4 GiB of 14.6 GiB (nominal 16 GiB)".
std::string memoryNeedText(double need, Bytes nominal, Bytes total,
                           double usable);
/// "1 kernel", "2 kernels".
std::string countText(int64_t count, llvm::StringRef noun);
/// A rate without an exponent: 1282, 164100, 3.05.
std::string rateText(double rate);

/// Two numbers by `format`, a function of a number and its digits, with as many
/// digits from three to seven as distinguish them: 30.04 ms and 30.00 ms.
std::pair<std::string, std::string>
formatApart(double a, double b,
            llvm::function_ref<NumberWithUnit(double, int)> format);

/// A fraction of 0..1: 61.2 %.
std::string formatPercent(double share);
/// "tensor 61.2 %, dram 30.1 %" for the fractions of at least `least`.
template <typename Enum>
std::string sharesText(const std::vector<std::pair<Enum, double>> &shares,
                       double least) {
  std::string text;
  for (const auto &[part, share] : shares)
    if (share >= least)
      text += (text.empty() ? "" : ", ") + std::string(stringifyEnum(part)) +
              " " + formatPercent(share);
  return text;
}

/// "61.2": `part` of `whole` in percent, as columns have it; "0.0" of nothing.
std::string percentText(double part, double whole);

/// A whole column of one quantity: one unit and one number of decimals, so
/// that decimal points are aligned. The largest has `digits` significant
/// digits. Unless `prefixed`, the unit has no prefix.
struct NumberColumn {
  std::vector<std::string> numbers;
  std::string unit; ///< with prefix; "" when the column is empty
};
NumberColumn formatColumn(llvm::ArrayRef<double> values, llvm::StringRef unit,
                          int digits = 3, bool prefixed = true);

/// Seven significant digits, or all before the point, for programs. False, and
/// nothing is printed, when `value` is not finite.
bool printNumber(llvm::raw_ostream &os, double value);

/// A cell of a CSV file, quoted if RFC 4180 requires it.
void printCsvCell(llvm::raw_ostream &os, llvm::StringRef text);
/// Cells separated by commas, after `begin`, without the end of the line.
template <typename Cells>
void printCsvCells(llvm::raw_ostream &os, const Cells &cells,
                   llvm::StringRef begin = "") {
  for (const auto &cell : cells) {
    os << begin;
    begin = ",";
    printCsvCell(os, cell);
  }
}

/// The name with the fewest differences from `text`, at most `most` letters;
/// "" if there is none.
llvm::StringRef nearestName(llvm::StringRef text,
                            llvm::ArrayRef<llvm::StringRef> names,
                            unsigned most);

/// `text` as valid UTF-8 without control characters.
std::string printable(llvm::StringRef text);

/// Terminal columns that `text` takes.
size_t textWidth(llvm::StringRef text);

/// `text`, which is printable, in at most `width` columns; ".." replaces the
/// rest.
std::string shorten(llvm::StringRef text, size_t width);

/// Shortens `text` in the middle with "..", because both ends of a path matter.
std::string elide(llvm::StringRef text, size_t width);

/// `share` in 0..1 as a bar of at most `width` columns, in eighths.
std::string barText(double share, size_t width);

} // namespace gpucost

#endif // GPUCOST_APPLICATIONS_REPORT_NUMBERTEXT_H
