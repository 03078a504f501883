//===- TrainingAnnotations.cpp - Attributes of a training step ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/TrainingAnnotations.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace gpucost;

/// Name of a parameter in the model file; "" when it has none.
static StringRef parameterName(Operation *op) {
  if (auto name = op->getAttrOfType<StringAttr>("name"))
    return name.getValue();
  if (auto names = op->getAttrOfType<ArrayAttr>("onnx.values"))
    if (!names.empty())
      if (auto name = dyn_cast<StringAttr>(names[0]))
        return name.getValue();
  if (auto loc = dyn_cast<NameLoc>(op->getLoc()))
    return loc.getName();
  return "";
}

bool gpucost::isTrainableParameter(Operation *op) {
  StringRef kind = op->getName().getStringRef();
  if ((kind != "onnx.Parameter" && kind != "onnx.Constant") ||
      op->hasAttr(roleAttrName))
    return false;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  // Scalars are constants that an exporter lifted out of the graph.
  if (!type || !isa<FloatType>(type.getElementType()) || type.getRank() == 0)
    return false;
  // Small weights stand in the file like any constant: only the name tells.
  StringRef name = parameterName(op);
  if (kind == "onnx.Constant" && !name.ends_with(".weight") &&
      !name.ends_with(".bias"))
    return false;
  // Buffers of the frameworks: saved with a model, never trainable.
  for (StringRef buffer : {"running_mean", "running_var", "inv_freq",
                           "num_batches_tracked", "position_ids"})
    if (name.ends_with(buffer))
      return false;
  // Statistics of batch normalization under any other name.
  return llvm::none_of(op->getResult(0).getUses(), [](OpOperand &use) {
    return use.getOwner()->getName().getStringRef() ==
               "onnx.BatchNormalization" &&
           use.getOperandNumber() >= 3;
  });
}

void gpucost::inheritSteps(Block &block) {
  if (!block.getParentOp()->hasAttr(loopsAttrName))
    return;
  Attribute next;
  for (Operation &op : llvm::reverse(block)) {
    if (Attribute own = op.getAttr(tripCountAttrName))
      next = own;
    else if (next)
      op.setAttr(tripCountAttrName, next);
  }
}

bool gpucost::isUnknownGradient(Operation *op) {
  return op->getName().getStringRef() == "onnx.UnknownGrad";
}

std::string gpucost::describeOp(Operation *op) {
  if (auto of = op->getAttrOfType<StringAttr>("of");
      of && isUnknownGradient(op))
    return "gradient of " + of.str();
  if (auto type = op->getAttrOfType<StringAttr>("op_type")) {
    auto domain = op->getAttrOfType<StringAttr>("domain");
    StringRef prefix = domain && !domain.empty() ? domain.getValue() : "onnx";
    return (prefix + "::" + type.getValue()).str();
  }
  return op->getName().getStringRef().str();
}
