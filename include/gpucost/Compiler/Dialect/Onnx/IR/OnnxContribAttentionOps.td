//===- OnnxContribAttentionOps.td - Contrib attention ------*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBATTENTIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBATTENTIONOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// com.microsoft: input, packed weights, bias. gpucost-raise-ops splits it into
// the projection and the attention.
def Onnx_ContribAttentionOp : Onnx_LibraryOp<"ContribAttention", "inferContribAttention",
    "contribAttentionWork", "projection 2 x rows x D x 3H, and the attention", "Softmax"> {
  let attributes = [
    "do_rotary: int", "mask_filter_value: float", "num_heads: int !",
    "past_present_share_buffer: int", "qkv_hidden_sizes: ints", "rotary_embedding_dim: int *",
    "scale: float", "unidirectional: int = 0"];
  let autocast = "Lower";
  let maxResults = 2;
}
def Onnx_PackedAttentionOp : Onnx_LibraryOp<"PackedAttention", "inferContribAttention",
    "packedAttentionWork", "projection 2 x rows x D x 3H, and the attention", "Softmax"> {
  let attributes = ["num_heads: int !", "qkv_hidden_sizes: ints", "scale: float"];
  let maxResults = 2;
}
def Onnx_QAttentionOp : Onnx_LibraryOp<"QAttention", "inferQAttention",
    "quantizedAttentionWork", "projection 2 x rows x D x 3H, and the attention", "Softmax"> {
  let attributes = [
    "do_rotary: int *", "mask_filter_value: float", "num_heads: int !",
    "past_present_share_buffer: int", "scale: float", "unidirectional: int = 0"];
  let scales = [3, 4, 6, 7];
  let maxResults = 2;
}
def Onnx_DecoderMaskedSelfAttentionOp : Onnx_LibraryOp<"DecoderMaskedSelfAttention",
    "inferContribAttention", "contribAttentionWork",
    "projection 2 x rows x D x 3H, and the attention", "Softmax"> {
  let attributes = [
    "do_rotary: int *", "mask_filter_value: float", "num_heads: int !",
    "past_present_share_buffer: int", "scale: float"];
  let maxResults = 2;
}
def Onnx_DecoderAttentionOp : Onnx_OpaqueOp<"DecoderAttention", "inferSameAsFirst"> {
  let attributes = ["mask_filter_value: float", "num_heads: int !"];
  let maxResults = 3;
}
def Onnx_PackedMultiHeadAttentionOp
    : Onnx_AttentionLikeOp<"PackedMultiHeadAttention", "inferPackedMultiHeadAttention"> {
  let attributes = ["mask_filter_value: float", "num_heads: int !", "scale: float"];
  let work = "packedMultiHeadWork";
}
def Onnx_DecoderMaskedMultiHeadAttentionOp
    : Onnx_AttentionLikeOp<"DecoderMaskedMultiHeadAttention", "inferDecoderMaskedAttention"> {
  let attributes = [
    "mask_filter_value: float", "num_heads: int !", "output_qk: int *",
    "past_present_share_buffer: int", "scale: float"];
  let work = "decoderAttentionWork";
  let cacheOperand = 5;
  let maxResults = 4;
}
def Onnx_PagedAttentionOp : Onnx_AttentionLikeOp<"PagedAttention", "inferPagedAttention"> {
  let attributes = [
    "do_rotary: int", "is_causal: int = 1", "k_cache_dtype: string",
    "k_quant_type: string = NONE", "kv_cache_layout: string = SEPARATE", "kv_num_heads: int !",
    "local_window_size: int = -1", "num_heads: int !", "qk_norm_epsilon: float",
    "rotary_interleaved: int", "rotary_offset: int", "scale: float", "softcap: float",
    "v_cache_dtype: string", "v_head_size: int", "v_quant_type: string = NONE"];
  let work = "pagedAttentionWork";
  let cacheOperand = 3;
  let maxResults = 3;
}
def Onnx_SparseAttentionOp
    : Onnx_AttentionLikeOp<"SparseAttention", "inferSparseAttention"> {
  let attributes = [
    "do_rotary: int", "kv_num_heads: int !", "num_heads: int !", "rotary_interleaved: int",
    "scale: float", "sparse_block_size: int !"];
  let work = "groupQueryAttentionWork";
  let cacheOperand = 3;
  let maxResults = 4;
}
def Onnx_LongformerAttentionOp : Onnx_OpaqueOp<"LongformerAttention", "inferSameAsFirst"> {
  let attributes = ["num_heads: int !", "window: int !"];
}
// ai.onnx.preview; the two modifier graphs are elementwise on the scores.
def Onnx_FlexAttentionOp
    : Onnx_AttentionLikeOp<"FlexAttention", "inferAttention"> {
  let grad = "gradAttention";
  let work = "fusedAttentionWork";
  let maxResults = 4;
  let operands = ["Query", "Key", "Value", "..."];
  let attributes = [
    "prob_mod: graph", "scale: float", "score_mod: graph", "softmax_precision: int"];
  let domain = "ai.onnx.preview";
  let opsets = [1];
}
// com.microsoft: position ids are operand 1.
def Onnx_ContribRotaryEmbeddingOp
    : Onnx_ElementwiseOp<"ContribRotaryEmbedding", "Mul", 3, 0, "nullptr",
                         "inferSameAsFirst"> {
  let attributes = [
    "interleaved: int", "is_packed_batching: int", "num_heads: int", "rotary_embedding_dim: int",
    "scale: float"];
  let work = "contribRotaryWork";
  let grad = "gradRotary";
}
def Onnx_RotaryOp : Onnx_ElementwiseOp<"Rotary", "Neg", 1, 0, "nullptr", "inferSameAsFirst"> {
  let attributes = ["..."];
}
def Onnx_LinearAttentionOp : Onnx_LibraryOp<"LinearAttention", "inferLinearAttention",
    "linearAttentionWork",
    "per token and head, d_k x d_v: update 2, query 2, decay 1 (gated), correction 2 (delta)",
    "Mul"> {
  let attributes = [
    "chunk_size: int = 64", "kv_num_heads: int !", "q_num_heads: int !", "scale: float = 0",
    "state_window: int = 0", "update_rule: string = gated_delta"];
  let maxResults = 2;
  let opsets = [27];
}
def Onnx_CausalConvWithStateOp
    : Onnx_LibraryOp<"CausalConvWithState", "inferCausalConv", "causalConvWork",
                     "2 x taps per result, 3 more with SiLU", "DepthwiseConv"> {
  let attributes = [
    "activation: string = none", "channels_last: int = 0", "dilation: int = 1",
    "input_channel_offset: int = 0", "input_channels: int = 0", "ndim: int = 1",
    "state_channels_last: int = -1", "state_length: int = 0", "state_update_capacity: int = 0",
    "state_window: int = 0"];
  let grad = "gradJoint";
  let maxResults = 3;
  let opsets = [27];
}
def Onnx_RelativePositionBiasOp
    : Onnx_GatherOp<"RelativePositionBias", "inferRelativePositionBias"> {
  let attributes = ["is_bidirectional: int = 0", "max_distance: int !"];
}
def Onnx_GatedRelativePositionBiasOp
    : Onnx_ElementwiseOp<"GatedRelativePositionBias", "Sigmoid", 8, 2, "nullptr",
                         "inferGatedRelativePositionBias"> {
  let attributes = ["num_heads: int !"];
}
// com.microsoft: removal of padding rows, and the inverse.
def Onnx_RemovePaddingOp : Onnx_GatherOp<"RemovePadding", "inferRemovePadding"> {
  let maxResults = 4;
}
def Onnx_RestorePaddingOp
    : Onnx_GatherOp<"RestorePadding", "inferRestorePadding", "nullptr", "Scatter">;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBATTENTIONOPS_TD
