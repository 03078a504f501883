//===- Quantized.h - Matrix kernels on quantised tensors --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Exporters write a quantised product as DequantizeLinear of both operands, the
// float operator, and QuantizeLinear of the result. Runtimes launch one kernel
// on the 8-bit tensors where the GPU has a unit for them; else the conversions
// are kernels of their own and stay. A product whose weight alone is quantised
// reads the small weight and dequantises it on the way.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_QUANTIZED_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_QUANTIZED_H

#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/IR/Block.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpucost::raising {

/// Rewrites the quantised products of a block. `hasUnit` says whether the
/// target has matrix units for a format.
void raiseQuantized(mlir::Block &block,
                    llvm::function_ref<bool(NumericFormat)> hasUnit);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_QUANTIZED_H
