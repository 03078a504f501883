//===- NestSchedule.cpp - Schedules of CTA-mapped loop nests --------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// (J4) The loops of a nest define the schedule of its largest matmul; (J5)
// `gpucost.schedule` may add fields that the loops do not define.
//
//===----------------------------------------------------------------------===//

#include "NestReader.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/Annotations.h"
#include "gpucost/Core/Support/CheckedMath.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace gpucost;
using linalg::LinalgOp;

/// The narrowest tile of a matmul in a dimension that no loop divides.
static constexpr int64_t narrowestTile = 16;
/// The largest size that a schedule field can have.
static constexpr int64_t largestSize = 4096;
static constexpr int64_t largestSplit = 1024;

static int32_t sizeOf(int64_t size, int64_t largest = largestSize) {
  return static_cast<int32_t>(std::min(size, largest));
}

namespace {
/// A matmul or convolution in the nest.
struct ScheduledProduct {
  const NestCounters &counters;
  const linalg::ContractionDimensions &dims;
  const PerLevel<Shape> &ranges;
  ArrayRef<uint64_t> moving; ///< counters by loop
  uint64_t together;         ///< counters whose values share one execution

  int64_t size(ArrayRef<unsigned> loops, TileLevel level) const {
    int64_t product = 1;
    for (unsigned loop : loops)
      product = saturatingProduct(product, ranges[level][loop]);
    return product;
  }
  uint64_t countersOf(ArrayRef<unsigned> loops) const {
    uint64_t all = 0;
    for (unsigned loop : loops)
      all |= moving[loop];
    return all;
  }
  bool hasSeveralTiles() const;
  bool isDivided(ArrayRef<unsigned> loops) const {
    return size(loops, TileLevel::Cta) < size(loops, TileLevel::Whole);
  }
  int32_t tileOf(ArrayRef<unsigned> loops) const;
  Schedule read() const;
};
} // namespace

/// Whether a CTA computes several tiles in sequence: a loop around the K loop,
/// or a loop over batch instances.
bool ScheduledProduct::hasSeveralTiles() const {
  uint64_t results = countersOf(dims.m) | countersOf(dims.n);
  uint64_t depth = countersOf(dims.k), sequence = 0;
  uint64_t perCta = counters.select(CounterLevel::Sequential);
  for (size_t i = 0; i < counters.size() && !(sequence & depth); ++i)
    sequence |= perCta & uint64_t(1) << i;
  uint64_t instances = counters.all() & ~(results | depth | together);
  perCta |= counters.select(CounterLevel::Thread);
  return counters.countTrips(results & sequence) > 1 ||
         counters.countTrips(instances & perCta) > 1 ||
         size(dims.batch, TileLevel::Cta) > 1;
}

/// Rows or columns of a CTA. Kernels round up dimensions that no loop divides.
int32_t ScheduledProduct::tileOf(ArrayRef<unsigned> loops) const {
  int64_t size = this->size(loops, TileLevel::Cta);
  if (isDivided(loops)) {
    // Columns of a convolution: the loop over images may be divided while the
    // loop over columns is not.
    int64_t rounded = 1;
    for (unsigned loop : loops) {
      int64_t own = ranges[TileLevel::Cta][loop];
      bool whole = own == ranges[TileLevel::Whole][loop];
      rounded = saturatingProduct(
          rounded, whole ? static_cast<int64_t>(llvm::PowerOf2Ceil(own)) : own);
    }
    return sizeOf(rounded);
  }
  if (size >= largestSize)
    return largestSize;
  return sizeOf(
      std::max(narrowestTile, static_cast<int64_t>(llvm::PowerOf2Ceil(size))));
}

Schedule ScheduledProduct::read() const {
  Schedule s;
  s.tileM = tileOf(dims.m);
  s.tileN = tileOf(dims.n);
  uint64_t depth = countersOf(dims.k);
  uint64_t sequence = counters.select(CounterLevel::Sequential);
  if (counters.countTrips(depth & sequence) > 1)
    s.tileK = sizeOf(size(dims.k, TileLevel::Innermost));
  s.splitK =
      sizeOf(counters.countTrips(depth & counters.select(CounterLevel::Block)),
             largestSplit);
  // Number of threads, and results per thread.
  int64_t threads = 1;
  bool single = true;
  uint64_t mapped = counters.select(CounterLevel::Thread);
  for (size_t i = 0; i < counters.size(); ++i)
    if (mapped >> i & 1 && counters[i].lanes > 0) {
      threads =
          saturatingProduct(threads, saturatingProduct(counters[i].range.trips,
                                                       counters[i].lanes));
      single &= counters[i].lanes == 1;
    }
  constexpr int64_t mostThreads = 1024, mostThreadEdge = 256;
  if (threads < warpThreads || threads > mostThreads)
    return s;
  s.warps = static_cast<int32_t>(llvm::divideCeil(threads, warpThreads));
  int64_t rows = size(dims.m, TileLevel::Innermost);
  int64_t columns = size(dims.n, TileLevel::Innermost);
  if (single && rows <= mostThreadEdge && columns <= mostThreadEdge &&
      saturatingProduct(llvm::divideCeil(s.tileM, rows),
                        llvm::divideCeil(s.tileN, columns)) == threads) {
    s.threadTileM = static_cast<int32_t>(rows);
    s.threadTileN = static_cast<int32_t>(columns);
  }
  return s;
}

/// (J5) The schedule attribute on `op` or an op around it.
static Schedule statedSchedule(Operation *op, Operation *nest) {
  for (Operation *at = op;; at = at->getParentOp()) {
    if (auto stated = at->getAttrOfType<ScheduleAttr>(scheduleAttrName))
      return stated.getValue();
    if (at == nest)
      return {};
  }
}

/// Adds fields of `stated` to those from the loops, which take precedence.
static Schedule merge(const Schedule &shown, Schedule stated, Operation *op) {
  bool differs = false;
  auto take = [&](int32_t Schedule::*field) {
    if (shown.*field == 0)
      return;
    differs |= stated.*field != 0 && stated.*field != shown.*field;
    stated.*field = shown.*field;
  };
  for (auto field :
       {&Schedule::tileM, &Schedule::tileN, &Schedule::tileK, &Schedule::splitK,
        &Schedule::warps, &Schedule::threadTileM, &Schedule::threadTileN})
    take(field);
  if (differs)
    op->emitWarning("'")
        << scheduleAttrName
        << "' contradicts the surrounding loops, which take precedence";
  return stated;
}

/// Whether each index of an operand is a loop: the op has no windows.
static bool indexesPlainly(LinalgOp op) {
  return llvm::all_of(op.getIndexingMapsArray(), [](AffineMap map) {
    return map.isProjectedPermutation();
  });
}

/// The loops of a matmul or of the implicit matmul of a convolution, (C4):
/// output pixels are rows, taps and input channels its K.
static std::optional<linalg::ContractionDimensions> findDims(LinalgOp op) {
  if (indexesPlainly(op))
    return linalg::inferContractionDims(op); // an optional
  auto work = dyn_cast<WorkOpInterface>(op.getOperation());
  if (!work || work.getCostClass() != CostClass::Convolution ||
      op.getNumDpsInputs() != 2)
    return std::nullopt;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap image = maps[0], filter = maps[1], result = maps[2];
  linalg::ContractionDimensions dims;
  bool sumsChannels = false;
  for (unsigned loop = 0, end = op.getNumLoops(); loop < end; ++loop) {
    bool inImage = image.isFunctionOfDim(loop);
    bool inFilter = filter.isFunctionOfDim(loop);
    if (!result.isFunctionOfDim(loop)) {
      dims.k.push_back(loop);
      auto channel = getAffineDimExpr(loop, op.getContext());
      sumsChannels |= inFilter && llvm::is_contained(image.getResults(),
                                                     AffineExpr(channel));
    } else {
      (inImage && inFilter ? dims.batch
       : inImage           ? dims.m
                           : dims.n)
          .push_back(loop);
    }
  }
  // A depthwise convolution is not a matmul.
  return sumsChannels ? std::optional(dims) : std::nullopt;
}

/// Counters that move the operands of `tile` along each loop. In the windows of
/// a convolution, a counter of pixels moves the image as one of taps does; the
/// result and the filter tell them apart.
static SmallVector<uint64_t> findOwnCounters(const TileOp &tile) {
  SmallVector<uint64_t> moving(tile.maps.front().getNumDims(), 0);
  for (auto [part, map] : llvm::zip_equal(tile.operands, tile.maps))
    if (part && !part->moving.empty())
      for (auto [i, expr] : llvm::enumerate(map.getResults()))
        if (auto loop = dyn_cast<AffineDimExpr>(expr))
          moving[loop.getPosition()] |= part->moving[i];
  return moving;
}

void NestReader::noteSchedule(const TileOp &tile, LinalgOp whole,
                              const PerLevel<Shape> &ranges,
                              ArrayRef<uint64_t> moving, uint64_t together) {
  Operation *op = tile.op;
  int64_t iterations = 1;
  for (int64_t range : ranges[TileLevel::Whole])
    iterations = saturatingProduct(iterations, range);
  if (iterations <= product.iterations)
    return;
  auto dims = findDims(whole);
  if (!dims || dims->k.empty())
    return;
  product = {};
  product.iterations = iterations;
  Schedule stated = statedSchedule(op, nest);
  SmallVector<uint64_t> own;
  if (!indexesPlainly(whole))
    moving = own = findOwnCounters(tile);
  ScheduledProduct found{counters, *dims, ranges, moving, together};
  if (found.hasSeveralTiles()) {
    product.schedule = stated;
    if (!stated.tileM || !stated.tileN)
      product.note = "a workgroup (CTA) of '" +
                     op->getName().getStringRef().str() +
                     "' computes several tiles one after the other; the model "
                     "chooses the tile";
    return;
  }
  Schedule shown = found.read();
  // In a dimension that no loop divides, a larger stated tile is valid.
  auto mayStand = [](int32_t stated, int32_t &shown, bool isDivided) {
    if (!isDivided && stated >= shown)
      shown = stated;
  };
  mayStand(stated.tileM, shown.tileM, found.isDivided(dims->m));
  mayStand(stated.tileN, shown.tileN, found.isDivided(dims->n));
  product.schedule = merge(shown, stated, op);
}
