//===- GradientContext.h - What a backward rule may use -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backward rule sees one forward op: the gradients of its results and its
// operands and results as they are at that time of the backward pass (saved or
// recomputed). It creates ops and says which value is the gradient of which
// operand; summing over several readers is not its business.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GRADIENTCONTEXT_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GRADIENTCONTEXT_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/Operation.h"

namespace gpucost {

class GradientContext {
public:
  virtual ~GradientContext() = default;

  /// Gradient of a result; null when nothing downstream has one.
  virtual mlir::Value gradient(unsigned result = 0) = 0;
  /// The operand leads to a trainable parameter.
  virtual bool needsGradient(unsigned operand) = 0;
  /// Forward values as the backward pass reads them.
  virtual mlir::Value operand(unsigned index) = 0;
  virtual mlir::Value result(unsigned index = 0) = 0;
  /// Number of operands of the forward op.
  virtual unsigned size() = 0;

  /// A backward op by its full name, such as "onnx.Mul".
  virtual mlir::Operation *
  create(llvm::StringRef name, mlir::TypeRange types, mlir::ValueRange operands,
         llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) = 0;
  template <typename OpT>
  mlir::Operation *
  create(mlir::TypeRange types, mlir::ValueRange operands,
         llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return create(OpT::getOperationName(), types, operands, attributes);
  }
  template <typename OpT>
  mlir::Value createOne(mlir::Type type, mlir::ValueRange operands,
                        llvm::ArrayRef<mlir::NamedAttribute> attributes = {}) {
    return create<OpT>(type, operands, attributes)->getResult(0);
  }

  /// `value` is a gradient of the operand; ignored when none is needed.
  virtual void setGradient(unsigned operand, mlir::Value value) = 0;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_IR_GRADIENTCONTEXT_H
