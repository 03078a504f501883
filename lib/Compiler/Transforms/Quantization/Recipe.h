//===- Recipe.h - Matmuls of 8- and 4-bit training --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_RECIPE_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_RECIPE_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include "llvm/Support/Error.h"

namespace mlir {
class Block;
} // namespace mlir

namespace gpucost::quantization {

/// Marks the matmuls of the forward pass whose weights --weights-except does
/// not name. Their gradients inherit the mark.
llvm::Error markNarrowProducts(mlir::Block &block, llvm::StringRef except);

/// How `narrowProducts` quantises.
struct RecipeOptions {
  Recipe recipe;
  /// Matmuls without block scales read a matrix along either dimension, so
  /// that one copy of it is enough.
  bool readsAnyLayout = false;
  /// Frozen weights are stored in the format of the recipe.
  bool storesFrozen = false;
  /// FSDP gathers weights in the format of the recipe.
  bool gathersNarrow = false;
};

struct NarrowCounts {
  int64_t products = 0, stored = 0;
};

/// (Q6) Quantises both operands of the marked matmuls. Adds their number and
/// that of the weights that are stored in the format of the recipe.
void narrowProducts(mlir::Block &block, const RecipeOptions &options,
                    NarrowCounts &counts);

} // namespace gpucost::quantization

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_RECIPE_H
