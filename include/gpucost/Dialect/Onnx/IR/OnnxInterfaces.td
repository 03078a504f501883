//===- OnnxInterfaces.td - Type inference of onnx ops *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXINTERFACES_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXINTERFACES_TD

include "mlir/IR/OpBase.td"

def OnnxOpInterface : OpInterface<"OnnxOpInterface"> {
  let cppNamespace = "::gpucost::onnx";
  let description = [{
    Result types, and where the result is a small tensor that shapes depend on,
    its value, from the operand types and known values.
  }];
  let methods = [
    InterfaceMethod<[{
      Sets the result types and known values on `context`. Failure after a
      diagnostic when operands contradict each other; success with results left
      unknown when they cannot be told.
    }], "::mlir::LogicalResult", "inferTypes",
        (ins "::gpucost::onnx::InferenceContext &":$context)>,
    StaticInterfaceMethod<[{
      How many results the operator has at most; -1 for any number. A file whose
      node has more does not mean this operator.
    }], "int64_t", "getMaxResults">,
    InterfaceMethod<"What autocast does with the op.",
        "::gpucost::AutocastPolicy", "getAutocastPolicy">
  ];
  let verify = [{
    return ::gpucost::onnx::verifyResultCount($_op, ConcreteOp::getMaxResults());
  }];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXINTERFACES_TD
