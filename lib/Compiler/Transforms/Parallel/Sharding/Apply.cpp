//===- Apply.cpp - Tensor parallelism in the IR ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShardBlock.h"
#include "Training/VocabularyLoss.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Scenario/TrainingStack.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost;
using namespace gpucost::sharding;

static Operation *createView(OpBuilder &builder, StringRef name, Location loc,
                             Type type, Value operand) {
  OperationState state(loc, name);
  state.addTypes(type);
  state.addOperands(operand);
  return builder.create(state);
}

static RankedTensorType withDim(RankedTensorType type, int64_t dim,
                                int64_t size) {
  SmallVector<int64_t> shape(type.getShape());
  shape[dim] = size;
  return RankedTensorType::get(shape, type.getElementType());
}

void ShardBlock::setTypes() {
  for (auto &[value, part] : parts) {
    RankedTensorType type = getStaticType(value);
    RankedTensorType own = withDim(
        type, part.dim, lanes.local(part.lane, type.getDimSize(part.dim)));
    if (part.repeatDim >= 0 && part.queries)
      own = withDim(own, part.repeatDim,
                    lanes.local(part.queries, lanes.units(part.queries)) /
                        lanes.local(part.lane, lanes.units(part.lane)));
    Value(value).setType(own);
  }
}

void ShardBlock::setAttributes() {
  Builder builder(block.getParentOp()->getContext());
  for (const ScaledAttribute &each : attributes)
    each.op->setAttr(each.name, builder.getI64IntegerAttr(lanes.local(
                                    each.lane, intOf(each.op, each.name, 0))));
  for (const Seed &seed : seeds)
    if (options.wholeExperts && seed.role == Role::Experts) {
      seed.op->setAttr(expertShardsAttrName,
                       builder.getI64IntegerAttr(options.gpus));
      seed.op->setAttr(sharedTokensAttrName, builder.getUnitAttr());
    }
  // Mark logits that a loss reads sharded.
  for (Value operand : block.getTerminator()->getOperands())
    for (const Seed &seed : seeds)
      if (const Part *part = partOf(operand);
          part && seed.role == Role::Logits &&
          lanes.componentOf(part->lane) == lanes.componentOf(seed.lane))
        operand.getDefiningOp()->setAttr(
            vocabularyShardsAttrName, builder.getI64IntegerAttr(options.gpus));
}

/// Inserts views of the parts that this GPU reads. The gradient of the complete
/// tensor is a sum over GPUs.
void ShardBlock::insertSlices() {
  for (const SlicedOperand &each : sliced) {
    Value whole = each.use->get();
    RankedTensorType type = getStaticType(whole);
    OpBuilder builder(each.use->getOwner());
    Location loc = each.use->getOwner()->getLoc();
    if (!isWeight(whole)) {
      Operation *shared = createView(
          builder, onnx::IdentityOp::getOperationName(), loc, type, whole);
      shared->setAttr(reduceGradientAttrName,
                      builder.getI64IntegerAttr(options.gpus));
      whole = shared->getResult(0);
    }
    Operation *view =
        createView(builder, onnx::SliceOp::getOperationName(), loc,
                   withDim(type, each.dim,
                           lanes.local(each.lane, type.getDimSize(each.dim))),
                   whole);
    if (isWeight(whole))
      view->setAttr(onnx::OnnxDialect::constantAttrName, builder.getUnitAttr());
    each.use->set(view->getResult(0));
  }
}

/// The gradient of an input that all parts read is a sum over them. The op is
/// inserted before the first reader; autocast casts the input for each reader.
void ShardBlock::shareInput(ArrayRef<Operation *> readers) {
  Value input = sharedInput(readers.front());
  SmallVector<Operation *> direct;
  for (Operation *op : readers) {
    Operation *def = op->getOperand(0).getDefiningOp();
    direct.push_back(op->getOperand(0) == input ? op : def);
  }
  Operation *first = direct.front();
  for (Operation *op : direct)
    if (op->isBeforeInBlock(first))
      first = op;
  OpBuilder builder(first);
  Operation *shared =
      createView(builder, onnx::IdentityOp::getOperationName(),
                 readers.front()->getLoc(), input.getType(), input);
  shared->setAttr(reduceGradientAttrName,
                  builder.getI64IntegerAttr(options.gpus));
  for (Operation *op : direct)
    op->setOperand(0, shared->getResult(0));
}

void ShardBlock::shareInputs() {
  llvm::MapVector<Value, SmallVector<Operation *>> groups;
  for (const Seed &seed : seeds)
    if (seed.role != Role::Embedding && seed.role != Role::Input)
      groups[sharedInput(seed.op)].push_back(seed.op);
  for (auto &[input, readers] : groups)
    shareInput(readers);
}

void ShardBlock::insertCollective(Operation *op, CollectiveKind kind, Type type,
                                  StringRef origin) {
  Value part = op->getResult(0);
  OpBuilder builder(op->getContext());
  builder.setInsertionPointAfter(op);
  auto collective =
      CollectiveOp::create(builder, op->getLoc(), type, part, kind,
                           byteCount(type).value_or(0), options.gpus);
  if (kind == CollectiveKind::AllReduce)
    collective->setAttr(inPlaceAttrName, builder.getUnitAttr());
  collective->setAttr(originAttrName, builder.getStringAttr(origin));
  part.replaceAllUsesExcept(collective.getOutputs()[0], collective);
}

void ShardBlock::insertCollectives() {
  for (auto [op, lane] : rows)
    insertCollective(op, CollectiveKind::AllReduce, op->getResult(0).getType(),
                     factors.contains(op) ? adapterOrigin
                                          : tensorParallelOrigin);
  for (const Seed &seed : seeds) {
    Value result = seed.op->getResult(0);
    RankedTensorType type = getStaticType(result);
    bool isFactor = seed.role == Role::Factor;
    if (seed.role == Role::Embedding || seed.role == Role::Experts)
      insertCollective(seed.op, CollectiveKind::AllReduce, type,
                       tensorParallelOrigin);
    if (seed.role != Role::Vocabulary && !isFactor)
      continue;
    // (X7), (X32) Every GPU gets the whole result.
    result.setType(withDim(type, type.getRank() - 1,
                           lanes.local(seed.lane, type.getShape().back())));
    insertCollective(seed.op, CollectiveKind::AllGather, type,
                     isFactor ? adapterOrigin : tensorParallelOrigin);
  }
  for (auto [op, lane] : losses) {
    OpBuilder builder(op);
    insertVocabularyLoss(builder, op->getOperand(0), options.gpus);
  }
}

void ShardBlock::apply() {
  for (auto [op, lane] : rows)
    if (options.trains && isFirstFactor(op))
      factors.insert(op);
  setAttributes();
  insertSlices();
  setTypes();
  shareInputs();
  insertCollectives();
}
