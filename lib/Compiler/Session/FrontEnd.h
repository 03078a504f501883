//===- FrontEnd.h - Who wrote a module --------------------------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_SESSION_FRONTEND_H
#define GPUCOST_LIB_COMPILER_SESSION_FRONTEND_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// States the runtime that fits the front end of an MLIR module, unless the
/// module states one: modules with linalg or TOSA ops on tensors are compiled.
/// Names the front end in `gpucost.front_end`, for a note in the report.
void chooseRuntime(mlir::ModuleOp module);

/// Registers the syntax in which torch-mlir prints the dialect `tm_tensor`; its
/// ops stay unregistered.
void registerForeignSyntax(mlir::DialectRegistry &registry);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_SESSION_FRONTEND_H
