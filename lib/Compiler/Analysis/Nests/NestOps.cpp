//===- NestOps.cpp - Structured ops of one tile ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestReader.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace gpucost;
using linalg::LinalgOp;

/// `op` with other operands and result types; its regions use `scalars`.
Operation *NestReader::cloneOnto(Operation *op, TypeRange types,
                                 ValueRange operands, IRMapping &scalars) {
  OperationState state(op->getLoc(), op->getName());
  state.addTypes(types);
  state.addOperands(operands);
  state.addAttributes(op->getDiscardableAttrDictionary().getValue());
  state.propertiesAttr = op->getPropertiesAsAttribute();
  for (Region &region : op->getRegions())
    region.cloneInto(state.addRegion(), scalars);
  return builder.create(state);
}

/// `expr` at the last point of `ranges`.
static std::optional<int64_t> lastOf(AffineExpr expr,
                                     ArrayRef<int64_t> ranges) {
  SmallVector<Attribute> points, results;
  Builder builder(expr.getContext());
  for (int64_t range : ranges)
    points.push_back(builder.getIndexAttr(range - 1));
  AffineMap map = AffineMap::get(ranges.size(), 0, expr);
  if (failed(map.constantFold(points, results)))
    return std::nullopt;
  return cast<IntegerAttr>(results.front()).getInt();
}

/// (J2) The loop ranges of `op` on whole tensors: the extents of the operands
/// that the loops index.
bool NestReader::findRanges(LinalgOp op, ArrayRef<std::optional<Part>> operands,
                            PerLevel<Shape> &ranges) {
  for (TileLevel level : tileLevels) {
    Shape &range = ranges[level];
    range.assign(op.getNumLoops(), 0);
    for (OpOperand &operand : op->getOpOperands()) {
      const std::optional<Part> &part = operands[operand.getOperandNumber()];
      if (!part || part->kind == Part::Empty ||
          (part->kind == Part::Filled && part->extents[level].empty()))
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          range[dim.getPosition()] =
              std::max(range[dim.getPosition()], part->extents[level][i]);
    }
    // Convolution windows: the image determines their number.
    for (OpOperand &operand : op->getOpOperands()) {
      const std::optional<Part> &part = operands[operand.getOperandNumber()];
      if (!part || part->kind != Part::Data)
        continue;
      AffineMap map = op.getMatchingIndexingMap(&operand);
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        if (isa<AffineDimExpr, AffineConstantExpr>(expr))
          continue;
        std::optional<unsigned> open;
        unsigned count = 0;
        for (unsigned dim = 0; dim < range.size(); ++dim)
          if (expr.isFunctionOfDim(dim) && range[dim] == 0)
            open = dim, ++count;
        if (count != 1)
          continue;
        Shape one = range;
        one[*open] = 1;
        Shape two = one;
        two[*open] = 2;
        std::optional<int64_t> base = lastOf(expr, one),
                               next = lastOf(expr, two);
        if (!base || !next || *next <= *base)
          return false;
        range[*open] =
            (part->extents[level][i] - 1 - *base) / (*next - *base) + 1;
      }
    }
    if (llvm::any_of(range, [](int64_t size) { return size < 1; }))
      return false;
  }
  return true;
}

SmallVector<uint64_t>
NestReader::findCounters(LinalgOp op, ArrayRef<std::optional<Part>> operands) {
  SmallVector<uint64_t> moving(op.getNumLoops(), 0);
  for (OpOperand &operand : op->getOpOperands())
    if (const std::optional<Part> &part = operands[operand.getOperandNumber()];
        part && !part->moving.empty())
      for (auto [i, expr] :
           llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults()))
        for (unsigned loop = 0; loop < moving.size(); ++loop)
          if (expr.isFunctionOfDim(loop))
            moving[loop] |= part->moving[i];
  return moving;
}

bool NestReader::visitStructured(LinalgOp op) {
  SmallVector<std::optional<Part>> operands;
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Part> part;
    if (shapedType(operand.get())) {
      part = find(operand.get());
      // Inputs must have been written, in all of their dimensions.
      if (!part || (part->kind != Part::Data && !op.isDpsInit(&operand)) ||
          (!part->moving.empty() && static_cast<int64_t>(part->moving.size()) !=
                                        shapedType(operand.get()).getRank()))
        return fail(op);
    }
    operands.push_back(part);
  }
  PerLevel<Shape> ranges;
  if (!findRanges(op, operands, ranges))
    return fail(op);
  auto shapeOf = [&](OpOperand &operand,
                     TileLevel level) -> std::optional<Shape> {
    Shape shape;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      std::optional<int64_t> last = lastOf(expr, ranges[level]);
      if (!last)
        return std::nullopt;
      shape.push_back(*last + 1);
    }
    return shape;
  };
  SmallVector<Value> inputs;
  SmallVector<Type> types;
  for (OpOperand &operand : op->getOpOperands()) {
    const std::optional<Part> &part = operands[operand.getOperandNumber()];
    if (!part) {
      std::optional<Value> scalar = importScalar(operand.get());
      if (!scalar)
        return fail(op);
      inputs.push_back(*scalar);
      continue;
    }
    std::optional<Shape> shape = shapeOf(operand, TileLevel::Whole);
    if (!shape)
      return fail(op);
    if (part->kind == Part::Data) {
      auto held = cast<RankedTensorType>(part->tensor.getType());
      for (auto [has, needs] : llvm::zip_equal(held.getShape(), *shape))
        if (has < needs)
          return fail(op);
      inputs.push_back(view(part->tensor, *shape));
    } else {
      inputs.push_back(
          emptyTensor(*shape, shapedType(operand.get()).getElementType()));
    }
    if (op.isDpsInit(&operand))
      types.push_back(inputs.back().getType());
  }
  llvm::SetVector<Value> captured;
  getUsedValuesDefinedAbove(op->getRegions(), captured);
  IRMapping scalars;
  for (Value value : captured) {
    std::optional<Value> scalar = importScalar(value);
    if (!scalar)
      return fail(op);
    scalars.map(value, *scalar);
  }
  Operation *whole = cloneOnto(op, types, inputs, scalars);
  addMember(whole);
  whole->removeAttr(scheduleAttrName); // moved to the kernel
  // (J3) Iterations whose counter does not move an operand repeat the op.
  SmallVector<uint64_t> moving = findCounters(op, operands);
  uint64_t repeats = counters.all();
  for (uint64_t each : moving)
    repeats &= ~each;
  if (int64_t times = counters.countTrips(repeats); times != 1)
    whole->setAttr(batchedIterationsAttrName, builder.getI64IntegerAttr(times));
  noteSchedule(op, ranges, moving);
  if (!label.empty())
    label += "+";
  label += op->getName().stripDialect();
  for (auto [i, init] : llvm::enumerate(op.getDpsInitsMutable())) {
    Part part;
    part.tensor = whole->getResult(i);
    for (TileLevel level : tileLevels)
      part.extents[level] = *shapeOf(init, level);
    for (AffineExpr expr : op.getMatchingIndexingMap(&init).getResults()) {
      part.moving.push_back(0);
      for (unsigned loop = 0; loop < moving.size(); ++loop)
        if (expr.isFunctionOfDim(loop))
          part.moving.back() |= moving[loop];
    }
    if (op.hasPureTensorSemantics())
      parts[op->getResult(i)] = part;
    else
      write(init.get(), part);
  }
  return true;
}
