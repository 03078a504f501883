//===- Matchers.cpp - Predicates on ops and constants ---------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Matchers.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxViews.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

RankedTensorType raising::getStaticType(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape() ? type : RankedTensorType();
}

DenseElementsAttr raising::getConstant(Value value) {
  Operation *constant = value.getDefiningOp();
  auto dense = isa_and_nonnull<onnx::ConstantOp, arith::ConstantOp>(constant)
                   ? constant->getAttrOfType<DenseElementsAttr>("value")
                   : DenseElementsAttr();
  return dense && dense.getElementType().isIntOrFloat() ? dense
                                                        : DenseElementsAttr();
}

double raising::getElement(DenseElementsAttr dense, int64_t index) {
  Type type = dense.getElementType();
  if (isa<FloatType>(type)) {
    APFloat value = *(dense.value_begin<APFloat>() + index);
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  }
  APInt value = *(dense.value_begin<APInt>() + index);
  bool isUnsigned = type.isUnsignedInteger() || type.isInteger(1);
  return value.roundToDouble(!isUnsigned);
}

std::optional<double> raising::getScalar(Value value) {
  // gpucost-fix-shapes has already folded casts of known scalars.
  for (int depth = 0; depth < 4; ++depth) {
    Operation *def = value.getDefiningOp();
    if (!def || !(onnx::isReshape(def) || onnx::isCast(def)))
      break;
    value = def->getOperand(0);
  }
  if (DenseElementsAttr dense = getConstant(value))
    return dense.getNumElements() == 1 ? std::optional(getElement(dense, 0))
                                       : std::nullopt;
  if (auto fill = value.getDefiningOp<onnx::ConstantOfShapeOp>()) {
    auto type = dyn_cast<RankedTensorType>(fill->getResult(0).getType());
    return type && type.getRank() == 0 ? getSplat(value) : std::nullopt;
  }
  auto constant = value.getDefiningOp<onnx::ConstantOp>();
  if (!constant)
    return std::nullopt;
  if (auto number = constant->getAttrOfType<FloatAttr>("value_float"))
    return number.getValueAsDouble();
  if (auto number = constant->getAttrOfType<IntegerAttr>("value_int"))
    return number.getValue().roundToDouble(/*isSigned=*/true);
  return std::nullopt;
}

std::optional<double> raising::getSplat(Value value) {
  for (int depth = 0; depth < 8; ++depth) {
    if (DenseElementsAttr dense = getConstant(value))
      return dense.isSplat() ? std::optional(getElement(dense, 0))
                             : std::nullopt;
    Operation *def = value.getDefiningOp();
    if (auto fill = dyn_cast_or_null<onnx::ConstantOfShapeOp>(def)) {
      auto dense = fill->getAttrOfType<DenseElementsAttr>("value");
      if (!fill->hasAttr("value"))
        return 0.0;
      return dense && dense.getElementType().isIntOrFloat() &&
                     dense.getNumElements() == 1
                 ? std::optional(getElement(dense, 0))
                 : std::nullopt;
    }
    if (!def || !(onnx::movesElements(def) || onnx::isCast(def)))
      return std::nullopt;
    value = def->getOperand(0);
  }
  return std::nullopt;
}

bool raising::isScalar(Value value, double expected) {
  std::optional<double> number = getScalar(value);
  return number && std::abs(*number - expected) <= 4e-3 * std::abs(expected);
}

bool raising::isMaskValue(std::optional<double> value) {
  return value && *value <= -9.9e3;
}

bool raising::isWeight(Value value) {
  Operation *def = value.getDefiningOp();
  return def && (def->hasAttr(onnx::OnnxDialect::constantAttrName) ||
                 def->hasTrait<OpTrait::ConstantLike>() ||
                 isa<onnx::ParameterOp, onnx::ConstantOp>(def));
}

Operation *raising::getOnlyUser(Value value) {
  if (!value.hasOneUse())
    return nullptr;
  Operation *user = *value.user_begin();
  return user->getNumResults() ? user : nullptr;
}

std::optional<Scaled> raising::matchScale(Operation *op) {
  if (!isa_and_nonnull<onnx::MulOp, onnx::DivOp>(op) ||
      op->getNumOperands() != 2)
    return std::nullopt;
  if (std::optional<double> factor = getScalar(op->getOperand(1))) {
    if (isa<onnx::MulOp>(op))
      return Scaled{op->getOperand(0), *factor};
    if (*factor == 0)
      return std::nullopt;
    return Scaled{op->getOperand(0), 1 / *factor};
  }
  if (isa<onnx::MulOp>(op))
    if (std::optional<double> factor = getScalar(op->getOperand(0)))
      return Scaled{op->getOperand(1), *factor};
  return std::nullopt;
}
