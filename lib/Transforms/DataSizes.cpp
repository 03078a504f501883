//===- DataSizes.cpp - Result sizes that depend on data -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataSizes.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;

bool gpucost::isResolved(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked ? ranked.hasStaticShape()
                : !isa<onnx::UnknownType, UnrankedTensorType>(type);
}

/// "nonzero"; "nms" for the one with a customary abbreviation.
static std::string baseName(Operation *op) {
  if (isa<onnx::NonMaxSuppressionOp>(op))
    return "nms";
  auto type = op->getAttrOfType<StringAttr>("op_type");
  StringRef name = type ? type.getValue() : op->getName().stripDialect();
  std::string letters;
  for (char c : name)
    if (llvm::isAlpha(c))
      letters.push_back(llvm::toLower(c));
  return letters;
}

void DataSizes::apply(Operation *op) {
  auto isOpen = [](Value result) {
    auto type = dyn_cast<RankedTensorType>(result.getType());
    return type && !type.hasStaticShape();
  };
  if (!llvm::any_of(op->getResults(), isOpen) ||
      !llvm::all_of(op->getOperandTypes(), isResolved))
    return;
  std::string base = baseName(op);
  base += "_" + std::to_string(counters[base]++);
  nameOf[op] = base;
  for (Value result : op->getResults()) {
    if (!isOpen(result))
      continue;
    auto type = cast<RankedTensorType>(result.getType());
    SmallVector<int64_t> shape(type.getShape());
    unsigned index = 0;
    for (int64_t &dim : shape) {
      if (!ShapedType::isDynamic(dim))
        continue;
      // Results of one op share their sizes: values and positions of Unique.
      std::string name = index ? base + "." + std::to_string(index) : base;
      ++index;
      if (std::optional<int64_t> value = bindings.takeDataSize(name))
        dim = *value;
    }
    result.setType(RankedTensorType::get(shape, type.getElementType()));
  }
}

std::string DataSizes::adviceFor(Operation *op) const {
  auto it = nameOf.find(op);
  return it == nameOf.end()
             ? ""
             : "; give it one with --bind=" + it->second + ":<n>";
}
