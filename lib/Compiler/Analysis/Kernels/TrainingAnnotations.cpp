//===- TrainingAnnotations.cpp - Attributes of a training step ------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;
using namespace gpucost;

bool gpucost::isTrainableParameter(Operation *op) {
  auto parameter = dyn_cast<ParameterOpInterface>(op);
  return parameter && !op->hasAttr(roleAttrName) && parameter.isTrainable();
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

std::string gpucost::describeOp(Operation *op) {
  auto work = dyn_cast<WorkOpInterface>(op);
  return work ? work.describe() : op->getName().getStringRef().str();
}
