//===- PositionTables.h - Reads beyond position tables ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_SHAPES_POSITIONTABLES_H
#define GPUCOST_COMPILER_TRANSFORMS_SHAPES_POSITIONTABLES_H

#include "mlir/IR/Operation.h"
#include <cstdint>
#include <optional>
#include <string>

namespace gpucost {

/// Why `op`, whose operands have static types, cannot be computed: it adds a
/// position embedding table with fewer rows than the sequence has positions. ""
/// if the table is long enough.
std::string findMissingPositions(mlir::Operation *op);

/// Number of rows in the position embedding table that `op` reads, counted from
/// the row of the first position (some exporters begin with row 2). `op` either
/// looks up counted positions, or takes as many rows as an input has tokens.
/// nullopt for other ops.
std::optional<int64_t> countPositionRows(mlir::Operation *op);

/// Number of rows in the rotary tables that `op` reads; nullopt for other ops
/// and computed tables.
std::optional<int64_t> countRotaryRows(mlir::Operation *op);

/// Remark for `op`, whose results have types, when it reads more positions than
/// its table has, the first of them after `past` others: the cost is the same,
/// but the file cannot compute this. "" for other ops.
std::string describeLongLookup(mlir::Operation *op, int64_t past);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_SHAPES_POSITIONTABLES_H
