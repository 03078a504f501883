//===- LinearLayer.h - Matmul with weights and its bias ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters write a linear layer as MatMul and Add; frameworks run it as one
// library call. The only definition of such a pair.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_LINEARLAYER_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_LINEARLAYER_H

#include "mlir/IR/Operation.h"

namespace gpucost {

/// Whether `value` is known before the iteration. Autocast may have changed its
/// format, and each GPU may store a shard gathered before the layer.
bool isParameterOrConstant(mlir::Value value);

/// The `onnx.MatMul` with a weight matrix whose bias vector `op` adds: the
/// other operand of the `onnx.Add` is a parameter or constant with one element
/// per column. Null for every other op.
mlir::Operation *findProductOfBias(mlir::Operation *op);

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_LINEARLAYER_H
