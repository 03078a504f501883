//===- SettingRow.cpp - Values of settings as text ------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Scenario/SettingRow.h"
#include "gpucost/Core/Support/QuantityText.h"
#include "gpucost/Core/Support/Text.h"

using namespace gpucost;

std::string ValueSpec::describe() const {
  std::string inUnit = *unit ? " " + std::string(unit) : "";
  if (std::isfinite(highest))
    return shortestDouble(lowest) + " to " + shortestDouble(highest) + inUnit;
  if (std::isfinite(lowest))
    return (isOpen ? "more than " : "at least ") + shortestDouble(lowest) +
           inUnit;
  if (expected)
    return expected;
  return *placeholder ? placeholder : "a value";
}

std::string gpucost::joinNames(const std::vector<std::string_view> &names,
                               std::string_view separator) {
  std::string text;
  for (std::string_view name : names) {
    if (!text.empty())
      text += separator;
    text += name;
  }
  return text;
}

std::string
gpucost::listAlternatives(const std::vector<std::string_view> &names) {
  if (names.size() < 2)
    return joinNames(names, "");
  return joinNames({names.begin(), names.end() - 1}, ", ") + " or " +
         std::string(names.back());
}

std::string gpucost::numberText(double si, const ValueSpec &spec) {
  std::string text = quantityText(si, Unit{"u", spec.unitSize});
  return text.substr(0, text.find(' '));
}

std::string gpucost::pairName(std::string_view name) {
  constexpr std::string_view special = ",;\"";
  if (name.find_first_of(special) == std::string_view::npos &&
      trimBlanks(name) == name)
    return std::string(name);
  std::string text = "\"";
  for (char c : name)
    text.append(c == '"' ? 2 : 1, c);
  return text + '"';
}

std::string gpucost::bindFlag(const std::vector<std::string> &names) {
  std::string pairs;
  for (const std::string &name : names)
    pairs += (pairs.empty() ? "" : ",") + pairName(name) + ":<n>";
  std::string text = "--bind='";
  for (char c : pairs)
    text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

std::string gpucost::toText(const NamedValues &values, const ValueSpec &) {
  std::string text;
  for (const auto &[name, value] : values)
    text += (text.empty() ? "" : ",") + pairName(name) + ":" +
            std::to_string(value);
  return text;
}
