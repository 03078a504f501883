//===- LinalgRules.h - Cost rules of linalg structured ops ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which cost class a structured op has and what follows from it. The rules see
// loops, indexing maps and the body; names of ops do not matter, so that a
// named op and its generic form cost the same.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGRULES_H
#define GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGRULES_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

namespace gpucost {

/// Contraction, Convolution, Pooling, Reduction, Elementwise, Gather or
/// DataMovement; Metadata for a fill that only gives accumulators their first
/// value, which the kernel that accumulates does in registers; Opaque when the
/// body holds an op that is unknown.
CostClass classifyStructuredOp(mlir::linalg::LinalgOp op);

/// Exact work; failure when a loop range is dynamic, a count does not fit an
/// int64_t, or the body holds an op that is unknown.
mlir::FailureOr<WorkAttr> computeStructuredWork(mlir::linalg::LinalgOp op);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGRULES_H
