//===- OnnxControlOps.cpp - Op classes: control flow, sequences ---------===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inference.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace gpucost::onnx;

#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxControlOps.h.inc"

#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxControlOps.cpp.inc"

void OnnxDialect::registerControlOps() {
  addOperations<
#define GET_OP_LIST
#include "gpucost/Dialect/Onnx/IR/OnnxControlOps.cpp.inc"
      >();
}
