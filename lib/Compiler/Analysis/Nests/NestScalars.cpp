//===- NestScalars.cpp - Loops over scalars in one tile -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (J9) A store of scalars that are computed from loads is a structured op: its
// loops are the sets of counters that move the dimensions of its accesses.
//
//===----------------------------------------------------------------------===//

#include "NestReader.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace gpucost;

namespace {
/// An element that moves with the counters.
struct Access {
  Value buffer;
  ValueRange indices;
  Part part;
  /// For each dimension that moves, the counters that are its loop.
  SmallVector<uint64_t> loops;
};
} // namespace

/// Ops that compute `value` from `loads`, in order; false if it depends on
/// anything else.
static bool collect(Value value, Operation *nest,
                    llvm::SetVector<Operation *> &arithmetic,
                    llvm::SetVector<Operation *> &loads) {
  Operation *def = value.getDefiningOp();
  if (def && !nest->isProperAncestor(def))
    return true; // a scalar from outside
  if (!def)
    return !nest->isAncestor(value.getParentBlock()->getParentOp());
  if (isa<memref::LoadOp>(def)) {
    loads.insert(def);
    return true;
  }
  if (arithmetic.contains(def))
    return true;
  if (def->getNumRegions() || !isMemoryEffectFree(def) ||
      llvm::any_of(def->getOperandTypes(), isInMemory))
    return false;
  for (Value operand : def->getOperands())
    if (!collect(operand, nest, arithmetic, loads))
      return false;
  arithmetic.insert(def);
  return true;
}

bool gpucost::isOverScalars(Operation *loop) {
  return !loop->walk([&](Operation *op) {
                bool counts = op == loop || op->getNumRegions() != 0;
                if (counts ? isLoop(op) && op->getNumResults() == 0
                           : op->hasTrait<OpTrait::IsTerminator>() ||
                                 isa<memref::LoadOp, memref::StoreOp>(op) ||
                                 (isMemoryEffectFree(op) &&
                                  llvm::none_of(op->getResultTypes(),
                                                llvm::IsaPred<ShapedType>)))
                  return WalkResult::advance();
                return WalkResult::interrupt();
              })
              .wasInterrupted();
}

bool NestReader::visitStore(Operation *op) {
  auto store = dyn_cast<memref::StoreOp>(op);
  if (!store || !store.getValueToStore().getType().isIntOrIndexOrFloat())
    return fail(op);
  llvm::SetVector<Operation *> arithmetic, loads;
  if (!collect(store.getValueToStore(), nest, arithmetic, loads))
    return fail(op);
  uint64_t inside = counters.select(CounterLevel::Inside);
  auto find = [&](Value buffer, ValueRange indices) -> std::optional<Access> {
    std::optional<Part> base = this->find(buffer);
    Access access{buffer, indices, {}, {}};
    if (!base || base->map)
      return std::nullopt;
    llvm::SmallBitVector fixed(indices.size());
    for (auto [dim, index] : llvm::enumerate(indices)) {
      auto range =
          counters.evaluate(index, [](const NestCounter &) { return true; });
      if (!range)
        return std::nullopt;
      uint64_t moving = range->counters;
      if (base->kind == Part::Data && dim < base->moving.size())
        moving |= base->moving[dim];
      fixed[dim] = moving == 0;
      if (moving)
        access.loops.push_back(moving & inside ? moving & inside : moving);
    }
    SmallVector<OpFoldResult> ones(
        indices.size(), IntegerAttr::get(IndexType::get(op->getContext()), 1));
    std::optional<Part> part =
        slice(*base, SmallVector<OpFoldResult>(indices), ones, fixed);
    if (!part)
      return std::nullopt;
    access.part = *part;
    return access;
  };
  std::optional<Access> target = find(store.getMemRef(), store.getIndices());
  if (!target)
    return fail(op);
  Type element = store.getMemRefType().getElementType();
  if (loads.empty()) {
    if (!arithmetic.empty() && !importScalar(store.getValueToStore()))
      return fail(op);
    target->part.kind = Part::Filled;
    target->part.scalar = store.getValueToStore();
    target->part.element = element;
    write(store.getMemRef(), target->part);
    return true;
  }
  llvm::MapVector<uint64_t, unsigned> loops;
  auto number = [&](const Access &access) {
    for (uint64_t loop : access.loops)
      loops.try_emplace(loop, loops.size());
  };
  number(*target);
  size_t results = loops.size();
  SmallVector<Access, 4> reads;
  SmallVector<Value> loaded; // accumulator last
  Value accumulator;
  for (Operation *each : loads) {
    auto load = cast<memref::LoadOp>(each);
    if (load.getMemRef() == store.getMemRef() &&
        load.getIndices() == store.getIndices()) {
      accumulator = load;
      continue;
    }
    std::optional<Access> read = find(load.getMemRef(), load.getIndices());
    if (!read || read->part.kind == Part::Empty)
      return fail(op);
    number(*read);
    reads.push_back(*read);
    loaded.push_back(load);
  }
  uint64_t all = 0;
  int64_t counted = 0;
  for (auto [loop, index] : loops) {
    all |= loop;
    counted += llvm::popcount(loop);
  }
  // Each counter moves one loop, and a sum has an accumulator.
  if (llvm::popcount(all) != counted || loops.empty() ||
      (loops.size() > results && !accumulator))
    return fail(op);
  // A copy into memory of the nest moves a part closer.
  if (arithmetic.empty() && reads.size() == 1 && !accumulator &&
      isInside(baseOf(store.getMemRef())) &&
      reads.front().loops == target->loops) {
    write(store.getMemRef(), reads.front().part);
    return true;
  }
  auto mapOf = [&](const Access &access) {
    SmallVector<AffineExpr> dims;
    for (uint64_t loop : access.loops)
      dims.push_back(getAffineDimExpr(loops[loop], op->getContext()));
    return AffineMap::get(loops.size(), 0, dims, op->getContext());
  };
  TileOp tile(op);
  SmallVector<std::pair<Value, Value>> scalars;
  SmallVector<Value> arguments;
  for (auto [read, value] : llvm::zip_equal(reads, loaded)) {
    if (read.part.kind == Part::Filled) {
      std::optional<Value> scalar = importScalar(read.part.scalar);
      if (!scalar)
        return fail(op);
      scalars.emplace_back(value, *scalar);
      continue;
    }
    arguments.push_back(value);
    tile.add(read.part, value.getType(), mapOf(read));
  }
  tile.firstInit = tile.operands.size();
  if (!accumulator)
    target->part = Part::empty();
  tile.add(target->part, element, mapOf(*target));
  if (accumulator)
    arguments.push_back(accumulator);
  for (Operation *each : arithmetic)
    for (Value operand : each->getOperands())
      if (!isInside(operand) || operand.getDefiningOp<arith::ConstantOp>()) {
        std::optional<Value> scalar = importScalar(operand);
        if (!scalar)
          return fail(op);
        scalars.emplace_back(operand, *scalar);
      }
  SmallVector<Part, 1> computed =
      computeGeneric(tile, [&](OpBuilder &inner, ValueRange blockArguments) {
        IRMapping mapping;
        for (auto [from, to] : scalars)
          mapping.map(from, to);
        for (auto [from, to] : llvm::zip(arguments, blockArguments))
          mapping.map(from, to);
        for (Operation *each : arithmetic)
          if (!each->hasTrait<OpTrait::ConstantLike>())
            inner.clone(*each, mapping);
        return mapping.lookup(store.getValueToStore());
      });
  if (computed.empty())
    return false;
  write(store.getMemRef(), computed.front());
  return true;
}
