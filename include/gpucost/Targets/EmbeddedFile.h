//===- EmbeddedFile.h - Data files compiled into the binary -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Targets and coefficients are data files that the build embeds, so that the
// tool and the plugin work from any folder.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_TARGETS_EMBEDDEDFILE_H
#define GPUCOST_TARGETS_EMBEDDEDFILE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace gpucost {

struct EmbeddedFile {
  llvm::StringLiteral name; ///< file name without folder and extension
  llvm::StringLiteral content;
};

/// targets/*.mlir, sorted by name.
llvm::ArrayRef<EmbeddedFile> embeddedTargets();
/// calibration/coefficients/*.mlir, sorted by name.
llvm::ArrayRef<EmbeddedFile> embeddedCoefficients();

} // namespace gpucost

#endif // GPUCOST_TARGETS_EMBEDDEDFILE_H
