//===- DimensionNames.h - Customary names of dimensions ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_SHAPES_DIMENSIONNAMES_H
#define GPUCOST_COMPILER_TRANSFORMS_SHAPES_DIMENSIONNAMES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Whether an input of `model` has a dimension that exporters call the tokens
/// in the cache: what `--past` binds.
bool takesPast(mlir::ModuleOp model);

/// Whether argument `index` is an input of the decoder of a model with an
/// encoder: its name begins with "decoder_".
bool isDecoderInput(mlir::func::FuncOp function, unsigned index);

/// What `nameLengths` calls the tokens of an encoder.
inline constexpr llvm::StringLiteral encoderLengthName = "encoder_sequence";

/// Whether `model` has an encoder and a decoder. Then the decoder's length gets
/// the name "sequence" (what `--seq` binds) and the encoder's
/// `encoderLengthName`, where it is no fixed one; what the file declares of
/// other values with the old names is dropped. A file that calls both the same
/// ties them, and stays as it is.
struct EncoderLengths {
  bool hasEncoder = false, isFixed = true, isTied = false;
};
EncoderLengths nameLengths(mlir::ModuleOp model);
/// What to say of a tied one.
inline constexpr llvm::StringLiteral tiedLengths =
    "the lengths of encoder and decoder have one name in the file, whose graph "
    "takes them for equal; export it with a name for each";

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_SHAPES_DIMENSIONNAMES_H
