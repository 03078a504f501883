//===- AttentionSizes.h - Sizes and counts of attention ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this folder: attention ops in a common form, whatever the layout
// of their operands, and the work of one kernel of these sizes.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_ATTENTIONSIZES_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_ATTENTIONSIZES_H

#include "OpShapes.h"
#include "gpucost/Compiler/Dialect/Onnx/Work/Windows.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace gpucost::onnx {

struct AttentionSizes {
  int64_t batch = 0, heads = 0, kvHeads = 0, queries = 0, keys = 0;
  int64_t headDim = 0, valueDim = 0;
  /// Keys before the first query; negative: all that the queries follow.
  int64_t before = -1;
  /// Keys that a query attends to before and after its position; -1: all.
  int64_t left = -1, right = -1;
  /// Keys that a query has in addition, anywhere in the cache.
  int64_t selected = 0;
  /// Scores of all queries in a head, where a constant layout or documents
  /// state them, and the keys that no query reads.
  std::optional<int64_t> layoutScores;
  int64_t unreadKeys = 0;
  bool chunked = false; ///< the window is the chunk of the query
  /// (A16) Several documents share a sequence.
  bool isPacked = false;

  /// Sets the window of the op, which a causal mask ends at the query.
  void setWindow(KeyWindow window, bool causal) {
    left = window.left;
    right = causal ? 0 : window.right;
  }
};

/// Length of the keys in operand `i`, a cache [.., .., length, ..]; 0 if it is
/// missing.
int64_t cachedKeys(const OpShapes &s, unsigned i, unsigned axis = 2);

/// Twice the number of scores per head, to stay an integer; nullopt on
/// overflow.
std::optional<int64_t> twiceScores(const AttentionSizes &sizes);

/// One-kernel attention: two matmuls of 2 FLOP per score and channel, five in
/// the backward pass (B6), and about 5 FLOP and one exponential per score.
/// `read` determines the sizes; it may use operand 0 and change the bytes.
mlir::FailureOr<WorkAttr>
attentionKernel(mlir::Operation *op, CostClass shape,
                llvm::function_ref<bool(OpShapes &, AttentionSizes &)> read,
                bool backward = false);

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_WORK_ATTENTIONSIZES_H
