//===- ShapeArithmetic.h - Checked arithmetic on dimensions -----*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to this folder. Dimensions are int64_t; `unknownDim` depends on data,
// and the computation of `badDim` overflowed. Both propagate through every
// operation, and InferenceContext::setType reports `badDim`.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_ONNX_INFERENCE_SHAPEARITHMETIC_H
#define GPUCOST_LIB_COMPILER_DIALECT_ONNX_INFERENCE_SHAPEARITHMETIC_H

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace gpucost::onnx {

using Dims = llvm::SmallVector<int64_t>;

inline constexpr int64_t unknownDim = mlir::ShapedType::kDynamic;
inline constexpr int64_t badDim = unknownDim + 1;

int64_t addDims(int64_t a, int64_t b);
int64_t subDims(int64_t a, int64_t b);
int64_t mulDims(int64_t a, int64_t b);
/// Quotients rounded down or up; `badDim` if b = 0.
int64_t floorDivDims(int64_t a, int64_t b);
int64_t ceilDivDims(int64_t a, int64_t b);
/// Product of `dims`; 1 if empty, unknown if one is unknown and none is 0.
int64_t productDims(llvm::ArrayRef<int64_t> dims);

inline bool isKnownDim(int64_t dim) { return dim != unknownDim; }

/// `axis` counted from the front; nullopt outside [-rank, rank).
std::optional<int64_t> normalizeAxis(int64_t axis, int64_t rank);

/// Common shape under NumPy broadcasting; nullopt if the shapes contradict. An
/// unknown dimension combined with one that is not 1 gives the latter.
std::optional<Dims> broadcastShapes(llvm::ArrayRef<int64_t> a,
                                    llvm::ArrayRef<int64_t> b);

/// Row-major strides in elements of a static shape.
Dims rowMajorStrides(llvm::ArrayRef<int64_t> shape);

/// One axis of a Slice: elements start, start + step, ... (`count` of them).
struct SliceBounds {
  int64_t start = 0, step = 1, count = 0;
};

/// ONNX rules for an axis of known size `dim`: negative positions count from
/// the end, positions outside are clamped. `step` is not 0.
SliceBounds clampSlice(int64_t start, int64_t end, int64_t step, int64_t dim);

/// "[2, ?, 3]".
std::string formatShape(llvm::ArrayRef<int64_t> shape);

} // namespace gpucost::onnx

#endif // GPUCOST_LIB_COMPILER_DIALECT_ONNX_INFERENCE_SHAPEARITHMETIC_H
