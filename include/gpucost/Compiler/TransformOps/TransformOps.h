//===- TransformOps.h - Costs in transform scripts --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Transform ops that query CostAnalysis; TransformOps.td documents them.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMOPS_TRANSFORMOPS_H
#define GPUCOST_COMPILER_TRANSFORMOPS_TRANSFORMOPS_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Dialect/Transform/IR/TransformTypes.h"
#include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.h"
#include "mlir/IR/OpDefinition.h"

#define GET_OP_CLASSES
#include "gpucost/Compiler/TransformOps/TransformOps.h.inc"

namespace gpucost {

/// Adds the ops to the transform dialect, once it is loaded.
void registerTransformOps(mlir::DialectRegistry &registry);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMOPS_TRANSFORMOPS_H
