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

#ifndef GPUCOST_LIB_TRANSFORMS_RECOMPOSE_LIBRARYOPS_H
#define GPUCOST_LIB_TRANSFORMS_RECOMPOSE_LIBRARYOPS_H

#include "mlir/IR/Block.h"

namespace gpucost::recompose {

/// Replaces such operators of a block by ops of one kernel each. Operators
/// whose types do not fit stay as they are.
/// `hasFusedKernels`: the target has kernels for fused attention; otherwise its
/// contrib forms become the plain one, which is then expanded.
void expandLibraryOps(mlir::Block &block, bool hasFusedKernels);

} // namespace gpucost::recompose

#endif // GPUCOST_LIB_TRANSFORMS_RECOMPOSE_LIBRARYOPS_H
