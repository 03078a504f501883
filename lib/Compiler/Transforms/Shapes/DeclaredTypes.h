//===- DeclaredTypes.h - Types that a file declares for results -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-fix-shapes: value_info and graph outputs of a file are
// hints for types that cannot be inferred.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DECLAREDTYPES_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DECLAREDTYPES_H

#include "DimensionBindings.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {

/// Substitutes the values of symbols in the declared types of `func`.
void bindDeclaredTypes(mlir::func::FuncOp func,
                       const DimensionBindings &bindings);

/// Emits one warning for all results with a different declared shape.
void reportContradictedTypes(mlir::func::FuncOp func);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_DECLAREDTYPES_H
