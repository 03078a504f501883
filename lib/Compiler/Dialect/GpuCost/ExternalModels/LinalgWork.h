//===- LinalgWork.h - Work of linalg ops ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Implements WorkOpInterface and the neutral opwork::OpWorkInterface for linalg
// ops: one external model each for all structured ops (generic and named),
// which uses loops, indexing maps and the body but no names. WorkOpInterface
// also has one for softmax, and one for pack and unpack. Counts follow the
// conventions of the onnx dialect.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGWORK_H
#define GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGWORK_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gpucost {

/// Attaches WorkOpInterface to the ops of the linalg dialect as soon as a
/// context loads it; this also loads the gpucost dialect.
void registerLinalgWorkExternalModels(mlir::DialectRegistry &registry);
/// Attaches it to views and copies of tensor, memref and bufferization.
void registerTensorWorkExternalModels(mlir::DialectRegistry &registry);
/// Attaches it to scf and affine loops over scalars.
void registerLoopWorkExternalModels(mlir::DialectRegistry &registry);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGWORK_H
