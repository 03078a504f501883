//===- OnnxSequenceOps.td - Attention and recurrent networks *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXSEQUENCEOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXSEQUENCEOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

// Recomposed attention: Q, K, V[, mask] of [batch, heads, length, head_dim]; K and
// V may have fewer heads. Attributes `is_causal` (i64), `scale` (f32), `layout`
// ("BHSD"; "BSHD": [batch, length, heads, head_dim]).
// Results: Y, and the scores where somebody reads them.
def Onnx_FusedAttentionOp
    : Onnx_AttentionLikeOp<"FusedAttention", "inferFusedAttention"> {
  let grad = "gradAttention";
  let maxResults = 2;
}
def Onnx_AttentionOp : Onnx_AttentionLikeOp<"Attention", "inferAttention"> {
  let grad = "gradAttention";
}
// com.microsoft
def Onnx_MultiHeadAttentionOp
    : Onnx_AttentionLikeOp<"MultiHeadAttention", "inferMultiHeadAttention">;
def Onnx_GroupQueryAttentionOp
    : Onnx_AttentionLikeOp<"GroupQueryAttention", "inferGroupQueryAttention">;
// x * cos + rotate(x) * sin: two multiplies and an add.
def Onnx_RotaryEmbeddingOp
    : Onnx_ElementwiseOp<"RotaryEmbedding", "Mul", 3, 0, "nullptr", "inferSameAsFirst"> {
  let grad = "gradRotary";
}
def Onnx_LSTMOp : Onnx_OpaqueOp<"LSTM", "inferRecurrent"> { let autocast = "Lower"; }
def Onnx_GRUOp : Onnx_OpaqueOp<"GRU", "inferRecurrent"> { let autocast = "Lower"; }
def Onnx_RNNOp : Onnx_OpaqueOp<"RNN", "inferRecurrent"> { let autocast = "Lower"; }

// com.microsoft: 8-bit weights [directions, in, gates], dequantised beforehand.
def Onnx_DynamicQuantizeLSTMOp : Onnx_OpaqueOp<"DynamicQuantizeLSTM", "inferRecurrent"> {
  let autocast = "Lower";
}
// What gpucost-recompose makes of a recurrent layer: (all gates, R) -> the gates
// of one step, and (all gates, those) -> states of all steps; `gpucost.trip_count`
// launches of each. Gates of a step: about 10 FLOP and 5 special results each.
def Onnx_RecurrentProductOp : Onnx_ContractionOp<"RecurrentProduct", "inferNothing"> {
  let grad = "gradRecurrentProduct";
}
def Onnx_RecurrentCellOp
    : Onnx_ElementwiseOp<"RecurrentCell", "Tanh", 20, 5, "nullptr", "inferNothing"> {
  let grad = "gradRecurrentCell";
}
def Onnx_RecurrentInputGradOp
    : Onnx_ContractionOp<"RecurrentInputGrad", "inferNothing">;
def Onnx_RecurrentCellGradOp
    : Onnx_ElementwiseOp<"RecurrentCellGrad", "Tanh", 30, 2, "nullptr", "inferNothing">;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXSEQUENCEOPS_TD
