//===- OnnxViews.h - Ops that only move elements ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Classes of ops whose result consists of elements of their first operand. A
// matcher that looks through views combines the classes that its property
// survives: equal elements survive all of them, counting along a dimension
// survives reshapes and broadcasts only.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXVIEWS_H
#define GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXVIEWS_H

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

namespace gpucost::onnx {

/// Whether the result has all elements of the operand in the same order.
inline bool isReshape(mlir::Operation *op) {
  return mlir::isa<IdentityOp, ReshapeOp, FlattenOp, SqueezeOp, UnsqueezeOp,
                   ExpandDimsOp>(op);
}

/// Whether `op` reshapes its operand or repeats elements along new or broadcast
/// dimensions; their order along the other dimensions stays.
inline bool keepsOrder(mlir::Operation *op) {
  return isReshape(op) || mlir::isa<ExpandOp>(op);
}

/// Whether `op` moves, repeats or drops elements in any order.
inline bool movesElements(mlir::Operation *op) {
  return keepsOrder(op) || mlir::isa<TransposeOp, SliceOp>(op);
}

/// Whether `op` is a transpose that moves the last dimension.
inline bool movesLastDim(mlir::Operation *op) {
  auto perm = op->getAttrOfType<mlir::DenseI64ArrayAttr>("perm");
  return mlir::isa<TransposeOp>(op) && perm && !perm.empty() &&
         perm[perm.size() - 1] != perm.size() - 1;
}

/// Whether `op` converts each element to another type.
inline bool isCast(mlir::Operation *op) {
  return mlir::isa<CastOp, CastLikeOp>(op);
}

} // namespace gpucost::onnx

#endif // GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXVIEWS_H
