//===- ScalarInputs.h - Inputs with bound values ----------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-fix-shapes: flags (use_cache_branch) and numbers that are
// inputs of a file can be bound like dimensions.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_SCALARINPUTS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_SCALARINPUTS_H

#include "DimensionBindings.h"
#include "gpucost/Compiler/Dialect/Onnx/Inference/InferenceContext.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace gpucost {

/// Declares inputs with one element, which can be bound by their names, and a
/// fixed number of new tokens.
void declareInputs(mlir::func::FuncOp func, DimensionBindings &bindings);

/// Sets the values of bound inputs with one element.
void setScalars(mlir::func::FuncOp func, const DimensionBindings &bindings,
                onnx::InferenceState &state);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_SCALARINPUTS_H
