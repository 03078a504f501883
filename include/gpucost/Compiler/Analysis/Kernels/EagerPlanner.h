//===- EagerPlanner.h - Copies and layouts of eager PyTorch -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The copies that PyTorch launches between the ops of a graph: which results
// keep a permuted layout, which operands are copied first, which kernels index
// through strides. docs/CostModel.md, section "Lowering", rules (L1) to (L11).
// Plans refer to ops and operands; nothing is inserted into the IR.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_EAGERPLANNER_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_EAGERPLANNER_H

#include "gpucost/Compiler/Analysis/Kernels/TensorLayout.h"
#include "gpucost/Core/Vocabulary/Enums.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"
#include <deque>

namespace gpucost {

/// A copy that the runtime launches before or after `op`.
struct PlannedCopy {
  mlir::Operation *op;
  mlir::Value input;
  /// The copy of `input` that this copy reads instead; null: it reads `input`.
  const PlannedCopy *inputCopy;
  mlir::RankedTensorType type;
  CopyReason reason;
};

/// An operand that reads a copy instead of its original value.
struct PlannedRead {
  unsigned operand;
  /// A copy that precedes this op or an earlier op.
  const PlannedCopy *copy;
  /// If not null, the operand reads the copy through a clone of this transpose.
  mlir::Operation *transpose;
};

/// The copies and layout facts around one op.
struct OpPlan {
  /// In the order of their copies. The last copy of an operand counts.
  llvm::SmallVector<PlannedRead, 2> reads;
  /// The copy that all users of result 0 read; null if there is none.
  const PlannedCopy *after = nullptr;
  /// Facts that decide which kernel runs.
  bool strided = false, channelsLast = false, fixedStatistics = false;
  /// For batch normalization: adjacent elements of a channel; 0 otherwise.
  int64_t run = 0;

  bool empty() const {
    return reads.empty() && !after && !strided && !channelsLast && !run;
  }
  /// The copy that `operand` reads; null if it reads its original value.
  const PlannedRead *readOf(unsigned operand) const {
    for (const PlannedRead &read : llvm::reverse(reads))
      if (read.operand == operand)
        return &read;
    return nullptr;
  }
};

/// Plans the ops of one block, which must be passed in program order.
class EagerPlanner {
public:
  struct Options {
    /// Convolutions run on channels-last tensors, without layout kernels.
    bool channelsLast = false;
    /// Framework kernels, not generated ones.
    bool library = true;
    /// Norms read contiguous rows at equal distances in place.
    bool readsEvenRows = false;
  };
  explicit EagerPlanner(Options options) : options(options) {}

  /// The plan for `op` with cost class `shape`. The planner owns its copies.
  OpPlan plan(mlir::Operation *op, CostClass shape);
  /// Whether the last dimension of `value` has stride 1.
  bool hasAdjacentElements(mlir::Value value) const {
    return layouts.get(value).back() == 1;
  }

private:
  void planView();
  void planElementwise();
  void planContraction();
  void planAttention();
  void planBatchNorm();
  void planConvolution();
  bool hasChannelsLast(mlir::Value value) const;
  bool hasEvenRows(mlir::Value value) const;
  void requireContiguous(unsigned operand);
  void copyOperand(unsigned operand, mlir::RankedTensorType type,
                   CopyReason reason);
  bool reuseCopy(unsigned operand, mlir::RankedTensorType type);

  Options options;
  LayoutMap layouts;
  std::deque<PlannedCopy> copies;
  /// Contiguous copies by source value and type: autograd saves them.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, const PlannedCopy *>
      contiguous;
  mlir::Operation *op = nullptr; ///< the op being planned
  OpPlan current;                ///< plan of `op`
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_EAGERPLANNER_H
