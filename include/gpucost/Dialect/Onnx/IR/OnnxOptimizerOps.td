//===- OnnxOptimizerOps.td - Steps of optimizers, and collectives *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXOPTIMIZEROPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXOPTIMIZEROPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

// ai.onnx.preview.training: the tensors, their gradients, their states. Moments
// (7), bias correction (2), root and quotient (2), step (3).
def Onnx_AdamOp : Onnx_LibraryOp<"Adam", "inferAdam", "adamWork",
    "14 and 2 special results per parameter, every tensor read, results written",
    "Optimizer", 14, 2> {
  let maxResults = -1;
  let domain = "ai.onnx.preview.training";
  let opsets = [1];
}
def Onnx_AdagradOp : Onnx_LibraryOp<"Adagrad", "inferParameterUpdate", "parameterUpdateWork",
    "7 and 2 special results per parameter, every tensor read, results written",
    "Optimizer", 7, 2> {
  let maxResults = -1;
  let domain = "ai.onnx.preview.training";
  let opsets = [1];
}
def Onnx_MomentumOp : Onnx_LibraryOp<"Momentum", "inferParameterUpdate", "parameterUpdateWork",
    "6 per parameter, every tensor read, results written", "Optimizer", 6> {
  let maxResults = -1;
  let domain = "ai.onnx.preview.training";
  let opsets = [1];
}
// One tensor, its gradient.
def Onnx_SGDOp : Onnx_ElementwiseOp<"SGD", "Optimizer", 2, 0, "nullptr", "inferSameAsFirst">;
// com.microsoft. gpucost-raise-ops makes one kernel for each parameter.
def Onnx_AdamOptimizerOp : Onnx_OpaqueOp<"AdamOptimizer", "inferAdamOptimizer"> {
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
  let isExpanded = 1;
  let maxResults = -1;
  let stage = "Optimizer";
}
// Sequences of tensors, whose sizes the graph does not say.
def Onnx_AdamWOptimizerOp : Onnx_OpaqueOp<"AdamWOptimizer", "inferNothing"> {
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
def Onnx_AllReduceOp : Onnx_CollectiveOp<"AllReduce"> { let maxResults = -1; }
def Onnx_NcclAllReduceOp : Onnx_CollectiveOp<"NcclAllReduce"> { let maxResults = -1; }
def Onnx_NcclAllGatherOp : Onnx_CollectiveOp<"NcclAllGather"> { let maxResults = -1; }
def Onnx_NcclReduceScatterOp : Onnx_CollectiveOp<"NcclReduceScatter"> { let maxResults = -1; }
def Onnx_AdasumAllReduceOp : Onnx_CollectiveOp<"AdasumAllReduce"> { let maxResults = -1; }
def Onnx_MegatronGOp : Onnx_CollectiveOp<"MegatronG"> { let maxResults = -1; }
def Onnx_AllGatherOp : Onnx_CollectiveOp<"AllGather", "inferAllGather">;
def Onnx_AllToAllOp : Onnx_CollectiveOp<"AllToAll"> { let maxResults = -1; }
// The identity of the forward pass.
def Onnx_MegatronFOp : Onnx_ViewOp<"MegatronF", "inferPassThrough"> { let maxResults = -1; }

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXOPTIMIZEROPS_TD
