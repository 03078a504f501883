//===- NestOps.cpp - Structured ops of one tile ---------------------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NestReader.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Compiler/OpWork/OpWork.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/RegionUtils.h"
#include <numeric>

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

/// The largest value of `expr` over `ranges`.
static std::optional<int64_t> lastOf(AffineExpr expr,
                                     ArrayRef<int64_t> ranges) {
  SmallVector<opwork::Span> loops;
  for (int64_t range : ranges)
    loops.push_back({0, range - 1});
  std::optional<opwork::Span> span = opwork::spanOf(expr, loops);
  return span ? std::optional(span->last) : std::nullopt;
}

/// Counters that move the operands along each loop of `tile`.
static SmallVector<uint64_t> findCounters(const TileOp &tile) {
  SmallVector<uint64_t> moving(tile.maps.front().getNumDims(), 0);
  for (auto [part, map] : llvm::zip_equal(tile.operands, tile.maps))
    if (part && !part->moving.empty())
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        for (unsigned loop = 0; loop < moving.size(); ++loop)
          if (expr.isFunctionOfDim(loop))
            moving[loop] |= part->moving[i];
  return moving;
}

/// Whether `expr` is a sum of loops times constants.
static bool isSum(AffineExpr expr) {
  return !expr.walk([](AffineExpr part) {
                bool divides = part.getKind() != AffineExprKind::Add &&
                               isa<AffineBinaryOpExpr>(part) &&
                               part.getKind() != AffineExprKind::Mul;
                return divides ? WalkResult::interrupt()
                               : WalkResult::advance();
              })
              .wasInterrupted();
}

/// How far one iteration of `counter` moves dimension `i` of `part`; 0 if other
/// counters at its level move it too.
static int64_t findStep(const Part &part, size_t i, size_t counter,
                        const NestCounters &counters) {
  auto isOfLevel = [&](size_t other) {
    return (counters[other].level == CounterLevel::Block) ==
           (counters[counter].level == CounterLevel::Block);
  };
  for (size_t other = 0; other < counters.size(); ++other)
    if (other != counter && (part.moving[i] >> other & 1) && isOfLevel(other))
      return 0;
  bool isCta = counters[counter].level == CounterLevel::Block;
  TileLevel with = isCta ? TileLevel::Whole : TileLevel::Cta;
  TileLevel without = isCta ? TileLevel::Cta : TileLevel::Innermost;
  int64_t steps = counters[counter].range.trips - 1;
  return steps > 0 ? (part.extents[with][i] - part.extents[without][i]) / steps
                   : 0;
}

/// The loop among `open` that `counter` moves by the tile's own size, `tile`.
static std::optional<unsigned> findLoopOf(const TileOp &op, size_t counter,
                                          const NestCounters &counters,
                                          const llvm::SmallBitVector &open,
                                          ArrayRef<int64_t> tile) {
  for (auto [part, map] : llvm::zip_equal(op.operands, op.maps)) {
    if (!part || part->kind != Part::Data)
      continue;
    for (unsigned i = 0; i < map.getNumResults(); ++i) {
      AffineExpr expr = map.getResult(i);
      if (!(part->moving[i] >> counter & 1))
        continue;
      SmallVector<unsigned> moved;
      for (unsigned loop : open.set_bits())
        if (expr.isFunctionOfDim(loop))
          moved.push_back(loop);
      int64_t step = findStep(*part, i, counter, counters);
      if (moved.size() > 1)
        llvm::erase_if(moved, [&](unsigned loop) {
          SmallVector<opwork::Span> at(tile.size());
          at[loop] = {tile[loop], tile[loop]};
          std::optional<opwork::Span> span = opwork::spanOf(expr, at);
          return !span || span->first != step || step < 1;
        });
      if (moved.size() == 1)
        return moved.front();
    }
  }
  return std::nullopt;
}

/// (J2) The ranges of loops that only memory of the nest indexes, as in the
/// columns of an unfolded image: the tile, in each iteration that moves it.
static bool findOpenRanges(const TileOp &tile, const NestCounters &counters,
                           PerLevel<Shape> &ranges) {
  Shape &whole = ranges[TileLevel::Whole];
  llvm::SmallBitVector open(whole.size());
  for (auto [loop, size] : llvm::enumerate(whole))
    open[loop] = size < 1;
  if (open.none())
    return true;
  for (auto [value, map] : llvm::zip(tile.values, tile.maps)) {
    ShapedType type = value ? shapedType(value) : ShapedType();
    for (auto [i, expr] : llvm::enumerate(map.getResults()))
      if (auto dim = dyn_cast<AffineDimExpr>(expr);
          dim && open[dim.getPosition()] && type && !type.isDynamicDim(i))
        for (TileLevel level : tileLevels)
          ranges[level][dim.getPosition()] = type.getDimSize(i);
  }
  if (llvm::any_of(whole, [](int64_t size) { return size < 1; }))
    return false;
  SmallVector<uint64_t> moving = findCounters(tile);
  uint64_t movesOpen = 0, movesOthers = 0;
  for (auto [loop, set] : llvm::enumerate(moving))
    (open[loop] ? movesOpen : movesOthers) |= set;
  movesOpen &= ~movesOthers;
  Shape own = whole;
  for (size_t i = 0; i < counters.size(); ++i) {
    if (!(movesOpen >> i & 1))
      continue;
    std::optional<unsigned> loop = findLoopOf(tile, i, counters, open, own);
    if (!loop)
      return false;
    for (TileLevel level : tileLevels)
      if (movesAt(level, counters[i]))
        ranges[level][*loop] =
            saturatingProduct(ranges[level][*loop], counters[i].range.trips);
  }
  return true;
}

/// (J2) The loop ranges of `tile` on whole tensors: the extents of the operands
/// that the loops index.
static bool findRanges(const TileOp &tile, const NestCounters &counters,
                       PerLevel<Shape> &ranges) {
  for (TileLevel level : tileLevels) {
    Shape &range = ranges[level];
    range.assign(tile.maps.front().getNumDims(), 0);
    for (auto [part, map] : llvm::zip_equal(tile.operands, tile.maps)) {
      if (!part || part->kind == Part::Empty ||
          (part->kind == Part::Filled && part->extents[level].empty()))
        continue;
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        if (auto dim = dyn_cast<AffineDimExpr>(expr))
          range[dim.getPosition()] =
              std::max(range[dim.getPosition()], part->extents[level][i]);
    }
    // Convolution windows: the image determines their number.
    for (auto [part, map] : llvm::zip_equal(tile.operands, tile.maps)) {
      if (!part || part->kind != Part::Data)
        continue;
      for (auto [i, expr] : llvm::enumerate(map.getResults())) {
        if (isa<AffineDimExpr, AffineConstantExpr>(expr) || !isSum(expr))
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
    for (auto [loop, size] : llvm::enumerate(tile.sizes))
      if (range[loop] < 1)
        range[loop] = size;
  }
  return findOpenRanges(tile, counters, ranges);
}

SmallVector<Part, 1> NestReader::computeOnWhole(
    const TileOp &tile,
    llvm::function_ref<Operation *(TypeRange, ValueRange)> create) {
  auto unknown = [&] {
    fail(tile.op);
    return SmallVector<Part, 1>();
  };
  PerLevel<Shape> ranges;
  if (!findRanges(tile, counters, ranges))
    return unknown();
  auto shapeOf = [&](AffineMap map, TileLevel level) -> std::optional<Shape> {
    Shape shape;
    for (AffineExpr expr : map.getResults()) {
      std::optional<int64_t> last = lastOf(expr, ranges[level]);
      if (!last)
        return std::nullopt;
      shape.push_back(*last + 1);
    }
    return shape;
  };
  SmallVector<Value> inputs;
  SmallVector<Type> types;
  for (auto [i, part] : llvm::enumerate(tile.operands)) {
    if (!part) {
      std::optional<Value> scalar = importScalar(tile.values[i]);
      if (!scalar)
        return unknown();
      inputs.push_back(*scalar);
      continue;
    }
    std::optional<Shape> shape = shapeOf(tile.maps[i], TileLevel::Whole);
    if (!shape)
      return unknown();
    if (part->kind == Part::Data) {
      auto held = cast<RankedTensorType>(part->tensor.getType());
      for (auto [has, needs] : llvm::zip_equal(held.getShape(), *shape))
        if (has < needs)
          return unknown();
      inputs.push_back(view(part->tensor, *shape));
    } else {
      inputs.push_back(emptyTensor(*shape, tile.elements[i]));
    }
    if (i >= tile.firstInit)
      types.push_back(inputs.back().getType());
  }
  Operation *whole = create(types, inputs);
  if (!whole)
    return unknown();
  addMember(whole);
  whole->removeAttr(scheduleAttrName); // moved to the kernel
  // (J3) Iterations whose counter does not move an operand repeat the op.
  SmallVector<uint64_t> moving = findCounters(tile);
  uint64_t repeats = counters.all();
  for (uint64_t each : moving)
    repeats &= ~each;
  int64_t times = counters.countTrips(repeats);
  uint64_t together =
      tile.perSubgroup ? repeats & counters.select(CounterLevel::Thread) : 0;
  if (together)
    times /= std::gcd(counters.countTrips(together), warpThreads);
  if (times != 1)
    whole->setAttr(batchedIterationsAttrName, builder.getI64IntegerAttr(times));
  if (auto structured = dyn_cast<LinalgOp>(whole))
    noteSchedule(tile, structured, ranges, moving, together);
  addToLabel(tile.label);
  SmallVector<Part, 1> results;
  for (auto [i, result] : llvm::enumerate(whole->getResults())) {
    AffineMap map = tile.maps[tile.firstInit + i];
    Part part;
    part.tensor = result;
    for (TileLevel level : tileLevels)
      part.extents[level] = *shapeOf(map, level);
    for (AffineExpr expr : map.getResults()) {
      part.moving.push_back(0);
      for (unsigned loop = 0; loop < moving.size(); ++loop)
        if (expr.isFunctionOfDim(loop))
          part.moving.back() |= moving[loop];
    }
    results.push_back(part);
  }
  return results;
}

SmallVector<Part, 1> NestReader::computeGeneric(
    const TileOp &tile,
    llvm::function_ref<Value(OpBuilder &, ValueRange)> body) {
  // A loop that no operand has would have no size.
  if (!inversePermutation(concatAffineMaps(tile.maps, tile.op->getContext()))) {
    fail(tile.op);
    return {};
  }
  // A loop that no result has is a reduction.
  SmallVector<utils::IteratorType> iterators(tile.maps.front().getNumDims(),
                                             utils::IteratorType::reduction);
  for (AffineMap map : ArrayRef(tile.maps).drop_front(tile.firstInit))
    for (unsigned loop = 0; loop < iterators.size(); ++loop)
      if (map.isFunctionOfDim(loop))
        iterators[loop] = utils::IteratorType::parallel;
  return computeOnWhole(tile, [&](TypeRange types, ValueRange inputs) {
    return linalg::GenericOp::create(
               builder, tile.op->getLoc(), types,
               inputs.take_front(tile.firstInit),
               inputs.drop_front(tile.firstInit), tile.maps, iterators,
               [&](OpBuilder &inner, Location location, ValueRange arguments) {
                 linalg::YieldOp::create(inner, location,
                                         body(inner, arguments));
               })
        .getOperation();
  });
}

bool NestReader::visitTiled(DestinationStyleOpInterface op) {
  TileOp tile(op);
  tile.firstInit = op.getNumDpsInputs();
  tile.maps = cast<opwork::OpWorkInterface>(op.getOperation()).getAccessMaps();
  if (tile.maps.size() != op->getNumOperands())
    return fail(op);
  for (OpOperand &operand : op->getOpOperands()) {
    std::optional<Part> part;
    tile.elements.emplace_back();
    if (ShapedType type = shapedType(operand.get())) {
      tile.elements.back() = type.getElementType();
      part = findInOrder(operand.get(), op);
      // Inputs must have been written, in all of their dimensions.
      if (!part || (part->kind != Part::Data && !op.isDpsInit(&operand)) ||
          (!part->moving.empty() &&
           static_cast<int64_t>(part->moving.size()) != type.getRank()))
        return fail(op);
    }
    tile.operands.push_back(part);
    tile.values.push_back(operand.get());
  }
  auto create = [&](TypeRange types, ValueRange inputs) -> Operation * {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(op->getRegions(), captured);
    IRMapping scalars;
    for (Value value : captured) {
      std::optional<Value> scalar = importScalar(value);
      if (!scalar)
        return nullptr;
      scalars.map(value, *scalar);
    }
    return cloneOnto(op, types, inputs, scalars);
  };
  SmallVector<Part, 1> results = computeOnWhole(tile, create);
  if (results.empty())
    return false;
  for (auto [i, init] : llvm::enumerate(op.getDpsInits()))
    if (op.hasPureTensorSemantics())
      parts[op->getResult(i)] = results[i];
    else
      write(init, results[i]);
  return true;
}

/// `linalg.pack` and `linalg.unpack` of tiles that their inner tiles divide:
/// the same op on whole tensors.
bool NestReader::visitPack(Operation *op) {
  std::optional<Part> source = findInOrder(op->getOperand(0), op);
  if (!source)
    return fail(op);
  if (source->kind != Part::Data) { // the shape is still unknown
    Part part = *source;
    part.extents = {}, part.moving.clear();
    parts[op->getResult(0)] = part;
    return true;
  }
  auto pack = dyn_cast<linalg::PackOp>(op);
  auto unpack = dyn_cast<linalg::UnPackOp>(op);
  ArrayRef<int64_t> positions =
      pack ? pack.getInnerDimsPos() : unpack.getInnerDimsPos();
  ArrayRef<int64_t> permutation =
      pack ? pack.getOuterDimsPerm() : unpack.getOuterDimsPerm();
  SmallVector<int64_t> tiles =
      pack ? pack.getStaticTiles() : unpack.getStaticTiles();
  size_t rank =
      source->extents[TileLevel::Whole].size() - (pack ? 0 : positions.size());
  if (source->moving.size() != source->extents[TileLevel::Whole].size() ||
      llvm::any_of(tiles, [](int64_t tile) { return tile < 1; }))
    return fail(op);
  SmallVector<int64_t> outer(permutation.begin(), permutation.end());
  if (outer.empty())
    outer = llvm::to_vector(llvm::seq<int64_t>(0, rank));
  Shape inner(rank, 1);
  for (auto [position, tile] : llvm::zip_equal(positions, tiles))
    inner[position] = tile;
  Part part;
  part.moving.assign(rank, 0);
  for (TileLevel level : tileLevels) {
    const Shape &from = source->extents[level];
    Shape &to = part.extents[level];
    to.assign(rank, 0);
    for (size_t i = 0; i < rank; ++i) {
      if (pack) {
        if (level == TileLevel::Whole && from[outer[i]] % inner[outer[i]])
          return fail(op);
        to[i] = llvm::divideCeil(from[outer[i]], inner[outer[i]]);
        part.moving[i] = source->moving[outer[i]];
      } else {
        to[outer[i]] = saturatingProduct(from[i], inner[outer[i]]);
        part.moving[outer[i]] = source->moving[i];
      }
    }
    if (pack)
      to.append(tiles.begin(), tiles.end());
  }
  if (pack)
    part.moving.append(tiles.size(), 0);
  Type element = shapedType(op->getResult(0)).getElementType();
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(op->getContext(), tiles);
  Value from = view(source->tensor, source->extents[TileLevel::Whole]);
  Value into = emptyTensor(part.extents[TileLevel::Whole], element);
  Operation *whole =
      pack ? linalg::PackOp::create(builder, op->getLoc(), from, into,
                                    positions, sizes, std::nullopt, permutation)
                 .getOperation()
           : linalg::UnPackOp::create(builder, op->getLoc(), from, into,
                                      positions, sizes, permutation)
                 .getOperation();
  addMember(whole);
  addToLabel(op->getName().stripDialect());
  part.tensor = whole->getResult(0);
  parts[op->getResult(0)] = part;
  return true;
}
