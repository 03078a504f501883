//===- Software.h - Releases of frameworks ----------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_VOCABULARY_SOFTWARE_H
#define GPUCOST_CORE_VOCABULARY_SOFTWARE_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include <limits>
#include <optional>

namespace gpucost {

/// A version number that orders the releases of a framework.
using SoftwareVersion = int64_t;
constexpr SoftwareVersion version(int64_t major, int64_t minor,
                                  int64_t patch = 0) {
  return (major * 1000 + minor) * 1000 + patch;
}

/// One row of Software.def.
struct Release {
  Software framework; ///< newest release of the framework
  SoftwareVersion last;
};

constexpr Release releaseOf(Software software) {
  constexpr SoftwareVersion newest = std::numeric_limits<int64_t>::max();
  constexpr Release releases[] = {
#define RELEASE(Enumerator, text, framework, last) {Software::framework, last},
#include "gpucost/Core/Vocabulary/Software.def"
  };
  return releases[static_cast<size_t>(software)];
}

constexpr bool isOf(Software software, Software framework) {
  return releaseOf(software).framework == framework;
}
/// Whether `software` is a release of `framework` since version `first`.
constexpr bool isSince(Software software, Software framework,
                       SoftwareVersion first) {
  return isOf(software, framework) && releaseOf(software).last >= first;
}
/// Whether `software` is a release of `framework` before version `first`.
constexpr bool isBefore(Software software, Software framework,
                        SoftwareVersion first) {
  return isOf(software, framework) && releaseOf(software).last < first;
}

/// The software whose kernels are used as a substitute if those of `software`
/// were not measured: the newest release. nullopt: the common set.
constexpr std::optional<Software> standInOf(Software software) {
  Software framework = releaseOf(software).framework;
  return framework == software ? std::nullopt : std::optional(framework);
}

} // namespace gpucost

#endif // GPUCOST_CORE_VOCABULARY_SOFTWARE_H
