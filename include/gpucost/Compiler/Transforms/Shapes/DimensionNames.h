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
#include "llvm/ADT/Twine.h"
#include <string>

namespace gpucost {

/// The name by which `--bind` knows a symbolic dimension without a name: that
/// of its input and its number.
inline std::string unnamedDimension(llvm::StringRef input, unsigned number) {
  return (input + "." + llvm::Twine(number)).str();
}

/// Whether an input of `model` has a dimension with a customary name for the
/// tokens in the cache, which `--past` binds.
bool takesPast(mlir::ModuleOp model);

/// Whether argument `index` is a decoder input of an encoder-decoder model: its
/// name begins with "decoder_".
bool isDecoderInput(mlir::func::FuncOp function, unsigned index);

/// The name that `nameLengths` gives to the encoder's sequence dimension.
inline constexpr llvm::StringLiteral encoderLengthName = "encoder_sequence";

/// Whether `model` has an encoder and a decoder. Then the decoder's length gets
/// the name "sequence" (which `--seq` binds) and the encoder's length, unless
/// it is fixed, the name `encoderLengthName`; types that the file declares for
/// other values with the old names are dropped. A file that uses one name for
/// both lengths ties them and is not changed.
struct EncoderLengths {
  bool hasEncoder = false, isFixed = true, isTied = false;
};
EncoderLengths nameLengths(mlir::ModuleOp model);
/// Diagnostic for tied lengths.
inline constexpr llvm::StringLiteral tiedLengths =
    "the lengths of encoder and decoder have one name in the file, whose graph "
    "takes them for equal; export it with a name for each";

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_SHAPES_DIMENSIONNAMES_H
