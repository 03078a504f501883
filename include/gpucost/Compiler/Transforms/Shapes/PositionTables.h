//===- PositionTables.h - Sequences longer than their positions -*- C++ -*-===//
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
/// table that has fewer rows than the sequence has positions. "" where nothing
/// is wrong.
std::string findMissingPositions(mlir::Operation *op);

/// Rows of the table in which `op` looks up counted positions, from that of the
/// first position on, or of which it takes as many as an input has tokens;
/// nullopt for other ops. Some exporters begin with row 2.
std::optional<int64_t> countPositionRows(mlir::Operation *op);

/// What to say of `op`, whose results have types, when it reads more positions
/// than its table has, the first of them after `past` others: it costs the
/// same, but it is not what the file can compute. "" for other ops.
std::string describeLongLookup(mlir::Operation *op, int64_t past);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_SHAPES_POSITIONTABLES_H
