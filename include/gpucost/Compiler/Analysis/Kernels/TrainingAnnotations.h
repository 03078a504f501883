//===- TrainingAnnotations.h - Attributes of a training step ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Attributes that gpucost-expand-training and gpucost-parallelize write and
// kernel formation and analyses read; the definition of a trainable parameter.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_TRAININGANNOTATIONS_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_TRAININGANNOTATIONS_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "mlir/IR/Operation.h"
#include <string>

namespace gpucost {

/// In a function with `gpucost.loops`: gives each op that a pass created the
/// trip counts of the op that it was created for, which is the next one.
void inheritSteps(mlir::Block &block);

/// `WorkOpInterface::describe`, or the op's name.
std::string describeOp(mlir::Operation *op);

/// A trainable parameter (ParameterOpInterface) that has no other role.
bool isTrainableParameter(mlir::Operation *op);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_TRAININGANNOTATIONS_H
