//===- OnnxOps.td - All of onnx, for the dialect generators *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXOPS_TD
