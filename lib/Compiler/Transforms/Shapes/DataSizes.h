//===- DataSizes.h - Result sizes that depend on data -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-fix-shapes: NonZero, NonMaxSuppression, a Reshape to a
// shape that is computed at run time. Each op where such a size arises gives it
// a name that the user can bind: the op in lower case and its number among
// those, "nonzero_0"; a second one of the same result is "reshape_0.1".
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DATASIZES_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DATASIZES_H

#include "DimensionBindings.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace gpucost {

/// A tensor whose sizes are all known, or a type without sizes.
bool isResolved(mlir::Type type);

class DataSizes {
public:
  explicit DataSizes(DimensionBindings &bindings) : bindings(bindings) {}

  /// Names what is unknown in the results of `op` although its operands are
  /// known, and sets the sizes that are bound.
  void apply(mlir::Operation *op);

  /// `op` is about to go.
  void forget(mlir::Operation *op) { nameOf.erase(op); }

  /// "nonzero_0" for an op that has a name.
  llvm::StringRef nameFor(mlir::Operation *op) const;

private:
  DimensionBindings &bindings;
  llvm::StringMap<unsigned> counters;
  llvm::DenseMap<mlir::Operation *, std::string> nameOf;
};

/// A remark at each op where shapes become unknown, not at those behind it; one
/// warning for those of one operator where the user can state them.
void reportUnknownShapes(mlir::func::FuncOp func, const DataSizes &sizes);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DATASIZES_H
