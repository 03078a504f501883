//===- OnnxContribOps.td - Fused ops of com.microsoft ------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// tanh form: x^3 (2), inner sum and scale (3), tanh (4, 2), outer product (3).
def Onnx_FastGeluOp : Onnx_ElementwiseOp<"FastGelu", "Gelu", 12, 2> {
  let grad = "gradFromInput";
  let gradientOp = "FastGeluGrad";
}
def Onnx_QuickGeluOp : Onnx_ElementwiseOp<"QuickGelu", "Silu", 4, 2> {
  let attributes = ["alpha: float = 1.702"];
  let grad = "gradFromInput";
  let gradientOp = "QuickGeluGrad";
}
def Onnx_BiasGeluOp : Onnx_ElementwiseOp<"BiasGelu", "Gelu", 21, 1>;
def Onnx_BiasSplitGeluOp
    : Onnx_ElementwiseOp<"BiasSplitGelu", "Gelu", 22, 1, "nullptr", "inferBiasSplitGelu">;
def Onnx_BiasDropoutOp
    : Onnx_ElementwiseOp<"BiasDropout", "Dropout", 3, 0, "nullptr", "inferDropout"> {
  let attributes = ["seed: int"];
  let maxResults = 2;
}
def Onnx_BitmaskDropoutOp
    : Onnx_ElementwiseOp<"BitmaskDropout", "Dropout", 2, 0, "nullptr", "inferSameAsFirst"> {
  let attributes = ["seed: int"];
  let maxResults = 2;
}
def Onnx_SimplifiedLayerNormalizationOp
    : Onnx_RowOp<"SimplifiedLayerNormalization", "Norm", 4, 0, "inferLayerNorm"> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
  let maxResults = 3;
  let operands = ["X", "Scale?"];
  let attributes = ["axis: int = -1", "epsilon: float = 1e-05", "stash_type: int = 1"];
}
// The sum with the skip input (1) comes first.
def Onnx_SkipLayerNormalizationOp
    : Onnx_RowOp<"SkipLayerNormalization", "Norm", 9, 0, "inferSkipLayerNorm"> {
  let attributes = ["epsilon: float = 1e-12"];
  let maxResults = 4;
}
def Onnx_SkipSimplifiedLayerNormalizationOp
    : Onnx_RowOp<"SkipSimplifiedLayerNormalization", "Norm", 5, 0, "inferSkipLayerNorm"> {
  let attributes = ["epsilon: float = 1e-12"];
  let maxResults = 4;
}
def Onnx_EmbedLayerNormalizationOp
    : Onnx_LibraryOp<"EmbedLayerNormalization", "inferEmbedLayerNorm", "embedNormWork",
          "10 per result; reads the gathered rows of the tables", "Norm", 10> {
  let attributes = ["epsilon: float = 1e-12", "mask_index_type: int"];
  let maxResults = 3;
}
def Onnx_GroupNormOp : Onnx_RowOp<"GroupNorm", "Norm", 8, 0> {
  let attributes = [
    "activation: int !", "channels_last: int = 1", "epsilon: float = 1e-05", "groups: int !"];
  let grad = "gradLayerNorm";
  let autocast = "Single";
}
// Results: Y, and the sum before normalization.
def Onnx_SkipGroupNormOp
    : Onnx_RowOp<"SkipGroupNorm", "Norm", 9, 0, "inferSkipGroupNorm"> {
  let attributes = [
    "activation: int !", "channels_last: int = 1", "epsilon: float = 1e-05", "groups: int !"];
  let maxResults = 2;
}
def Onnx_BitmaskBiasDropoutOp
    : Onnx_ElementwiseOp<"BitmaskBiasDropout", "Dropout", 3, 0, "nullptr", "inferSameAsFirst"> {
  let attributes = ["seed: int"];
  let maxResults = 2;
}
// Sets the logits of tokens that would repeat an n-gram to -infinity.
def Onnx_NGramRepeatBlockOp
    : Onnx_ElementwiseOp<"NGramRepeatBlock", "Where", 1, 0, "nullptr", "inferLikeSecond"> {
  let attributes = ["ngram_size: int !"];
}
def Onnx_ExpandDimsOp : Onnx_ViewOp<"ExpandDims", "inferUnsqueeze"> { let grad = "gradReshape"; }
def Onnx_TorchEmbeddingOp : Onnx_GatherOp<"TorchEmbedding", "inferGather"> {
  let grad = "gradGather";
  let operands = ["Data", "Indices", "..."];
}
// Experimental ops of opset 1 to 9.
def Onnx_ScaledTanhOp : Onnx_ElementwiseOp<"ScaledTanh", "Tanh", 6, 2> {
  let attributes = ["alpha: float", "beta: float"];
}
def Onnx_ParametricSoftplusOp : Onnx_ElementwiseOp<"ParametricSoftplus", "Log", 5, 2> {
  let attributes = ["alpha: float", "beta: float"];
}
def Onnx_ScaleOp : Onnx_ElementwiseOp<"Scale", "Mul"> {
  let attributes = ["scale: float = 1"];
}
def Onnx_ConstantFillOp : Onnx_MovementOp<"ConstantFill", "inferConstantFill"> {
  let operands = ["..."];
  let attributes = [
    "dtype: int = 1", "extra_shape: ints", "input_as_shape: int = 0", "shape: ints",
    "value: float = 0"];
}
def Onnx_ImageScalerOp
    : Onnx_ElementwiseOp<"ImageScaler", "BatchNorm", 2, 0, "nullptr", "inferSameAsFirst"> {
  let attributes = ["bias: floats", "scale: float = 1"];
}
def Onnx_AffineOp
    : Onnx_ElementwiseOp<"Affine", "BatchNorm", 2, 0, "nullptr", "inferSameAsFirst"> {
  let attributes = ["alpha: float = 1", "beta: float = 0"];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBOPS_TD
