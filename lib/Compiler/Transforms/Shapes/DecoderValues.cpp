//===- DecoderValues.cpp - Values computed by a model's decoder -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Transforms/Shapes/DecoderValues.h"
#include "gpucost/Compiler/Transforms/Shapes/DimensionNames.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace gpucost;

DecoderValues::DecoderValues(Block &block) {
  auto function = dyn_cast<func::FuncOp>(block.getParentOp());
  if (!function || !block.isEntryBlock())
    return;
  bool others = false;
  for (BlockArgument argument : block.getArguments())
    if (isDecoderInput(function, argument.getArgNumber()))
      values.insert(argument);
    else
      others = true;
  isPair = others && !values.empty();
  for (Operation &op : block)
    if (isPair && llvm::any_of(op.getOperands(), [&](Value operand) {
          return values.contains(operand);
        }))
      values.insert(op.result_begin(), op.result_end());
}

bool DecoderValues::isCross(Operation *attention) const {
  return isPair && attention->getNumOperands() > 2 &&
         values.contains(attention->getOperand(0)) &&
         !values.contains(attention->getOperand(1)) &&
         !values.contains(attention->getOperand(2));
}
