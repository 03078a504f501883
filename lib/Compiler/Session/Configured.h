//===- Configured.h - Models from a configuration ------------- -*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_SESSION_CONFIGURED_H
#define GPUCOST_LIB_COMPILER_SESSION_CONFIGURED_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace gpucost {

/// The module of a configuration, with the storage formats that it states as
/// settings. Null after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp>
loadConfiguration(mlir::MLIRContext &context, llvm::Expected<std::string> json,
                  llvm::StringRef name, bool keepOrigins);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_SESSION_CONFIGURED_H
