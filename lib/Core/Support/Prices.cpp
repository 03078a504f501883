//===- Prices.cpp - GPU prices per hour -----------------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/Prices.h"
#include <cmath>
#include <cstdlib>

using namespace gpucost;

static std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ')
    text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ')
    text.remove_suffix(1);
  return text;
}

static std::optional<double> parsePrice(std::string_view text) {
  std::string digits(trim(text));
  // Stricter than strtod: hexadecimal numbers and names are invalid.
  if (digits.empty() ||
      digits.find_first_not_of("0123456789.eE+-") != std::string::npos)
    return std::nullopt;
  char *end = nullptr;
  double value = std::strtod(digits.c_str(), &end);
  if (*end || !std::isfinite(value) || value < 0)
    return std::nullopt;
  return value;
}

std::optional<Prices> gpucost::parsePrices(std::string_view text) {
  Prices prices;
  while (true) {
    size_t comma = text.find(',');
    std::string_view part = trim(text.substr(0, comma));
    size_t colon = part.rfind(':');
    std::string_view name =
        colon == part.npos ? "*" : trim(part.substr(0, colon));
    std::optional<double> price =
        parsePrice(colon == part.npos ? part : part.substr(colon + 1));
    if (name.empty() || !price || !prices.emplace(name, *price).second)
      return std::nullopt;
    if (comma == text.npos)
      return prices;
    text.remove_prefix(comma + 1);
  }
}

bool gpucost::isPrices(std::string_view text) {
  return parsePrices(text).has_value();
}

std::optional<double> gpucost::priceOf(const Prices &prices,
                                       std::string_view name,
                                       std::string_view target) {
  for (std::string_view key :
       {name, target, target.substr(0, target.rfind('-')),
        std::string_view("*")})
    if (auto it = prices.find(key); it != prices.end())
      return it->second;
  return std::nullopt;
}
