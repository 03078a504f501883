//===- TensorDims.h - Static shapes of tensor dialects ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Propagates bound argument dimensions through functions of linalg, tensor,
// memref and tosa, with the upstream canonicalization patterns.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_TENSORDIMS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_TENSORDIMS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/PassManager.h"

namespace gpucost {

/// Adds canonicalization without merging equal constants: weights that a file
/// contains as splats are different tensors.
void addCanonicalizer(mlir::OpPassManager &pm);
void insertPropagationDialects(mlir::DialectRegistry &registry);
/// Casts bound arguments back to the types that their users expect.
void castArguments(mlir::func::FuncOp func,
                   llvm::ArrayRef<mlir::Type> expected);
/// Adds the passes that replace the casts with static types.
void addShapePropagation(mlir::func::FuncOp func, mlir::OpPassManager &pm);
/// Removes copies that read each element at its own indices: broadcasts to an
/// unknown size, which front ends write as gathers, once the size is known to
/// equal the operand's.
void dropIdentityGathers(mlir::func::FuncOp func);
/// Lets `func` return the operands of casts to its declared results.
void dropReturnedCasts(mlir::func::FuncOp func);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_TENSORDIMS_H
