//===- ParseMlir.h - MLIR that this version may not know --------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_SESSION_PARSEMLIR_H
#define GPUCOST_LIB_COMPILER_SESSION_PARSEMLIR_H

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace gpucost {

inline constexpr llvm::StringLiteral bytecodeMagic = "ML\xefR";

/// Whether a file begins like MLIR bytecode.
bool isBytecode(llvm::StringRef contents);

/// Parses MLIR assembly or bytecode. One message says how to get a readable
/// file if the input has the syntax of an unknown dialect or is bytecode of a
/// newer MLIR. Null after a diagnostic.
mlir::OwningOpRef<mlir::ModuleOp> parseMlir(mlir::MLIRContext &context,
                                            llvm::StringRef contents,
                                            llvm::StringRef name);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_SESSION_PARSEMLIR_H
