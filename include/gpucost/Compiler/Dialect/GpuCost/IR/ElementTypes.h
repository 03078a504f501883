//===- ElementTypes.h - Sizes and formats of element types ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The size of an element in GPU memory, its numeric format, and the size of a
// value in bytes. Shared by every WorkOpInterface implementation.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_ELEMENTTYPES_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_ELEMENTTYPES_H

#include "gpucost/Core/Vocabulary/Formats.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"
#include <optional>

namespace gpucost {

/// Bits of one stored element: 8 for bool, 64 for index; nullopt for types
/// without a size (strings).
std::optional<int64_t> storedBits(mlir::Type elementType);

/// Format that arithmetic on `elementType` uses; integers other than int8
/// count as FP32-unit work.
NumericFormat formatOf(mlir::Type elementType);

/// Type of one element in `format`, without the scales of blocks.
mlir::Type elementTypeOf(mlir::MLIRContext *context, NumericFormat format);

/// Whether `type` has a rank and a size that it does not state.
bool hasDynamicSize(mlir::Type type);

/// Whether `type` is a tensor of floats without dimensions.
bool isFloatScalar(mlir::Type type);

/// Element count of a static shaped type; nullopt when dynamic or when the
/// product does not fit.
std::optional<int64_t> elementCount(mlir::Type type);

/// Bytes of a static shaped type, rounded up for sub-byte elements.
std::optional<int64_t> byteCount(mlir::Type type);

/// Bytes of memory touched by reading all of `value`: through a chain of
/// broadcast views, whose types overstate them, the bytes of the viewed value.
std::optional<int64_t> storageBytes(mlir::Value value);

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_ELEMENTTYPES_H
