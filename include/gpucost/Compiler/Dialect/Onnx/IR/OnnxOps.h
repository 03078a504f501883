//===- OnnxOps.h - Op classes of the onnx dialect ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One class per op: its name, named accessors of its operands, and creation.
// All onnx ops have the same form, so a class is only a typed handle; the table
// in OnnxDialect.h defines the differences between ops.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXOPS_H
#define GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXOPS_H

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "mlir/IR/Builders.h"

namespace gpucost::onnx {

/// Base class for the op in row `row` of the table.
template <typename ConcreteOp, unsigned row> class OnnxOpClass : public OnnxOp {
public:
  using OnnxOp::OnnxOp;

  static const OpInfo &getOpInfo() { return opTable[row]; }
  static bool classof(mlir::Operation *op) {
    return op->getName().getTypeID() == getOpInfo().getTypeID();
  }
  static bool classof(const mlir::OpState *op) {
    return classof(const_cast<mlir::OpState *>(op)->getOperation());
  }
  static ConcreteOp
  create(mlir::OpBuilder &builder, mlir::Location loc, mlir::TypeRange types,
         mlir::ValueRange operands,
         llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return ConcreteOp(
        onnx::create(builder, loc, getOpInfo(), types, operands, attributes));
  }

protected:
  /// Operand `i`; null if it is absent or `onnx.None`.
  mlir::Value getOperandOrNull(unsigned i) {
    return hasOperand(getOperation(), i) ? getOperation()->getOperand(i)
                                         : mlir::Value();
  }
};

#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h.inc"

} // namespace gpucost::onnx

#define GET_OP_CLASSES
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxYield.h.inc"

#endif // GPUCOST_COMPILER_DIALECT_ONNX_IR_ONNXOPS_H
