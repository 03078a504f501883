//===- DecoderValues.h - Values computed by a model's decoder ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_SHAPES_DECODERVALUES_H
#define GPUCOST_COMPILER_TRANSFORMS_SHAPES_DECODERVALUES_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseSet.h"

namespace gpucost {

/// The values that depend on the inputs of a decoder ("decoder_input_ids"), for
/// a block that also contains an encoder.
class DecoderValues {
public:
  explicit DecoderValues(mlir::Block &block);

  /// Whether the block has decoder inputs and other inputs.
  bool hasEncoder() const { return isPair; }
  /// Whether `value` belongs to the decoder; true without an encoder.
  bool contains(mlir::Value value) const {
    return !isPair || values.contains(value);
  }
  /// Whether this is the cross-attention of a decoder to the encoder's output.
  bool isCross(mlir::Operation *attention) const;

private:
  bool isPair = false;
  llvm::DenseSet<mlir::Value> values;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_SHAPES_DECODERVALUES_H
