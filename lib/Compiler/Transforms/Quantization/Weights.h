//===- Weights.h - Products and weights of their own ------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_WEIGHTS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_WEIGHTS_H

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace gpucost::quantization {

/// A weight operand of a product.
struct WeightUse {
  mlir::Operation *product = nullptr;
  unsigned operand = 0;
  /// Rows of the weight that share no scale (output channels), and the elements
  /// of each that a product sums over.
  int64_t channels = 0, depth = 0;
};

/// Why a product keeps its formats.
enum class Kept { Sizes, OtherReaders, Convolution };

/// The weights of `block` that can be stored in few bits.
struct Weights {
  /// Each with the products that read it, in program order.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<WeightUse, 1>> uses;
  /// Products with weights that stay as they are.
  llvm::MapVector<Kept, int64_t> kept;
};

/// Finds the float weights of matrix products, experts and, with
/// `convolutions`, of convolutions.
Weights findWeights(mlir::Block &block, bool convolutions);

/// Gives the result of `parameter`, and what is made of it ahead of time, the
/// element type `element`; casts on the way go.
void setStoredType(mlir::Operation *parameter, mlir::Type element);

} // namespace gpucost::quantization

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_WEIGHTS_H
