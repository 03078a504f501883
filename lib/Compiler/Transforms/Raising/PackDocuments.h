//===- PackDocuments.h - Attention of packed documents ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_PACKDOCUMENTS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_PACKDOCUMENTS_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost::raising {

/// (A16) Marks attention, if there is causal attention only this, with the
/// lengths of packed documents, the value of --packed-lengths. An error if no
/// attention is one kernel.
mlir::LogicalResult packDocuments(mlir::ModuleOp module, llvm::StringRef text);

} // namespace gpucost::raising

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_RAISING_PACKDOCUMENTS_H
