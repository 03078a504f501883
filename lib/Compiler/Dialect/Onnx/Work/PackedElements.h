//===- PackedElements.h - Number of weights packed into bytes ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that op definitions name in `packed`.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_PACKEDELEMENTS_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_PACKEDELEMENTS_H

#include "mlir/IR/Operation.h"

namespace gpucost::onnx {

std::optional<int64_t> packedMatrix(mlir::Operation *op, unsigned operand);
std::optional<int64_t> packedTable(mlir::Operation *op, unsigned operand);
std::optional<int64_t> packedExperts(mlir::Operation *op, unsigned operand);
/// Bits of the expert weights in an operand of QMoE.
int64_t getExpertBits(mlir::Operation *op, unsigned operand);
/// From the field `weights` of the definition.
std::optional<int64_t> packedByRule(mlir::Operation *op, unsigned operand);

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_PACKEDELEMENTS_H
