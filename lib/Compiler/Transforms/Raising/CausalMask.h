//===- CausalMask.h - Detection of causal masks -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes masks that hide the keys after each query, and those before its
// sliding window, from the contents of a folded constant or from the ops that
// build the mask: Trilu, comparisons of positions, Where, And, additions. Masks
// of longer sequences are not folded.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_CAUSALMASK_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_CAUSALMASK_H

#include "Progressions.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace gpucost::raising {

/// Meaning of the mask elements.
enum class MaskForm : unsigned {
  Keep,     ///< true or 1: the query attends to the key
  Drop,     ///< true or 1: it does not
  Additive, ///< added to the scores: 0, or very low
};

/// The keys that queries attend to, by their distance back from the query. The
/// last query and the last key have distance 0. By default nothing is known.
struct KeyBand {
  int64_t nearest = INT64_MIN;
  int64_t farthest = INT64_MAX;
  /// No other keys are hidden (padding).
  bool isExact = false;

  bool isCausal() const { return nearest == 0; }
  /// Only keys at both sides of the query, and the query's own, are visible.
  bool isTwoSided() const {
    return isExact && nearest < 0 && nearest != INT64_MIN && farthest >= 0 &&
           farthest != INT64_MAX;
  }
};

class CausalMask {
public:
  /// `mask` is [..., queries, keys] or can be broadcast to it.
  KeyBand findBand(mlir::Value mask, MaskForm form);

private:
  KeyBand findUncached(mlir::Value mask, MaskForm form);
  KeyBand ofContents(mlir::DenseElementsAttr dense, MaskForm form);
  KeyBand ofSelection(mlir::Operation *op);
  KeyBand ofDistance(mlir::Operation *op, MaskForm form);
  KeyBand ofComparison(mlir::Operation *op, MaskForm form);
  KeyBand ofOp(mlir::Operation *op, MaskForm form);

  unsigned depth = 0;
  Progressions progressions;
  llvm::DenseMap<std::pair<mlir::Value, unsigned>, KeyBand> known;
  llvm::DenseMap<std::pair<mlir::Attribute, unsigned>, KeyBand> knownContents;
};

/// The ops of where(all(scores == lowest), 0, p), with which PyTorch's SDPA
/// avoids NaN in rows that a mask hides completely; empty for other ops.
llvm::SmallVector<mlir::Operation *, 4>
matchHiddenRows(mlir::Operation *select, mlir::Value p, mlir::Value scores);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_CAUSALMASK_H
