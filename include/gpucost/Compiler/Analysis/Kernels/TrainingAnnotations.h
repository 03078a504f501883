//===- TrainingAnnotations.h - Attributes of a training step -- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Written by gpucost-expand-training and gpucost-parallelize, read by kernel
// formation and the analyses; and what counts as a trainable parameter.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_TRAININGANNOTATIONS_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_TRAININGANNOTATIONS_H

#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "mlir/IR/Operation.h"
#include <string>

namespace gpucost {

/// In a function with `gpucost.loops`: an op that a pass made runs as
/// often as the op that it was made for, the next one.
void inheritSteps(mlir::Block &block);

/// `WorkOpInterface::describe`, or the op's name.
std::string describeOp(mlir::Operation *op);

/// A trainable parameter (ParameterOpInterface) that plays no other role.
bool isTrainableParameter(mlir::Operation *op);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_TRAININGANNOTATIONS_H
