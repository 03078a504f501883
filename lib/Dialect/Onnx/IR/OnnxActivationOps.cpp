//===- OnnxActivationOps.cpp - Op classes: activation ---------------------===//
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
#include "gpucost/Dialect/Onnx/IR/OnnxActivationOps.h.inc"

#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxActivationOps.cpp.inc"

void OnnxDialect::registerActivationOps() {
  addOperations<
#define GET_OP_LIST
#include "gpucost/Dialect/Onnx/IR/OnnxActivationOps.cpp.inc"
      >();
}
