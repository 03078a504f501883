//===- Text.h - Small operations on text ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What libraries without LLVM need of text. No function depends on the locale.
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

/// The parts one after the other: texts and integers.
template <typename... Parts> std::string concat(const Parts &...parts) {
  std::string text;
  auto add = [&](const auto &part) {
    if constexpr (std::is_integral_v<std::decay_t<decltype(part)>>)
      text += std::to_string(part);
    else
      text += std::string_view(part);
  };
  (add(parts), ...);
  return text;
}

/// Without blanks at both ends.
std::string_view trimBlanks(std::string_view text);
/// Equal but for the case of ASCII letters.
bool isSameWord(std::string_view a, std::string_view b);
/// ASCII letters in lower case.
std::string toLower(std::string_view text);

/// A decimal integer and nothing else; false when it is none or does not fit.
bool parseInteger(std::string_view text, int64_t &value);
/// A decimal number and nothing else, rounded to the nearest double; false when
/// it is none or out of range.
bool parseNumber(std::string_view text, double &value);

/// Letters to insert, delete or replace to get from `a` to `b`.
size_t editDistance(std::string_view a, std::string_view b);

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_TEXT_H
