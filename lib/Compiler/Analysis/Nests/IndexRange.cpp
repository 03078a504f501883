//===- IndexRange.cpp - Range analysis of indices -------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexRange.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpucost;

using Bounds = std::optional<IndexRange>;

static Bounds sum(Bounds a, Bounds b) {
  IndexRange result;
  if (!a || !b || __builtin_add_overflow(a->low, b->low, &result.low) ||
      __builtin_add_overflow(a->high, b->high, &result.high))
    return std::nullopt;
  result.counters = a->counters | b->counters;
  return result;
}

static Bounds product(Bounds a, Bounds b) {
  if (!a || !b)
    return std::nullopt;
  IndexRange result{INT64_MAX, INT64_MIN, a->counters | b->counters};
  for (int64_t x : {a->low, a->high})
    for (int64_t y : {b->low, b->high}) {
      int64_t corner;
      if (__builtin_mul_overflow(x, y, &corner))
        return std::nullopt;
      result.low = std::min(result.low, corner);
      result.high = std::max(result.high, corner);
    }
  return result;
}

static Bounds negative(Bounds a) { return product(a, IndexRange{-1, -1, 0}); }

using Division = int64_t (*)(int64_t, int64_t);
static int64_t divideDown(int64_t a, int64_t b) {
  return llvm::divideFloorSigned(a, b);
}
static int64_t divideUp(int64_t a, int64_t b) {
  return llvm::divideCeilSigned(a, b);
}

/// Requires a divisor that is one positive number.
static Bounds quotient(Bounds a, Bounds b, Division divide) {
  if (!a || !b || b->low != b->high || b->low <= 0)
    return std::nullopt;
  return IndexRange{divide(a->low, b->low), divide(a->high, b->low),
                    a->counters | b->counters};
}

static Bounds remainder(Bounds a, Bounds b) {
  if (!a || !b || b->low != b->high || b->low <= 0)
    return std::nullopt;
  uint64_t counters = a->counters | b->counters;
  if (llvm::divideFloorSigned(a->low, b->low) ==
      llvm::divideFloorSigned(a->high, b->low))
    return IndexRange{llvm::mod(a->low, b->low), llvm::mod(a->high, b->low),
                      counters};
  return IndexRange{0, b->low - 1, counters};
}

static Bounds least(Bounds a, Bounds b) {
  if (!a || !b)
    return std::nullopt;
  return IndexRange{std::min(a->low, b->low), std::min(a->high, b->high),
                    a->counters | b->counters};
}

static Bounds greatest(Bounds a, Bounds b) {
  return negative(least(negative(a), negative(b)));
}

static Bounds evaluateExpr(AffineExpr expr, unsigned dims,
                           ArrayRef<Bounds> operands) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return IndexRange{constant.getValue(), constant.getValue(), 0};
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return operands[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return operands[dims + symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expr);
  Bounds a = evaluateExpr(binary.getLHS(), dims, operands);
  Bounds b = evaluateExpr(binary.getRHS(), dims, operands);
  switch (expr.getKind()) {
  case AffineExprKind::Add:
    return sum(a, b);
  case AffineExprKind::Mul:
    return product(a, b);
  case AffineExprKind::FloorDiv:
    return quotient(a, b, divideDown);
  case AffineExprKind::CeilDiv:
    return quotient(a, b, divideUp);
  case AffineExprKind::Mod:
    return remainder(a, b);
  default:
    return std::nullopt;
  }
}

namespace {

class Evaluator {
public:
  Evaluator(ArrayRef<NestCounter> counters,
            llvm::function_ref<bool(const NestCounter &)> moves)
      : counters(counters), moves(moves) {}

  Bounds evaluate(OpFoldResult index) {
    if (std::optional<int64_t> constant = getConstantIntValue(index))
      return IndexRange{*constant, *constant, 0};
    return evaluate(cast<Value>(index));
  }

private:
  Bounds evaluate(Value value);
  Bounds evaluateMap(AffineMap map, ValueRange operands,
                     llvm::function_ref<Bounds(Bounds, Bounds)> combine);

  ArrayRef<NestCounter> counters;
  llvm::function_ref<bool(const NestCounter &)> moves;
  /// Maximum number of ops that are evaluated for one value.
  static constexpr unsigned mostOps = 256;
  unsigned budget = mostOps;
};

} // namespace

Bounds
Evaluator::evaluateMap(AffineMap map, ValueRange operands,
                       llvm::function_ref<Bounds(Bounds, Bounds)> combine) {
  SmallVector<Bounds> inputs;
  for (Value operand : operands)
    inputs.push_back(evaluate(OpFoldResult(operand)));
  Bounds all;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    Bounds each = evaluateExpr(expr, map.getNumDims(), inputs);
    all = i ? combine(all, each) : each;
  }
  return all;
}

/// The counter or the size of a `gpu.launch` that `value` is; null for others.
static Value valueInLaunch(Value value) {
  auto at = [](const gpu::KernelDim3 &dims, gpu::Dimension dimension) {
    return dimension == gpu::Dimension::x   ? dims.x
           : dimension == gpu::Dimension::y ? dims.y
                                            : dims.z;
  };
  auto argument = dyn_cast<BlockArgument>(value);
  Operation *within =
      argument ? argument.getOwner()->getParentOp() : value.getDefiningOp();
  auto launch = dyn_cast_or_null<gpu::LaunchOp>(within);
  if (argument && launch) {
    for (auto [sizes, stated] :
         {std::pair(launch.getGridSize(), launch.getGridSizeOperandValues()),
          std::pair(launch.getBlockSize(), launch.getBlockSizeOperandValues())})
      for (auto dimension :
           {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z})
        if (at(sizes, dimension) == value)
          return at(stated, dimension);
    return {};
  }
  if (!within || argument)
    return {};
  launch = within->getParentOfType<gpu::LaunchOp>();
  if (!launch)
    return {};
  if (auto id = dyn_cast<gpu::BlockIdOp>(within))
    return at(launch.getBlockIds(), id.getDimension());
  if (auto id = dyn_cast<gpu::ThreadIdOp>(within))
    return at(launch.getThreadIds(), id.getDimension());
  if (auto size = dyn_cast<gpu::GridDimOp>(within))
    return at(launch.getGridSizeOperandValues(), size.getDimension());
  if (auto size = dyn_cast<gpu::BlockDimOp>(within))
    return at(launch.getBlockSizeOperandValues(), size.getDimension());
  return {};
}

Bounds Evaluator::evaluate(Value value) {
  for (auto [i, counter] : llvm::enumerate(counters))
    if (counter.range.counter == value) {
      const LoopRange &range = counter.range;
      int64_t last = range.first;
      if (moves(counter) && range.trips > 0)
        last += (range.trips - 1) * range.step;
      return IndexRange{range.first, last, uint64_t(1) << i};
    }
  if (Value stated = valueInLaunch(value))
    return evaluate(OpFoldResult(stated));
  Operation *def = value.getDefiningOp();
  if (!def || budget-- == 0) {
    budget = 0;
    return std::nullopt;
  }
  auto first = [](Bounds a, Bounds) { return a; };
  if (auto op = dyn_cast<affine::AffineApplyOp>(def))
    return evaluateMap(op.getAffineMap(), op.getMapOperands(), first);
  if (auto op = dyn_cast<affine::AffineMinOp>(def))
    return evaluateMap(op.getAffineMap(), op.getOperands(), least);
  if (auto op = dyn_cast<affine::AffineMaxOp>(def))
    return evaluateMap(op.getAffineMap(), op.getOperands(), greatest);
  auto operand = [&](unsigned i) {
    return evaluate(OpFoldResult(def->getOperand(i)));
  };
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(def))
    return operand(0);
  if (isa<arith::AddIOp>(def))
    return sum(operand(0), operand(1));
  if (isa<arith::SubIOp>(def))
    return sum(operand(0), negative(operand(1)));
  if (isa<arith::MulIOp>(def))
    return product(operand(0), operand(1));
  if (isa<arith::MinSIOp, arith::MinUIOp>(def))
    return least(operand(0), operand(1));
  if (isa<arith::MaxSIOp, arith::MaxUIOp>(def))
    return greatest(operand(0), operand(1));
  if (isa<arith::FloorDivSIOp, arith::DivSIOp, arith::DivUIOp>(def))
    return quotient(operand(0), operand(1), divideDown);
  if (isa<arith::CeilDivSIOp, arith::CeilDivUIOp>(def))
    return quotient(operand(0), operand(1), divideUp);
  if (isa<arith::RemSIOp, arith::RemUIOp>(def))
    return remainder(operand(0), operand(1));
  return std::nullopt;
}

/// Number of threads that execute one iteration of a loop mapped by `mapping`;
/// 0 if the loop is not mapped to threads.
static int64_t threadsOf(Attribute mapping) {
  constexpr int64_t warpgroupThreads = 128;
  if (isa<gpu::GPUThreadMappingAttr>(mapping))
    return 1;
  if (isa<gpu::GPUWarpMappingAttr>(mapping))
    return warpThreads;
  if (isa<gpu::GPUWarpgroupMappingAttr>(mapping))
    return warpgroupThreads;
  auto dim = dyn_cast<gpu::ParallelLoopDimMappingAttr>(mapping);
  return dim && dim.getProcessor() >= gpu::Processor::ThreadX &&
                 dim.getProcessor() <= gpu::Processor::ThreadZ
             ? 1
             : 0;
}

bool NestCounters::add(Operation *loop, CounterLevel level) {
  // The bound of a loop over a tile is that of the first, complete one.
  llvm::DenseMap<Value, int64_t> bounds;
  for (Value bound : loop->getOperands()) {
    if (!isa_and_nonnull<affine::AffineMinOp, arith::MinSIOp, arith::MinUIOp>(
            bound.getDefiningOp()))
      continue;
    Bounds first = evaluate(bound, [](const NestCounter &) { return false; });
    Bounds all = evaluate(bound, [](const NestCounter &) { return true; });
    if (first && all && first->low == all->high)
      bounds[bound] = all->high;
  }
  auto ranges = getLoopRanges(loop, bounds);
  if (!ranges || counters.size() + ranges->size() > mostCounters)
    return false;
  constexpr size_t gridDimensions = 3;
  ArrayAttr mapping = loop->getAttrOfType<ArrayAttr>("mapping");
  for (auto [i, range] : llvm::enumerate(*ranges)) {
    int64_t last;
    if (range.trips < 1 ||
        __builtin_mul_overflow(range.trips - 1, range.step, &last) ||
        __builtin_add_overflow(last, range.first, &last))
      return false;
    NestCounter counter{range, level};
    // The counters of a launch are its CTAs, followed by the threads of a CTA.
    if (isa<gpu::LaunchOp>(loop) && i >= gridDimensions)
      counter = {range, CounterLevel::Thread, 1};
    else if (level == CounterLevel::Thread && mapping && i < mapping.size())
      counter.lanes = threadsOf(mapping[i]);
    counters.push_back(counter);
  }
  return true;
}

Bounds NestCounters::evaluate(
    OpFoldResult index,
    llvm::function_ref<bool(const NestCounter &)> moves) const {
  return Evaluator(counters, moves).evaluate(index);
}

int64_t NestCounters::countTrips(uint64_t set) const {
  int64_t trips = 1;
  for (auto [i, counter] : llvm::enumerate(counters))
    if (set >> i & 1)
      trips = saturatingProduct(trips, counter.range.trips);
  return trips;
}

uint64_t NestCounters::select(CounterLevel level) const {
  uint64_t set = 0;
  for (auto [i, counter] : llvm::enumerate(counters))
    if (counter.level == level)
      set |= uint64_t(1) << i;
  return set;
}

std::optional<PerLevel<int64_t>>
gpucost::coveredBy(const NestCounters &counters, OpFoldResult offset,
                   OpFoldResult size, const PerLevel<int64_t> &around,
                   uint64_t &moving) {
  auto movesAtLevel = [](TileLevel level) {
    return
        [level](const NestCounter &counter) { return movesAt(level, counter); };
  };
  uint64_t inside = counters.select(CounterLevel::Inside);
  auto isInside = [](const NestCounter &counter) {
    return counter.level == CounterLevel::Inside;
  };
  Bounds length = counters.evaluate(size, movesAtLevel(TileLevel::Whole));
  if (!length || length->high < 1)
    return std::nullopt;
  int64_t own = around[TileLevel::Innermost];
  PerLevel<int64_t> extents;
  for (TileLevel level : tileLevels) {
    Bounds start = counters.evaluate(offset, movesAtLevel(level));
    if (!start)
      return std::nullopt;
    moving |= start->counters;
    // Windows that do not overlap or touch leave gaps; (J11) loops over scalars
    // access an interval.
    int64_t windows = 1, window = length->high;
    if (start->counters & inside)
      if (Bounds steps = counters.evaluate(offset, isInside))
        window = saturatingSum(window, steps->extent());
    for (size_t i = 0; i < counters.size(); ++i)
      if ((start->counters & ~inside) >> i & 1 && movesAt(level, counters[i]))
        windows = saturatingProduct(windows, counters[i].range.trips);
    int64_t span = std::min({saturatingSum(start->extent(), length->high),
                             saturatingProduct(windows, window), own});
    // If the dimension itself moves, cover the same share of it at every level.
    extents[level] =
        span >= own
            ? around[level]
            : std::min(around[level],
                       saturatingSum(saturatingProduct(around[level], span) - 1,
                                     own) /
                           own);
  }
  return extents;
}
