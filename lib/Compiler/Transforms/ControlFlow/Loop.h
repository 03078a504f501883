//===- Loop.h - One loop before its body is inlined -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Common representation of Loop and Scan. The arguments of the body are, in
// this order: iteration number and condition (only Loop), carried values,
// slices of scanned values. It yields condition (Loop), carried values, slices.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_LOOP_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_LOOP_H

#include "BlockInference.h"

namespace gpucost {

struct BlockInference::Loop {
  mlir::Operation *op = nullptr;
  /// Ops of the body, including nested bodies.
  int64_t size = 0;
  /// Whether it has an iteration number and a condition, as a Loop.
  bool counts = false;
  llvm::SmallVector<mlir::Value> inits;
  /// Scanned operands, and the slice type for each.
  llvm::SmallVector<mlir::Value> scanned;
  llvm::SmallVector<mlir::Type> slices;
  /// For each stacked result, the axis of the iterations.
  llvm::SmallVector<int64_t> outAxes;
  /// Types of one iteration's slices of the stacked results.
  llvm::SmallVector<mlir::Type> stackedSlices;
  /// Scan of the first version runs for each example of a batch, which is the
  /// leading dimension of all operands.
  std::optional<int64_t> batch;

  /// Trip count; nullopt if it is unknown.
  std::optional<int64_t> trips;
  /// Maximum trip count.
  int64_t limit = INT64_MAX;

  mlir::Block &body() const { return op->getRegion(0).front(); }
  unsigned carried() const { return inits.size(); }
  unsigned firstYield() const { return counts ? 1 : 0; }
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_LOOP_H
