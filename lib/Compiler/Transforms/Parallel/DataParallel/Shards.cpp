//===- Shards.cpp - Sharded states, gradients and parameters --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Parallelizer.h"
#include "Shapes/Signature.h"
#include "gpucost/Compiler/Analysis/Kernels/TrainingAnnotations.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/ElementTypes.h"
#include "gpucost/Compiler/Dialect/Onnx/IR/OnnxOps.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include <cmath>

using namespace mlir;
using namespace gpucost;

static bool isBucketCopy(OptimizerStepOp step) {
  auto phase = step->getAttrOfType<PhaseAttr>(phaseAttrName);
  return phase && phase.getValue() == Phase::Backward;
}

SmallVector<Operation *> Parallelizer::findParameters() {
  SmallVector<Operation *> parameters;
  for (Operation &op : block)
    if (isTrainableParameter(&op))
      parameters.push_back(&op);
  return parameters;
}

llvm::MapVector<Operation *, Value> Parallelizer::findTrained() {
  SmallVector<Operation *> parameters = findParameters();
  llvm::MapVector<Operation *, Value> trained;
  auto ordinals = end->getAttrOfType<DenseI64ArrayAttr>(gradientsAttrName);
  for (auto [ordinal, gradient] :
       llvm::zip(ordinals ? ordinals.asArrayRef() : ArrayRef<int64_t>(),
                 end->getOperands()))
    if (ordinal >= 0 && ordinal < static_cast<int64_t>(parameters.size()))
      trained[parameters[ordinal]] = gradient;
  return trained;
}

/// (X11) Each GPU sends the weights that it has updated, in the format of the
/// model, after the update or, with some stacks, before the unit that reads
/// them in the next step (X18).
void Parallelizer::gatherUpdated(ArrayRef<Unit> units) {
  OpBuilder builder(end);
  llvm::MapVector<Operation *, Value> trained = findTrained();
  for (const Unit &unit : units) {
    SmallVector<Value> weights;
    for (Operation *parameter : unit.parameters)
      if (trained.contains(parameter))
        weights.push_back(parameter->getResult(0));
    if (weights.empty() || unit.group.gpus == 1)
      continue;
    if (gathersLate && unit.firstForward)
      builder.setInsertionPoint(unit.firstForward);
    else
      builder.setInsertionPoint(end);
    auto op = insert(builder, CollectiveKind::AllGather, weights,
                     ValueRange(weights).getTypes(), 1, unit.group);
    op->setAttr(inPlaceAttrName, builder.getUnitAttr());
  }
}

/// (O6) Only shards of the weights that the optimizer updates are stored.
void Parallelizer::widenShards(ArrayRef<Operation *> parameters) {
  Type single = Float32Type::get(function.getContext());
  for (Operation *parameter : parameters) {
    Value weight = parameter->getResult(0);
    auto type = dyn_cast<RankedTensorType>(weight.getType());
    if (type && type.getElementType().isIntOrFloat() &&
        type.getElementTypeBitWidth() == 16 &&
        llvm::all_of(weight.getUsers(),
                     [](Operation *user) { return isa<CollectiveOp>(user); }))
      weight.setType(type.clone(single));
  }
}

int64_t Parallelizer::Elements::partOf(int64_t some) const {
  double share = static_cast<double>(updated) / static_cast<double>(all);
  return static_cast<int64_t>(std::ceil(static_cast<double>(some) * share));
}

/// Nothing unless experts have another group than the other parameters: an
/// update of several parameters is divided by one number otherwise.
Parallelizer::Elements Parallelizer::countElements() {
  Elements elements;
  bool hasExperts = false;
  for (auto [parameter, gradient] : findTrained()) {
    auto type = cast<RankedTensorType>(parameter->getResult(0).getType());
    int64_t count = elementCount(type).value_or(0);
    int64_t gpus = groupOf(parameter).gpus;
    elements.all = saturatingSum(elements.all, count);
    elements.updated += (count + gpus - 1) / gpus;
    hasExperts |= gpus != worldSize;
  }
  return hasExperts ? elements : Elements();
}

/// (X11) Whether each GPU stores only a part of a tensor.
bool Parallelizer::isDivided(Operation &op) const {
  if (isTrainableParameter(&op))
    return stage == 3;
  if (!isa<onnx::ParameterOp>(op))
    return false;
  auto role = op.getAttrOfType<TensorRoleAttr>(roleAttrName);
  if (!role)
    return false;
  switch (role.getValue()) {
  case TensorRole::Parameter:
    return stage == 3;
  case TensorRole::Gradient:
    return stage >= 2;
  case TensorRole::OptimizerState:
    return true;
  }
  llvm_unreachable("unknown role");
}

void Parallelizer::shardPersistent() {
  OpBuilder builder(function.getContext());
  Elements elements = countElements();
  for (Operation &op : block) {
    if (isDivided(op) && !op.hasAttr(shardsAttrName)) {
      auto type = cast<RankedTensorType>(op.getResult(0).getType());
      auto role = op.getAttrOfType<TensorRoleAttr>(roleAttrName);
      bool isState = role && role.getValue() == TensorRole::OptimizerState;
      if (isState && elements.all > 0)
        op.getResult(0).setType(RankedTensorType::get(
            {elements.partOf(elementCount(type).value_or(0))},
            type.getElementType()));
      else
        op.setAttr(shardsAttrName,
                   builder.getI64IntegerAttr(groupOf(&op).gpus));
    }
    auto step = dyn_cast<OptimizerStepOp>(op);
    // Bucket copies are not part of the update; a buffer of all gradients is
    // set to zero as a whole.
    if (!step || isBucketCopy(step) || (stage == 1 && !step.getReads()))
      continue;
    auto part = [&](int64_t whole) {
      return elements.all > 0 ? elements.partOf(whole)
                              : (whole + worldSize - 1) / worldSize;
    };
    step.setElements(part(step.getElements()));
    if (step.getReadBytes() && step.getWrittenBytes()) {
      step.setReadBytes(part(*step.getReadBytes()));
      step.setWrittenBytes(part(*step.getWrittenBytes()));
    }
    if (auto scratch = op.getAttrOfType<IntegerAttr>(scratchAttrName))
      op.setAttr(scratchAttrName,
                 builder.getI64IntegerAttr(part(scratch.getInt())));
  }
}

void Parallelizer::runSharded() {
  for (Operation &op : block)
    if (auto attr = op.getAttrOfType<IntegerAttr>(accumulationCountAttrName);
        attr && !isa<onnx::InPlaceAccumulatorOp>(op))
      repeat = std::max(repeat, attr.getInt());
  // Parameters are gathered early, so move them to the start of the block.
  SmallVector<Operation *> parameters = findParameters();
  for (Operation *parameter : llvm::reverse(parameters))
    parameter->moveBefore(&block, block.begin());
  SmallVector<Unit> units = divideUnits(findUnits());
  llvm::MapVector<Operation *, Value> gradientOf = findTrained();
  for (Unit &unit : units)
    for (Operation *parameter : unit.parameters)
      if (Value gradient = gradientOf.lookup(parameter))
        unit.gradients.push_back(gradient);
  if (stage == 3) {
    gather(units, /*backward=*/false);
    gather(units, /*backward=*/true);
  }
  for (Unit &unit : units)
    scatter(unit);
  // Casts of gathered parameters were applied before they were sent.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<onnx::CastOp>(op) && op.use_empty())
      op.erase();
  shardPersistent();
  if (stage < 3)
    gatherUpdated(units);
  else if (masterWeights)
    widenShards(parameters);
  updateSignature(function);
}
