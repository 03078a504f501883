//===- Prices.h - GPU prices per hour ---------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parses --price: "2.5", or "a100:1.5,h100:3,*:2". Independent of LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_SUPPORT_PRICES_H
#define GPUCOST_CORE_SUPPORT_PRICES_H

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace gpucost {

/// Price per GPU hour by GPU name; `*` for all others.
using Prices = std::map<std::string, double, std::less<>>;

/// nullopt if `text` is not a valid list of prices: numbers of at least 0, each
/// name once.
std::optional<Prices> parsePrices(std::string_view text);
bool isPrices(std::string_view text);
/// Description of valid texts, for diagnostics.
inline constexpr const char *pricesExpected =
    "money for an hour of one GPU, or of several by name, each once "
    "(a100:1.5,h100:3,*:2)";

/// The price of the GPU `name`, which a scenario may call `target` ("a100",
/// "a100-bf16"); nullopt if there is none.
std::optional<double> priceOf(const Prices &prices, std::string_view name,
                              std::string_view target);

} // namespace gpucost

#endif // GPUCOST_CORE_SUPPORT_PRICES_H
