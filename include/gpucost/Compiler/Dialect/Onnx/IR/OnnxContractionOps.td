//===- OnnxContractionOps.td - Matmuls and convolutions ----*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONTRACTIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONTRACTIONOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

def Onnx_MatMulOp : Onnx_ContractionOp<"MatMul", "inferMatMul"> {
  let grad = "gradMatMul";
  let operands = ["A", "B"];
  let opsets = [1, 9, 13];
}
def Onnx_GemmOp : Onnx_ContractionOp<"Gemm", "inferGemm"> {
  let grad = "gradGemm";
  let work = "gemmWork";
  let operands = ["A", "B", "C?"];
  let attributes = [
    "alpha: float = 1", "beta: float = 1", "broadcast: int = 0 @1-6", "transA: int = 0",
    "transB: int = 0"];
  let opsets = [1, 6, 7, 9, 11, 13];
}
def Onnx_EinsumOp : Onnx_ContractionOp<"Einsum", "inferEinsum"> {
  let operands = ["A", "B?", "..."];
  let attributes = ["equation: string !"];
  let grad = "gradEinsum";
  let work = "einsumWork";
  let opsets = [12, 28];
}
// com.microsoft
def Onnx_FusedMatMulOp : Onnx_ContractionOp<"FusedMatMul", "inferFusedMatMul"> {
  let grad = "gradMatMul";
  let operands = ["A", "B"];
  let attributes = [
    "alpha: float = 1", "transA: int = 0", "transB: int = 0", "transBatchA: int = 0",
    "transBatchB: int = 0"];
}
def Onnx_FusedGemmOp : Onnx_ContractionOp<"FusedGemm", "inferGemm"> {
  let work = "gemmWork";
  let operands = ["A", "B", "C?"];
  let attributes = [
    "activation: string", "activation_alpha: float", "activation_beta: float",
    "activation_gamma: float", "alpha: float = 1", "beta: float = 1", "transA: int = 0",
    "transB: int = 0"];
}
def Onnx_GemmFastGeluOp : Onnx_ContractionOp<"GemmFastGelu", "inferMatMul"> {
  let operands = ["A", "B", "Bias?"];
}
def Onnx_ConvOp : Onnx_ConvolutionOp<"Conv", "inferConv"> {
  let grad = "gradConv";
  let operands = ["X", "Weight", "Bias?"];
  let attributes = [
    "auto_pad: string = NOTSET", "dilations: ints", "group: int = 1", "kernel_shape: ints",
    "pads: ints", "strides: ints"];
  let opsets = [1, 11, 22];
}
def Onnx_FusedConvOp : Onnx_ConvolutionOp<"FusedConv", "inferConv"> {
  let operands = ["X", "Weight", "Bias?", "Z?"];
  let attributes = [
    "activation: string", "activation_params: floats", "auto_pad: string = NOTSET",
    "dilations: ints", "group: int = 1", "kernel_shape: ints", "pads: ints", "strides: ints"];
}
def Onnx_NhwcFusedConvOp : Onnx_ConvolutionOp<"NhwcFusedConv", "inferNhwcConv"> {
  let work = "nhwcConvWork";
  let operands = ["X", "Weight", "Bias?", "Z?"];
  let attributes = [
    "activation: string", "activation_params: floats", "auto_pad: string = NOTSET",
    "dilations: ints", "group: int = 1", "kernel_shape: ints", "pads: ints", "strides: ints"];
}
def Onnx_NhwcConvOp : Onnx_ConvolutionOp<"NhwcConv", "inferNhwcConv"> {
  let work = "nhwcConvWork";
  let operands = ["X", "Weight", "Bias?"];
  let attributes = [
    "auto_pad: string = NOTSET", "dilations: ints", "group: int = 1", "kernel_shape: ints",
    "pads: ints", "strides: ints"];
}
def Onnx_ConvTransposeOp : Onnx_ConvolutionOp<"ConvTranspose", "inferConvTranspose"> {
  let grad = "gradConvTranspose";
  let work = "transposedConvWork";
  let operands = ["X", "Weight", "Bias?"];
  let attributes = [
    "auto_pad: string = NOTSET", "dilations: ints", "group: int = 1", "kernel_shape: ints",
    "output_padding: ints", "output_shape: ints", "pads: ints", "strides: ints"];
  let opsets = [1, 11, 22];
}
// com.microsoft
def Onnx_ConvTransposeWithDynamicPadsOp
    : Onnx_ConvolutionOp<"ConvTransposeWithDynamicPads", "inferConvTranspose"> {
  let work = "transposedConvWork";
  let operands = ["X", "Weight", "Pads?", "Bias?"];
  let attributes = [
    "auto_pad: string = NOTSET", "dilations: ints", "group: int = 1", "kernel_shape: ints",
    "output_padding: ints", "strides: ints"];
}
def Onnx_DeformConvOp : Onnx_ConvolutionOp<"DeformConv", "inferConv"> {
  let grad = "gradDeformConv";
  let work = "deformConvWork";
  let operands = ["X", "Weight", "Offsets", "Bias?", "Mask?"];
  let attributes = [
    "dilations: ints", "group: int = 1", "kernel_shape: ints", "offset_group: int = 1",
    "pads: ints", "strides: ints"];
  let opsets = [19, 22];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONTRACTIONOPS_TD
