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

/// (Q6) Quantises both operands of the marked matmuls. Returns their number.
int64_t narrowProducts(mlir::Block &block, Recipe recipe);

} // namespace gpucost::quantization

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_RECIPE_H
