//===- TrainingForms.cpp - Training variants of forward ops ---------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TrainingGraph.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::training;

static Operation *replaceWith(Operation *op, StringRef name, TypeRange types,
                              ValueRange operands) {
  OpBuilder builder(op);
  OperationState state(op->getLoc(), name);
  state.addTypes(types);
  state.addOperands(operands);
  state.addAttributes(op->getAttrs());
  Operation *other = builder.create(state);
  for (unsigned i = 0; i < op->getNumResults() && i < types.size(); ++i)
    op->getResult(i).replaceAllUsesWith(other->getResult(i));
  op->erase();
  return other;
}

/// Dropout with a ratio of 0 launches nothing.
static bool isIdle(Operation *op) {
  auto isZero = [](Attribute value) {
    auto dense = dyn_cast_or_null<DenseFPElementsAttr>(value);
    return dense && dense.isSplat() && dense.getSplatValue<APFloat>().isZero();
  };
  if (auto ratio = op->getAttrOfType<FloatAttr>("ratio"))
    return ratio.getValue().isZero();
  if (op->getNumOperands() > 1)
    if (Operation *def = op->getOperand(1).getDefiningOp())
      return isZero(def->getAttr("value"));
  return false;
}

static void lowerDropout(onnx::DropoutOp op, bool active) {
  if (op->getNumOperands() == 0 || op->getNumResults() == 0 ||
      op->getNumResults() > 2)
    return; // not as defined by ONNX
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!active || !type || isIdle(op)) {
    op->getResult(0).replaceAllUsesWith(op->getOperand(0));
    if (op->use_empty())
      op->erase();
    return;
  }
  Type mask = RankedTensorType::get(type.getShape(),
                                    IntegerType::get(op.getContext(), 1));
  replaceWith(op, onnx::DropoutTrainingOp::getOperationName(), {type, mask},
              op->getOperand(0));
}

/// Mean and inverse deviation come from the batch instead of the file.
static void lowerBatchNorm(onnx::BatchNormalizationOp op) {
  if (op->getNumOperands() < 5 || op->getNumResults() == 0)
    return;
  auto type = dyn_cast<RankedTensorType>(op->getOperand(0).getType());
  if (!type || type.getRank() < 2)
    return;
  OpBuilder builder(op);
  Type channel = RankedTensorType::get({type.getDimSize(1)},
                                       Float32Type::get(op.getContext()));
  OperationState state(op->getLoc(),
                       onnx::BatchStatisticsOp::getOperationName());
  state.addTypes({channel, channel});
  state.addOperands(op->getOperand(0));
  Operation *statistics = builder.create(state);
  // PyTorch counts the processed batches in a separate kernel.
  OperationState counter(op->getLoc(), onnx::FillOp::getOperationName());
  counter.addTypes(
      RankedTensorType::get({}, IntegerType::get(op.getContext(), 64)));
  builder.create(counter);
  // The running statistics are model buffers.
  for (unsigned i = 3; i < 5; ++i)
    if (auto buffer = op->getOperand(i).getDefiningOp<onnx::ParameterOp>())
      buffer->setAttr(roleAttrName, TensorRoleAttr::get(op.getContext(),
                                                        TensorRole::Parameter));
  op->setOperand(3, statistics->getResult(0));
  op->setOperand(4, statistics->getResult(1));
}

/// The backward pass needs the positions of the maxima, 8 bytes each.
static void lowerMaxPool(onnx::MaxPoolOp op) {
  if (op->getNumResults() != 1)
    return;
  auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
  if (!type)
    return;
  Type positions = RankedTensorType::get(type.getShape(),
                                         IntegerType::get(op.getContext(), 64));
  replaceWith(op, onnx::MaxPoolOp::getOperationName(), {type, positions},
              op->getOperands());
}

void TrainingGraph::prepareForward() {
  for (Operation &op : llvm::make_early_inc_range(block())) {
    if (auto dropout = dyn_cast<onnx::DropoutOp>(op))
      lowerDropout(dropout, settings.dropout);
    else if (auto norm = dyn_cast<onnx::BatchNormalizationOp>(op))
      lowerBatchNorm(norm);
    else if (auto pool = dyn_cast<onnx::MaxPoolOp>(op))
      lowerMaxPool(pool);
  }
}
