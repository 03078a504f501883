//===- OpPlan.h - What the runtime does around one op -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Planned copies name ops and operands. Nothing is inserted: the pass that
// forms kernels applies the plan.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_ANALYSIS_KERNELS_OPPLAN_H
#define GPUCOST_ANALYSIS_KERNELS_OPPLAN_H

#include "gpucost/Vocabulary/Enums.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace gpucost {

/// A copy that the runtime launches before or after `op`.
struct PlannedCopy {
  mlir::Operation *op;
  mlir::Value input;
  /// The copy of `input` that is read instead; null: `input` itself.
  const PlannedCopy *inputCopy;
  mlir::RankedTensorType type;
  CopyReason reason;
};

/// An operand that reads a copy instead of its value.
struct PlannedRead {
  unsigned operand;
  /// A copy that precedes this op, or one of an earlier op.
  const PlannedCopy *copy;
  /// Not null: the operand reads the copy through a clone of this transpose.
  mlir::Operation *transpose;
};

/// What the runtime does around one op.
struct OpPlan {
  /// In the order of their copies. The last one of an operand counts.
  llvm::SmallVector<PlannedRead, 2> reads;
  /// The copy that all users of result 0 read; null: there is none.
  const PlannedCopy *after = nullptr;
  /// Facts that decide which kernel runs.
  bool strided = false, channelsLast = false, perChannel = false,
       overPixels = false;

  bool empty() const {
    return reads.empty() && !after && !strided && !channelsLast &&
           !perChannel && !overPixels;
  }
  /// What `operand` reads instead of its value; null: nothing.
  const PlannedRead *readOf(unsigned operand) const {
    for (const PlannedRead &read : llvm::reverse(reads))
      if (read.operand == operand)
        return &read;
    return nullptr;
  }
};

} // namespace gpucost

#endif // GPUCOST_ANALYSIS_KERNELS_OPPLAN_H
