//===- ScalarInputs.h - Inputs whose values are bound -----------*- C++ -*-===//
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

/// Inputs of one element can be bound by their names; the number of new tokens
/// may be fixed.
void declareInputs(mlir::func::FuncOp func, DimensionBindings &bindings);

/// The values of inputs of one element that are bound.
void setScalars(mlir::func::FuncOp func, const DimensionBindings &bindings,
                onnx::InferenceState &state);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_SCALARINPUTS_H
