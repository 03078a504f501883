//===- ShapeArithmetic.cpp - Checked arithmetic on dimensions -------------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShapeArithmetic.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace gpucost::onnx;

/// The result for a special operand; nullopt if both are ordinary.
static std::optional<int64_t> spread(int64_t a, int64_t b) {
  if (a == badDim || b == badDim)
    return badDim;
  if (a == unknownDim || b == unknownDim)
    return unknownDim;
  return std::nullopt;
}

int64_t gpucost::onnx::addDims(int64_t a, int64_t b) {
  if (auto special = spread(a, b))
    return *special;
  int64_t result;
  return llvm::AddOverflow(a, b, result) ? badDim : result;
}

int64_t gpucost::onnx::subDims(int64_t a, int64_t b) {
  if (auto special = spread(a, b))
    return *special;
  int64_t result;
  return llvm::SubOverflow(a, b, result) ? badDim : result;
}

int64_t gpucost::onnx::mulDims(int64_t a, int64_t b) {
  if (auto special = spread(a, b))
    return *special;
  int64_t result;
  return llvm::MulOverflow(a, b, result) ? badDim : result;
}

int64_t gpucost::onnx::floorDivDims(int64_t a, int64_t b) {
  if (auto special = spread(a, b))
    return *special;
  if (b == 0)
    return badDim;
  if (b == -1)
    return subDims(0, a);
  return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

int64_t gpucost::onnx::ceilDivDims(int64_t a, int64_t b) {
  if (auto special = spread(a, b))
    return *special;
  if (b == 0)
    return badDim;
  if (b == -1)
    return subDims(0, a);
  return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

int64_t gpucost::onnx::productDims(llvm::ArrayRef<int64_t> dims) {
  if (llvm::is_contained(dims, 0))
    return 0;
  int64_t product = 1;
  for (int64_t dim : dims)
    product = mulDims(product, dim);
  return product;
}

std::optional<int64_t> gpucost::onnx::normalizeAxis(int64_t axis,
                                                    int64_t rank) {
  if (axis < -rank || axis >= rank)
    return std::nullopt;
  return axis < 0 ? axis + rank : axis;
}

std::optional<Dims> gpucost::onnx::broadcastShapes(llvm::ArrayRef<int64_t> a,
                                                   llvm::ArrayRef<int64_t> b) {
  if (a.size() < b.size())
    std::swap(a, b);
  Dims result(a);
  size_t offset = a.size() - b.size();
  for (auto [i, dim] : llvm::enumerate(b)) {
    int64_t &other = result[offset + i];
    if (other == dim || dim == 1)
      continue;
    if (other == 1 || other == unknownDim)
      other = dim;
    else if (dim != unknownDim)
      return std::nullopt;
  }
  return result;
}

Dims gpucost::onnx::rowMajorStrides(llvm::ArrayRef<int64_t> shape) {
  Dims strides(shape.size(), 1);
  for (size_t i = shape.size(); i-- > 1;)
    strides[i - 1] = mulDims(strides[i], shape[i]);
  return strides;
}

SliceBounds gpucost::onnx::clampSlice(int64_t start, int64_t end, int64_t step,
                                      int64_t dim) {
  auto clamp = [&](int64_t position) {
    if (position < 0)
      position += dim;
    return step > 0 ? std::clamp<int64_t>(position, 0, dim)
                    : std::clamp<int64_t>(position, -1, dim - 1);
  };
  SliceBounds bounds;
  bounds.start = clamp(start);
  // With a negative step, an earlier start is clamped to the first element.
  if (step < 0)
    bounds.start = std::max<int64_t>(bounds.start, 0);
  bounds.step = step;
  bounds.count =
      dim == 0
          ? 0
          : std::max<int64_t>(0, ceilDivDims(clamp(end) - bounds.start, step));
  return bounds;
}

std::string gpucost::onnx::formatShape(llvm::ArrayRef<int64_t> shape) {
  std::string text = "[";
  for (auto [i, dim] : llvm::enumerate(shape)) {
    if (i)
      text += ", ";
    text += dim == unknownDim ? "?" : std::to_string(dim);
  }
  return text + "]";
}
