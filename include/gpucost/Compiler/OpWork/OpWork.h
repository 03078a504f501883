//===- OpWork.h - Work of ops and tiles, for any target ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The neutral part of the compiler interface: it depends only on MLIR. Counts
// are exact integers. This project derives its kernels from the same rules, see
// `gpucost::WorkOpInterface`.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_OPWORK_OPWORK_H
#define GPUCOST_COMPILER_OPWORK_OPWORK_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace opwork {

/// Execution units that targets have in some form.
enum class Unit {
  Matrix, ///< products of small matrices, if the target has such a unit
  Vector  ///< adds, multiplies, compares and selects of elements
};

/// Arithmetic on one unit in one format.
struct Arithmetic {
  Unit unit = Unit::Vector;
  mlir::Type format; ///< element type of the inputs
  /// Adds, multiplies, compares and selects of floating-point numbers, 2 per
  /// multiply-add. On the matrix unit also of integers.
  int64_t flops = 0;
};

/// Evaluations of a scalar function, such as `math.exp` or `arith.divf`.
struct FunctionCalls {
  mlir::OperationName function;
  mlir::Type format;
  int64_t count = 0;
};

/// The bytes of one operand. A tensor that several operands read is counted
/// once, up to its size.
struct OperandBytes {
  unsigned operand = 0;
  int64_t read = 0, written = 0;
};

struct Work {
  int64_t iterations = 0;
  llvm::SmallVector<Arithmetic, 2> arithmetic;
  llvm::SmallVector<FunctionCalls, 2> functions;
  /// All operands, in order.
  llvm::SmallVector<OperandBytes, 4> operands;
  /// Bytes read at computed positions of tensors that are not operands.
  int64_t gatheredBytes = 0;

  int64_t flopsOn(Unit unit) const;
  int64_t bytesRead() const;
  int64_t bytesWritten() const;
};

/// A closed interval of indices.
struct Span {
  int64_t first = 0, last = 0;
  int64_t size() const { return last - first + 1; }
};

/// (J11) The values of `expr` over a box of loops; nullopt with symbols, and
/// where it is not monotonic in each loop or does not fit an int64_t.
std::optional<Span> spanOf(mlir::AffineExpr expr, llvm::ArrayRef<Span> loops);

/// (J11) The elements of `shape` that `map` accesses over the box `loops` of an
/// iteration space of `ranges`, by dimension. A dimension whose loops are all
/// complete is accessed completely.
std::optional<llvm::SmallVector<int64_t>>
footprintOf(mlir::AffineMap map, llvm::ArrayRef<int64_t> shape,
            llvm::ArrayRef<Span> loops, llvm::ArrayRef<int64_t> ranges);

/// A box of loops in an iteration space of `ranges`, from the offsets and sizes
/// of `TilingInterface`. `offsetIsKnown` has a bit for each loop.
struct Tile {
  llvm::SmallVector<Span> loops;
  llvm::SmallVector<bool> offsetIsKnown;
};
std::optional<Tile> readTile(llvm::ArrayRef<mlir::OpFoldResult> offsets,
                             llvm::ArrayRef<mlir::OpFoldResult> sizes,
                             llvm::ArrayRef<int64_t> ranges);

namespace detail {
mlir::FailureOr<Work> getWorkOfAllIterations(mlir::Operation *op);
} // namespace detail

} // namespace opwork

#include "gpucost/Compiler/OpWork/OpWorkInterface.h.inc"

#endif // GPUCOST_COMPILER_OPWORK_OPWORK_H
