//===- LinalgRules.h - Cost rules of linalg structured ops ------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The cost class of a structured op and its work. The rules use loops, indexing
// maps and the body, not the names of ops, so that a named op and its generic
// form have the same cost.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGRULES_H
#define GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGRULES_H

#include "LinalgBody.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostDialect.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

namespace gpucost {

/// Contraction, Convolution, Pooling, Reduction, Elementwise, Gather or
/// DataMovement; Metadata for a fill that only initializes accumulators, which
/// a kernel does in registers; Opaque if the body contains an unknown op.
CostClass classifyStructuredOp(mlir::linalg::LinalgOp op);

/// FLOPs of an iteration of a contraction or convolution besides the
/// multiply-add, which the matrix unit executes: scales. Kernels move zero
/// points out of the sum.
int64_t flopsBesidesProduct(mlir::linalg::LinalgOp op, const BodyCost &body);

/// The element type that a contraction or convolution computes in: a product of
/// an fp32 operand and a narrower one, which the body widens, is in fp32.
mlir::Type getProductElement(mlir::linalg::LinalgOp op,
                             mlir::Type inputElement);

/// Exact work; failure if a loop range is dynamic, a count does not fit an
/// int64_t, or the body contains an unknown op.
mlir::FailureOr<WorkAttr> computeStructuredWork(mlir::linalg::LinalgOp op);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGRULES_H
