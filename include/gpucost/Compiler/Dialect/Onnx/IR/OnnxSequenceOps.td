//===- OnnxSequenceOps.td - Attention and recurrence -------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXSEQUENCEOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXSEQUENCEOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// Raised attention: Q, K, V[, mask] of [batch, heads, length, head_dim]; K and
// V may have fewer heads. Attributes `is_causal` (i64), `scale` (f32), `layout`
// ("BHSD"; "BSHD": [batch, length, heads, head_dim]).
// Results: Y, and the scores if they are used.
def Onnx_FusedAttentionOp
    : Onnx_AttentionLikeOp<"FusedAttention", "inferFusedAttention"> {
  let grad = "gradAttention";
  let maxResults = 2;
  let work = "fusedAttentionWork";
  let operands = ["Query", "Key", "Value", "Mask?"];
  let attributes = [
    "is_causal: int = 0", "layout: string = BHSD", "left_window_size: int = -1",
    "local_window_size: int = -1", "right_window_size: int = -1", "scale: float",
    "softcap: float = 0"];
  let isInternal = 1;
}
// `selects_keys`, an extension: the window counts keys that were chosen from the whole cache.
def Onnx_AttentionOp : Onnx_AttentionLikeOp<"Attention", "inferAttention"> {
  let grad = "gradAttention";
  let maxResults = 4;
  let operands = ["Query", "Key", "Value", "Mask?", "PastKey?", "PastValue?", "..."];
  let attributes = [
    "is_causal: int = 0", "kv_num_heads: int", "left_window_size: int = -1 @25-",
    "q_num_heads: int", "qk_matmul_output_mode: int = 0", "right_window_size: int = -1 @25-",
    "scale: float", "selects_keys: int = 0 +", "softcap: float = 0", "softmax_precision: int"];
  let cacheOperand = 4;
  let opsets = [23, 24, 25];
}
// com.microsoft
def Onnx_MultiHeadAttentionOp
    : Onnx_AttentionLikeOp<"MultiHeadAttention", "inferMultiHeadAttention"> {
  let attributes = [
    "mask_filter_value: float", "num_heads: int !", "scale: float", "unidirectional: int = 0"];
  let work = "multiHeadAttentionWork";
  let cacheOperand = 6;
  let maxResults = 4;
}
// `local_chunks` is not an attribute of ONNX Runtime; models from configurations state it.
def Onnx_GroupQueryAttentionOp
    : Onnx_AttentionLikeOp<"GroupQueryAttention", "inferGroupQueryAttention"> {
  let attributes = [
    "causal: int = 1", "do_rotary: int", "k_norm_epsilon: float", "k_quant_type: string = NONE",
    "kv_cache_bit_width: int", "kv_num_heads: int !", "local_chunks: int = 0",
    "local_window_size: int = -1",
    "num_heads: int !", "q_norm_epsilon: float", "qk_norm_epsilon: float = 1e-06",
    "qk_output: int = 0 *", "rotary_interleaved: int", "scale: float",
    "sliding_window_cache: int = 0", "smooth_softmax: int = -1", "softcap: float",
    "v_quant_type: string = NONE"];
  let work = "groupQueryAttentionWork";
  let cacheOperand = 3;
  let maxResults = 4;
}
// x * cos + rotate(x) * sin: two multiplies and an add. The kernel of a serving
// stack rotates both Q and K: two operands, two results.
def Onnx_RotaryEmbeddingOp
    : Onnx_ElementwiseOp<"RotaryEmbedding", "Mul", 3, 0, "nullptr", "inferSameAsFirst"> {
  let attributes = ["interleaved: int = 0", "num_heads: int", "rotary_embedding_dim: int = 0"];
  let work = "rotaryWork";
  let maxResults = 2;
  let grad = "gradRotary";
  let opsets = [23];
}
// The cheapest path through a matrix of costs: two comparisons and a sum per cell.
def Onnx_DynamicTimeWarpingOp : Onnx_CountedOp<"DynamicTimeWarping", "Compare"> {
  let operands = ["Costs"];
  let shapes = ["Costs: [..., M, N]"];
  let results = ["i32 [2, ?]"];
  let contradictions = ["rows - 1: operand 0 is more than one matrix"];
  let problem = "strided: M*N";
  let fp32Count = "3*M*N";
  let writes = ["0: 2*(M + N - 1)"];
}
def Onnx_LSTMOp : Onnx_OpaqueOp<"LSTM", "inferRecurrent"> {
  let attributes = [
    "activation_alpha: floats", "activation_beta: floats", "activations: strings", "clip: float",
    "direction: string = forward", "hidden_size: int", "input_forget: int = 0",
    "layout: int = 0 @14-", "output_sequence: int = 0 @1-6"];
  let isExpanded = 1;
  let autocast = "Lower";
  let maxResults = 3;
  let opsets = [1, 7, 14, 22];
}
def Onnx_GRUOp : Onnx_OpaqueOp<"GRU", "inferRecurrent"> {
  let attributes = [
    "activation_alpha: floats", "activation_beta: floats", "activations: strings", "clip: float",
    "direction: string = forward", "hidden_size: int", "layout: int = 0 @14-",
    "linear_before_reset: int = 0 @3-", "output_sequence: int = 0 @1-6"];
  let isExpanded = 1;
  let autocast = "Lower";
  let maxResults = 3;
  let opsets = [1, 3, 7, 14, 22];
}
def Onnx_RNNOp : Onnx_OpaqueOp<"RNN", "inferRecurrent"> {
  let attributes = [
    "activation_alpha: floats", "activation_beta: floats", "activations: strings = [Tanh, Tanh]",
    "clip: float", "direction: string = forward", "hidden_size: int", "layout: int = 0 @14-",
    "output_sequence: int = 0 @1-6"];
  let isExpanded = 1;
  let autocast = "Lower";
  let maxResults = 3;
  let opsets = [1, 7, 14, 22];
}

// com.microsoft: 8-bit weights [directions, in, gates], dequantised beforehand.
def Onnx_DynamicQuantizeLSTMOp : Onnx_OpaqueOp<"DynamicQuantizeLSTM", "inferRecurrent"> {
  let attributes = [
    "activation_alpha: floats", "activation_beta: floats", "activations: strings", "clip: float",
    "direction: string = forward", "hidden_size: int", "input_forget: int = 0"];
  let isExpanded = 1;
  let autocast = "Lower";
  let maxResults = 3;
}
// gpucost-raise-ops replaces a recurrent layer with these ops: (all gates, R)
// -> gates of one step, and (all gates, gates of one step) -> states of all
// steps; `gpucost.trip_count` launches of each. Gates of a step: about 10 FLOP
// and 5 special results each.
def Onnx_RecurrentProductOp : Onnx_ContractionOp<"RecurrentProduct", "inferNothing"> {
  let grad = "gradRecurrentProduct";
  let work = "recurrentProductWork";
  let operands = ["Gates", "Recurrence"];
  let isInternal = 1;
}
def Onnx_RecurrentCellOp
    : Onnx_ElementwiseOp<"RecurrentCell", "Tanh", 20, 5, "nullptr", "inferNothing"> {
  let grad = "gradRecurrentCell";
  let work = "recurrentCellWork";
  // cuDNN's layer is one call: its gates have the same format as its matmuls.
  let autocast = "Lower";
  let maxResults = -1;
  let isInternal = 1;
}
def Onnx_RecurrentInputGradOp
    : Onnx_ContractionOp<"RecurrentInputGrad", "inferNothing"> {
  let work = "recurrentInputGradWork";
  let operands = ["Gates", "Recurrence"];
  let isInternal = 1;
  let stage = "Backward";
}
def Onnx_RecurrentCellGradOp
    : Onnx_ElementwiseOp<"RecurrentCellGrad", "Tanh", 30, 2, "nullptr", "inferNothing"> {
  let work = "recurrentCellGradWork";
  let maxResults = -1;
  let isInternal = 1;
  let stage = "Backward";
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXSEQUENCEOPS_TD
