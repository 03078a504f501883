//===- WorkModels.h - Work of ops of other dialects -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_WORKMODELS_H
#define GPUCOST_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_WORKMODELS_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace gpucost {

/// Attaches WorkOpInterface to ops of linalg, tensor, memref, bufferization,
/// scf and affine as soon as a context loads their dialect; the gpucost dialect
/// is loaded along with it.
void registerAllWorkModels(mlir::DialectRegistry &registry);

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_WORKMODELS_H
