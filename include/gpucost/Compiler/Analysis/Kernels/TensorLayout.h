//===- TensorLayout.h - Tensor strides, tracked as in PyTorch ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Which ops are views, which views fail and become copies, and which operands a
// kernel has to index: decided from strides, in elements, with PyTorch's rules.

#ifndef GPUCOST_COMPILER_ANALYSIS_KERNELS_TENSORLAYOUT_H
#define GPUCOST_COMPILER_ANALYSIS_KERNELS_TENSORLAYOUT_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace gpucost {

using Sizes = llvm::ArrayRef<int64_t>;
using Strides = llvm::SmallVector<int64_t, 6>;

/// Row-major strides of `shape`.
Strides contiguousStrides(Sizes shape);
/// Equal up to dimensions of size 1.
bool sameStrides(Sizes shape, llvm::ArrayRef<int64_t> a,
                 llvm::ArrayRef<int64_t> b);
bool isContiguous(Sizes shape, llvm::ArrayRef<int64_t> strides);
/// Every element exists once, without gaps, in some order of dimensions.
bool isDense(Sizes shape, llvm::ArrayRef<int64_t> strides);
/// `strides` after a view of `shape` as `newShape`; nullopt if it needs a copy.
std::optional<Strides> viewStrides(Sizes shape, llvm::ArrayRef<int64_t> strides,
                                   Sizes newShape);

/// Strides of a function's values; contiguous by default.
class LayoutMap {
public:
  Strides get(mlir::Value value) const;
  void set(mlir::Value value, Strides strides) {
    strides_[value] = std::move(strides);
  }
  /// Transfers the strides of `from` to `to`.
  void move(mlir::Value from, mlir::Value to);
  bool isContiguous(mlir::Value value) const;

private:
  llvm::DenseMap<mlir::Value, Strides> strides_;
};

} // namespace gpucost

#endif // GPUCOST_COMPILER_ANALYSIS_KERNELS_TENSORLAYOUT_H
