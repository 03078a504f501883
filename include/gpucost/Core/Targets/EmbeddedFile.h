//===- EmbeddedFile.h - Data files compiled into the binary -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Target, network and coefficient data files that the build embeds, so that the
// tool, the plugin and the libraries work from any folder.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_CORE_TARGETS_EMBEDDEDFILE_H
#define GPUCOST_CORE_TARGETS_EMBEDDEDFILE_H

#include "gpucost/Core/Support/Span.h"
#include <string_view>

namespace gpucost {

struct EmbeddedFile {
  std::string_view name; ///< file name without folder and extension
  std::string_view content;
};

/// targets/*.mlir, sorted by name.
Span<EmbeddedFile> embeddedTargets();
/// targets/coefficients/*.mlir, sorted by name.
Span<EmbeddedFile> embeddedCoefficients();
/// A file of targets/coefficients as the build reads it.
struct CompiledSet {
  std::string_view name;
  std::string_view hash; ///< hashCoefficients of the complete set
  /// The set without the groups that completeCoefficients adds, by RecordIo.h.
  std::string_view bytes;
};
/// Those of embeddedCoefficients(), in the same order; none in the program that
/// writes them (lib/Core/Archive/CompileSets.cpp).
Span<CompiledSet> compiledSets();

/// networks/*.mlir, sorted by name.
Span<EmbeddedFile> embeddedNetworks();
/// targets/accuracy.csv.
Span<EmbeddedFile> embeddedAccuracy();

} // namespace gpucost

#endif // GPUCOST_CORE_TARGETS_EMBEDDEDFILE_H
