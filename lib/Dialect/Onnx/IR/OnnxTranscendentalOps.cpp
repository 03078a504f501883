//===- OnnxTranscendentalOps.cpp - Op classes: transcendental -------------===//
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
#include "gpucost/Dialect/Onnx/IR/OnnxTranscendentalOps.h.inc"

#define GET_OP_CLASSES
#include "gpucost/Dialect/Onnx/IR/OnnxTranscendentalOps.cpp.inc"

void OnnxDialect::registerTranscendentalOps() {
  addOperations<
#define GET_OP_LIST
#include "gpucost/Dialect/Onnx/IR/OnnxTranscendentalOps.cpp.inc"
      >();
}
