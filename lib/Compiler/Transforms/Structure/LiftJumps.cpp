//===- LiftJumps.cpp - Branches and loops instead of jumps ----------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiftJumps.h"
#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Dominance.h"

using namespace mlir;

bool gpucost::liftJumps(func::FuncOp function) {
  if (function.isExternal() || function.getBody().hasOneBlock())
    return false;
  // The upstream transformation may leave half of a body that it cannot lift.
  for (Block &block : function.getBody())
    if (!isa<cf::BranchOp, cf::CondBranchOp, cf::SwitchOp, func::ReturnOp>(
            block.getTerminator()))
      return false;
  ControlFlowToSCFTransformation lifting;
  DominanceInfo dominance(function);
  return succeeded(transformCFGToSCF(function.getBody(), lifting, dominance));
}
