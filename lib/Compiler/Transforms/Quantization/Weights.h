//===- Weights.h - Matmuls and their exclusive weights ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_WEIGHTS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_WEIGHTS_H

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Vocabulary/Formats.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"

namespace gpucost::quantization {

/// A weight operand of a matmul.
struct WeightUse {
  mlir::Operation *product = nullptr;
  unsigned operand = 0;
  /// Number of weight rows without shared scales (output channels), and of the
  /// elements in each row that the matmul sums over.
  int64_t channels = 0, depth = 0;
};

/// Why a matmul keeps its formats.
enum class Kept { Sizes, OtherReaders, Convolution, Excepted };

/// The weights of `block` that can be stored in low precision.
struct Weights {
  /// Each weight with the matmuls that read it, in program order.
  llvm::MapVector<mlir::Operation *, llvm::SmallVector<WeightUse, 1>> uses;
  /// Matmuls whose weights remain unchanged.
  llvm::MapVector<Kept, int64_t> kept;
};

class WeightExceptions;

/// Finds the float weights of matmuls, experts and, if set, of convolutions,
/// without `exceptions`.
Weights findWeights(mlir::Block &block, bool convolutions,
                    const WeightExceptions &exceptions);

/// A stored tensor that is not a weight of the model, such as scales.
mlir::Value createStored(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Type type);

/// The scales of a tensor in a format with blocks.
mlir::RankedTensorType scalesOf(mlir::RankedTensorType type,
                                const FormatInfo &info);

/// Sets the element types of `parameter` and values derived from it ahead of
/// time to `element`; removes casts in between.
void setStoredType(mlir::Operation *parameter, mlir::Type element);

} // namespace gpucost::quantization

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_QUANTIZATION_WEIGHTS_H
