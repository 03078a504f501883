//===- LiftRules.h - Canonical forms of lifted ops --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each rule takes an onnx op and returns whether it changed the block. Ops that
// no longer have users are erased after a pass over the block.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIFTRULES_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIFTRULES_H

#include "Lifting.h"

namespace gpucost::raising {

/// The op changed: the body that it was part of cannot be put back.
inline void detach(mlir::Operation *op) { op->removeAttr(liftedAttrName); }
/// Whether the types of all operands and results are known.
bool hasStaticTensors(mlir::Operation *op);
bool isElementwise(mlir::Operation *op);
inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return mlir::cast<mlir::RankedTensorType>(value.getType());
}

// LiftViews.cpp
bool simplifyReshape(mlir::Operation *op);
bool simplifyTranspose(mlir::Operation *op);
void readBeforeExpand(mlir::Operation *op);
bool dropUnitsOfTranspose(mlir::Operation *op);
bool dropUnitsOfExpand(mlir::Operation *op);
void dropUnitDims(mlir::Operation *op);
bool splitRows(mlir::Operation *op);
bool swapFactors(mlir::Operation *op);
bool readMatrixBeforeExpand(mlir::Operation *op);
bool splitBatch(mlir::Operation *op);
bool sinkReshape(mlir::Operation *op);
/// Sizes of the dimensions that are not 1.
llvm::SmallVector<int64_t> withoutUnits(mlir::Value value);
/// The permutation that swaps the last two dimensions.
llvm::SmallVector<int64_t> swapOfLast(int64_t rank);

// LiftShapes.cpp
mlir::Value createExpand(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, llvm::ArrayRef<int64_t> shape);
/// A tensor of rank 0.
mlir::Value createNumber(mlir::OpBuilder &builder, mlir::Location loc,
                         int64_t number);
bool joinExpands(mlir::Operation *op);
bool reduceBeforeViews(mlir::Operation *op);
bool swapProduct(mlir::Operation *op);

// LiftBounds.cpp
mlir::Value skipReshapes(mlir::Value value);
/// `x` of where(x < 0, x + size, x); null for other values.
mlir::Value unwrapTensor(mlir::Value value, int64_t size);
/// A gather of where(x < 0, x + n, x) along n elements, or of converted
/// positions x, is a gather of x.
bool readFromEnd(mlir::Operation *op);
/// where(0 <= x <= n - 1, gather of x, number) is the gather.
bool dropFillOfGather(mlir::Operation *op);

// LiftGather.cpp
/// The dimension that a gather reads along, and its size; nullopt for other
/// ops.
int64_t findAxis(mlir::Operation *gather);
std::optional<int64_t> findLength(mlir::Operation *op);
/// A gather from a flattened tensor, at sums of positions times strides, reads
/// one dimension after the other.
bool splitPositions(mlir::Operation *op);

// LiftNumbers.cpp
void readNumbers(mlir::Operation *op);
bool foldNumber(mlir::Operation *op);
bool foldSelection(mlir::Operation *op);
bool makeMean(mlir::Operation *op);

// LiftSums.cpp
bool mergeSums(mlir::Operation *op);
bool makeCumSum(mlir::Operation *op);

// LiftImages.cpp
bool absorbBias(mlir::Operation *op);
bool makeAverage(mlir::Operation *op);
bool cropTransposedConv(mlir::Operation *op);
bool dropRowOfConv(mlir::Operation *op);

// LiftFormats.cpp
bool simplifyCast(mlir::Operation *op);
bool sinkCastOfImage(mlir::Operation *op);
bool narrowReduction(mlir::Operation *op);
bool makeDequantize(mlir::Operation *op);
/// Applies `makeDequantize` to all ops of a block of any front end.
void dequantizeInProducts(mlir::Block &block);
bool joinCasts(mlir::Operation *op);
bool sinkCast(mlir::Operation *op);
bool dropDoubles(mlir::Block &block);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIFTRULES_H
