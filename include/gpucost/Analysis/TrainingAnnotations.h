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

#ifndef GPUCOST_ANALYSIS_TRAININGANNOTATIONS_H
#define GPUCOST_ANALYSIS_TRAININGANNOTATIONS_H

#include "gpucost/Dialect/GpuCost/IR/Annotations.h"
#include "mlir/IR/Operation.h"
#include <string>

namespace gpucost {

/// In a function with `gpucost.loops`: an op that a pass made runs as
/// often as the op that it was made for, the next one.
void inheritSteps(mlir::Block &block);

/// Stands for the gradient of an op that has no backward rule; `of` names it.
bool isUnknownGradient(mlir::Operation *op);

/// What reports call an op: "onnx.MatMul", "domain::Op" for an operator that
/// only its name is known of, "gradient of onnx.MatMul" for an unknown
/// gradient.
std::string describeOp(mlir::Operation *op);

/// A weight that an optimizer updates: a float `onnx.Parameter` that is neither
/// a scalar nor a buffer of the framework (running statistics, frequencies).
bool isTrainableParameter(mlir::Operation *op);

} // namespace gpucost

#endif // GPUCOST_ANALYSIS_TRAININGANNOTATIONS_H
