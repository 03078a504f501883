//===- OnnxIntegerOps.td - Ops of integer-only models ------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXINTEGEROPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXINTEGEROPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// Counted per element like their floating-point counterparts; integer
// operations are not FLOPs. Their projects do not publish schemas, so any
// attributes are allowed.
let attributes = ["..."] in {
def Onnx_RequantShiftOp
    : Onnx_ElementwiseOp<"RequantShift", "BatchNorm", 4, 0, "nullptr", "inferSameAsFirst">;
def Onnx_TrueIntegerDivOp : Onnx_ElementwiseOp<"TrueIntegerDiv", "Div", 2>;
def Onnx_IntegerMeanOp : Onnx_ReductionOp<"IntegerMean"> {
  let attributes = ["axes: ints", "keepdims: int = 1", "..."];
}
def Onnx_iSoftmaxOp : Onnx_RowOp<"iSoftmax", "Softmax", 5, 1>;
def Onnx_ITAMaxOp : Onnx_RowOp<"ITAMax", "Softmax", 5, 1>;
def Onnx_ITAPartialMaxOp : Onnx_RowOp<"ITAPartialMax", "Softmax", 5, 1>;
def Onnx_iLayerNormOp : Onnx_RowOp<"iLayerNorm", "Norm", 8, 0>;
def Onnx_iRMSNormOp : Onnx_RowOp<"iRMSNorm", "Norm", 4, 0>;
def Onnx_RMSNormOp : Onnx_RowOp<"RMSNorm", "Norm", 4, 0> { let grad = "gradLayerNorm"; }
def Onnx_iNoNormOp
    : Onnx_ElementwiseOp<"iNoNorm", "BatchNorm", 2, 0, "nullptr", "inferSameAsFirst">;
def Onnx_iGELUOp : Onnx_ElementwiseOp<"iGELU", "Gelu", 20, 1, "nullptr", "inferSameAsFirst">;
def Onnx_iHardswishOp
    : Onnx_ElementwiseOp<"iHardswish", "Relu", 5, 0, "nullptr", "inferSameAsFirst">;
def Onnx_iLeakyReLUOp
    : Onnx_ElementwiseOp<"iLeakyReLU", "Relu", 2, 0, "nullptr", "inferSameAsFirst">;
def Onnx_DynamicScaleOp : Onnx_OpaqueOp<"DynamicScale", "inferNothing"> { let maxResults = -1; }
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXINTEGEROPS_TD
