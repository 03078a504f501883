//===- OnnxGradientOps.td - Training graph ops -------------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXGRADIENTOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXGRADIENTOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

class Onnx_GradientLikeOp<string name, string instrClass, int fp32 = 1, int sfu = 0>
    : Onnx_ElementwiseOp<name, instrClass, fp32, sfu, "nullptr", "inferSameAsFirst">;

def Onnx_BitmaskDropoutGradOp : Onnx_GradientLikeOp<"BitmaskDropoutGrad", "Mul", 2> {
  let attributes = ["..."];
  let stage = "Backward";
}
def Onnx_EluGradOp : Onnx_GradientLikeOp<"EluGrad", "Exp", 3, 1> {
  let attributes = ["alpha: float = 1", "..."];
  let stage = "Backward";
}
def Onnx_HardSigmoidGradOp : Onnx_GradientLikeOp<"HardSigmoidGrad", "Relu", 3> {
  let attributes = ["alpha: float = 0.2", "beta: float = 0.5", "..."];
  let stage = "Backward";
}
def Onnx_FakeQuantGradOp : Onnx_GradientLikeOp<"FakeQuantGrad", "Mul"> { let stage = "Backward"; }
// Scale, round, clamp, scale back; and a mask of the clamped elements.
def Onnx_FakeQuantOp
    : Onnx_ElementwiseOp<"FakeQuant", "Cast", 6, 0, "nullptr", "inferDropout"> {
  let attributes = ["quant_max: int = 255", "quant_min: int = 0"];
  let maxResults = 2;
}
def Onnx_ScaledSumOp : Onnx_ElementwiseOp<"ScaledSum", "Add", 3> {
  let attributes = ["scale_0: float !", "scale_1: float !", "scale_2: float"];
}
def Onnx_MixedPrecisionScaleOp
    : Onnx_ElementwiseOp<"MixedPrecisionScale", "Mul", 1, 0, "nullptr", "inferMixedPrecisionScale"> {
  let attributes = ["fuse_outputs: int = 0", "to: int !"];
  let maxResults = -1;
}
def Onnx_GraphYieldOp : Onnx_ViewOp<"YieldOp", "inferPassThrough"> {
  let attributes = ["full_shape_outputs: ints !", "non_differentiable_outputs: ints"];
  let maxResults = -1;
}
def Onnx_PassThroughOp : Onnx_ViewOp<"PassThrough", "inferPassThrough"> { let maxResults = -1; }
def Onnx_SplitTrainingOp : Onnx_ViewOp<"SplitTraining", "inferSplit", "foldSplit"> {
  let attributes = ["axis: int = 0", "..."];
  let maxResults = -1;
}
def Onnx_SoftmaxCrossEntropyLossInternalOp
    : Onnx_OpaqueOp<"SoftmaxCrossEntropyLossInternal", "inferLoss"> {
  let attributes = ["output_type: int", "reduction: string = mean"];
  let isExpanded = 1;
  let autocast = "Single";
  let maxResults = 2;
}
def Onnx_SoftmaxCrossEntropyLossInternalGradOp
    : Onnx_ElementwiseOp<"SoftmaxCrossEntropyLossInternalGrad", "Exp", 3, 1, "nullptr",
                         "inferLikeSecond"> {
  let attributes = ["output_type: int", "reduction: string = mean"];
  let stage = "Backward";
}
def Onnx_MaxPoolGradOp
    : Onnx_ElementwiseOp<"MaxPoolGrad", "Pool", 1, 0, "nullptr", "inferNothing"> {
  let attributes = ["..."];
  let maxResults = -1;
  let stage = "Backward";
}
def Onnx_AveragePoolGradOp
    : Onnx_ElementwiseOp<"AveragePoolGrad", "Pool", 1, 0, "nullptr", "inferNothing"> {
  let attributes = [
    "auto_pad: string = NOTSET", "count_include_pad: int = 0", "kernel_shape: ints !",
    "pads: ints", "strides: ints", "..."];
  let maxResults = -1;
  let stage = "Backward";
}
def Onnx_ResizeGradOp
    : Onnx_ElementwiseOp<"ResizeGrad", "Resize", 8, 0, "nullptr", "inferLikeSecond"> {
  let attributes = ["coordinate_transformation_mode: string = half_pixel", "..."];
  let stage = "Backward";
}
def Onnx_GatherElementsGradOp : Onnx_OpaqueOp<"GatherElementsGrad", "inferSliceGrad"> {
  let attributes = ["axis: int = 0"];
  let stage = "Backward";
}
def Onnx_GatherNDGradOp : Onnx_OpaqueOp<"GatherNDGrad", "inferGatherGrad"> {
  let attributes = ["batch_dims: int = 0"];
  let stage = "Backward";
}
// (buffer, gradient, overwrite) -> flag, buffer.
def Onnx_InPlaceAccumulatorV2Op
    : Onnx_ElementwiseOp<"InPlaceAccumulatorV2", "Add", 1, 0, "nullptr", "inferAccumulator"> {
  let maxResults = 2;
}
def Onnx_SinGradOp : Onnx_GradientLikeOp<"SinGrad", "Trig", 1, 1> {
  let attributes = ["..."];
  let stage = "Backward";
}
def Onnx_AbsGradOp : Onnx_GradientLikeOp<"AbsGrad", "Mul", 2> {
  let attributes = ["..."];
  let stage = "Backward";
}
def Onnx_LogGradOp : Onnx_GradientLikeOp<"LogGrad", "Div"> {
  let attributes = ["..."];
  let stage = "Backward";
}
// (dY, A, B) -> dY / B and -dY * A / B^2.
def Onnx_DivGradOp
    : Onnx_ElementwiseOp<"DivGrad", "Div", 4, 0, "nullptr", "inferBinaryGrad"> {
  let maxResults = 2;
  let stage = "Backward";
}
// (dY, log-probabilities, labels) -> dX.
def Onnx_SparseSoftmaxCrossEntropyGradOp
    : Onnx_ElementwiseOp<"SparseSoftmaxCrossEntropyGrad", "Exp", 3, 1, "nullptr",
                         "inferLikeSecond"> {
  let attributes = ["reduction: string = mean"];
  let stage = "Backward";
}
// Written, never read.
def Onnx_ZeroGradientOp : Onnx_MovementOp<"ZeroGradient", "inferSameAsFirst">;
// Every operand read, one result.
// All tensors in one pass: a test of each element, or its square and the sum.
def Onnx_IsAllFiniteOp : Onnx_CountedOp<"IsAllFinite", "Reduce"> {
  let infer = "inferIsAllFinite";
  let attributes = ["isinf_only: int = 0", "isnan_only: int = 0"];
  let problem = "elements: size.in";
  let fp32Count = "size.in";
}
def Onnx_ReduceAllL2Op : Onnx_CountedOp<"ReduceAllL2", "Reduce"> {
  let infer = "inferReduceAllL2";
  let problem = "elements: size.in";
  let fp32Count = "2*size.in";
  let specialCount = "1";
}
def Onnx_IsFiniteOp
    : Onnx_ElementwiseOp<"IsFinite", "Compare", 1, 0, "nullptr", "inferPredicate">;
def Onnx_InvertibleLayerNormalizationGradOp
    : Onnx_OpaqueOp<"InvertibleLayerNormalizationGrad", "inferNormGrad"> {
  let attributes = ["axis: int = -1", "..."];
  let isExpanded = 1;
  let maxResults = 3;
  let stage = "Backward";
}
def Onnx_ConvTransposeGradOp : Onnx_OpaqueOp<"ConvTransposeGrad", "inferConvTransposeGrad"> {
  let attributes = [
    "auto_pad: string = NOTSET", "dilations: ints", "group: int = 1", "kernel_shape: ints",
    "pads: ints", "strides: ints", "output_padding: ints", "output_shape: ints", "..."];
  let isExpanded = 1;
  let maxResults = 3;
  let stage = "Backward";
}
// (X, W, R, ...) -> dX, dW, dR.
def Onnx_LSTMGradOp : Onnx_OpaqueOp<"LSTMGrad", "inferRecurrentGrad"> {
  let attributes = [
    "activation_alpha: floats", "activation_beta: floats", "activations: strings", "clip: float",
    "direction: string = forward", "hidden_size: int", "input_forget: int = 0"];
  let maxResults = -1;
  let stage = "Backward";
}
def Onnx_GRUGradOp : Onnx_OpaqueOp<"GRUGrad", "inferRecurrentGrad"> {
  let attributes = [
    "activation_alpha: floats", "activation_beta: floats", "activations: strings", "clip: float",
    "direction: string = forward", "hidden_size: int", "linear_before_reset: int = 0"];
  let maxResults = -1;
  let stage = "Backward";
}
def Onnx_LSTMTrainingOp : Onnx_OpaqueOp<"LSTMTraining", "inferLSTMTraining"> {
  let attributes = [
    "activation_alpha: floats", "activation_beta: floats", "activations: strings", "clip: float",
    "direction: string = forward", "hidden_size: int", "input_forget: int = 0"];
  let maxResults = 5;
}
def Onnx_GRUTrainingOp : Onnx_OpaqueOp<"GRUTraining", "inferGRUTraining"> {
  let attributes = [
    "activation_alpha: floats", "activation_beta: floats", "activations: strings", "clip: float",
    "direction: string = forward", "hidden_size: int", "linear_before_reset: int = 0"];
  let maxResults = 5;
}
// Logits and labels, dense or by index; the probabilities are kept.
def Onnx_SoftmaxCrossEntropyOp
    : Onnx_RowOp<"SoftmaxCrossEntropy", "Softmax", 7, 1, "inferDenseLoss"> {
  let attributes = ["reduction: string = mean"];
  let maxResults = 2;
}
def Onnx_SparseSoftmaxCrossEntropyOp
    : Onnx_RowOp<"SparseSoftmaxCrossEntropy", "Softmax", 6, 1, "inferDenseLoss"> {
  let attributes = ["reduction: string = mean"];
  let maxResults = 2;
}
def Onnx_NegativeLogLikelihoodLossInternalOp
    : Onnx_OpaqueOp<"NegativeLogLikelihoodLossInternal", "inferLoss"> {
  let attributes = ["reduction: string = mean"];
  let isExpanded = 1;
  let maxResults = 2;
}
def Onnx_NegativeLogLikelihoodLossInternal2Op
    : Onnx_OpaqueOp<"NegativeLogLikelihoodLossInternal2", "inferLoss"> {
  let attributes = ["reduction: string = mean"];
  let isExpanded = 1;
  let maxResults = 2;
}
def Onnx_BatchNormInternalOp
    : Onnx_RowOp<"BatchNormInternal", "BatchNorm", 8, 0, "inferBatchNormInternal"> {
  let attributes = ["epsilon: float = 1e-05", "momentum: float = 0.9", "training_mode: int = 1"];
  let maxResults = 5;
}
def Onnx_AllOp : Onnx_ReductionOp<"All", 1, 0, "nullptr", "inferIsAllFinite">;
def Onnx_BroadcastGradientArgsOp
    : Onnx_MetadataOp<"BroadcastGradientArgs", "inferNothing", "foldBroadcastGradientArgs"> {
  let maxResults = 2;
}
// Removal of padding rows, and the inverse.
def Onnx_FlattenAndUnpadOp : Onnx_GatherOp<"FlattenAndUnpad", "inferFlattenAndUnpad"> {
  let maxResults = 2;
}
def Onnx_PadAndUnflattenOp
    : Onnx_GatherOp<"PadAndUnflatten", "inferPadAndUnflatten", "nullptr", "Scatter">;
def Onnx_ShrunkenGatherOp : Onnx_GatherOp<"ShrunkenGather", "inferGather"> {
  let attributes = ["axis: int = 0"];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXGRADIENTOPS_TD
