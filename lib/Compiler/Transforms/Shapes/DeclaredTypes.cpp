//===- DeclaredTypes.cpp - Types that a file declares for results ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeclaredTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxDialect.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost;
using onnx::OnnxDialect;

/// `type` with the values of its named dimensions.
static Type bindDims(Type type, ArrayAttr names,
                     const DimensionBindings &bindings) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  if (!ranked || names.size() != static_cast<size_t>(ranked.getRank()))
    return type;
  SmallVector<int64_t> shape(ranked.getShape());
  for (auto [dim, attr] : llvm::zip_equal(shape, names)) {
    auto name = dyn_cast<StringAttr>(attr);
    if (!ShapedType::isDynamic(dim) || !name || name.getValue().empty())
      continue;
    if (std::optional<int64_t> value = bindings.evaluateHint(name.getValue()))
      dim = *value;
  }
  return RankedTensorType::get(shape, ranked.getElementType());
}

void gpucost::bindDeclaredTypes(func::FuncOp func,
                                const DimensionBindings &bindings) {
  func.walk([&](Operation *op) {
    auto types =
        op->getAttrOfType<ArrayAttr>(OnnxDialect::declaredTypesAttrName);
    auto dims = op->getAttrOfType<ArrayAttr>(OnnxDialect::declaredDimsAttrName);
    if (!dims)
      return;
    op->removeAttr(OnnxDialect::declaredDimsAttrName);
    if (!types || types.size() != dims.size())
      return;
    SmallVector<Attribute> bound;
    for (auto [type, names] : llvm::zip_equal(types, dims)) {
      auto typeAttr = dyn_cast<TypeAttr>(type);
      auto list = dyn_cast<ArrayAttr>(names);
      bound.push_back(
          typeAttr && list
              ? TypeAttr::get(bindDims(typeAttr.getValue(), list, bindings))
              : Attribute(type));
    }
    op->setAttr(OnnxDialect::declaredTypesAttrName,
                ArrayAttr::get(op->getContext(), bound));
  });
}

/// "[8, ?, 64]".
static std::string shapeText(RankedTensorType type) {
  std::string text;
  for (int64_t dim : type.getShape())
    text += (text.empty() ? "" : ", ") +
            (ShapedType::isDynamic(dim) ? "?" : std::to_string(dim));
  return "[" + text + "]";
}

static bool contradict(RankedTensorType a, RankedTensorType b) {
  if (a.getRank() != b.getRank())
    return true;
  for (auto [left, right] : llvm::zip_equal(a.getShape(), b.getShape()))
    if (!ShapedType::isDynamic(left) && !ShapedType::isDynamic(right) &&
        left != right)
      return true;
  return false;
}

void gpucost::reportContradictedTypes(func::FuncOp func) {
  Operation *first = nullptr;
  std::string shapes;
  int64_t count = 0;
  func.walk([&](Operation *op) {
    auto types =
        op->getAttrOfType<ArrayAttr>(OnnxDialect::declaredTypesAttrName);
    if (!types || types.size() != op->getNumResults())
      return;
    for (auto [result, attr] : llvm::zip_equal(op->getResults(), types)) {
      auto declared =
          dyn_cast<RankedTensorType>(cast<TypeAttr>(attr).getValue());
      auto inferred = dyn_cast<RankedTensorType>(result.getType());
      if (!declared || !inferred || !contradict(declared, inferred))
        continue;
      if (count++ == 0) {
        first = op;
        shapes = shapeText(declared) + " of result " +
                 std::to_string(result.getResultNumber()) + " is not " +
                 shapeText(inferred);
      }
    }
  });
  if (!first)
    return;
  auto diagnostic = first->emitWarning()
                    << "the declared shape " << shapes
                    << ", which is inferred from the operator and used instead";
  if (count > 1)
    diagnostic << " ... and " << count - 1 << " more";
}
