//===- OuterModule.h - Functions of nested modules --------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Private to gpucost-inline-calls: moves all executed code to one module.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_OUTERMODULE_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_OUTERMODULE_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// If `module` has no function with a body, moves the functions of its only
/// nested module with a body into it. Fails after a diagnostic if there is no
/// such module, or more than one.
mlir::LogicalResult hoistInnerModule(mlir::ModuleOp module);

/// Inlines the bodies of kernels in `gpu.module`s at their launches. A kernel
/// with several blocks is not inlined.
void inlineLaunches(mlir::ModuleOp module);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_STRUCTURE_OUTERMODULE_H
