//===- OpExpander.h - Replaces one operator with several ops ----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_OPEXPANDER_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_OPEXPANDER_H

#include "Matchers.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/Builders.h"

namespace gpucost::raising {

/// Creates the ops that replace one operator, before it.
class OpExpander {
protected:
  explicit OpExpander(mlir::Operation *op) : op(op), builder(op) {}

  /// Static type of an operand or result; null if there is none.
  mlir::RankedTensorType in(unsigned i) const {
    return i < op->getNumOperands() ? getStaticType(op->getOperand(i))
                                    : mlir::RankedTensorType();
  }
  mlir::RankedTensorType out(unsigned i) const {
    return i < op->getNumResults() ? getStaticType(op->getResult(i))
                                   : mlir::RankedTensorType();
  }
  bool isUsed(unsigned result) const {
    return result < op->getNumResults() && !op->getResult(result).use_empty();
  }
  void give(unsigned result, mlir::Value value) {
    op->getResult(result).replaceAllUsesWith(value);
  }

  /// Creates an op by its full name.
  mlir::Operation *createOp(llvm::StringRef name, mlir::TypeRange types,
                            mlir::ValueRange operands,
                            llvm::ArrayRef<mlir::NamedAttribute> attributes) {
    mlir::OperationState state(op->getLoc(), name);
    state.addTypes(types);
    state.addOperands(operands);
    state.addAttributes(attributes);
    if (mlir::Attribute constant =
            op->getAttr(onnx::OnnxDialect::constantAttrName))
      state.addAttribute(onnx::OnnxDialect::constantAttrName, constant);
    return builder.create(state);
  }
  template <typename OpT>
  mlir::Operation *
  createOp(mlir::TypeRange types, mlir::ValueRange operands,
           llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return createOp(OpT::getOperationName(), types, operands, attributes);
  }
  mlir::Value create(llvm::StringRef name, mlir::Type type,
                     mlir::ValueRange operands,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return createOp(name, type, operands, attributes)->getResult(0);
  }
  template <typename OpT>
  mlir::Value create(mlir::Type type, mlir::ValueRange operands,
                     llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return createOp<OpT>(type, operands, attributes)->getResult(0);
  }
  mlir::NamedAttribute integer(llvm::StringRef name, int64_t value) {
    return builder.getNamedAttr(name, builder.getI64IntegerAttr(value));
  }
  /// The given attributes that the operator has.
  llvm::SmallVector<mlir::NamedAttribute>
  copied(std::initializer_list<llvm::StringRef> names) {
    llvm::SmallVector<mlir::NamedAttribute> result;
    for (llvm::StringRef name : names)
      if (mlir::Attribute value = op->getAttr(name))
        result.push_back(builder.getNamedAttr(name, value));
    return result;
  }

  mlir::Operation *op;
  mlir::OpBuilder builder;
};

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_OPEXPANDER_H
