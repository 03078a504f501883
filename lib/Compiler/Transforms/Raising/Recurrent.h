//===- Recurrent.h - Kernels of recurrent layers ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LSTM, GRU and RNN as in cuDNN: one matmul of all inputs with the input
// weights, then one matmul and one pointwise kernel for each step.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_RECURRENT_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_RECURRENT_H

#include "mlir/IR/Block.h"

namespace gpucost::raising {

/// Replaces the recurrent layers of a block if their types are known.
void expandRecurrentLayers(mlir::Block &block);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_RECURRENT_H
