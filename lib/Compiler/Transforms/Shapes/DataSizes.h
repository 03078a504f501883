//===- DataSizes.h - Result sizes that depend on data -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-fix-shapes: NonZero, NonMaxSuppression, a Reshape to a
// shape that is computed at run time. Each op with such a result size gives it
// a name that the user can bind: the op in lower case and its number among ops
// of this kind, "nonzero_0"; a second size of the same op is "reshape_0.1".
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DATASIZES_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DATASIZES_H

#include "DimensionBindings.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Operation.h"
#include "llvm/ADT/DenseMap.h"

namespace gpucost {

/// Whether `type` is a tensor with known sizes, or a type without sizes.
bool isResolved(mlir::Type type);

class DataSizes {
public:
  explicit DataSizes(DimensionBindings &bindings) : bindings(bindings) {}

  /// Names the unknown sizes in the results of `op` if its operands are known,
  /// and sets the sizes that are bound.
  void apply(mlir::Operation *op);

  /// Must be called before `op` is erased.
  void forget(mlir::Operation *op) { nameOf.erase(op); }

  /// "nonzero_0" for an op with a named size.
  llvm::StringRef nameFor(mlir::Operation *op) const;

private:
  DimensionBindings &bindings;
  llvm::StringMap<unsigned> counters;
  llvm::DenseMap<mlir::Operation *, std::string> nameOf;
};

/// Emits a remark at each op where a shape becomes unknown, but not at ops
/// after it; emits one warning per operator if the user can state its sizes.
void reportUnknownShapes(mlir::func::FuncOp func, const DataSizes &sizes);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DATASIZES_H
