//===- LoopTrips.h - Iterations of loops ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Trip counts of scf and affine loops with constant bounds.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_UTILS_LOOPTRIPS_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_UTILS_LOOPTRIPS_H

#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>
#include <vector>

namespace gpucost {

/// `scf.for`, `forall`, `parallel`, `while`, `affine.for` or `parallel`.
bool isLoop(mlir::Operation *op);
/// Whether the iterations of `op` are CTAs: `scf.forall` or `scf.parallel` with
/// a mapping to `#gpu.block`, `scf.parallel` with one to `block_x` and so on,
/// `gpu.launch` and `gpu.launch_func`.
bool isBlockNest(mlir::Operation *op);
/// An op that runs one of its regions, once.
bool isBranch(mlir::Operation *op);

/// The buffer or tensor in which an op reads (writes) an element or a vector;
/// null for other ops. An atomic update does both.
mlir::Value getLoadedBuffer(mlir::Operation *op);
mlir::Value getStoredBuffer(mlir::Operation *op);
/// A tensor or a buffer; a vector is a register.
bool isInMemory(mlir::Type type);
/// Ops that cost nothing in a nest: sizes, views, allocations, constants.
bool isFreeInNest(mlir::Operation *op);

/// One counter of a loop: from `first` in steps of `step`.
struct LoopRange {
  mlir::Value counter; ///< null for a loop that has none
  int64_t first = 0, step = 1, trips = 0;
  int64_t at(int64_t iteration) const { return first + iteration * step; }
  /// Value of the counter halfway.
  int64_t middle() const { return at(trips > 0 ? (trips - 1) / 2 : 0); }
};

/// The ranges of all loop counters, or of a `gpu.launch`'s CTAs and threads;
/// nullopt if a bound is unknown and no trip count has been stated. `counters`
/// has the values of counters of outer loops, which bounds may depend on.
std::optional<llvm::SmallVector<LoopRange, 4>>
getLoopRanges(mlir::Operation *loop,
              const llvm::DenseMap<mlir::Value, int64_t> &counters =
                  llvm::DenseMap<mlir::Value, int64_t>());

/// A number of iterations that count as the one with this counter does.
struct IterationGroup {
  int64_t counter = 0, iterations = 0;
};

/// `count` groups of consecutive iterations, each counted like its middle one.
std::vector<IterationGroup> divide(const LoopRange &range, int64_t count);

/// Product of all trip counts; nullopt on overflow.
std::optional<int64_t> countTrips(llvm::ArrayRef<LoopRange> ranges);

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_UTILS_LOOPTRIPS_H
