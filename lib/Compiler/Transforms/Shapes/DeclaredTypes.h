//===- DeclaredTypes.h - Types that a file declares for results -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-fix-shapes: value_info and graph outputs of a file are
// hints where inference knows nothing.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DECLAREDTYPES_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DECLAREDTYPES_H

#include "DimensionBindings.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {

/// Puts the values of symbols into the declared types of `func`.
void bindDeclaredTypes(mlir::func::FuncOp func,
                       const DimensionBindings &bindings);

/// One warning for all results whose inferred shape is not the declared one.
void reportContradictedTypes(mlir::func::FuncOp func);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DECLAREDTYPES_H
