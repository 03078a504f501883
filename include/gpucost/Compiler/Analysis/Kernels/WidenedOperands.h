//===- WidenedOperands.h - Matrix products of widened tensors ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (L14) Compilers write a mixed-precision product as an fp32 product of widened
// 16-bit tensors. Widening is exact, so the matrix unit computes the same from
// the narrow tensors, with a wide accumulator.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_WIDENEDOPERANDS_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_WIDENEDOPERANDS_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace gpucost {

/// An operand of a matrix product that was widened.
struct WidenedOperand {
  mlir::OpOperand *operand = nullptr;
  /// From the op that defines the operand to the op that widens. Those before
  /// the last move elements or view them.
  llvm::SmallVector<mlir::Operation *, 4> path;
  /// The tensor before it was widened.
  mlir::Value source() const { return path.back()->getOperand(0); }
};

/// Both operands of the product `op` if they were widened from the same narrow
/// format to fp32 or i32; an operand may also be narrow already. Otherwise
/// empty.
llvm::SmallVector<WidenedOperand, 2> findWidenedOperands(mlir::Operation *op);

/// The element type that the product of `operands` computes with.
mlir::Type narrowTypeOf(llvm::ArrayRef<WidenedOperand> operands);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_WIDENEDOPERANDS_H
