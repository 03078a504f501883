//===- OnnxContractionOps.td - Matrix products and convolutions *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONTRACTIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONTRACTIONOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_MatMulOp : Onnx_ContractionOp<"MatMul", "inferMatMul"> { let grad = "gradMatMul"; }
def Onnx_GemmOp : Onnx_ContractionOp<"Gemm", "inferGemm"> { let grad = "gradGemm"; }
def Onnx_EinsumOp : Onnx_ContractionOp<"Einsum", "inferEinsum"> { let grad = "gradEinsum"; }
// com.microsoft
def Onnx_FusedMatMulOp : Onnx_ContractionOp<"FusedMatMul", "inferFusedMatMul"> {
  let grad = "gradMatMul";
}
def Onnx_FusedGemmOp : Onnx_ContractionOp<"FusedGemm", "inferGemm">;
def Onnx_GemmFastGeluOp : Onnx_ContractionOp<"GemmFastGelu", "inferMatMul">;
def Onnx_ConvOp : Onnx_ConvolutionOp<"Conv", "inferConv"> { let grad = "gradConv"; }
def Onnx_FusedConvOp : Onnx_ConvolutionOp<"FusedConv", "inferConv">;
def Onnx_NhwcFusedConvOp : Onnx_ConvolutionOp<"NhwcFusedConv", "inferNhwcConv">;
def Onnx_NhwcConvOp : Onnx_ConvolutionOp<"NhwcConv", "inferNhwcConv">;
def Onnx_ConvTransposeOp : Onnx_ConvolutionOp<"ConvTranspose", "inferConvTranspose"> {
  let grad = "gradConv";
}
def Onnx_DeformConvOp : Onnx_ConvolutionOp<"DeformConv", "inferDeformConv"> {
  let grad = "gradDeformConv";
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONTRACTIONOPS_TD
