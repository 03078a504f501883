//===- StageGraph.h - Layers and stages of a graph --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_STAGES_STAGEGRAPH_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_STAGES_STAGEGRAPH_H

#include "gpucost/Core/Scenario/LayerBalance.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallVector.h"

namespace gpucost::stages {

/// A range of `StageGraph::ops`.
struct OpRange {
  size_t begin = 0, end = 0;
  size_t size() const { return end - begin; }
};

/// The ops of a forward graph that a pipeline distributes: those that compute
/// with activations. Ops that need only parameters (casts of weights) or no
/// parameter at all (masks, position tables) are in each stage that reads them.
class StageGraph {
public:
  explicit StageGraph(mlir::Block &block);

  llvm::ArrayRef<mlir::Operation *> ops() const { return main; }
  /// The repeated blocks, in order; ops between them belong to the next one.
  llvm::SmallVector<OpRange> findLayers() const;
  /// Matrix FLOPs of some ops; of their matmuls and convolutions alone.
  double workOf(OpRange range) const { return sumWork(range, false); }
  double productWorkOf(OpRange range) const { return sumWork(range, true); }
  LayerWork layerWork(llvm::ArrayRef<OpRange> layers) const;
  /// The values that ops before `boundary` compute and later ones read.
  llvm::SetVector<mlir::Value> crossing(size_t boundary) const;
  /// Index into `ops`; nullopt for other values.
  std::optional<size_t> positionOf(mlir::Value value) const;
  /// The ops outside of `ops` and the views that `range` needs, and the values
  /// of earlier ops that it reads.
  void collectNeeds(OpRange range, llvm::SetVector<mlir::Operation *> &kept,
                    llvm::SetVector<mlir::Value> &received) const;

private:
  double sumWork(OpRange range, bool onlyProducts) const;
  /// The longest repetition in `range`; empty without one.
  llvm::SmallVector<OpRange> findRepetition(OpRange range) const;
  void findLayersIn(OpRange range, llvm::SmallVector<OpRange> &layers) const;
  /// The value that a view reads, if an op of the graph computes it.
  mlir::Value viewed(mlir::Value value) const;

  llvm::SmallVector<mlir::Operation *> main;
  llvm::DenseMap<mlir::Operation *, size_t> positions;
  /// Structure of each op, without shapes and names.
  llvm::SmallVector<size_t> signatures;
  llvm::SmallVector<bool> isProduct;
  /// Number of values that cross each boundary.
  llvm::SmallVector<int64_t> crossings;
  /// Computed values with their last reader, views resolved.
  llvm::SmallVector<std::pair<mlir::Value, size_t>> lastReaders;
};

} // namespace gpucost::stages

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_PARALLEL_STAGES_STAGEGRAPH_H
