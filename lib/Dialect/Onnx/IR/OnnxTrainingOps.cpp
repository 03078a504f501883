//===- OnnxTrainingOps.cpp - Op classes: training --------------------------===//
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
#include "gpucost/Dialect/Onnx/IR/OnnxTrainingOps.h.inc"

#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxTrainingOps.cpp.inc"

void OnnxDialect::registerTrainingOps() {
  addOperations<
#define GET_OP_LIST
#include "gpucost/Dialect/Onnx/IR/OnnxTrainingOps.cpp.inc"
      >();
}
