//===- DataSizes.cpp - Result sizes that depend on data -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DataSizes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace gpucost;

bool gpucost::isResolved(Type type) {
  auto ranked = dyn_cast<RankedTensorType>(type);
  return ranked ? ranked.hasStaticShape()
                : !isa<onnx::UnknownType, UnrankedTensorType>(type);
}

/// "nonzero"; "nms" for NonMaxSuppression, which has a customary abbreviation.
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

StringRef DataSizes::nameFor(Operation *op) const {
  auto it = nameOf.find(op);
  return it == nameOf.end() ? StringRef() : StringRef(it->second);
}

void gpucost::reportUnknownShapes(func::FuncOp func, const DataSizes &sizes) {
  struct Group {
    Operation *first;
    unsigned result;
    int64_t count = 0;
  };
  llvm::MapVector<StringRef, Group> groups;
  func.walk([&](onnx::OnnxOp op) {
    if (!llvm::all_of(op->getOperandTypes(), isResolved))
      return;
    for (OpResult result : op->getResults())
      if (!isResolved(result.getType()) && !result.use_empty()) {
        auto type = op->getAttrOfType<StringAttr>("op_type");
        StringRef name = type ? type.getValue() : op->getName().stripDialect();
        // The user must state a size that depends on data.
        if (!sizes.nameFor(op).empty())
          ++groups.insert({name, {op, result.getResultNumber()}})
                .first->second.count;
        else
          op->emitRemark() << "shape of result " << result.getResultNumber()
                           << " of operator '" << name
                           << "' is unknown; ops that depend on it have no "
                              "predicted cost";
        return;
      }
  });
  for (auto &[name, group] : groups) {
    StringRef dim = sizes.nameFor(group.first);
    bool several = group.count > 1;
    auto diagnostic = group.first->emitWarning()
                      << "shape of result " << group.result << " of operator '"
                      << name << "' is unknown";
    if (several)
      diagnostic << " (and of " << group.count - 1 << " more)";
    diagnostic << "; ops that depend on it have no predicted cost; set it "
                  "with --bind="
               << (several ? "'" + dim.rsplit('_').first.str() + "_*:<n>'"
                           : dim.str() + ":<n>");
  }
}
