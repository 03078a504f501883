//===- OuterModule.h - Functions of inner modules ---------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-inline-calls: one module with all that runs.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_OUTERMODULE_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_OUTERMODULE_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Where `module` has no function with a body, takes those of its only inner
/// module that has any. Fails after a diagnostic when there is none, or more
/// than one such module.
mlir::LogicalResult hoistInnerModule(mlir::ModuleOp module);

/// Puts the bodies of kernels of `gpu.module`s where they are launched. A
/// kernel with jumps between its blocks is left where it is.
void inlineLaunches(mlir::ModuleOp module);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_OUTERMODULE_H
