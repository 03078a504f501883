//===- LinalgWork.h - Work of linalg ops ------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes linalg ops know how much work they are: one external model of
// WorkOpInterface for all structured ops (generic and named), which looks at
// loops, indexing maps and body and never at a name, and one each for softmax
// and for pack and unpack. Counts follow the conventions of the onnx dialect.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGWORK_H
#define GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGWORK_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gpucost {

/// Attaches WorkOpInterface to the ops of the linalg dialect as soon as a
/// context loads it; the gpucost dialect is loaded along with it.
void registerLinalgWorkExternalModels(mlir::DialectRegistry &registry);
/// The same for views and copies of tensor, memref and bufferization.
void registerTensorWorkExternalModels(mlir::DialectRegistry &registry);
/// The same for scf and affine loops over scalars.
void registerLoopWorkExternalModels(mlir::DialectRegistry &registry);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGWORK_H
