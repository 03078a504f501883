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
bool dropUnitsOfExpand(mlir::Operation *op);
void dropUnitDims(mlir::Operation *op);
bool splitRows(mlir::Operation *op);
bool swapFactors(mlir::Operation *op);
bool readMatrixBeforeExpand(mlir::Operation *op);
bool splitBatch(mlir::Operation *op);
bool sinkReshape(mlir::Operation *op);

// LiftNumbers.cpp
bool mergeSums(mlir::Operation *op);
bool foldNumber(mlir::Operation *op);
bool foldSelection(mlir::Operation *op);
bool makeAverage(mlir::Operation *op);
bool makeMean(mlir::Operation *op);

// LiftFormats.cpp
bool simplifyCast(mlir::Operation *op);
bool sinkCastOfImage(mlir::Operation *op);
bool makeDequantize(mlir::Operation *op);
/// Applies `makeDequantize` to all ops of a block of any front end.
void dequantizeInProducts(mlir::Block &block);
bool joinCasts(mlir::Operation *op);
bool sinkCast(mlir::Operation *op);
bool dropDoubles(mlir::Block &block);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_LIFTRULES_H
