//===- LaunchRules.h - What launches, and what joins a launch ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Questions about single ops. The passes that form kernels and the analyses
// that leave the IR as it is ask the same ones.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_LAUNCHRULES_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_LAUNCHRULES_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Core/Model/KernelWork.h"
#include "mlir/IR/Operation.h"

namespace gpucost {

/// That of WorkOpInterface; Opaque for other ops.
CostClass getCostClass(mlir::Operation *op);

inline bool isProduct(CostClass shape) {
  return shape == CostClass::Contraction || shape == CostClass::Convolution;
}
inline bool isPointwise(CostClass shape) {
  return shape == CostClass::Elementwise ||
         shape == CostClass::RowNormalization ||
         shape == CostClass::Reduction || shape == CostClass::DataMovement;
}

/// Ops that never launch although they may say nothing about their work:
/// structure of other dialects and what depends on weights alone. `classOf`
/// says the cost class of an op with WorkOpInterface.
bool launchesNothing(
    mlir::Operation *op,
    llvm::function_ref<CostClass(mlir::Operation *)> classOf = getCostClass);

/// Whether `op`, of another dialect than onnx, depends on constants alone: it
/// is computed once, before the first iteration. `isKnown` says so of the ops
/// of its block that define operands.
bool isConstantWork(mlir::Operation *op,
                    llvm::function_ref<bool(mlir::Operation *)> isKnown);

/// Iterations of the loops that an op runs in: one after the other, at the same
/// time, and whether their number is unknown.
using Loops = std::tuple<mlir::Attribute, mlir::Attribute, bool>;
Loops loopsOf(mlir::Operation *op);
/// Ops of different loops share no launch.
inline bool runTogether(mlir::Operation *a, mlir::Operation *b) {
  return loopsOf(a) == loopsOf(b);
}

/// Operands of `op` and what its regions use from around it.
llvm::SmallVector<mlir::Value> valuesRead(mlir::Operation *op);

/// What is known of a kernel of which only its bytes are.
KernelWork makeBound(int64_t read, int64_t written);

/// Makes `kernel` one of which only is known, for `reason`, what it reads and
/// writes at least.
void bookBound(KernelOp kernel, int64_t read, int64_t written,
               llvm::StringRef reason);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_LAUNCHRULES_H
