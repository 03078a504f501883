//===- CoefficientsPin.h - Sets of coefficients by hash ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The setting `coefficients` names a set and may pin its hash, so that a test
// of predictions fails with one clear message when the set changes.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_COEFFICIENTSPIN_H
#define GPUCOST_CORE_TARGETS_COEFFICIENTSPIN_H

#include "gpucost/Core/Model/Coefficients.h"
#include "gpucost/Core/Support/Expected.h"
#include <string>
#include <string_view>

namespace gpucost {

/// `SOURCE`, `SOURCE@sha256:HEX` or `@sha256:HEX`.
struct PinnedCoefficients {
  /// A file or the name of a built-in set; "": the target's set.
  std::string source;
  /// At least 12 hexadecimal digits in lower case; "": not pinned.
  std::string hash;
};

Expected<PinnedCoefficients> parseCoefficientsName(std::string_view text);

/// SHA-256 of the set in canonical form: all numbers and sources, independent
/// of the layout of its file.
std::string hashCoefficients(const Coefficients &coefficients);

/// "@sha256:...", as `coefficients` accepts it.
std::string pinOf(const Coefficients &coefficients);

/// An error with both hashes if `coefficients` does not have the pinned one.
Expected<void> checkPin(const PinnedCoefficients &pinned,
                        const Coefficients &coefficients);

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_COEFFICIENTSPIN_H
