//===- Vendors.h - Makers of GPUs -------------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The vendor of a generation, the order of generations, and the words of a
// vendor. Tables: Architectures.def, Vendors.def.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_VOCABULARY_VENDORS_H
#define GPUCOST_CORE_VOCABULARY_VENDORS_H

#include "gpucost/Core/Vocabulary/Formats.h"
#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace gpucost {

enum class Vendor : uint32_t {
#define VENDOR(Case, text, lanes, registers) Case,
#include "gpucost/Core/Vocabulary/Vendors.def"
};

constexpr std::string_view nameOf(Vendor vendor) {
  constexpr std::string_view names[] = {
#define VENDOR(Case, text, lanes, registers) text,
#include "gpucost/Core/Vocabulary/Vendors.def"
  };
  return names[static_cast<size_t>(vendor)];
}

/// Threads of a subgroup: a warp, or a wavefront of CDNA.
constexpr int subgroupSize(Vendor vendor) {
  constexpr int sizes[] = {
#define VENDOR(Case, text, lanes, registers) lanes,
#include "gpucost/Core/Vocabulary/Vendors.def"
  };
  return sizes[static_cast<size_t>(vendor)];
}

/// The most registers of 32 bits that a thread has.
constexpr int threadRegisters(Vendor vendor) {
  constexpr int counts[] = {
#define VENDOR(Case, text, lanes, registers) registers,
#include "gpucost/Core/Vocabulary/Vendors.def"
  };
  return counts[static_cast<size_t>(vendor)];
}

constexpr Vendor vendorOf(Architecture architecture) {
  constexpr Vendor vendors[] = {
#define ARCHITECTURE(Case, text, vendor) Vendor::vendor,
#include "gpucost/Core/Vocabulary/Architectures.def"
  };
  return vendors[static_cast<size_t>(architecture)];
}

/// Number of generations between two architectures; more than between any two
/// of one vendor if the vendors differ.
constexpr int generationsBetween(Architecture a, Architecture b) {
  int first = static_cast<int>(a), second = static_cast<int>(b);
  int generations = first < second ? second - first : first - second;
  constexpr int all =
      static_cast<int>(std::size(EnumTraits<Architecture>::cases));
  return generations + (vendorOf(a) == vendorOf(b) ? 0 : all);
}

/// The first generation of `vendor` with matrix units for `format` (fp32: with
/// vector units); nullopt if there is none.
constexpr std::optional<Architecture> firstWith(NumericFormat format,
                                                Vendor vendor) {
  if (vendor == Vendor::NVIDIA)
    return infoOf(format).since;
#define FIRST_FORMAT(each, architecture)                                       \
  if (format == NumericFormat::each &&                                         \
      vendor == vendorOf(Architecture::architecture))                          \
    return Architecture::architecture;
#include "gpucost/Core/Vocabulary/Architectures.def"
  return std::nullopt;
}

/// Whether `architecture` has units for `format`.
constexpr bool computesIn(Architecture architecture, NumericFormat format) {
  std::optional<Architecture> first = firstWith(format, vendorOf(architecture));
  return first && architecture >= *first;
}

/// `text` with the words of Vendors.def replaced by those of `vendor`.
inline std::string inWordsOf(Vendor vendor, std::string_view text) {
  std::string result;
  auto isInWord = [&](size_t i) {
    return i < text.size() && std::isalnum(static_cast<unsigned char>(text[i]));
  };
  auto wordAt = [&](size_t i) -> std::pair<std::string_view, std::string_view> {
#define VENDOR_WORD(nvidia, amd)                                               \
  if (text.substr(i, std::string_view(nvidia).size()) == nvidia &&             \
      !isInWord(i + std::string_view(nvidia).size()))                          \
    return {nvidia, amd};
#include "gpucost/Core/Vocabulary/Vendors.def"
    return {};
  };
  for (size_t i = 0; i < text.size();) {
    bool starts = vendor == Vendor::AMD && (i == 0 || !isInWord(i - 1));
    auto [word, other] =
        starts ? wordAt(i) : std::pair<std::string_view, std::string_view>();
    result += word.empty() ? text.substr(i, 1) : other;
    i += std::max<size_t>(word.size(), 1);
  }
  return result;
}

} // namespace gpucost

#endif // GPUCOST_CORE_VOCABULARY_VENDORS_H
