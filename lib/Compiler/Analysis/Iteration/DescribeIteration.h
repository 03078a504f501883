//===- DescribeIteration.h - Describes an iteration -------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_DESCRIBEITERATION_H
#define GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_DESCRIBEITERATION_H

#include "gpucost/Core/Iteration/PreparedModel.h"
#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Fills the fields of `model` that describe its settings: values, bindings,
/// formats, samples and notes.
void describeIteration(mlir::ModuleOp module, PreparedModel &model);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_ANALYSIS_ITERATION_DESCRIBEITERATION_H
