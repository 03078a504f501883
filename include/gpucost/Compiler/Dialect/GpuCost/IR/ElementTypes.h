//===- ElementTypes.h - Sizes and formats of element types ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How many bits an element takes in GPU memory, which numeric format it is, and
// how many bytes a value is. Shared by every WorkOpInterface implementation.
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

/// Number of elements of a static shaped type; nullopt when dynamic or when the
/// product does not fit.
std::optional<int64_t> elementCount(mlir::Type type);

/// Bytes of a static shaped type, rounded up for sub-byte elements.
std::optional<int64_t> byteCount(mlir::Type type);

/// Bytes of memory that reading all of `value` touches: what lies behind chains
/// of broadcast views, which their types overstate.
std::optional<int64_t> storageBytes(mlir::Value value);

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_ELEMENTTYPES_H
