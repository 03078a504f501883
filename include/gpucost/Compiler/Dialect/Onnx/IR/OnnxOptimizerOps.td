//===- OnnxOptimizerOps.td - Optimizers, collectives -------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXOPTIMIZEROPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXOPTIMIZEROPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// ai.onnx.preview.training: the tensors, their gradients, their states. Moments
// (7), bias correction (2), root and quotient (2), step (3).
def Onnx_AdamOp : Onnx_LibraryOp<"Adam", "inferAdam", "adamWork",
    "14 and 2 special results per parameter, every tensor read, results written",
    "Optimizer", 14, 2> {
  let attributes = [
    "alpha: float = 0.9", "beta: float = 0.999", "epsilon: float = 1e-06",
    "norm_coefficient: float = 0", "norm_coefficient_post: float = 0"];
  let maxResults = -1;
  let domain = "ai.onnx.preview.training";
  let opsets = [1];
}
def Onnx_AdagradOp : Onnx_LibraryOp<"Adagrad", "inferParameterUpdate", "parameterUpdateWork",
    "7 and 2 special results per parameter, every tensor read, results written",
    "Optimizer", 7, 2> {
  let attributes = [
    "decay_factor: float = 0", "epsilon: float = 1e-06", "norm_coefficient: float = 0"];
  let maxResults = -1;
  let domain = "ai.onnx.preview.training";
  let opsets = [1];
}
def Onnx_MomentumOp : Onnx_LibraryOp<"Momentum", "inferParameterUpdate", "parameterUpdateWork",
    "6 per parameter, every tensor read, results written", "Optimizer", 6> {
  let attributes = [
    "alpha: float !", "beta: float !", "mode: string !", "norm_coefficient: float !"];
  let maxResults = -1;
  let domain = "ai.onnx.preview.training";
  let opsets = [1];
}
// One tensor, its gradient.
def Onnx_SGDOp : Onnx_ElementwiseOp<"SGD", "Optimizer", 2, 0, "nullptr", "inferSameAsFirst"> {
  let attributes = ["..."];
}
// com.microsoft. gpucost-raise-ops creates one kernel for each parameter.
def Onnx_AdamOptimizerOp : Onnx_OpaqueOp<"AdamOptimizer", "inferAdamOptimizer"> {
  let attributes = [
    "alpha: float = 0.9", "beta: float = 0.999", "do_bias_correction: int = 1",
    "epsilon: float = 1e-08", "lambda: float = 0", "max_norm_clip: float = 1",
    "weight_decay_mode: int = 0"];
  let isExpanded = 1;
  let maxResults = -1;
  let stage = "Optimizer";
}
def Onnx_SGDOptimizerOp : Onnx_OpaqueOp<"SGDOptimizer", "inferSGDOptimizer"> {
  let isExpanded = 1;
  let maxResults = -1;
  let stage = "Optimizer";
}
def Onnx_LambOptimizerOp : Onnx_OpaqueOp<"LambOptimizer", "inferLambOptimizer"> {
  let attributes = [
    "alpha: floats", "beta: floats", "do_bias_correction: int = 1", "epsilon: floats",
    "lambda: floats", "max_norm_clip: floats", "ratio_max: float", "ratio_min: float"];
  let isExpanded = 1;
  let maxResults = -1;
  let stage = "Optimizer";
}
// Sequences of tensors with sizes that the graph does not contain.
def Onnx_AdamWOptimizerOp : Onnx_OpaqueOp<"AdamWOptimizer", "inferNothing"> {
  let attributes = [
    "adam_mode: int = 0", "alpha: float = 0.9", "beta: float = 0.999", "correct_bias: int = 1",
    "epsilon: float = 1e-08", "weight_decay: float = 0.01"];
  let maxResults = -1;
  let stage = "Optimizer";
}
def Onnx_SGDOptimizerV2Op : Onnx_OpaqueOp<"SGDOptimizerV2", "inferNothing"> {
  let maxResults = -1;
  let stage = "Optimizer";
}

// Communication between GPUs: types, but no cost in one GPU's graph.
class Onnx_CollectiveOp<string name, string inferFn = "inferPassThrough">
    : Onnx_OpaqueOp<name, inferFn>;
def Onnx_AllReduceOp : Onnx_CollectiveOp<"AllReduce"> {
  let attributes = ["group_size: int !"];
  let maxResults = -1;
}
def Onnx_NcclAllReduceOp : Onnx_CollectiveOp<"NcclAllReduce"> {
  let attributes = ["group_type: int = 0"];
  let maxResults = -1;
}
def Onnx_NcclAllGatherOp : Onnx_CollectiveOp<"NcclAllGather"> {
  let attributes = ["group_type: int = 0"];
  let maxResults = -1;
}
def Onnx_NcclReduceScatterOp : Onnx_CollectiveOp<"NcclReduceScatter"> {
  let attributes = ["group_type: int = 0"];
  let maxResults = -1;
}
def Onnx_AdasumAllReduceOp : Onnx_CollectiveOp<"AdasumAllReduce"> {
  let attributes = ["reduce_algo: int = 0"];
  let maxResults = -1;
}
def Onnx_MegatronGOp : Onnx_CollectiveOp<"MegatronG"> {
  let attributes = ["group_type: int = 0"];
  let maxResults = -1;
}
def Onnx_AllGatherOp : Onnx_CollectiveOp<"AllGather", "inferAllGather"> {
  let attributes = ["axis: int = 0", "group_size: int !"];
}
def Onnx_AllToAllOp : Onnx_CollectiveOp<"AllToAll"> {
  let attributes = ["group_size: int !"];
  let maxResults = -1;
}
// The identity of the forward pass.
def Onnx_MegatronFOp : Onnx_ViewOp<"MegatronF", "inferPassThrough"> { let maxResults = -1; }

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXOPTIMIZEROPS_TD
