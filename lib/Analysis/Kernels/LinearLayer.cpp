//===- LinearLayer.cpp - A product with weights and its bias --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Analysis/Kernels/LinearLayer.h"
#include "gpucost/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;

/// Known before the iteration starts; autocast may have changed its format, and
/// each GPU may keep a shard of it that is gathered in front of its layer.
static bool isParameterOrConstant(Value value) {
  Operation *def = value.getDefiningOp();
  if (def && isa<onnx::CastOp>(def) && def->getNumOperands()) {
    value = def->getOperand(0);
    def = value.getDefiningOp();
  }
  if (auto gather = dyn_cast_or_null<CollectiveOp>(def);
      gather && gather.getKind() == CollectiveKind::AllGather &&
      gather.getInputs().size() == gather.getOutputs().size())
    def = gather.getInputs()[cast<OpResult>(value).getResultNumber()]
              .getDefiningOp();
  return def && (def->hasAttr(onnx::OnnxDialect::constantAttrName) ||
                 isa<onnx::ParameterOp, onnx::ConstantOp>(def));
}

Operation *gpucost::findProductOfBias(Operation *op) {
  if (!isa<onnx::AddOp>(op) || op->getNumOperands() != 2)
    return nullptr;
  auto out = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!out || out.getRank() == 0)
    return nullptr;
  for (unsigned i = 0; i < 2; ++i) {
    Operation *product = op->getOperand(i).getDefiningOp();
    Value addend = op->getOperand(1 - i);
    auto bias = dyn_cast<RankedTensorType>(addend.getType());
    if (!product || !isa<onnx::MatMulOp>(product) ||
        product->getNumOperands() < 2 || !product->hasOneUse() || !bias)
      continue;
    auto weight = dyn_cast<RankedTensorType>(product->getOperand(1).getType());
    if (weight && weight.getRank() == 2 && isParameterOrConstant(addend) &&
        elementCount(bias) == out.getShape().back())
      return product;
  }
  return nullptr;
}
