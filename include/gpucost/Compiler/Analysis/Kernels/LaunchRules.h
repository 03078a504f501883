//===- LaunchRules.h - Which ops launch or join a launch --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predicates on single ops, shared by the passes that form kernels and the
// analyses that do not change the IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_LAUNCHRULES_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_LAUNCHRULES_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "mlir/IR/Operation.h"

namespace gpucost {

/// The cost class from WorkOpInterface; Opaque for ops without it.
CostClass getCostClass(mlir::Operation *op);

inline bool isProduct(CostClass shape) {
  return shape == CostClass::Contraction || shape == CostClass::Convolution;
}
inline bool isPointwise(CostClass shape) {
  return shape == CostClass::Elementwise ||
         shape == CostClass::RowNormalization ||
         shape == CostClass::Reduction || shape == CostClass::DataMovement;
}

/// Elements of the longest row that one CTA of a generated kernel keeps.
inline constexpr int64_t longestRow = 16384;

/// Whether `op` only names something: a function, a global, an executable.
bool isSymbol(mlir::Operation *op);

/// Whether `op` never launches, even if it lacks WorkOpInterface: structural
/// ops of other dialects, and ops that depend only on weights. `classOf`
/// returns the cost class of an op with WorkOpInterface.
bool launchesNothing(
    mlir::Operation *op,
    llvm::function_ref<CostClass(mlir::Operation *)> classOf = getCostClass);

/// Whether `op` converts a matrix of integers of up to 8 bits to floats:
/// weights that are stored in few bits and converted at every call.
bool isDequantisation(mlir::Operation *op);

/// Whether `op`, of a dialect other than onnx, depends only on constants: it is
/// computed once, before the first iteration. `isKnown` returns this property
/// for ops of the same block that define operands.
bool isConstantWork(mlir::Operation *op,
                    llvm::function_ref<bool(mlir::Operation *)> isKnown);

/// Iterations of the loops around an op: sequential ones, concurrent ones, and
/// whether their number is unknown.
using Loops = std::tuple<mlir::Attribute, mlir::Attribute, bool>;
Loops loopsOf(mlir::Operation *op);
/// Ops of different loops cannot share a launch.
inline bool runTogether(mlir::Operation *a, mlir::Operation *b) {
  return loopsOf(a) == loopsOf(b);
}

/// Operands of `op` and values from outside that its regions use.
llvm::SmallVector<mlir::Value> valuesRead(mlir::Operation *op);

/// Work of a kernel for which only the bytes are known.
KernelWork makeBound(int64_t read, int64_t written);

/// Marks `kernel` as a lower bound with only its minimal bytes read and
/// written, because of `reason`.
void bookBound(KernelOp kernel, int64_t read, int64_t written,
               llvm::StringRef reason);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_LAUNCHRULES_H
