//===- EagerPlanner.h - Copies and layouts of eager PyTorch -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What PyTorch does between the ops of a graph: which results keep a permuted
// layout, which operands are copied first, which kernels index through strides.
// docs/CostModel.md, section "Lowering", rules (L1) to (L11).
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_ANALYSIS_KERNELS_EAGERPLANNER_H
#define GPUCOST_ANALYSIS_KERNELS_EAGERPLANNER_H

#include "gpucost/Analysis/Kernels/OpPlan.h"
#include "gpucost/Analysis/Kernels/TensorLayout.h"
#include <deque>

namespace gpucost {

/// Plans the ops of one block, asked in program order.
class EagerPlanner {
public:
  struct Options {
    /// Convolutions run on channels-last tensors: no layout kernels.
    bool channelsLast = false;
    /// Kernels of a framework, not generated ones.
    bool library = true;
    /// fp32 convolutions run on TF32 tensor cores.
    bool tensorFloatConvolution = false;
  };
  explicit EagerPlanner(Options options) : options(options) {}

  /// The plan for `op` with cost class `shape`. Its copies live as long as the
  /// planner.
  OpPlan plan(mlir::Operation *op, CostClass shape);
  /// Whether elements of the last dimension of `value` are adjacent.
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
  void requireContiguous(unsigned operand);
  void copyOperand(unsigned operand, mlir::RankedTensorType type,
                   CopyReason reason);
  bool reuseCopy(unsigned operand, mlir::RankedTensorType type);

  Options options;
  LayoutMap layouts;
  std::deque<PlannedCopy> copies;
  /// Contiguous copies made so far, by what they show: autograd saves them.
  llvm::DenseMap<std::pair<mlir::Value, mlir::Type>, const PlannedCopy *>
      contiguous;
  mlir::Operation *op = nullptr; ///< that is planned
  OpPlan current;                ///< of `op`
};

} // namespace gpucost

#endif // GPUCOST_ANALYSIS_KERNELS_EAGERPLANNER_H
