//===- Quantized.h - Matrix kernels on quantised tensors --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters write a quantised matmul as DequantizeLinear of both operands, the
// float operator, and QuantizeLinear of the result. If the GPU has a matching
// matrix unit, runtimes launch one kernel on the 8-bit tensors; otherwise the
// conversions remain separate kernels. A matmul in which only the weight is
// quantised reads the stored weight and dequantises it in the kernel.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_QUANTIZED_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_QUANTIZED_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpucost::raising {

/// Rewrites the quantised matmuls of a block. `hasUnit` returns whether the
/// target has matrix units for a format.
void raiseQuantized(mlir::Block &block,
                    llvm::function_ref<bool(NumericFormat)> hasUnit);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_QUANTIZED_H
