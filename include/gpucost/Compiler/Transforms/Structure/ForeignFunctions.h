//===- ForeignFunctions.h - Functions of other dialects ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_COMPILER_TRANSFORMS_STRUCTURE_FOREIGNFUNCTIONS_H
#define GPUCOST_COMPILER_TRANSFORMS_STRUCTURE_FOREIGNFUNCTIONS_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Whether `op` is a function of another dialect, with a body, as
/// `adoptForeignFunctions` recognises them.
bool isForeignFunction(mlir::Operation *op);

/// Replaces functions of other dialects with `func.func`: ops with
/// FunctionOpInterface, and unregistered ops in the same form (a name, a
/// `function_type`, one region with these arguments), such as `util.func`.
/// GPU functions stay: a launch runs them.
void adoptForeignFunctions(mlir::ModuleOp module);

} // namespace gpucost

#endif // GPUCOST_COMPILER_TRANSFORMS_STRUCTURE_FOREIGNFUNCTIONS_H
