//===- CausalMask.h - Which masks are causal --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Recognises masks that hide the keys after each query, from the contents of a
// folded constant or from the ops that build the mask: Trilu, comparisons of
// positions, Where, And, additions. Longer sequences are not folded.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_CAUSALMASK_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_CAUSALMASK_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"

namespace gpucost::raising {

/// What the elements of a mask mean.
enum class MaskForm : unsigned {
  Keep,     ///< true or 1: the query sees the key
  Drop,     ///< true or 1: it does not
  Additive, ///< added to the scores: 0, or very low
};

enum class Causality : unsigned {
  None,
  Causal,   ///< exactly the keys up to each query are seen
  WithMore, ///< causal, and further keys are hidden (padding)
};

class CausalMask {
public:
  /// `mask` is [..., queries, keys] or broadcasts to it.
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
