//===- AttentionMatch.h - Parts of decomposed attention ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The ops that Attention.cpp finds around a softmax, and the views that its
// rewrites create. Shapes: b batch, h heads, s queries, t keys, d head_dim.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_ATTENTIONMATCH_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_ATTENTIONMATCH_H

#include "Raiser.h"

namespace gpucost::raising {

struct AttentionMatch {
  Match match;
  mlir::Operation *product = nullptr; ///< Q K^T
  mlir::Value q, k, v;                ///< [b, h, s, d], [b, h, t, d], ditto
  mlir::Value mask; ///< broadcasts to [b, h, s, t]; may be null
  MaskForm maskForm = MaskForm::Additive;
  /// A second additive mask: positions (ALiBi, T5) in addition to padding.
  mlir::Value moreMask;
  mlir::RankedTensorType
      scoresType; ///< [b, h, s, t], if scores have that shape
  double scale = 1;
  /// Permutation that gives `k` the shape above; empty if it already has it.
  llvm::SmallVector<int64_t, 4> keyPermutation;
  /// The ops were exported from F.scaled_dot_product_attention.
  bool fromSdpa = false;
  /// A view of repeated heads that the match created; null if there is none.
  mlir::Operation *mergedHeads = nullptr;

  bool matchScores(mlir::Operation *softmax);
  bool matchProbabilities(mlir::Operation *softmax);
  /// Requires `product` and `v`.
  bool matchOperands();
  /// Grouped-query attention: replaces K and V with their values before the
  /// heads are repeated.
  void foldRepeatedHeads();

private:
  bool setMask(mlir::Value value, MaskForm form);
  void matchKey(mlir::Value transposed);
};

/// Replaces keys and values with their values before grouped-query attention
/// repeats the heads; unchanged if the heads of both are not repeated.
void foldRepeatedHeads(mlir::Value &keys, mlir::Value &values);

/// A constant list of 64-bit integers.
mlir::Value createIntegers(mlir::OpBuilder &builder, mlir::Location loc,
                           llvm::ArrayRef<int64_t> numbers);
mlir::Value createReshape(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value value, llvm::ArrayRef<int64_t> shape);
mlir::Value createTranspose(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value value,
                            llvm::ArrayRef<int64_t> permutation);
/// [b, s, h * d] as [b, h, s, d]; 4-D values already have that shape.
mlir::Value createHeads(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, int64_t heads);
/// The sum of two masks with NumPy broadcasting: a kernel takes only one.
mlir::Value createSum(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value a, mlir::Value b);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_ATTENTIONMATCH_H
