//===- DequantizedWeights.h - Weights stored in few bits -------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A weight that is stored in blocks of few bits: DequantizeLinear with scales
// of blocks. The scales may be dequantised, too: DequantizeLinear, the sum with
// their mean, and a change of the shape.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_IR_DEQUANTIZEDWEIGHTS_H
#define GPUCOST_COMPILER_DIALECT_ONNX_IR_DEQUANTIZEDWEIGHTS_H

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "llvm/ADT/STLExtras.h"

namespace gpucost::onnx {

/// Whether `value`, shifted or in another shape, is only the scale of
/// dequantised tensors.
inline bool isScaleOfBlocks(mlir::Value value) {
  return !value.use_empty() &&
         llvm::all_of(value.getUses(), [](mlir::OpOperand &use) {
           mlir::Operation *user = use.getOwner();
           if (mlir::isa<DequantizeLinearOp>(user))
             return use.getOperandNumber() == 1;
           return mlir::isa<AddOp, ReshapeOp>(user) &&
                  isScaleOfBlocks(user->getResult(0));
         });
}

/// Whether `op` is part of the dequantisation of such a weight.
inline bool dequantizesBlocks(mlir::Operation *op) {
  if (mlir::isa<DequantizeLinearOp>(op))
    return getInt(op, "block_size") > 0;
  return mlir::isa<AddOp, ReshapeOp>(op) && isScaleOfBlocks(op->getResult(0));
}

} // namespace gpucost::onnx

#endif // GPUCOST_COMPILER_DIALECT_ONNX_IR_DEQUANTIZEDWEIGHTS_H
