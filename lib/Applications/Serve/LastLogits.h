//===- LastLogits.h - Logits of only the last position ----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_APPLICATIONS_SERVE_LASTLOGITS_H
#define GPUCOST_LIB_APPLICATIONS_SERVE_LASTLOGITS_H

#include "mlir/IR/BuiltinOps.h"

namespace gpucost::serve {

/// Restricts the output projection of an imported `model` to the last position
/// of each sequence, as in servers; the slice is a view. Returns false if no
/// matmul computes the logits.
bool keepLastLogits(mlir::ModuleOp model);

} // namespace gpucost::serve

#endif // GPUCOST_LIB_APPLICATIONS_SERVE_LASTLOGITS_H
