//===- CausalMask.h - Detection of causal masks -----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognizes masks that hide the keys after each query, from the contents of a
// folded constant or from the ops that build the mask: Trilu, comparisons of
// positions, Where, And, additions. Masks of longer sequences are not folded.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_CAUSALMASK_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_CAUSALMASK_H

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

enum class Causality : unsigned {
  None,
  Causal,   ///< each query attends to exactly the keys up to its position
  WithMore, ///< causal, and additional keys are hidden (padding)
};

class CausalMask {
public:
  /// `mask` is [..., queries, keys] or can be broadcast to it.
  Causality classify(mlir::Value mask, MaskForm form);

private:
  Causality classifyUncached(mlir::Value mask, MaskForm form, unsigned depth);
  Causality classify(mlir::Value mask, MaskForm form, unsigned depth);
  Causality classifyContents(mlir::DenseElementsAttr dense, MaskForm form);
  Causality combine(mlir::Operation *op, MaskForm form, unsigned depth);

  llvm::DenseMap<std::pair<mlir::Value, unsigned>, Causality> known;
  llvm::DenseMap<std::pair<mlir::Attribute, unsigned>, Causality> knownContents;
};

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_CAUSALMASK_H
