//===- Text.h - Small operations on text ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// String functions for libraries without LLVM. They do not depend on the
// locale.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_TEXT_H
#define GPUCOST_CORE_SUPPORT_TEXT_H

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace gpucost {

/// Concatenates strings and integers.
template <typename... Parts> std::string concat(const Parts &...parts) {
  std::string text;
  auto add = [&](const auto &part) {
    using Part = std::decay_t<decltype(part)>;
    static_assert(!std::is_same_v<Part, char> && !std::is_same_v<Part, bool>,
                  "expected a string or an integer");
    if constexpr (std::is_integral_v<Part>)
      text += std::to_string(part);
    else
      text += std::string_view(part);
  };
  (add(parts), ...);
  return text;
}

/// `text` without leading and trailing blanks.
std::string_view trimBlanks(std::string_view text);
/// Compares strings, ignoring the case of ASCII letters.
bool isSameWord(std::string_view a, std::string_view b);
/// `text` with ASCII letters in lower case.
std::string toLower(std::string_view text);

/// The parts of `text` between separators, at least one.
std::vector<std::string_view> splitText(std::string_view text, char separator);

/// Parses `text` as a decimal integer; false if it is not one or does not fit.
bool parseInteger(std::string_view text, int64_t &value);
/// The same, and a whole number with an exponent ("1e12", "2.5e3").
bool parseCount(std::string_view text, int64_t &value);
/// Parses `text` as a decimal number, rounded to the nearest double; false if
/// it is not one or out of range.
bool parseNumber(std::string_view text, double &value);

/// Number of letters to insert, delete or replace to change `a` to `b`.
size_t editDistance(std::string_view a, std::string_view b);

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_TEXT_H
