//===- OnnxNeuralOps.td - Normalisation, pooling, losses *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXNEURALOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXNEURALOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

// x * scale + shift with statistics known beforehand.
def Onnx_BatchNormalizationOp
    : Onnx_ElementwiseOp<"BatchNormalization", "BatchNorm", 2, 0, "nullptr", "inferBatchNorm"> {
  let grad = "gradBatchNorm";
}
// Mean (1), variance (3), normalise (2), scale and shift (2).
def Onnx_LayerNormalizationOp
    : Onnx_RowOp<"LayerNormalization", "Norm", 8, 0, "inferLayerNorm"> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
}
def Onnx_GroupNormalizationOp : Onnx_RowOp<"GroupNormalization", "Norm", 8, 0> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
}
def Onnx_InstanceNormalizationOp : Onnx_RowOp<"InstanceNormalization", "Norm", 8, 0> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
}
def Onnx_MeanVarianceNormalizationOp
    : Onnx_RowOp<"MeanVarianceNormalization", "Norm", 6, 0> {
  let grad = "gradLayerNorm";
}
// Mean square (2), normalise (1), scale (1).
def Onnx_RMSNormalizationOp : Onnx_RowOp<"RMSNormalization", "Norm", 4, 0> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
}
def Onnx_LpNormalizationOp : Onnx_RowOp<"LpNormalization", "Norm", 3, 0> {
  let grad = "gradLayerNorm";
  let autocast = "Single";
}
def Onnx_LRNOp : Onnx_RowOp<"LRN", "Norm", 4, 2> {
  let grad = "gradLayerNorm";
}
// Maximum (1), subtract (1), exp (1 + ex2), sum (1), scale (1).
def Onnx_SoftmaxOp : Onnx_RowOp<"Softmax", "Softmax", 5, 1, "inferSoftmax"> {
  let grad = "gradSoftmax";
  let autocast = "SingleResult";
}
def Onnx_LogSoftmaxOp : Onnx_RowOp<"LogSoftmax", "Softmax", 5, 1, "inferSoftmax"> {
  let grad = "gradSoftmax";
  let autocast = "SingleResult";
}
def Onnx_HardmaxOp : Onnx_RowOp<"Hardmax", "Softmax", 2, 0, "inferSoftmax"> {
  let grad = "gradNothing";
}
// The identity in inference; training makes it a kernel of its own.
def Onnx_DropoutOp : Onnx_ViewOp<"Dropout", "inferDropout", "foldCopy"> {
  let grad = "gradReshape";
}
def Onnx_MaxPoolOp : Onnx_PoolingOp<"MaxPool"> { let grad = "gradPool"; }
// com.microsoft: what the mask leaves.
def Onnx_MaxpoolWithMaskOp : Onnx_PoolingOp<"MaxpoolWithMask">;
def Onnx_AveragePoolOp : Onnx_PoolingOp<"AveragePool"> { let grad = "gradPool"; }
def Onnx_LpPoolOp : Onnx_PoolingOp<"LpPool"> {
  let grad = "gradPool";
}
def Onnx_GlobalAveragePoolOp
    : Onnx_ReductionOp<"GlobalAveragePool", 1, 0, "nullptr", "inferGlobalPool"> {
  let grad = "gradPermuteCopy";
}
def Onnx_GlobalMaxPoolOp
    : Onnx_ReductionOp<"GlobalMaxPool", 1, 0, "nullptr", "inferGlobalPool"> {
  let grad = "gradPool";
}
def Onnx_GlobalLpPoolOp
    : Onnx_ReductionOp<"GlobalLpPool", 2, 0, "nullptr", "inferGlobalPool"> {
  let grad = "gradPool";
}
// gpucost-recompose splits the losses into LogSoftmax and the sum over labels.
def Onnx_SoftmaxCrossEntropyLossOp
    : Onnx_OpaqueOp<"SoftmaxCrossEntropyLoss", "inferLoss"> { let autocast = "Single"; }
def Onnx_NegativeLogLikelihoodLossOp
    : Onnx_OpaqueOp<"NegativeLogLikelihoodLoss", "inferLoss"> { let autocast = "Single"; }

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXNEURALOPS_TD
