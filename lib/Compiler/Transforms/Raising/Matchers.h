//===- Matchers.h - Predicates on ops and constants -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Small predicates that the fusion patterns share. None of them changes the IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_MATCHERS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_MATCHERS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <optional>

namespace gpucost::raising {

/// Ranked type with static shape; null for any other type.
mlir::RankedTensorType getStaticType(mlir::Value value);
/// Contents of an `onnx.Constant`; null for other values.
mlir::DenseElementsAttr getConstant(mlir::Value value);
/// One element of a numeric constant as a double.
double getElement(mlir::DenseElementsAttr dense, int64_t index);
/// Value of a numeric constant with one element.
std::optional<double> getScalar(mlir::Value value);
/// The common value of all elements of a constant or filled tensor.
std::optional<double> getSplat(mlir::Value value);
/// Whether `value` is a one-element constant equal to `expected` up to bfloat16
/// rounding: 0.7969 matches sqrt(2/pi).
bool isScalar(mlir::Value value, double expected);
/// Whether a number is so low that its exponential is 0: masks add or fill it.
bool isMaskValue(std::optional<double> value);
/// Whether the value depends only on weights and constants.
bool isWeight(mlir::Value value);

/// The user of a value with a single use, if it has a result; else null.
mlir::Operation *getOnlyUser(mlir::Value value);

/// One operand of a binary op, and the other one.
struct OperandPair {
  mlir::Value value, other;
};
/// Matches a binary `OpT` with a scalar constant of value `expected` as
/// `other`; nullopt if `op` has another form. Operands may be swapped.
template <typename OpT>
std::optional<OperandPair> matchConstant(mlir::Operation *op, double expected) {
  if (!mlir::isa_and_nonnull<OpT>(op) || op->getNumOperands() != 2)
    return std::nullopt;
  for (unsigned i : {1u, 0u})
    if (isScalar(op->getOperand(i), expected))
      return OperandPair{op->getOperand(1 - i), op->getOperand(i)};
  return std::nullopt;
}
/// The other operand of a binary `OpT` with the operand `value`.
template <typename OpT>
mlir::Value matchOther(mlir::Operation *op, mlir::Value value) {
  if (!mlir::isa_and_nonnull<OpT>(op) || op->getNumOperands() != 2)
    return {};
  if (op->getOperand(0) == value)
    return op->getOperand(1);
  return op->getOperand(1) == value ? op->getOperand(0) : mlir::Value();
}

/// `value * factor`.
struct Scaled {
  mlir::Value value;
  double factor;
};
/// Matches a product or quotient with a scalar constant.
std::optional<Scaled> matchScale(mlir::Operation *op);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_MATCHERS_H
