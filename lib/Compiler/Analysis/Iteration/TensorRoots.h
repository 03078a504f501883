//===- TensorRoots.h - Tensors behind values --------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_TENSORROOTS_H
#define GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_TENSORROOTS_H

#include "gpucost/Compiler/Analysis/Iteration/PersistentTensors.h"
#include "gpucost/Compiler/Dialect/GpuCost/IR/GpuCostOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace gpucost {

/// Tensors behind values, of an IR that does not change. Known values end a
/// search, so that the values of a long chain take constant time each.
class TensorRoots {
public:
  /// The tensor that `value` is a view of.
  mlir::Value viewed(mlir::Value value) {
    return search(views, value, [](mlir::Value view) {
      mlir::Operation *def = view.getDefiningOp();
      return def && !mlir::isa<KernelOp>(def) && def->getNumOperands()
                 ? def->getOperand(0)
                 : mlir::Value();
    });
  }
  /// The tensor that stores `value`, through views and appends to a cache.
  mlir::Value stored(mlir::Value value) {
    return search(stores, viewed(value), [&](mlir::Value tensor) {
      auto kernel = tensor.getDefiningOp<KernelOp>();
      mlir::Value whole =
          kernel ? writtenInPlace(
                       kernel,
                       mlir::cast<mlir::OpResult>(tensor).getResultNumber())
                 : mlir::Value();
      return whole ? viewed(whole) : mlir::Value();
    });
  }

private:
  using Roots = llvm::DenseMap<mlir::Value, mlir::Value>;

  /// Follows `next` to a value without a next one.
  template <typename Next>
  static mlir::Value search(Roots &roots, mlir::Value value, Next next) {
    llvm::SmallVector<mlir::Value> path;
    while (true) {
      if (mlir::Value root = roots.lookup(value)) {
        value = root;
        break;
      }
      mlir::Value further = next(value);
      if (!further)
        break;
      path.push_back(value);
      value = further;
    }
    for (mlir::Value each : path)
      roots[each] = value;
    return value;
  }

  Roots views, stores;
};

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_TENSORROOTS_H
