//===- OnnxContractionOps.td - Matrix products and convolutions *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONTRACTIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONTRACTIONOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_MatMulOp : Onnx_ContractionOp<"MatMul", "inferMatMul"> {
  let grad = "gradMatMul";
  let operands = ["A", "B"];
  let opsets = [1, 9, 13];
}
def Onnx_GemmOp : Onnx_ContractionOp<"Gemm", "inferGemm"> {
  let grad = "gradGemm";
  let work = "gemmWork";
  let operands = ["A", "B", "C?"];
  let opsets = [1, 6, 7, 9, 11, 13];
}
def Onnx_EinsumOp : Onnx_ContractionOp<"Einsum", "inferEinsum"> {
  let operands = ["A", "B?", "..."];
  let grad = "gradEinsum";
  let work = "einsumWork";
  let opsets = [12, 28];
}
// com.microsoft
def Onnx_FusedMatMulOp : Onnx_ContractionOp<"FusedMatMul", "inferFusedMatMul"> {
  let grad = "gradMatMul";
  let operands = ["A", "B"];
}
def Onnx_FusedGemmOp : Onnx_ContractionOp<"FusedGemm", "inferGemm"> {
  let work = "gemmWork";
  let operands = ["A", "B", "C?"];
}
def Onnx_GemmFastGeluOp : Onnx_ContractionOp<"GemmFastGelu", "inferMatMul"> {
  let operands = ["A", "B", "Bias?"];
}
def Onnx_ConvOp : Onnx_ConvolutionOp<"Conv", "inferConv"> {
  let grad = "gradConv";
  let operands = ["X", "Weight", "Bias?"];
  let opsets = [1, 11, 22];
}
def Onnx_FusedConvOp : Onnx_ConvolutionOp<"FusedConv", "inferConv"> {
  let operands = ["X", "Weight", "Bias?", "Z?"];
}
def Onnx_NhwcFusedConvOp : Onnx_ConvolutionOp<"NhwcFusedConv", "inferNhwcConv"> {
  let work = "nhwcConvWork";
  let operands = ["X", "Weight", "Bias?", "Z?"];
}
def Onnx_NhwcConvOp : Onnx_ConvolutionOp<"NhwcConv", "inferNhwcConv"> {
  let work = "nhwcConvWork";
  let operands = ["X", "Weight", "Bias?"];
}
def Onnx_ConvTransposeOp : Onnx_ConvolutionOp<"ConvTranspose", "inferConvTranspose"> {
  let grad = "gradConvTranspose";
  let work = "transposedConvWork";
  let operands = ["X", "Weight", "Bias?"];
  let opsets = [1, 11, 22];
}
def Onnx_DeformConvOp : Onnx_ConvolutionOp<"DeformConv", "inferDeformConv"> {
  let grad = "gradDeformConv";
  let work = "deformConvWork";
  let operands = ["X", "Weight", "Offsets", "Bias?", "Mask?"];
  let opsets = [19, 22];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONTRACTIONOPS_TD
