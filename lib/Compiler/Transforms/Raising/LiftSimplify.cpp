//===- LiftSimplify.cpp - Canonical forms of lifted ops -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LiftRules.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::raising;

/// Whether `argument` is added to the last dimension of a tensor, or multiplies
/// it: a bias or the weight of a norm.
static bool isVectorOfWeights(BlockArgument argument) {
  RankedTensorType type = getStaticType(argument);
  if (!type || type.getRank() != 1 || !isa<FloatType>(type.getElementType()))
    return false;
  SmallVector<Value> values = {argument};
  for (size_t i = 0; i < values.size(); ++i)
    for (Operation *user : values[i].getUsers()) {
      if (isa<onnx::CastOp>(user))
        values.push_back(user->getResult(0));
      RankedTensorType out = user->getNumResults() == 1
                                 ? getStaticType(user->getResult(0))
                                 : RankedTensorType();
      if (isa<onnx::AddOp, onnx::MulOp>(user) && out && out.getRank() > 1 &&
          out.getShape().back() == type.getDimSize(0))
        return true;
    }
  return false;
}

/// Compilers pass weights as arguments: they are known before the iteration.
static void markVectorsOfWeights(Block &block) {
  for (BlockArgument argument : block.getArguments()) {
    if (!isVectorOfWeights(argument))
      continue;
    auto builder = OpBuilder::atBlockBegin(&block);
    Operation *known = onnx::IdentityOp::create(builder, argument.getLoc(),
                                                argument.getType(), argument);
    known->setAttr(onnx::OnnxDialect::constantAttrName, builder.getUnitAttr());
    argument.replaceUsesWithIf(known->getResult(0), [&](OpOperand &use) {
      return use.getOwner() != known && onnx::getOpInfo(use.getOwner());
    });
    for (Operation *user : known->getResult(0).getUsers())
      if (isa<onnx::CastOp>(user))
        user->setAttr(onnx::OnnxDialect::constantAttrName,
                      builder.getUnitAttr());
  }
}

static void simplifyOps(Block &block, bool fuses) {
  // More sweeps than any file needs.
  constexpr int mostSweeps = 64;
  bool changed = true;
  for (int sweep = 0; changed && sweep < mostSweeps; ++sweep) {
    changed = false;
    for (Operation &op : llvm::make_early_inc_range(block)) {
      if (!onnx::getOpInfo(&op) || op.use_empty() || !hasStaticTensors(&op))
        continue;
      readBeforeExpand(&op);
      dropUnitDims(&op);
      changed |= joinCasts(&op) || (fuses && makeDequantize(&op)) ||
                 sinkCastOfImage(&op) || dropUnitsOfExpand(&op) ||
                 mergeSums(&op) || makeAverage(&op) || foldNumber(&op) ||
                 foldSelection(&op) || splitRows(&op) || swapFactors(&op) ||
                 simplifyReshape(&op) || simplifyTranspose(&op) ||
                 simplifyCast(&op) || sinkCast(&op) ||
                 readMatrixBeforeExpand(&op) || splitBatch(&op) ||
                 makeMean(&op) || sinkReshape(&op);
    }
    for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
      if (onnx::getOpInfo(&op) && isOpTriviallyDead(&op))
        op.erase();
  }
}

void Lifting::simplify() {
  markVectorsOfWeights(block);
  dropDoubles(block);
  simplifyOps(block, fuses);
  // The length of a mean was another fp64 tensor.
  if (dropDoubles(block))
    simplifyOps(block, fuses);
}
