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
/// scf and affine when a context loads their dialect, which also loads gpucost.
void registerAllWorkModels(mlir::DialectRegistry &registry);

} // namespace gpucost

#endif // GPUCOST_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_WORKMODELS_H
