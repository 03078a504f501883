//===- OnnxQuantizedOps.td - Kernels on quantised tensors --*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXQUANTIZEDOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXQUANTIZEDOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// Scale, round, clamp (2).
def Onnx_QuantizeLinearOp
    : Onnx_ElementwiseOp<"QuantizeLinear", "Cast", 4, 0, "nullptr", "inferQuantizeLinear"> {
  let scales = [1, 2];
  let operands = ["X", "Scale?", "ZeroPoint?"];
  let attributes = [
    "axis: int = 1 @13-", "block_size: int = 0 @21-", "output_dtype: int = 0 @21-",
    "precision: int = 0 @23-", "saturate: int = 1 @19-"];
  let opsets = [10, 13, 19, 21, 23, 24, 25, 28];
}
// Subtract the zero point, scale.
def Onnx_DequantizeLinearOp
    : Onnx_ElementwiseOp<"DequantizeLinear", "Cast", 2, 0, "nullptr", "inferDequantizeLinear"> {
  let scales = [1, 2];
  let operands = ["X", "Scale?", "ZeroPoint?"];
  let attributes = ["axis: int = 1 @13-", "block_size: int = 0 @21-", "output_dtype: int = 0 @23-"];
  let opsets = [10, 13, 19, 21, 23, 24, 25, 28];
}
// The largest element of each block, its scale, then as QuantizeLinear; results: the elements
// and the scales of formats with blocks, in training for each order in which matmuls read them.
def Onnx_QuantizeBlocksOp
    : Onnx_ElementwiseOp<"QuantizeBlocks", "Cast", 5, 0, "nullptr", "inferNothing"> {
  let isInternal = 1;
  let maxResults = 4;
  let operands = ["X", "Amax?"];
}
// gpucost-raise-ops splits it: minimum and maximum, then the quantisation.
def Onnx_DynamicQuantizeLinearOp : Onnx_LibraryOp<"DynamicQuantizeLinear",
    "inferDynamicQuantizeLinear", "dynamicQuantizeWork",
    "minimum and maximum (2), then QuantizeLinear (4) per element", "Cast", 6> {
  let maxResults = 3;
  let operands = ["X"];
  let opsets = [11];
}
def Onnx_MatMulIntegerOp : Onnx_ContractionOp<"MatMulInteger", "inferMatMulInteger"> {
  let scales = [2, 3];
  let autocast = "LowerData";
  let operands = ["A", "B", "AZeroPoint?", "BZeroPoint?"];
  let opsets = [10];
}
def Onnx_QLinearMatMulOp : Onnx_ContractionOp<"QLinearMatMul", "inferQLinearMatMul"> {
  let scales = [1, 2, 4, 5, 6, 7];
  let autocast = "LowerData";
  let operands = ["A", "AScale", "AZeroPoint", "B", "BScale", "BZeroPoint", "YScale", "YZeroPoint"];
  let weight = 3;
  let opsets = [10, 21];
}
def Onnx_ConvIntegerOp : Onnx_ConvolutionOp<"ConvInteger", "inferConvInteger"> {
  let scales = [2, 3];
  let autocast = "LowerData";
  let operands = ["X", "Weight", "XZeroPoint?", "WeightZeroPoint?"];
  let attributes = [
    "auto_pad: string = NOTSET", "dilations: ints", "group: int = 1", "kernel_shape: ints",
    "pads: ints", "strides: ints"];
  let opsets = [10];
}
def Onnx_QLinearConvOp : Onnx_ConvolutionOp<"QLinearConv", "inferQLinearConv"> {
  let scales = [1, 2, 4, 5, 6, 7];
  let autocast = "LowerData";
  let work = "quantizedConvWork";
  let operands = ["X", "XScale", "XZeroPoint", "Weight", "WeightScale", "WeightZeroPoint",
      "YScale", "YZeroPoint", "Bias?"];
  let attributes = [
    "auto_pad: string = NOTSET", "channels_last: int = 0", "dilations: ints", "group: int = 1",
    "kernel_shape: ints", "pads: ints", "strides: ints"];
  let weight = 3;
  let opsets = [10];
}
// com.microsoft; two operands dequantised (4), the op, the result quantised (2).
def Onnx_QLinearAddOp
    : Onnx_ElementwiseOp<"QLinearAdd", "Add", 7, 0, "nullptr", "inferQLinearBinary"> {
  let scales = [1, 2, 4, 5, 6, 7];
}
def Onnx_QLinearMulOp
    : Onnx_ElementwiseOp<"QLinearMul", "Mul", 7, 0, "nullptr", "inferQLinearBinary"> {
  let scales = [1, 2, 4, 5, 6, 7];
}
def Onnx_QLinearWhereOp
    : Onnx_ElementwiseOp<"QLinearWhere", "Where", 7, 0, "nullptr", "inferQLinearWhere">;
def Onnx_QLinearSigmoidOp : Onnx_ElementwiseOp<"QLinearSigmoid", "Sigmoid", 8, 2, "nullptr",
                                               "inferSameAsFirst">;
def Onnx_QLinearLeakyReluOp : Onnx_ElementwiseOp<"QLinearLeakyRelu", "Relu", 8, 0, "nullptr",
                                                 "inferSameAsFirst"> {
  let attributes = ["alpha: float = 0.01"];
}
def Onnx_QLinearSoftmaxOp : Onnx_RowOp<"QLinearSoftmax", "Softmax", 11, 1> {
  let attributes = ["axis: int = -1", "opset: int !"];
}
def Onnx_QLinearConcatOp : Onnx_MovementOp<"QLinearConcat", "inferQLinearConcat"> {
  let attributes = ["axis: int !"];
}
def Onnx_QLinearAveragePoolOp : Onnx_PoolingOp<"QLinearAveragePool", "inferQLinearPool"> {
  let attributes = [
    "auto_pad: string = NOTSET", "ceil_mode: int = 0", "channels_last: int = 0",
    "count_include_pad: int = 0", "kernel_shape: ints !", "pads: ints", "strides: ints"];
  let maxResults = 1;
}
def Onnx_QLinearGlobalAveragePoolOp
    : Onnx_ReductionOp<"QLinearGlobalAveragePool", 1, 0, "nullptr", "inferQLinearGlobalPool"> {
  let attributes = ["channels_last: int = 0"];
}
def Onnx_QLinearReduceMeanOp
    : Onnx_ReductionOp<"QLinearReduceMean", 1, 0, "nullptr", "inferQLinearReduce"> {
  let attributes = ["axes: ints !", "keepdims: int !"];
}
def Onnx_QGemmOp : Onnx_ContractionOp<"QGemm", "inferQGemm"> {
  let scales = [1, 2, 4, 5, 7, 8];
  let autocast = "LowerData";
  let work = "gemmWork";
  let operands = ["A", "AScale", "AZeroPoint", "B", "BScale", "BZeroPoint", "C?", "YScale?",
      "YZeroPoint?"];
  let attributes = ["alpha: float = 1", "transA: int = 0", "transB: int = 0"];
  let weight = 3;
}
def Onnx_DynamicQuantizeMatMulOp
    : Onnx_ContractionOp<"DynamicQuantizeMatMul", "inferMatMul"> {
  let scales = [2, 3];
  let autocast = "LowerData";
  let operands = ["A", "B", "..."];
}
def Onnx_MatMulIntegerToFloatOp
    : Onnx_ContractionOp<"MatMulIntegerToFloat", "inferMatMulIntegerToFloat"> {
  let scales = [2, 3, 4, 5];
  let autocast = "LowerData";
  let operands = ["A", "B", "..."];
}

def Onnx_MatMulInteger16Op : Onnx_ContractionOp<"MatMulInteger16", "inferMatMulInteger"> {
  let scales = [2, 3];
  let autocast = "LowerData";
  let operands = ["A", "B", "AZeroPoint?", "BZeroPoint?"];
}
// A and B, each with a zero point.
def Onnx_MulIntegerOp
    : Onnx_ElementwiseOp<"MulInteger", "Mul", 3, 0, "nullptr", "inferMulInteger">;
// int8 in the orders of cuBLASLt: scales between the tensors.
def Onnx_QuantizeWithOrderOp
    : Onnx_ElementwiseOp<"QuantizeWithOrder", "Cast", 3, 0, "nullptr", "inferQuantizeWithOrder"> {
  let attributes = ["order_input: int !", "order_output: int !"];
}
def Onnx_DequantizeWithOrderOp
    : Onnx_ElementwiseOp<"DequantizeWithOrder", "Cast", 1, 0, "nullptr",
                         "inferDequantizeWithOrder"> {
  let attributes = ["order_input: int !", "order_output: int !", "to: int !"];
}
def Onnx_QOrderedMatMulOp : Onnx_ContractionOp<"QOrderedMatMul", "inferQOrderedMatMul"> {
  let scales = [1, 3, 4];
  let autocast = "LowerData";
  let operands = ["A", "AScale", "B", "BScale", "YScale", "..."];
  let attributes = ["order_A: int !", "order_B: int !", "order_Y: int !"];
  let weight = 2;
}
def Onnx_QOrderedGeluOp
    : Onnx_ElementwiseOp<"QOrderedGelu", "Gelu", 22, 1, "nullptr", "inferSameAsFirst"> {
  let attributes = ["order_X: int", "order_Y: int"];
}
def Onnx_QOrderedLayerNormalizationOp : Onnx_RowOp<"QOrderedLayerNormalization", "Norm", 12, 0> {
  let attributes = [
    "axis: int = -1", "epsilon: float = 1e-05", "order_X: int = 1", "order_Y: int = 1"];
}
// Three projections, then attention of 4 FLOP per score and channel, 5 and an exponential per score.
def Onnx_QOrderedAttentionOp : Onnx_CountedOp<"QOrderedAttention", "None"> {
  let autocast = "LowerData";
  let operands = [
    "X", "XScale", "QScale", "KScale", "VScale", "QWeight", "KWeight", "VWeight",
    "QWeightScale", "KWeightScale", "VWeightScale", "QBias", "KBias", "VBias", "ScoreScale?",
    "SoftmaxScale?", "ValueScale?", "Mask?", "Past?", "Bias?"];
  let attributes = [
    "num_heads: int !", "order_input: int !", "order_output: int !", "order_weight: int !",
    "qkv_hidden_sizes: ints", "unidirectional: int = 0"];
  let scales = [1, 2, 3, 4, 8, 9, 10, 14, 15, 16];
  let weight = 5;
  let names = [
    "head = H/num_heads",
    "scores = B*num_heads*(S*S - min(max(unidirectional, 0), 1)*((S*S - S)/2))"];
  let shapes = [
    "X: [B, S, D]", "QWeight: [D, H]", "KWeight: [D, H]", "VWeight: [D, H]", "QBias: [H]",
    "KBias: [H]", "VBias: [H]", "ValueScale!:"];
  let results = ["[B, S, H]"];
  let contradictions = ["H - head*num_heads: the hidden size is not a multiple of num_heads"];
  let problem = "matmul: B*S | 3*H | D | 0";
  let tensorCount = "6*B*S*D*H + 4*scores*head";
  let fp32Count = "5*scores";
  let specialCount = "scores";
}
def Onnx_NhwcMaxPoolOp : Onnx_PoolingOp<"NhwcMaxPool", "inferNhwcPool"> {
  let attributes = [
    "auto_pad: string = NOTSET", "ceil_mode: int = 0", "dilations: ints", "kernel_shape: ints !",
    "pads: ints", "strides: ints"];
  let maxResults = 1;
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXQUANTIZEDOPS_TD
