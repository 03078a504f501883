//===- NamePatterns.h - Selection of trained parameters ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_NAMEPATTERNS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_NAMEPATTERNS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"
#include <memory>
#include <string>

namespace gpucost::training {

/// Patterns such as "*lora*,*.bias" or "!wte*": the last pattern that matches a
/// name decides, and `!` excludes it. Names without a match are excluded if the
/// first pattern is without `!`, and included otherwise.
class NamePatterns {
public:
  static llvm::Expected<NamePatterns> parse(llvm::StringRef text);
  bool match(llvm::StringRef name) const;

private:
  struct Pattern {
    llvm::GlobPattern glob;
    bool excludes;
  };
  std::shared_ptr<const std::string> text;
  llvm::SmallVector<Pattern> patterns;
};

} // namespace gpucost::training

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_TRAINING_NAMEPATTERNS_H
