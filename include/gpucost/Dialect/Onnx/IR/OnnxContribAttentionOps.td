//===- OnnxContribAttentionOps.td - Attention and state-space layers, one op each *- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBATTENTIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBATTENTIONOPS_TD

include "gpucost/Dialect/Onnx/IR/OnnxBase.td"

// com.microsoft: input, packed weights, bias. gpucost-raise-ops splits it into the
// projection and the attention.
def Onnx_ContribAttentionOp : Onnx_LibraryOp<"ContribAttention", "inferContribAttention",
    "contribAttentionWork", "projection 2 x rows x D x 3H, and the attention", "Softmax"> {
  let autocast = "Lower";
  let maxResults = 2;
}
def Onnx_PackedAttentionOp : Onnx_LibraryOp<"PackedAttention", "inferContribAttention",
    "packedAttentionWork", "projection 2 x rows x D x 3H, and the attention", "Softmax"> {
  let maxResults = 2;
}
def Onnx_QAttentionOp : Onnx_LibraryOp<"QAttention", "inferQAttention",
    "quantizedAttentionWork", "projection 2 x rows x D x 3H, and the attention", "Softmax"> {
  let scales = [3, 4, 6, 7];
  let maxResults = 2;
}
def Onnx_DecoderMaskedSelfAttentionOp : Onnx_LibraryOp<"DecoderMaskedSelfAttention",
    "inferContribAttention", "contribAttentionWork",
    "projection 2 x rows x D x 3H, and the attention", "Softmax"> { let maxResults = 2; }
def Onnx_DecoderAttentionOp : Onnx_OpaqueOp<"DecoderAttention", "inferSameAsFirst"> {
  let maxResults = 3;
}
def Onnx_PackedMultiHeadAttentionOp
    : Onnx_AttentionLikeOp<"PackedMultiHeadAttention", "inferPackedMultiHeadAttention"> {
  let work = "packedMultiHeadWork";
}
def Onnx_DecoderMaskedMultiHeadAttentionOp
    : Onnx_AttentionLikeOp<"DecoderMaskedMultiHeadAttention", "inferDecoderMaskedAttention"> {
  let work = "decoderAttentionWork";
  let cacheOperand = 5;
  let maxResults = 4;
}
def Onnx_PagedAttentionOp : Onnx_AttentionLikeOp<"PagedAttention", "inferPagedAttention"> {
  let work = "pagedAttentionWork";
  let cacheOperand = 3;
  let maxResults = 3;
}
def Onnx_SparseAttentionOp
    : Onnx_AttentionLikeOp<"SparseAttention", "inferSparseAttention"> {
  let work = "groupQueryAttentionWork";
  let cacheOperand = 3;
  let maxResults = 4;
}
def Onnx_LongformerAttentionOp : Onnx_OpaqueOp<"LongformerAttention", "inferSameAsFirst">;
// ai.onnx.preview; the two modifier graphs are elementwise on the scores.
def Onnx_FlexAttentionOp
    : Onnx_AttentionLikeOp<"FlexAttention", "inferAttention"> {
  let grad = "gradAttention";
  let work = "fusedAttentionWork";
  let maxResults = 4;
  let operands = ["Query", "Key", "Value", "..."];
  let domain = "ai.onnx.preview";
  let opsets = [1];
}
// com.microsoft: position ids are operand 1.
def Onnx_ContribRotaryEmbeddingOp
    : Onnx_ElementwiseOp<"ContribRotaryEmbedding", "Mul", 3, 0, "nullptr",
                         "inferSameAsFirst"> { let grad = "gradRotary"; }
def Onnx_RotaryOp : Onnx_ElementwiseOp<"Rotary", "Neg", 1, 0, "nullptr", "inferSameAsFirst">;
def Onnx_LinearAttentionOp : Onnx_LibraryOp<"LinearAttention", "inferLinearAttention",
    "linearAttentionWork",
    "per token and head, d_k x d_v: update 2, query 2, decay 1 (gated), correction 2 (delta)",
    "Mul"> {
  let maxResults = 2;
  let opsets = [27];
}
def Onnx_CausalConvWithStateOp
    : Onnx_LibraryOp<"CausalConvWithState", "inferCausalConv", "causalConvWork",
                     "2 x taps per result, 3 more with SiLU", "DepthwiseConv"> {
  let grad = "gradJoint";
  let maxResults = 2;
  let opsets = [27];
}
def Onnx_RelativePositionBiasOp
    : Onnx_GatherOp<"RelativePositionBias", "inferRelativePositionBias">;
def Onnx_GatedRelativePositionBiasOp
    : Onnx_ElementwiseOp<"GatedRelativePositionBias", "Sigmoid", 8, 2, "nullptr",
                         "inferGatedRelativePositionBias">;
// com.microsoft: rows without padding, and back.
def Onnx_RemovePaddingOp : Onnx_GatherOp<"RemovePadding", "inferRemovePadding"> {
  let maxResults = 4;
}
def Onnx_RestorePaddingOp
    : Onnx_GatherOp<"RestorePadding", "inferRestorePadding", "nullptr", "Scatter">;

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXCONTRIBATTENTIONOPS_TD
