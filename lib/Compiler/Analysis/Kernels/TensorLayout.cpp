//===- TensorLayout.cpp - Tensor strides, tracked as in PyTorch -----------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "gpucost/Compiler/Analysis/Kernels/TensorLayout.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace gpucost;

Strides gpucost::contiguousStrides(Sizes shape) {
  Strides strides(shape.size(), 1);
  for (int64_t i = static_cast<int64_t>(shape.size()) - 2; i >= 0; --i)
    strides[i] = strides[i + 1] * std::max<int64_t>(shape[i + 1], 1);
  return strides;
}

bool gpucost::sameStrides(Sizes shape, ArrayRef<int64_t> a,
                          ArrayRef<int64_t> b) {
  for (auto [size, x, y] : llvm::zip_equal(shape, a, b))
    if (size != 1 && x != y)
      return false;
  return true;
}

bool gpucost::isContiguous(Sizes shape, ArrayRef<int64_t> strides) {
  return sameStrides(shape, strides, contiguousStrides(shape));
}

bool gpucost::isDense(Sizes shape, ArrayRef<int64_t> strides) {
  SmallVector<unsigned> order;
  for (unsigned i = 0; i < shape.size(); ++i)
    if (shape[i] != 1)
      order.push_back(i);
  llvm::sort(order,
             [&](unsigned a, unsigned b) { return strides[a] < strides[b]; });
  int64_t expected = 1;
  for (unsigned i : order) {
    if (strides[i] != expected)
      return false;
    expected *= shape[i];
  }
  return true;
}

std::optional<Strides>
gpucost::viewStrides(Sizes shape, ArrayRef<int64_t> strides, Sizes newShape) {
  int64_t count = 1, newCount = 1;
  for (int64_t size : shape)
    count *= size;
  for (int64_t size : newShape)
    newCount *= size;
  if (count != newCount)
    return std::nullopt;
  if (count == 0 || shape.empty())
    return contiguousStrides(newShape);
  // Process groups of old dimensions that are contiguous with each other, from
  // the innermost; new dimensions must cover each group exactly.
  Strides result(newShape.size(), 1);
  int64_t view = static_cast<int64_t>(newShape.size()) - 1;
  int64_t chunkBase = strides.back(), chunkSize = 1, viewSize = 1;
  for (int64_t d = static_cast<int64_t>(shape.size()) - 1; d >= 0; --d) {
    chunkSize *= shape[d];
    bool endsChunk = d == 0 || (shape[d - 1] != 1 &&
                                strides[d - 1] != chunkSize * chunkBase);
    if (!endsChunk)
      continue;
    while (view >= 0 && (viewSize < chunkSize || newShape[view] == 1)) {
      result[view] = viewSize * chunkBase;
      viewSize *= newShape[view];
      --view;
    }
    if (viewSize != chunkSize)
      return std::nullopt;
    if (d > 0) {
      chunkBase = strides[d - 1];
      chunkSize = viewSize = 1;
    }
  }
  return view == -1 ? std::optional<Strides>(result) : std::nullopt;
}

Strides LayoutMap::get(Value value) const {
  auto it = strides_.find(value);
  if (it != strides_.end())
    return it->second;
  return contiguousStrides(cast<RankedTensorType>(value.getType()).getShape());
}

void LayoutMap::move(Value from, Value to) {
  auto it = strides_.find(from);
  if (it == strides_.end())
    return;
  Strides strides = it->second;
  strides_.erase(it);
  strides_[to] = std::move(strides);
}

bool LayoutMap::isContiguous(Value value) const {
  auto it = strides_.find(value);
  return it == strides_.end() ||
         gpucost::isContiguous(
             cast<RankedTensorType>(value.getType()).getShape(), it->second);
}
