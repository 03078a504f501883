//===- GradientContext.h - Interface for backward rules ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backward rule handles one forward op. It reads the result gradients, and
// the forward operands and results as the backward pass has them (saved or
// recomputed). It creates ops and assigns a gradient to each operand; summing
// the gradients of several readers is not part of the rule.
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

  /// Gradient of a result; null if no later op produces one.
  virtual mlir::Value gradient(unsigned result = 0) = 0;
  /// The operand leads to a trainable parameter.
  virtual bool needsGradient(unsigned operand) = 0;
  /// Forward values as the backward pass reads them.
  virtual mlir::Value operand(unsigned index) = 0;
  virtual mlir::Value result(unsigned index = 0) = 0;
  /// Number of forward operands.
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
