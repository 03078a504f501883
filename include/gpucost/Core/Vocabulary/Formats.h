//===- Formats.h - Facts of number formats ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of Formats.def, and sets of formats.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_VOCABULARY_FORMATS_H
#define GPUCOST_CORE_VOCABULARY_FORMATS_H

#include "gpucost/Core/Support/CheckedMath.h"
#include "gpucost/Core/Vocabulary/Enums.h"

namespace gpucost {

/// One row of Formats.def, which describes the columns.
struct FormatInfo {
  NumericFormat format;
  int64_t bits, block, scaleBits, rows;
  std::optional<NumericFormat> rate;
  int64_t loadElements;
  Architecture since;
  std::string_view type;
};

/// Bytes of a load of a row with `rowBits`: 16 or 4, or a single element.
constexpr int64_t loadBytesOf(int64_t rowBits, int64_t elementBits) {
  return rowBits % 128 == 0 ? 16 : rowBits % 32 == 0 ? 4 : elementBits / 8;
}

inline constexpr FormatInfo formatInfos[] = {
#define FORMAT(Case, text, bits, block, scaleBits, rows, rate, load, energy,   \
               since, type, doc)                                               \
  {NumericFormat::Case, bits, block, scaleBits, rows, rate, load,              \
   Architecture::since, type},
#include "gpucost/Core/Vocabulary/Formats.def"
};

constexpr const FormatInfo &infoOf(NumericFormat format) {
  return formatInfos[static_cast<size_t>(format)];
}

/// Whether `format` has at most 8 bits. In models that use such formats, all
/// other tensors are 16-bit.
constexpr bool hasFewBits(NumericFormat format) {
  return infoOf(format).bits <= 8;
}

/// The format that tensors are stored in; nullopt for `AsIs`.
constexpr std::optional<NumericFormat> formatOf(StorageFormat format) {
  switch (format) {
  case StorageFormat::AsIs:
    return std::nullopt;
#define STORED_FORMAT(Case, ...)                                               \
  case StorageFormat::Case:                                                    \
    return NumericFormat::Case;
#include "gpucost/Core/Vocabulary/Formats.def"
  }
  return std::nullopt;
}
/// Inverse of `formatOf`; `AsIs` for a format that --weights does not accept.
constexpr StorageFormat storedAs(NumericFormat format) {
  for (const EnumCase<StorageFormat> &each : EnumTraits<StorageFormat>::cases)
    if (formatOf(each.value) == format)
      return each.value;
  return StorageFormat::AsIs;
}

/// Bits per element; as-is counts as 64, more than any other format.
constexpr int64_t bitsOf(StorageFormat format) {
  std::optional<NumericFormat> stored = formatOf(format);
  return stored ? infoOf(*stored).bits : 64;
}

/// Bytes of `elements` elements and their block scales; nullopt if they do not
/// fit.
inline std::optional<int64_t> bytesOf(NumericFormat format, int64_t elements) {
  const FormatInfo &info = infoOf(format);
  auto bytesAt = [](int64_t count, int64_t bits) {
    return Saturating(count / 8) * bits + (count % 8 * bits + 7) / 8;
  };
  int64_t blocks =
      info.block ? elements / info.block + (elements % info.block != 0) : 0;
  int64_t bytes =
      (bytesAt(elements, info.bits) + bytesAt(blocks, info.scaleBits)).value();
  return bytes < INT64_MAX ? std::optional(bytes) : std::nullopt;
}

/// Bytes per element with `bits` bits in a kernel in `format`, including its
/// share of a block scale if the element is stored in that format.
constexpr double elementBytes(NumericFormat format, int64_t bits) {
  const FormatInfo &info = infoOf(format);
  double own = static_cast<double>(bits);
  if (info.block && info.bits == bits)
    own +=
        static_cast<double>(info.scaleBits) / static_cast<double>(info.block);
  return own / 8;
}

/// A set of formats.
struct FormatSet {
  uint32_t bits = 0; ///< one per format, by number

  static constexpr uint32_t bitOf(NumericFormat format) {
    return uint32_t(1) << static_cast<uint32_t>(format);
  }
  constexpr void insert(NumericFormat format) { bits |= bitOf(format); }
  constexpr bool contains(NumericFormat format) const {
    return bits & bitOf(format);
  }
};
static_assert(std::size(formatInfos) <= 32, "FormatSet has 32 bits");

} // namespace gpucost

#endif // GPUCOST_CORE_VOCABULARY_FORMATS_H
