//===- Collectives.cpp - Collectives of data parallelism ------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallelizer.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"

using namespace mlir;
using namespace gpucost;

static int64_t sumBytes(ValueRange values) {
  int64_t bytes = 0;
  for (Value value : values)
    bytes = saturatingSum(bytes, byteCount(value.getType()).value_or(0));
  return bytes;
}

static bool isBackward(Operation *op) {
  auto phase = op->getAttrOfType<PhaseAttr>(phaseAttrName);
  return phase && phase.getValue() != Phase::Forward;
}

CollectiveOp Parallelizer::insert(OpBuilder &builder, CollectiveKind kind,
                                  ValueRange inputs, TypeRange types,
                                  int64_t repeat, const GroupSpan &span) {
  Location loc = inputs.front().getLoc();
  auto op =
      CollectiveOp::create(builder, loc, types, inputs, kind, sumBytes(inputs),
                           span.gpus, span.nodes, span.groups);
  op->setAttr(phaseAttrName,
              PhaseAttr::get(function.getContext(), Phase::Communication));
  op->setAttr(originAttrName,
              builder.getStringAttr(stringifyCollectiveKind(kind)));
  if (repeat != 1)
    op->setAttr(accumulationCountAttrName, builder.getI64IntegerAttr(repeat));
  return op;
}

/// (X31) Copies of the shards add up the parts that each GPU has received.
CollectiveOp Parallelizer::reduce(OpBuilder &builder, ValueRange gradients,
                                  TypeRange types, int64_t repeat,
                                  const GroupSpan &span) {
  CollectiveOp op;
  auto add = [&](CollectiveKind kind, int64_t bytes, const GroupSpan &gpus) {
    ValueRange inputs = op ? ValueRange(op.getOutputs()) : gradients;
    op = insert(builder, kind, inputs, types, repeat, gpus);
    op.setBytes(bytes);
    if (inputs.getTypes() == types)
      op->setAttr(inPlaceAttrName, builder.getUnitAttr());
  };
  int64_t bytes = sumBytes(gradients);
  if (span.gpus > 1)
    add(stage ? CollectiveKind::ReduceScatter : CollectiveKind::AllReduce,
        bytes, span);
  if (copies.gpus > 1) {
    add(CollectiveKind::AllReduce, (bytes + span.gpus - 1) / span.gpus, copies);
    op->setAttr(originAttrName, builder.getStringAttr(hybridShardingOrigin));
  }
  return op;
}

/// A kernel of the update, or one that copies gradients for it.
static bool updates(Operation *op) {
  auto phase = op->getAttrOfType<PhaseAttr>(phaseAttrName);
  return isa<OptimizerStepOp>(op) ||
         (phase && phase.getValue() == Phase::Optimizer);
}

/// Ops after the backward pass read the reduced gradients.
void Parallelizer::replaceGradients(ArrayRef<Value> gradients,
                                    ValueRange results) {
  for (auto [gradient, reduced] : llvm::zip_equal(gradients, results))
    Value(gradient).replaceUsesWithIf(
        reduced, [&, result = reduced](OpOperand &use) {
          // The copy to the bucket comes before.
          return (updates(use.getOwner()) &&
                  !use.getOwner()->isBeforeInBlock(result.getDefiningOp())) ||
                 use.getOwner() == end;
        });
}

/// The end of the backward pass: the optimizer's first kernel, if any.
Operation *Parallelizer::findUpdate() {
  Operation *update = end;
  while (update->getPrevNode() && updates(update->getPrevNode()))
    update = update->getPrevNode();
  return update;
}

const GroupSpan &Parallelizer::groupOf(Operation *parameter) const {
  return parameter->hasAttr(expertShardsAttrName) ? experts : group;
}

SmallVector<Parallelizer::Unit>
Parallelizer::divideUnits(ArrayRef<Unit> units) const {
  SmallVector<Unit> divided;
  for (const Unit &unit : units)
    for (bool isExpert : {false, true}) {
      Unit part = unit;
      part.parameters.clear();
      part.group = isExpert ? experts : group;
      for (Operation *parameter : unit.parameters)
        if (parameter->hasAttr(expertShardsAttrName) == isExpert)
          part.parameters.push_back(parameter);
      if (!part.parameters.empty())
        divided.push_back(std::move(part));
    }
  return divided;
}

SmallVector<Parallelizer::Unit> Parallelizer::findUnits() {
  SmallVector<Unit> units(1);
  llvm::DenseMap<Operation *, unsigned> unitOf;
  // Ops between a parameter and its first kernel prepare the weight.
  llvm::DenseMap<Value, Operation *> parameterOf;
  for (Operation &op : block) {
    if (isTrainableParameter(&op)) {
      parameterOf[op.getResult(0)] = &op;
      continue;
    }
    bool prepares = op.hasAttr("onnx.constant") || isa<onnx::CastOp>(op);
    if (isBackward(&op) && !isa<onnx::ParameterOp>(op)) {
      for (Value operand : op.getOperands())
        if (Operation *parameter = parameterOf.lookup(operand)) {
          Unit &unit = units[unitOf.lookup(parameter)];
          if (!unit.firstBackward)
            unit.firstBackward = &op;
        }
      continue;
    }
    if (isa<onnx::SoftmaxOp, onnx::AttentionOp, onnx::FusedAttentionOp>(op) &&
        !units.back().parameters.empty())
      units.emplace_back();
    for (Value operand : op.getOperands()) {
      Operation *parameter = parameterOf.lookup(operand);
      if (!parameter)
        continue;
      if (prepares && op.getNumOperands() == 1) {
        parameterOf[op.getResult(0)] = parameter;
        continue;
      }
      if (unitOf.try_emplace(parameter, units.size() - 1).second) {
        units.back().parameters.push_back(parameter);
        if (!units.back().firstForward)
          units.back().firstForward = &op;
      }
    }
  }
  return units;
}

/// (X2) The parameters of a unit are gathered while the previous unit computes.
/// Parameters that are only read in a narrower type are sent in that type.
void Parallelizer::gather(ArrayRef<Unit> units, bool backward) {
  auto firstOf = [&](const Unit &unit) {
    return backward ? unit.firstBackward : unit.firstForward;
  };
  for (auto [i, unit] : llvm::enumerate(units)) {
    if (unit.parameters.empty() || !firstOf(unit) || unit.group.gpus == 1)
      continue;
    Operation *before = firstOf(unit);
    // The backward pass runs from the last unit to the first.
    size_t previous = backward ? i + 1 : i - 1;
    if (previous < units.size() && firstOf(units[previous]))
      before = firstOf(units[previous]);
    SmallVector<Value> inputs;
    SmallVector<Type> types;
    SmallVector<SmallVector<Value>> replaced;
    OpBuilder builder(before);
    for (Operation *parameter : unit.parameters) {
      Value value = parameter->getResult(0);
      SmallVector<Value> views = {value};
      Type type = value.getType();
      for (Operation *user : value.getUsers())
        if (isa<onnx::CastOp>(user)) {
          type = user->getResult(0).getType();
          views.push_back(user->getResult(0));
        }
      inputs.push_back(value);
      types.push_back(type);
      replaced.push_back(views);
    }
    auto op = insert(builder, CollectiveKind::AllGather, inputs, types, repeat,
                     unit.group);
    int64_t bytes = 0;
    for (Type type : types)
      bytes = saturatingSum(bytes, byteCount(type).value_or(0));
    op.setBytes(bytes);
    for (auto [views, result] : llvm::zip_equal(replaced, op.getOutputs()))
      for (Value view : views)
        view.replaceUsesWithIf(result, [&](OpOperand &use) {
          Operation *user = use.getOwner();
          return user != op && !isa<CollectiveOp, onnx::CastOp>(user) &&
                 user->getResultTypes() != TypeRange() &&
                 isBackward(user) == backward && !user->isBeforeInBlock(op);
        });
  }
}

/// (X3) Each GPU keeps its part of the sum; 16-bit gradients are sent in 16
/// bits. Gradient-accumulation steps add to that part.
void Parallelizer::scatter(Unit &unit) {
  SmallVector<Value> gradients, inputs;
  SmallVector<Type> types;
  Operation *last = nullptr;
  for (Value gradient : unit.gradients) {
    Operation *def = gradient.getDefiningOp();
    if (!def)
      continue;
    Value sent = gradient;
    if (isa<onnx::InPlaceAccumulatorOp>(def))
      sent = def->getOperand(1);
    // (O6) Main gradients are sent in fp32, others in their original format.
    if (auto cast = sent.getDefiningOp<onnx::CastOp>(); cast && !mainGrads)
      sent = cast->getOperand(0);
    auto type = cast<RankedTensorType>(gradient.getType());
    gradients.push_back(gradient);
    inputs.push_back(sent);
    types.push_back(RankedTensorType::get(
        {(elementCount(type).value_or(0) + unit.group.gpus - 1) /
         unit.group.gpus},
        type.getElementType()));
    // Accumulation moves to the end; the gradient to be sent is ready before.
    Operation *ready = sent.getDefiningOp() ? sent.getDefiningOp() : def;
    if (!last || last->isBeforeInBlock(ready))
      last = ready;
  }
  if (inputs.empty() || !isReduced(unit.group))
    return;
  OpBuilder builder(function.getContext());
  builder.setInsertionPointAfter(last);
  auto op = reduce(builder, inputs, types, repeat, unit.group);
  // FSDP accumulates the parts concurrently; the computation does not wait.
  Operation *update = findUpdate();
  for (auto [gradient, part] : llvm::zip_equal(gradients, op.getOutputs())) {
    auto sum = gradient.getDefiningOp<onnx::InPlaceAccumulatorOp>();
    if (!sum) {
      replaceGradients(gradient, part);
      continue;
    }
    sum->setOperand(1, part);
    sum->getResult(0).setType(part.getType());
    sum->moveBefore(update);
    if (Operation *buffer = sum->getOperand(0).getDefiningOp()) {
      buffer->getResult(0).setType(part.getType());
      buffer->setAttr(shardsAttrName, builder.getI64IntegerAttr(1));
    }
  }
}
