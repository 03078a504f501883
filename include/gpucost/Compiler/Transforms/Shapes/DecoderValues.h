//===- DecoderValues.h - What the decoder of a model computes ---*- C++ -*-===//
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

/// What follows from the inputs of a decoder ("decoder_input_ids"), of a block
/// that has an encoder, too.
class DecoderValues {
public:
  explicit DecoderValues(mlir::Block &block);

  /// There are inputs of a decoder, and others.
  bool hasEncoder() const { return isPair; }
  /// Of a decoder, or of a model without an encoder.
  bool contains(mlir::Value value) const {
    return !isPair || values.contains(value);
  }
  /// A decoder's attention to what the encoder made.
  bool isCross(mlir::Operation *attention) const;

private:
  bool isPair = false;
  llvm::DenseSet<mlir::Value> values;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_SHAPES_DECODERVALUES_H
