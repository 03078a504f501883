//===- Progressions.h - Values that count along one dimension ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Masks compare positions that models compute with many ops: ranges, views,
// sums, indexing. Their results are too large to fold for long sequences, but
// count along one dimension and are equal along all others.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_PROGRESSIONS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_PROGRESSIONS_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <optional>

namespace gpucost::raising {

/// Elements are `first + slope * i`, with i the position along the dimension
/// `fromEnd` (1: the last). Slope 0: all elements are equal.
struct Progression {
  double first = 0;
  double slope = 0;
  unsigned fromEnd = 1;

  bool isUniform() const { return slope == 0; }
};

/// The progression of a tensor of `shape` with the elements
/// `get(linear index)`.
std::optional<Progression>
findProgression(llvm::ArrayRef<int64_t> shape,
                llvm::function_ref<double(int64_t)> get);

class Progressions {
public:
  /// nullopt for all other values.
  std::optional<Progression> find(mlir::Value value);

private:
  std::optional<Progression> findUncached(mlir::Value value);
  std::optional<Progression> ofArithmetic(mlir::Operation *op);
  std::optional<Progression> ofPredicate(mlir::Operation *op);
  std::optional<Progression> ofView(mlir::Operation *op);
  std::optional<Progression> ofSlice(mlir::Operation *op);
  std::optional<Progression> ofConcat(mlir::Operation *op);
  std::optional<Progression> ofCumSum(mlir::Operation *op);
  std::optional<Progression> ofGatherND(mlir::Operation *op);
  /// Component `index` of the rows of a GatherND's indices.
  std::optional<Progression> ofComponent(mlir::Value rows, int64_t index);

  unsigned depth = 0;
  llvm::DenseMap<mlir::Value, std::optional<Progression>> known;
};

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_PROGRESSIONS_H
