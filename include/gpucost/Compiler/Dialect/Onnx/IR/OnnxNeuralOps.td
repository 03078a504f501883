//===- OnnxNeuralOps.td - Normalisation, pooling, losses ---*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXNEURALOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXNEURALOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// x * scale + shift with precomputed statistics.
def Onnx_BatchNormalizationOp
    : Onnx_ElementwiseOp<"BatchNormalization", "BatchNorm", 2, 0, "nullptr", "inferBatchNorm"> {
  let grad = "gradBatchNorm";
  let maxResults = 5;
  let operands = ["X", "Scale", "Bias", "Mean", "Variance"];
  let attributes = [
    "consumed_inputs: ints ! @1-5", "epsilon: float = 1e-05", "is_test: int = 0 @1-6",
    "momentum: float = 0.9", "spatial: int = 1 @1-8", "training_mode: int = 0 @14-"];
  let opsets = [1, 6, 7, 9, 14, 15];
}
// Mean (1), variance (3), normalise (2), scale and shift (2).
def Onnx_LayerNormalizationOp
    : Onnx_RowOp<"LayerNormalization", "Norm", 8, 0, "inferLayerNorm"> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
  let maxResults = 3;
  let operands = ["X", "Scale?", "Bias?"];
  let attributes = ["axis: int = -1", "epsilon: float = 1e-05", "stash_type: int = 1"];
  let opsets = [17];
}
def Onnx_GroupNormalizationOp : Onnx_RowOp<"GroupNormalization", "Norm", 8, 0> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
  let work = "groupNormWork";
  let operands = ["X", "Scale?", "Bias?"];
  let attributes = ["epsilon: float = 1e-05", "num_groups: int !", "stash_type: int = 1 @21-"];
  let opsets = [18, 21];
}
def Onnx_InstanceNormalizationOp : Onnx_RowOp<"InstanceNormalization", "Norm", 8, 0> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
  let work = "instanceNormWork";
  let operands = ["X", "Scale", "Bias"];
  let attributes = ["consumed_inputs: ints @1-5", "epsilon: float = 1e-05"];
  let opsets = [1, 6, 22];
}
def Onnx_MeanVarianceNormalizationOp
    : Onnx_RowOp<"MeanVarianceNormalization", "Norm", 6, 0> {
  let grad = "gradLayerNorm";
  let operands = ["X"];
  let attributes = ["axes: ints = [0, 2, 3]"];
  let opsets = [9, 13];
}
// Mean square (2), normalise (1), scale (1).
def Onnx_RMSNormalizationOp : Onnx_RowOp<"RMSNormalization", "Norm", 4, 0> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
  let operands = ["X", "Scale?"];
  let attributes = ["axis: int = -1", "epsilon: float = 1e-05", "stash_type: int = 1"];
  let opsets = [23];
}
def Onnx_LpNormalizationOp : Onnx_RowOp<"LpNormalization", "Norm", 3, 0> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
  let operands = ["X"];
  let attributes = ["axis: int = -1", "p: int = 2"];
  let opsets = [1, 22];
}
def Onnx_LRNOp : Onnx_RowOp<"LRN", "Norm", 4, 2> {
  let grad = "gradLayerNorm";
  let operands = ["X"];
  let attributes = [
    "alpha: float = 0.0001", "beta: float = 0.75", "bias: float = 1", "size: int ! *"];
  let opsets = [1, 13];
}
// Maximum (1), subtract (1), exp (1 + ex2), sum (1), scale (1).
def Onnx_SoftmaxOp : Onnx_RowOp<"Softmax", "Softmax", 5, 1, "inferSoftmax"> {
  let grad = "gradSoftmax";
  let autocast = "SingleResult";
  let operands = ["X"];
  let attributes = ["axis: int = 1 @1-12", "axis: int = -1 @13-"];
  let opsets = [1, 11, 13];
}
def Onnx_LogSoftmaxOp : Onnx_RowOp<"LogSoftmax", "Softmax", 5, 1, "inferSoftmax"> {
  let grad = "gradLogSoftmax";
  let autocast = "SingleResult";
  let operands = ["X"];
  let attributes = ["axis: int = 1 @1-12", "axis: int = -1 @13-"];
  let opsets = [1, 11, 13];
}
def Onnx_HardmaxOp : Onnx_RowOp<"Hardmax", "Softmax", 2, 0, "inferSoftmax"> {
  let grad = "gradNothing";
  let operands = ["X"];
  let attributes = ["axis: int = 1 @1-12", "axis: int = -1 @13-"];
  let opsets = [1, 11, 13];
}
// The identity in inference; a separate kernel in training.
def Onnx_DropoutOp : Onnx_ViewOp<"Dropout", "inferDropout", "foldCopy"> {
  let grad = "gradReshape";
  let maxResults = 2;
  let operands = ["X", "Ratio?", "TrainingMode?"];
  let attributes = [
    "consumed_inputs: ints @1-5", "is_test: int = 0 @1-6", "ratio: float = 0.5 @1-11",
    "seed: int @12-"];
  let opsets = [1, 6, 7, 10, 12, 13, 22];
}
def Onnx_MaxPoolOp : Onnx_PoolingOp<"MaxPool"> {
  let grad = "gradPool";
  let operands = ["X"];
  let attributes = [
    "auto_pad: string = NOTSET", "ceil_mode: int = 0 @10-", "dilations: ints @10-",
    "kernel_shape: ints !", "pads: ints", "storage_order: int = 0 @8-", "strides: ints"];
  let opsets = [1, 8, 10, 11, 12, 22];
}
// com.microsoft: pooling of the elements that the mask selects.
def Onnx_MaxpoolWithMaskOp : Onnx_PoolingOp<"MaxpoolWithMask"> {
  let attributes = [
    "auto_pad: string = NOTSET", "kernel_shape: ints", "pads: ints", "storage_order: int = 0",
    "strides: ints"];
}
def Onnx_AveragePoolOp : Onnx_PoolingOp<"AveragePool"> {
  let grad = "gradPool";
  let operands = ["X"];
  let attributes = [
    "auto_pad: string = NOTSET", "ceil_mode: int = 0 @10-", "count_include_pad: int = 0 @7-",
    "dilations: ints @19-", "kernel_shape: ints !", "pads: ints", "strides: ints"];
  let opsets = [1, 7, 10, 11, 19, 22];
}
def Onnx_LpPoolOp : Onnx_PoolingOp<"LpPool"> {
  let grad = "gradPool";
  let operands = ["X"];
  let attributes = [
    "auto_pad: string = NOTSET", "ceil_mode: int = 0 @18-", "dilations: ints @18-",
    "kernel_shape: ints @1", "kernel_shape: ints ! @2-", "p: float = 2 @1", "p: int = 2 @2-",
    "pads: ints", "strides: ints"];
  let opsets = [1, 2, 11, 18, 22];
}
def Onnx_GlobalAveragePoolOp
    : Onnx_ReductionOp<"GlobalAveragePool", 1, 0, "nullptr", "inferGlobalPool"> {
  let grad = "gradPermuteCopy";
  let operands = ["X"];
  let opsets = [1, 22];
}
def Onnx_GlobalMaxPoolOp
    : Onnx_ReductionOp<"GlobalMaxPool", 1, 0, "nullptr", "inferGlobalPool"> {
  let grad = "gradPool";
  let operands = ["X"];
  let opsets = [1, 22];
}
def Onnx_GlobalLpPoolOp
    : Onnx_ReductionOp<"GlobalLpPool", 2, 0, "nullptr", "inferGlobalPool"> {
  let grad = "gradPool";
  let operands = ["X"];
  let attributes = ["p: float = 2 @1", "p: int = 2 @2-"];
  let opsets = [1, 2, 22];
}
// gpucost-raise-ops splits the losses into LogSoftmax and the sum over labels.
def Onnx_SoftmaxCrossEntropyLossOp
    : Onnx_OpaqueOp<"SoftmaxCrossEntropyLoss", "inferLoss"> {
  let isExpanded = 1;
  let autocast = "Single";
  let maxResults = 2;
  let operands = ["Scores", "Labels", "Weights?"];
  let attributes = ["ignore_index: int", "reduction: string = mean"];
  let opsets = [12, 13];
}
def Onnx_NegativeLogLikelihoodLossOp
    : Onnx_OpaqueOp<"NegativeLogLikelihoodLoss", "inferLoss"> {
  let isExpanded = 1;
  let autocast = "Single";
  let maxResults = 2;
  let operands = ["Scores", "Labels", "Weights?"];
  let attributes = ["ignore_index: int", "reduction: string = mean"];
  let opsets = [12, 13, 22];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXNEURALOPS_TD
