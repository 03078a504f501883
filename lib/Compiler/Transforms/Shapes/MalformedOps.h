//===- MalformedOps.h - Ops that lack what their operator has ---*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Text may hold an `onnx.And` with one operand. Passes read the operands that
// an operator requires without asking, so such an op is set apart first.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_MALFORMEDOPS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_MALFORMEDOPS_H

#include "mlir/IR/Operation.h"

namespace gpucost {

/// Replaces each malformed onnx op inside of `root` by `onnx.Custom`, after a
/// warning that says what is wrong with it. All other ops stay as they are.
void replaceMalformedOps(mlir::Operation *root);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_MALFORMEDOPS_H
