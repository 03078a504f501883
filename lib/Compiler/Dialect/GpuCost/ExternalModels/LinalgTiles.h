//===- LinalgTiles.h - Work of a tile of a structured op --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGTILES_H
#define GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGTILES_H

#include "gpucost/Compiler/OpWork/OpWork.h"
#include "mlir/Dialect/Linalg/IR/LinalgInterfaces.h"

namespace gpucost {

/// Implements OpWorkInterface::getTileWork.
mlir::FailureOr<opwork::Work>
computeTileWork(mlir::linalg::LinalgOp op,
                llvm::ArrayRef<mlir::OpFoldResult> offsets,
                llvm::ArrayRef<mlir::OpFoldResult> sizes);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_DIALECT_GPUCOST_EXTERNALMODELS_LINALGTILES_H
