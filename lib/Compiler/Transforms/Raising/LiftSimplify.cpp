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

/// Whether `argument` is added to the last dimension of a tensor or to the
/// channels of an image, or multiplies them: a bias or the weight of a norm.
static bool isVectorOfWeights(BlockArgument argument) {
  RankedTensorType type = getStaticType(argument);
  if (!type || type.getRank() != 1 || type.getDimSize(0) == 1 ||
      !isa<FloatType>(type.getElementType()))
    return false;
  // Views of it, and their dimension of its size, counted from the end.
  SmallVector<std::pair<Value, int64_t>> views = {{argument, 1}};
  for (size_t i = 0; i < views.size(); ++i) {
    auto [view, fromEnd] = views[i];
    for (Operation *user : view.getUsers()) {
      RankedTensorType out = user->getNumResults() == 1
                                 ? getStaticType(user->getResult(0))
                                 : RankedTensorType();
      if (!out || user->getOperand(0) != view) {
        if (!isa<onnx::AddOp, onnx::MulOp>(user) || !out)
          continue;
      } else if (isa<onnx::CastOp, onnx::ExpandOp>(user)) {
        views.push_back({user->getResult(0), fromEnd});
      } else if (isa<onnx::ReshapeOp>(user) &&
                 llvm::is_contained(out.getShape(), type.getDimSize(0))) {
        const auto *at = llvm::find(out.getShape(), type.getDimSize(0));
        views.push_back({user->getResult(0), out.getShape().end() - at});
      }
      if (!isa<onnx::AddOp, onnx::MulOp>(user) || out.getRank() < fromEnd ||
          out.getRank() < 2)
        continue;
      int64_t dim = out.getRank() - fromEnd;
      bool isChannels = out.getRank() > 2 && dim == 1;
      if ((fromEnd == 1 || isChannels) &&
          out.getDimSize(dim) == type.getDimSize(0))
        return true;
    }
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
    SmallVector<Operation *> views = {known};
    for (size_t i = 0; i < views.size(); ++i)
      for (Operation *user : views[i]->getResult(0).getUsers())
        if (isa<onnx::CastOp, onnx::ReshapeOp, onnx::ExpandOp>(user) &&
            user->getOperand(0) == views[i]->getResult(0)) {
          user->setAttr(onnx::OnnxDialect::constantAttrName,
                        builder.getUnitAttr());
          views.push_back(user);
        }
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
      readNumbers(&op);
      dropUnitDims(&op);
      changed |= joinCasts(&op) || (fuses && makeDequantize(&op)) ||
                 sinkCastOfImage(&op) || narrowReduction(&op) ||
                 dropUnitsOfExpand(&op) || mergeSums(&op) || makeAverage(&op) ||
                 foldNumber(&op) || foldSelection(&op) || splitRows(&op) ||
                 swapFactors(&op) || simplifyReshape(&op) ||
                 simplifyTranspose(&op) || dropUnitsOfTranspose(&op) ||
                 absorbBias(&op) || cropTransposedConv(&op) ||
                 makeCumSum(&op) || simplifyCast(&op) || sinkCast(&op) ||
                 readMatrixBeforeExpand(&op) || splitBatch(&op) ||
                 makeMean(&op) || sinkReshape(&op) || readFromEnd(&op) ||
                 dropFillOfGather(&op) || splitPositions(&op) ||
                 reduceBeforeViews(&op) || swapProduct(&op) ||
                 dropRowOfConv(&op) || (fuses && joinExpands(&op));
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
