//===- CoefficientsPin.cpp - Sets of coefficients by hash -----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Core/Targets/CoefficientsPin.h"
#include "gpucost/Core/Model/RecordTypes.h"
#include "gpucost/Core/Support/RecordText.h"
#include "gpucost/Core/Support/Sha256.h"
#include "gpucost/Core/Support/Text.h"
#include "gpucost/Core/Targets/TargetData.h"

using namespace gpucost;

// Defined in lib/Core/Model/RecordTypes.cpp.
extern template const RecordType &gpucost::recordType<Coefficients>();

static constexpr std::string_view separator = "@sha256:";

Expected<PinnedCoefficients>
gpucost::parseCoefficientsName(std::string_view text) {
  size_t at = text.find(separator);
  if (at == std::string_view::npos)
    return PinnedCoefficients{std::string(text), ""};
  std::string hash = toLower(text.substr(at + separator.size()));
  // 48 bits tell any sets apart that people compare.
  constexpr size_t fewest = 12, most = 64;
  if (hash.size() < fewest || hash.size() > most ||
      hash.find_first_not_of("0123456789abcdef") != std::string::npos)
    return fail(concat("coefficients: expected ", fewest, " to ", most,
                       " hexadecimal digits after '", separator, "', but got '",
                       hash, "'"));
  return PinnedCoefficients{std::string(text.substr(0, at)), hash};
}

std::string gpucost::hashCoefficients(const Coefficients &coefficients) {
  if (const CompiledSet *set = findCompiledSet(coefficients))
    return std::string(set->hash);
  std::string text;
  printRecord(text, recordType<Coefficients>(), &coefficients);
  return sha256(text);
}

std::string gpucost::pinOf(const Coefficients &coefficients) {
  return concat(separator, hashCoefficients(coefficients));
}

Expected<void> gpucost::checkPin(const PinnedCoefficients &pinned,
                                 const Coefficients &coefficients) {
  if (pinned.hash.empty())
    return {};
  std::string actual = hashCoefficients(coefficients);
  if (actual.compare(0, pinned.hash.size(), pinned.hash) == 0)
    return {};
  return fail(concat(
      "coefficients: expected the set with sha256:", pinned.hash, ", but ",
      pinned.source.empty() ? "that of the target" : "'" + pinned.source + "'",
      " has sha256:", actual));
}
