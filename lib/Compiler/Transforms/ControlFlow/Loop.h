//===- Loop.h - One loop before its body is put in place --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loop and Scan in one form. The body takes, in this order: number of the
// iteration and condition (Loop only), carried values, slices of scanned
// values. It yields the condition (Loop only), carried values, slices.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_LOOP_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_LOOP_H

#include "BlockInference.h"

namespace gpucost {

struct BlockInference::Loop {
  mlir::Operation *op = nullptr;
  /// Ops of the body, those of inner bodies included.
  int64_t size = 0;
  /// It has a number and a condition: a Loop.
  bool counts = false;
  llvm::SmallVector<mlir::Value> inits;
  /// Scanned operands, and the type of one slice of each.
  llvm::SmallVector<mlir::Value> scanned;
  llvm::SmallVector<mlir::Type> slices;
  /// For each stacked result, the axis that the iterations get.
  llvm::SmallVector<int64_t> outAxes;
  /// The first Scan runs for each example of a batch, which leads all operands.
  std::optional<int64_t> batch;

  /// Iterations; nullopt when that is not known.
  std::optional<int64_t> trips;
  /// Most iterations.
  int64_t limit = INT64_MAX;

  mlir::Block &body() const { return op->getRegion(0).front(); }
  unsigned carried() const { return inits.size(); }
  unsigned firstYield() const { return counts ? 1 : 0; }
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_CONTROLFLOW_LOOP_H
