//===- PackedLengths.cpp - Documents in one sequence ----------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Support/PackedLengths.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Support/Text.h"
#include <map>

using namespace gpucost;

std::optional<PackedLengths>
gpucost::parsePackedLengths(std::string_view text) {
  constexpr int64_t most = int64_t(1) << 31; // also of --bind
  std::map<int64_t, int64_t> counts;
  for (std::string_view part : splitText(text, ',')) {
    size_t colon = part.find(':');
    DocumentLength each;
    bool isValid = parseCount(trimBlanks(part.substr(0, colon)), each.tokens);
    if (colon != part.npos)
      isValid &= parseCount(trimBlanks(part.substr(colon + 1)), each.count);
    if (!isValid || each.tokens < 1 || each.count < 1 || each.tokens > most ||
        each.count > most)
      return std::nullopt;
    int64_t &count = counts[each.tokens];
    count = saturatingSum(count, each.count);
  }
  if (counts.empty())
    return std::nullopt;
  PackedLengths lengths;
  for (auto [tokens, count] : counts)
    lengths.push_back({tokens, count});
  return lengths;
}

bool gpucost::isPackedLengths(std::string_view text) {
  return parsePackedLengths(text).has_value();
}

PackedLengths gpucost::cutDocuments(const PackedLengths &lengths,
                                    int64_t tokens) {
  PackedLengths cut;
  for (const DocumentLength &each : lengths) {
    if (int64_t whole = each.tokens / tokens)
      cut.push_back({tokens, saturatingProduct(each.count, whole)});
    if (int64_t rest = each.tokens % tokens)
      cut.push_back({rest, each.count});
  }
  return cut;
}

double gpucost::tokensOf(const PackedLengths &lengths) {
  double sum = 0;
  for (const DocumentLength &each : lengths)
    sum += static_cast<double>(each.tokens) * static_cast<double>(each.count);
  return sum;
}

double gpucost::lengthAtToken(const PackedLengths &lengths) {
  double sum = 0;
  for (const DocumentLength &each : lengths) {
    auto tokens = static_cast<double>(each.tokens);
    sum += tokens * tokens * static_cast<double>(each.count);
  }
  return sum / tokensOf(lengths);
}
