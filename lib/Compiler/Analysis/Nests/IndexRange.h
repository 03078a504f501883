//===- IndexRange.h - Range analysis of indices -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds of offsets and sizes in loops with constant bounds.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_ANALYSIS_NESTS_INDEXRANGE_H
#define GPUCOST_LIB_COMPILER_ANALYSIS_NESTS_INDEXRANGE_H

#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"

namespace gpucost {

/// The hardware level that a loop counter in a kernel is mapped to.
enum class CounterLevel {
  Block,  ///< CTAs
  Thread, ///< threads of a CTA
  Sequential,
  Inside ///< loops over the scalars of one tile, which all levels contain
};

/// Threads of a subgroup (warp).
inline constexpr int64_t warpThreads = 32;

struct NestCounter {
  LoopRange range;
  CounterLevel level;
  /// Threads per value of the counter, 32 in `#gpu.warp`; 0 if it is not mapped
  /// to threads or is mapped to warp lanes.
  int64_t lanes = 0;
};

/// A closed interval, and the set of counters that it depends on.
struct IndexRange {
  int64_t low = 0, high = 0;
  uint64_t counters = 0; ///< bit i: counter i
  int64_t extent() const { return high - low; }
};

/// Counters of the loops around an op, outermost first.
class NestCounters {
public:
  /// Sets of counters are bit masks.
  static constexpr size_t mostCounters = 64;
  /// Returns false if there are too many. Counters of `gpu.launch` CTAs and
  /// threads, and of a loop mapped to threads, define their own level.
  bool add(mlir::Operation *loop, CounterLevel level);
  /// Range of `index` when the counters with `moves` take all values and the
  /// others have their first value; nullopt if it is unknown.
  std::optional<IndexRange>
  evaluate(mlir::OpFoldResult index,
           llvm::function_ref<bool(const NestCounter &)> moves) const;
  /// Number of iterations over the counters in `set`.
  int64_t countTrips(uint64_t set) const;
  /// The set of counters at `level`.
  uint64_t select(CounterLevel level) const;
  uint64_t all() const {
    return counters.size() < mostCounters ? (uint64_t(1) << counters.size()) - 1
                                          : ~uint64_t(0);
  }
  size_t size() const { return counters.size(); }
  void truncate(size_t size) { counters.truncate(size); }
  const NestCounter &operator[](size_t i) const { return counters[i]; }
  /// Restricts counter `i` to a part of its range.
  void narrow(size_t i, const LoopRange &range) { counters[i].range = range; }

private:
  llvm::SmallVector<NestCounter, 8> counters;
};

/// The type of a tensor, buffer or vector; null for any other value.
inline mlir::ShapedType shapedType(mlir::Value value) {
  return llvm::dyn_cast<mlir::ShapedType>(value.getType());
}

/// Extents over all iterations, in one CTA, in one innermost iteration.
enum class TileLevel { Whole, Cta, Innermost };
constexpr TileLevel tileLevels[] = {TileLevel::Whole, TileLevel::Cta,
                                    TileLevel::Innermost};

/// Whether `counter` takes all of its values at `level`.
inline bool movesAt(TileLevel level, const NestCounter &counter) {
  return level == TileLevel::Whole || counter.level == CounterLevel::Inside ||
         (level == TileLevel::Cta && counter.level != CounterLevel::Block);
}

/// Sizes of a dimension or tensor at each level.
template <typename T> class PerLevel {
public:
  T &operator[](TileLevel level) { return values[static_cast<size_t>(level)]; }
  const T &operator[](TileLevel level) const {
    return values[static_cast<size_t>(level)];
  }

private:
  T values[3] = {};
};

/// (J1) The extents that a window of `size` elements at `offset` covers in a
/// dimension with the extents `around`. Sets `moving` to the counters that the
/// window depends on. nullopt if a bound is unknown.
std::optional<PerLevel<int64_t>> coveredBy(const NestCounters &counters,
                                           mlir::OpFoldResult offset,
                                           mlir::OpFoldResult size,
                                           const PerLevel<int64_t> &around,
                                           uint64_t &moving);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_ANALYSIS_NESTS_INDEXRANGE_H
