//===- TrainingOps.h - Kernels of ONNX training graphs ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Expands operators of com.microsoft's training set that launch several kernels
// to the ops that gpucost-expand-training derives for the same gradients. Marks
// the phase of every op in such a graph.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_TRAININGOPS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_TRAININGOPS_H

#include "mlir/IR/Block.h"

namespace gpucost::raising {

/// Whether the block contains gradient or optimizer operators.
bool isTrainingStep(mlir::Block &block);

/// Marks phases, then splits operators that launch several kernels.
void lowerTrainingStep(mlir::Block &block);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_TRAININGOPS_H
