//===- OnnxTrainingOps.td - Gradients and training kernels -*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXTRAININGOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXTRAININGOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// Gradient of a pointwise function: operands are dY, then the tensors that the
// framework saved.
class Onnx_PointwiseGradOp<string name, string instrClass, int fp32 = 1, int sfu = 0>
    : Onnx_ElementwiseOp<name, instrClass, fp32, sfu, "nullptr", "inferSameAsFirst">;

//===----------------------------------------------------------------------===//
// Operators of com.microsoft
//===----------------------------------------------------------------------===//

def Onnx_ReluGradOp : Onnx_PointwiseGradOp<"ReluGrad", "Relu"> {
  let attributes = ["..."];
  let stage = "Backward";
}
def Onnx_LeakyReluGradOp : Onnx_PointwiseGradOp<"LeakyReluGrad", "Relu", 2> {
  let attributes = ["alpha: float = 0.01", "..."];
  let stage = "Backward";
}
// dY * y * (1 - y).
def Onnx_SigmoidGradOp : Onnx_PointwiseGradOp<"SigmoidGrad", "Mul", 3> {
  let attributes = ["..."];
  let stage = "Backward";
}
// dY * (1 - y * y).
def Onnx_TanhGradOp : Onnx_PointwiseGradOp<"TanhGrad", "Mul", 3> {
  let attributes = ["..."];
  let stage = "Backward";
}
// dY * (cdf + x * pdf): erf (16, 1), pdf (3, 1), 7 more.
def Onnx_GeluGradOp : Onnx_PointwiseGradOp<"GeluGrad", "Gelu", 26, 2> {
  let attributes = ["..."];
  let stage = "Backward";
}
def Onnx_FastGeluGradOp : Onnx_PointwiseGradOp<"FastGeluGrad", "Gelu", 20, 2> {
  let attributes = ["..."];
  let stage = "Backward";
}
def Onnx_QuickGeluGradOp : Onnx_PointwiseGradOp<"QuickGeluGrad", "Silu", 8, 2> {
  let attributes = ["alpha: float = 1.702", "..."];
  let stage = "Backward";
}
def Onnx_BiasGeluGradOp : Onnx_PointwiseGradOp<"BiasGeluGrad_dX", "Gelu", 27, 2> {
  let attributes = ["..."];
  let stage = "Backward";
}
def Onnx_BiasFastGeluGradOp : Onnx_PointwiseGradOp<"BiasFastGeluGrad_dX", "Gelu", 21, 2> {
  let attributes = ["..."];
  let stage = "Backward";
}
def Onnx_DropoutGradOp : Onnx_PointwiseGradOp<"DropoutGrad", "Mul", 2> {
  let attributes = ["..."];
  let stage = "Backward";
}
// (dY - sum(dY * Y)) * Y: two passes over a row, one kernel.
def Onnx_SoftmaxGradOp : Onnx_PointwiseGradOp<"SoftmaxGrad", "Norm", 4> {
  let attributes = ["axis: int = 1"];
  let stage = "Backward";
}
def Onnx_SoftmaxGrad13Op : Onnx_PointwiseGradOp<"SoftmaxGrad_13", "Norm", 4> {
  let attributes = ["axis: int = -1"];
  let stage = "Backward";
}
def Onnx_LogSoftmaxGradOp : Onnx_PointwiseGradOp<"LogSoftmaxGrad", "Norm", 4, 1> {
  let attributes = ["axis: int = 1"];
  let stage = "Backward";
}
def Onnx_LogSoftmaxGrad13Op : Onnx_PointwiseGradOp<"LogSoftmaxGrad_13", "Norm", 4, 1> {
  let attributes = ["axis: int = -1"];
  let stage = "Backward";
}
def Onnx_InPlaceAccumulatorOp : Onnx_PointwiseGradOp<"InPlaceAccumulator", "Add"> {
  let operands = ["Buffer", "Gradient", "..."];
  let inPlaceOperand = 0;
}

// (dY, log-probabilities, labels) -> dX.
def Onnx_SoftmaxCrossEntropyGradOp
    : Onnx_ElementwiseOp<"SoftmaxCrossEntropyGrad", "Exp", 3, 1, "nullptr", "inferLikeSecond"> {
  let attributes = ["reduction: string = mean"];
  let stage = "Backward";
}
def Onnx_SoftmaxCrossEntropyLossGradOp
    : Onnx_ElementwiseOp<"SoftmaxCrossEntropyLossGrad", "Exp", 3, 1, "nullptr", "inferLikeSecond"> {
  let attributes = ["ignore_index: int", "reduction: string = mean"];
  let stage = "Backward";
}
def Onnx_ReduceSumTrainingOp : Onnx_ReductionOp<"ReduceSumTraining"> {
  let attributes = ["keepdims: int = 1", "noop_with_empty_axes: int = 0", "..."];
}
def Onnx_ConcatTrainingOp : Onnx_MovementOp<"ConcatTraining", "inferConcat"> {
  let attributes = ["axis: int !"];
  let maxResults = 2;
}

// Several kernels each: gpucost-raise-ops splits them.
def Onnx_ConvGradOp : Onnx_OpaqueOp<"ConvGrad", "inferConvGrad"> {
  let attributes = [
    "auto_pad: string = NOTSET", "dilations: ints", "group: int = 1", "kernel_shape: ints",
    "pads: ints", "strides: ints", "..."];
  let isExpanded = 1;
  let maxResults = 3;
  let stage = "Backward";
}
def Onnx_LayerNormalizationGradOp
    : Onnx_OpaqueOp<"LayerNormalizationGrad", "inferNormGrad"> {
  let attributes = ["axis: int = -1", "..."];
  let isExpanded = 1;
  let maxResults = 3;
  let stage = "Backward";
}
def Onnx_SimplifiedLayerNormalizationGradOp
    : Onnx_OpaqueOp<"SimplifiedLayerNormalizationGrad", "inferNormGrad"> {
  let attributes = ["axis: int = -1", "..."];
  let isExpanded = 1;
  let maxResults = 3;
  let stage = "Backward";
}
def Onnx_BatchNormalizationGradOp
    : Onnx_OpaqueOp<"BatchNormalizationGrad", "inferNormGrad"> {
  let attributes = ["epsilon: float !"];
  let isExpanded = 1;
  let maxResults = 3;
  let stage = "Backward";
}
def Onnx_GatherGradOp : Onnx_OpaqueOp<"GatherGrad", "inferGatherGrad"> {
  let isExpanded = 1;
  let operands = ["Shape", "Indices", "Gradient"];
  let attributes = ["axis: int = 0"];
  let stage = "Backward";
}
def Onnx_SliceGradOp : Onnx_OpaqueOp<"SliceGrad", "inferSliceGrad"> {
  let isExpanded = 1;
  let operands = ["Gradient", "..."];
  let stage = "Backward";
}

//===----------------------------------------------------------------------===//
// One kernel each, as gpucost-expand-training emits them
//===----------------------------------------------------------------------===//

def Onnx_SiluGradOp : Onnx_PointwiseGradOp<"SiluGrad", "Silu", 7, 2> {
  let isInternal = 1;
  let stage = "Backward";
}
// Any other activation; `of` names it. One result for each operand with a
// gradient.
def Onnx_ActivationGradOp : Onnx_PointwiseGradOp<"ActivationGrad", "Silu", 6, 2> {
  let attributes = ["of: string"];
  let maxResults = -1;
  let isInternal = 1;
  let stage = "Backward";
}
// Mean, variance, products with dY: (dY, X, scale) -> dX.
def Onnx_NormInputGradOp : Onnx_PointwiseGradOp<"NormInputGrad", "Norm", 9> {
  let isInternal = 1;
  let stage = "Backward";
}
// (dY, X) -> gradient of scale and shift.
def Onnx_NormWeightGradOp : Onnx_ReductionOp<"NormWeightGrad", 4, 0, "nullptr", "inferNothing"> {
  let maxResults = -1;
  let isInternal = 1;
  let stage = "Backward";
}
// X -> mean and inverse deviation of each channel.
def Onnx_BatchStatisticsOp
    : Onnx_ReductionOp<"BatchStatistics", 3, 0, "nullptr", "inferNothing"> {
  let grad = "gradNothing";
  let maxResults = -1;
  let operands = ["X"];
  let isInternal = 1;
}
// (dY, X) -> two sums for each channel.
def Onnx_BatchNormReduceGradOp
    : Onnx_ReductionOp<"BatchNormReduceGrad", 4, 0, "nullptr", "inferNothing"> {
  let maxResults = -1;
  let isInternal = 1;
  let stage = "Backward";
}
// (dY, X, statistics, sums) -> dX.
def Onnx_BatchNormInputGradOp : Onnx_PointwiseGradOp<"BatchNormInputGrad", "BatchNorm", 5> {
  let isInternal = 1;
  let stage = "Backward";
}
// X -> Y and a mask of one byte per element, with the attributes of Dropout.
def Onnx_DropoutTrainingOp : Onnx_PointwiseGradOp<"DropoutTraining", "Dropout", 2> {
  let attributes = ["consumed_inputs: ints", "is_test: int", "ratio: float = 0.5", "seed: int"];
  let grad = "gradDropoutTraining";
  let maxResults = 2;
  let isInternal = 1;
}
// (dY, indices) -> dX and (dY) -> dX.
def Onnx_PoolGradOp
    : Onnx_ElementwiseOp<"PoolGrad", "Pool", 1, 0, "nullptr", "inferNothing"> {
  let isInternal = 1;
  let stage = "Backward";
}
// (dY, W) -> dX and (dY, X) -> dW, with the attributes of the convolution.
def Onnx_ConvInputGradOp : Onnx_ConvolutionOp<"ConvInputGrad", "inferNothing"> {
  let work = "convInputGradWork";
  let operands = ["Gradient", "Weight"];
  let attributes = [
    "auto_pad: string = NOTSET", "dilations: ints", "group: int = 1", "kernel_shape: ints",
    "output_padding: ints", "output_shape: ints", "pads: ints", "strides: ints",
    "transposed: flag"];
  let isInternal = 1;
  let stage = "Backward";
}
def Onnx_ConvWeightGradOp : Onnx_ConvolutionOp<"ConvWeightGrad", "inferNothing"> {
  let work = "convWeightGradWork";
  let operands = ["Gradient", "X"];
  let attributes = [
    "auto_pad: string = NOTSET", "dilations: ints", "group: int = 1", "kernel_shape: ints",
    "output_padding: ints", "output_shape: ints", "pads: ints", "strides: ints",
    "transposed: flag"];
  let isInternal = 1;
  let stage = "Backward";
}
// (dO, Q, K, V, O) -> dQ, dK, dV; five products per score block.
def Onnx_FusedAttentionGradOp
    : Onnx_AttentionLikeOp<"FusedAttentionGrad", "inferNothing"> {
  let work = "fusedAttentionGradWork";
  let maxResults = -1;
  let operands = ["Query", "Key", "Value", "Output", "Gradient"];
  let attributes = [
    "is_causal: int = 0", "kv_num_heads: int", "left_window_size: int = -1",
    "local_window_size: int = -1", "q_num_heads: int", "right_window_size: int = -1"];
  let isInternal = 1;
  let stage = "Backward";
}
// A tensor filled with one value.
def Onnx_FillOp : Onnx_MovementOp<"Fill", "inferNothing"> {
  let operands = ["..."];
  let isInternal = 1;
}
// (update, base[, indices]) -> base with the update added or copied in, in
// place.
def Onnx_InsertOp : Onnx_MovementOp<"Insert", "inferNothing", instrClass = "Scatter"> {
  let work = "insertWork";
  let operands = ["Update", "Base", "Indices?"];
  let isInternal = 1;
  let inPlaceOperand = 1;
}
// Broadcast to a larger type: the kernel of an expanded gradient.
def Onnx_BroadcastOp : Onnx_MovementOp<"Broadcast", "inferNothing"> {
  let isInternal = 1;
}
// (log-probabilities, targets) -> loss: one element of each row.
def Onnx_NllLossOp : Onnx_GatherOp<"NllLoss", "inferNothing"> {
  let grad = "gradNllLoss";
  let work = "nllLossWork";
  let operands = ["LogProbabilities", "Targets"];
  let isInternal = 1;
}
// (logits, targets, probabilities) -> loss, (B10); the probabilities, which
// have overwritten the logits, become their gradient.
def Onnx_InPlaceLossOp : Onnx_GatherOp<"InPlaceLoss", "inferNothing"> {
  let grad = "gradInPlaceLoss";
  let work = "nllLossWork";
  let operands = ["Logits", "Targets", "Probabilities"];
  let isInternal = 1;
}
// (logits, targets) -> loss, (B10): one kernel, which reads each row twice; its
// gradient overwrites the logits if it is `in_place`.
def Onnx_FusedLossOp : Onnx_ReductionOp<"FusedLoss", 4, 1, "nullptr", "inferNothing"> {
  let grad = "gradFusedLoss";
  let work = "fusedLossWork";
  let operands = ["Logits", "Targets"];
  let attributes = ["in_place: flag"];
  let formula = "4 FLOP and 1 special per element of operand 0, which is read twice";
  let isInternal = 1;
}
// (logits, targets, gradient of each row) -> gradient of the logits.
def Onnx_FusedLossGradOp : Onnx_PointwiseGradOp<"FusedLossGrad", "Norm", 4, 1> {
  let isInternal = 1;
}
// The result overwrites the first operand; the second operand has one element
// per row.
class Onnx_InPlaceOp<string name, string instrClass, int fp32 = 1, int sfu = 0>
    : Onnx_PointwiseGradOp<name, instrClass, fp32, sfu> {
  let isInternal = 1;
  let inPlaceOperand = 0;
}
def Onnx_InPlaceSubOp : Onnx_InPlaceOp<"InPlaceSub", "Add">;
// (L18) The bias of a convolution, one element per channel.
def Onnx_InPlaceBiasOp : Onnx_InPlaceOp<"InPlaceBias", "Add">;
def Onnx_InPlaceExpOp : Onnx_InPlaceOp<"InPlaceExp", "Exp", 2, 1>;
def Onnx_InPlaceDivOp : Onnx_InPlaceOp<"InPlaceDiv", "Div", 1, 1>;
def Onnx_InPlaceMulOp : Onnx_InPlaceOp<"InPlaceMul", "Mul">;
// FusedLossGrad that overwrites the logits.
def Onnx_InPlaceFusedLossGradOp : Onnx_InPlaceOp<"InPlaceFusedLossGrad", "Norm", 4, 1>;
def Onnx_MseLossOp : Onnx_ReductionOp<"MseLoss", 3, 0, "nullptr", "inferNothing"> {
  let grad = "gradMseLoss";
  let operands = ["Output", "Target"];
  let isInternal = 1;
}
def Onnx_MseLossGradOp : Onnx_PointwiseGradOp<"MseLossGrad", "Mul", 2> {
  let isInternal = 1;
  let stage = "Backward";
}
// No backward rule: (dY, operands) -> gradients; `of` names the op.
def Onnx_UnknownGradOp : Onnx_OpaqueOp<"UnknownGrad", "inferNothing"> {
  let maxResults = -1;
  let operands = ["..."];
  let attributes = ["of: string"];
  let isInternal = 1;
  let stage = "Backward";
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXTRAININGOPS_TD
