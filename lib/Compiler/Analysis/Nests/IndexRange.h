//===- IndexRange.h - Values that an index takes ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bounds of offsets and sizes inside of loops with constant bounds.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_ANALYSIS_NESTS_INDEXRANGE_H
#define GPUCOST_LIB_COMPILER_ANALYSIS_NESTS_INDEXRANGE_H

#include "gpucost/Compiler/Dialect/GpuCost/Utils/LoopTrips.h"
#include "mlir/IR/BuiltinTypeInterfaces.h"
#include "mlir/IR/OpDefinition.h"
#include "llvm/ADT/STLExtras.h"

namespace gpucost {

/// How the counter of a loop inside of a kernel is run through.
enum class CounterLevel {
  Block,  ///< CTAs
  Thread, ///< threads of a CTA
  Sequential
};

struct NestCounter {
  LoopRange range;
  CounterLevel level;
  /// Threads that one value of it stands for, 32 in `#gpu.warp`; 0: it is not
  /// mapped to threads, or to lanes of a warp.
  int64_t lanes = 0;
};

/// A closed interval, and which counters it depends on.
struct IndexRange {
  int64_t low = 0, high = 0;
  uint64_t counters = 0; ///< bit i: counter i
  int64_t extent() const { return high - low; }
};

/// Counters of the loops around an op, outermost first.
class NestCounters {
public:
  /// A bit of a set for each.
  static constexpr size_t mostCounters = 64;
  /// False when there are more. Those of the CTAs and threads of a
  /// `gpu.launch`, and of a loop that is mapped to threads, say so themselves.
  bool add(mlir::Operation *loop, CounterLevel level);
  /// Values that `index` takes when the counters move for which `moves` holds
  /// and the others have their first value; nullopt when they are not known.
  std::optional<IndexRange>
  evaluate(mlir::OpFoldResult index,
           llvm::function_ref<bool(const NestCounter &)> moves) const;
  /// Iterations of the counters of a set.
  int64_t countTrips(uint64_t set) const;
  /// Those of the set at a level.
  uint64_t select(CounterLevel level) const;
  uint64_t all() const {
    return counters.size() < mostCounters ? (uint64_t(1) << counters.size()) - 1
                                          : ~uint64_t(0);
  }
  size_t size() const { return counters.size(); }
  void truncate(size_t size) { counters.truncate(size); }
  const NestCounter &operator[](size_t i) const { return counters[i]; }
  /// Counter `i` runs through a part of its values.
  void narrow(size_t i, const LoopRange &range) { counters[i].range = range; }

private:
  llvm::SmallVector<NestCounter, 8> counters;
};

/// The type of a tensor, buffer or vector; null for any other value.
inline mlir::ShapedType shapedType(mlir::Value value) {
  return llvm::dyn_cast<mlir::ShapedType>(value.getType());
}

/// Extents over all iterations, of what one CTA computes, and of one iteration
/// of its innermost loop.
enum class TileLevel { Whole, Cta, Innermost };
constexpr TileLevel tileLevels[] = {TileLevel::Whole, TileLevel::Cta,
                                    TileLevel::Innermost};

/// Sizes of one dimension, or of a tensor, at each level.
template <typename T> class PerLevel {
public:
  T &operator[](TileLevel level) { return values[static_cast<size_t>(level)]; }
  const T &operator[](TileLevel level) const {
    return values[static_cast<size_t>(level)];
  }

private:
  T values[3] = {};
};

/// (J1) The extents that a window of `size` elements at `offset` covers of a
/// dimension that itself has the extents `around`. `moving` gets the counters
/// that move it. nullopt when a bound is not known.
std::optional<PerLevel<int64_t>> coveredBy(const NestCounters &counters,
                                           mlir::OpFoldResult offset,
                                           mlir::OpFoldResult size,
                                           const PerLevel<int64_t> &around,
                                           uint64_t &moving);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_ANALYSIS_NESTS_INDEXRANGE_H
