//===- LastLogits.h - Logits of the last position alone ---------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_SERVE_LASTLOGITS_H
#define GPUCOST_LIB_SERVE_LASTLOGITS_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost {

/// Makes the output projection of an imported `model` read the last position of
/// each sequence alone, as servers do: the slice is a view. False where no
/// product makes the logits.
bool keepLastLogits(mlir::ModuleOp model);

} // namespace gpucost

#endif // GPUCOST_LIB_SERVE_LASTLOGITS_H
