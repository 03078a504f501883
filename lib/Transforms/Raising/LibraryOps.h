//===- LibraryOps.h - Operators of several kernels --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operators that a framework runs as several kernels: losses, the attention of
// com.microsoft with its projection, dynamic quantisation.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_TRANSFORMS_RAISING_LIBRARYOPS_H
#define GPUCOST_LIB_TRANSFORMS_RAISING_LIBRARYOPS_H

#include "mlir/IR/Block.h"

namespace gpucost::raising {

struct LibraryOptions {
  /// The target has kernels for fused attention; otherwise its contrib forms
  /// become the plain one, which is then expanded.
  bool hasFusedKernels = true;
  /// A backward pass is going to be derived: fused operators become the ops
  /// that have backward rules, as a framework that trains the model runs them.
  bool training = false;
};

/// Replaces such operators of a block by ops of one kernel each. Operators
/// whose types do not fit stay as they are.
void expandLibraryOps(mlir::Block &block, const LibraryOptions &options);

/// Builds the ops that a fused operator of com.microsoft stands for, in front
/// of it. False when it is none or its types do not fit. (FusedOps.cpp)
bool splitFusedOp(mlir::Operation *op);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_TRANSFORMS_RAISING_LIBRARYOPS_H
