//===- MalformedOps.h - Ops without required operands -----------*- C++ -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assembly may contain an `onnx.And` with one operand. Passes read required
// operands without checks, so such an op is replaced first.
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_MALFORMEDOPS_H
#define GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_MALFORMEDOPS_H

#include "mlir/IR/Operation.h"

namespace gpucost {

/// Replaces each malformed onnx op in `root` with `onnx.Custom`, after a
/// warning with the reason. All other ops are unchanged.
void replaceMalformedOps(mlir::Operation *root);

} // namespace gpucost

#endif // GPUCOST_LIB_COMPILER_TRANSFORMS_SHAPES_MALFORMEDOPS_H
