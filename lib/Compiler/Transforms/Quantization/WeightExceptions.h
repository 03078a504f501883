//===- WeightExceptions.h - Weights that keep their format ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_WEIGHTEXCEPTIONS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_WEIGHTEXCEPTIONS_H

#include "Weights.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"
#include <memory>
#include <string>

namespace gpucost::quantization {

/// (Q1) --weights-except. A word without a wildcard matches every name that
/// contains it. Files do not always name their weights, so that `lm_head` also
/// means the product of the output called logits, and `router` a product that
/// chooses experts.
class WeightExceptions {
public:
  static llvm::Expected<WeightExceptions> parse(llvm::StringRef text);
  /// Whether `parameter`, which `use` reads, keeps its format.
  bool contains(mlir::Operation *parameter, const WeightUse &use) const;

private:
  std::shared_ptr<const std::string> text; ///< the patterns refer to it
  llvm::SmallVector<llvm::GlobPattern> patterns;
  bool heads = false, routers = false;
};

} // namespace gpucost::quantization

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_WEIGHTEXCEPTIONS_H
