//===- NestScalars.cpp - Loops over scalars in one tile -------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (J9) A store of scalars that are computed from loads is a structured op: its
// loops are the sets of counters that move the same dimensions of its accesses.
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
  Part base;
  /// For each dimension, the counters that move it.
  SmallVector<uint64_t, 4> moving;
  /// For each dimension, its index as a sum of loops; null if it is dropped.
  SmallVector<AffineExpr, 4> exprs;

  Access(Value buffer, ValueRange indices) : buffer(buffer), indices(indices) {}
};

/// Disjoint sets of counters, each of which is one loop: two counters are in
/// one set if they move the same dimensions.
class LoopSets {
public:
  LoopSets(const NestCounters &counters)
      : counters(counters), inside(counters.select(CounterLevel::Inside)) {}

  void add(const Access &access) {
    for (uint64_t moving : access.moving)
      split(moving & inside ? moving & inside : moving);
  }
  ArrayRef<uint64_t> all() const { return sets; }
  bool isInside(uint64_t set) const { return set & inside; }
  bool isSequential(uint64_t set) const {
    return set & counters.select(CounterLevel::Sequential);
  }
  /// The sets that move `dim`: (J9) counters outside of the loops over scalars
  /// that move only dimensions with loops inside belong to these loops.
  SmallVector<unsigned, 2> of(const Access &access, size_t dim) const {
    SmallVector<unsigned, 2> found;
    for (auto [i, set] : llvm::enumerate(sets))
      if ((access.moving[dim] & set) == set)
        found.push_back(i);
    return found;
  }
  /// How far one iteration of `set` moves the dimension.
  int64_t stride(const Access &access, size_t dim, uint64_t set) const;

private:
  void split(uint64_t moving) {
    for (size_t i = 0, count = sets.size(); i < count && moving; ++i) {
      uint64_t common = sets[i] & moving, rest = sets[i] & ~moving;
      if (!common)
        continue;
      sets[i] = common;
      if (rest)
        sets.push_back(rest);
      moving &= ~common;
    }
    if (moving)
      sets.push_back(moving);
  }

  const NestCounters &counters;
  uint64_t inside;
  SmallVector<uint64_t, 8> sets;
};
} // namespace

int64_t LoopSets::stride(const Access &access, size_t dim, uint64_t set) const {
  int64_t least = 0;
  for (size_t i = 0; i < counters.size(); ++i) {
    if (!(set >> i & 1))
      continue;
    const NestCounter *moved = &counters[i];
    auto range =
        counters.evaluate(access.indices[dim], [&](const NestCounter &counter) {
          return &counter == moved;
        });
    int64_t stride = range ? range->extent() / (moved->range.trips - 1) : 0;
    if (stride > 0 && (least == 0 || stride < least))
      least = stride;
  }
  return std::max<int64_t>(least, 1);
}

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

/// Whether both are the same function of the same values.
static bool isSameIndex(Value a, Value b) {
  if (a == b)
    return true;
  Operation *first = a.getDefiningOp(), *second = b.getDefiningOp();
  return first && second &&
         OperationEquivalence::isEquivalentTo(
             first, second, OperationEquivalence::IgnoreLocations);
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

/// Sets the loops of each access; returns the sizes of loops that are no
/// dimension of any access, and 0 for the others. nullopt if the accesses are
/// not those of a structured op.
static std::optional<SmallVector<int64_t>>
findLoops(const NestCounters &counters, Access &target,
          MutableArrayRef<Access> reads, bool accumulates,
          MLIRContext *context) {
  LoopSets sets(counters);
  sets.add(target);
  for (const Access &read : reads)
    sets.add(read);
  size_t count = sets.all().size();
  // Loops of the results come first.
  constexpr unsigned none = ~0u;
  SmallVector<unsigned> numbers(count, none);
  unsigned loops = 0;
  SmallVector<size_t> unmoved;
  SmallVector<unsigned> ofTarget(target.moving.size(), none);
  for (size_t dim = 0; dim < target.moving.size(); ++dim) {
    SmallVector<unsigned, 2> found = sets.of(target, dim);
    if (found.empty()) {
      unmoved.push_back(dim);
      continue;
    }
    if (found.size() > 1 || numbers[found.front()] != none)
      return std::nullopt;
    ofTarget[dim] = found.front();
    numbers[found.front()] = loops++;
  }
  // CTAs, and iterations that do not add to a sum, have tiles of their own: a
  // dimension of size 1 that the index does not move, or one instance of many.
  llvm::SmallBitVector repeats(count);
  for (const Access &read : reads)
    for (size_t dim = 0; dim < read.moving.size(); ++dim)
      for (unsigned set : sets.of(read, dim)) {
        uint64_t own = sets.all()[set];
        if (numbers[set] != none || repeats[set] || sets.isInside(own) ||
            (accumulates && sets.isSequential(own)))
          continue;
        if (unmoved.empty()) {
          repeats.set(set);
          continue;
        }
        ofTarget[unmoved.front()] = set;
        unmoved.erase(unmoved.begin());
        numbers[set] = loops++;
      }
  unsigned results = loops;
  for (size_t set = 0; set < count; ++set)
    if (numbers[set] == none && !repeats[set])
      numbers[set] = loops++;
  if (loops == 0 || (loops > results && !accumulates))
    return std::nullopt;
  // Strides of windows relative to those of dimensions with only one loop.
  SmallVector<int64_t> units(count, 0);
  auto eachAccess = [&](llvm::function_ref<void(Access &)> use) {
    use(target);
    llvm::for_each(reads, use);
  };
  eachAccess([&](Access &access) {
    for (size_t dim = 0; dim < access.moving.size(); ++dim)
      if (auto found = sets.of(access, dim); found.size() == 1) {
        unsigned set = found.front();
        int64_t stride = sets.stride(access, dim, sets.all()[set]);
        units[set] = units[set] ? std::min(units[set], stride) : stride;
      }
  });
  for (auto [dim, set] : llvm::enumerate(ofTarget)) {
    target.exprs.push_back(set == none
                               ? getAffineConstantExpr(0, context)
                               : getAffineDimExpr(numbers[set], context));
    if (set != none)
      units[set] = std::max<int64_t>(units[set], 1);
  }
  for (Access &read : reads) {
    llvm::SmallBitVector used(count);
    for (size_t dim = 0; dim < read.moving.size(); ++dim) {
      AffineExpr sum;
      SmallVector<unsigned, 2> found = sets.of(read, dim);
      bool isDropped = found.size() == 1 && repeats[found.front()];
      for (unsigned set : isDropped ? ArrayRef<unsigned>() : found) {
        if (repeats[set] || used[set])
          return std::nullopt;
        used.set(set);
        int64_t stride = sets.stride(read, dim, sets.all()[set]);
        AffineExpr loop = getAffineDimExpr(numbers[set], context) *
                          (units[set] ? stride / units[set] : stride);
        sum = sum ? sum + loop : loop;
      }
      read.exprs.push_back(sum);
    }
  }
  SmallVector<int64_t> sizes(loops, 0);
  for (size_t set = 0; set < count; ++set)
    if (units[set] == 0 && !repeats[set])
      sizes[numbers[set]] = counters.countTrips(sets.all()[set]);
  return sizes;
}

bool NestReader::visitStore(Operation *op) {
  auto store = dyn_cast<memref::StoreOp>(op);
  if (!store || !store.getValueToStore().getType().isIntOrIndexOrFloat())
    return fail(op);
  llvm::SetVector<Operation *> arithmetic, loads;
  if (!collect(store.getValueToStore(), nest, arithmetic, loads))
    return fail(op);
  // Counters with one value move nothing.
  uint64_t moves = 0;
  for (size_t i = 0; i < counters.size(); ++i)
    if (counters[i].range.trips > 1)
      moves |= uint64_t(1) << i;
  auto find = [&](Access &access) {
    std::optional<Part> base = this->find(access.buffer);
    size_t rank = access.indices.size();
    if (!base || base->map ||
        (!base->moving.empty() && base->moving.size() != rank))
      return false;
    access.base = *base;
    for (auto [dim, index] : llvm::enumerate(access.indices)) {
      auto range =
          counters.evaluate(index, [](const NestCounter &) { return true; });
      if (!range)
        return false;
      access.moving.push_back(range->counters & moves);
      if (!base->moving.empty())
        access.moving.back() |= base->moving[dim] & moves;
    }
    return true;
  };
  auto partOf = [&](const Access &access) {
    SmallVector<OpFoldResult> ones(
        access.indices.size(),
        IntegerAttr::get(IndexType::get(op->getContext()), 1));
    llvm::SmallBitVector dropped(access.indices.size());
    for (auto [dim, expr] : llvm::enumerate(access.exprs))
      dropped[dim] = !expr;
    return slice(access.base, SmallVector<OpFoldResult>(access.indices), ones,
                 dropped);
  };
  Access target(store.getMemRef(), store.getIndices());
  if (!find(target))
    return fail(op);
  Type element = store.getMemRefType().getElementType();
  if (loads.empty()) {
    std::optional<Part> part = partOf(target);
    if (!part ||
        (!arithmetic.empty() && !importScalar(store.getValueToStore())))
      return fail(op);
    part->kind = Part::Filled;
    part->scalar = store.getValueToStore();
    part->element = element;
    write(store.getMemRef(), *part);
    return true;
  }
  SmallVector<Access, 4> reads;
  SmallVector<Value> loaded;
  Value accumulator;
  for (Operation *each : loads) {
    auto load = cast<memref::LoadOp>(each);
    if (load.getMemRef() == store.getMemRef() &&
        llvm::equal(load.getIndices(), store.getIndices(), isSameIndex)) {
      accumulator = load;
      continue;
    }
    reads.emplace_back(load.getMemRef(), load.getIndices());
    if (!find(reads.back()) || reads.back().base.kind == Part::Empty)
      return fail(op);
    loaded.push_back(load);
  }
  std::optional<SmallVector<int64_t>> ranges = findLoops(
      counters, target, reads, accumulator != nullptr, op->getContext());
  if (!ranges)
    return fail(op);
  // A copy into memory of the nest moves a part closer.
  if (arithmetic.empty() && reads.size() == 1 && !accumulator &&
      isInside(baseOf(store.getMemRef())) &&
      reads.front().exprs == target.exprs) {
    std::optional<Part> part = partOf(reads.front());
    if (!part)
      return fail(op);
    write(store.getMemRef(), *part);
    return true;
  }
  auto mapOf = [&](const Access &access) {
    SmallVector<AffineExpr, 4> dims = access.exprs;
    llvm::erase(dims, AffineExpr());
    return AffineMap::get(ranges->size(), 0, dims, op->getContext());
  };
  TileOp tile(op);
  tile.sizes.assign(ranges->begin(), ranges->end());
  SmallVector<std::pair<Value, Value>> scalars;
  SmallVector<Value> arguments;
  for (auto [read, value] : llvm::zip_equal(reads, loaded)) {
    if (read.base.kind == Part::Filled) {
      std::optional<Value> scalar = importScalar(read.base.scalar);
      if (!scalar)
        return fail(op);
      scalars.emplace_back(value, *scalar);
      continue;
    }
    std::optional<Part> part = partOf(read);
    if (!part)
      return fail(op);
    arguments.push_back(value);
    tile.add(*part, value.getType(), mapOf(read));
  }
  // The sizes of windows that no tensor has, as in a pooling op.
  for (auto [loop, range] : llvm::enumerate(*ranges))
    if (range > 0) {
      arguments.emplace_back();
      tile.add(Part::empty(), element,
               AffineMap::get(ranges->size(), 0,
                              getAffineDimExpr(loop, op->getContext())));
    }
  tile.firstInit = tile.operands.size();
  std::optional<Part> initial =
      accumulator ? partOf(target) : std::optional(Part::empty());
  if (!initial)
    return fail(op);
  tile.add(*initial, element, mapOf(target));
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
          if (from)
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
