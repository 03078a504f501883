//===- OnnxDecoderOps.td - Fused parts of decoder layers --- -*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXDECODEROPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXDECODEROPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// scale * x * sigmoid(scale * x).
def Onnx_ScaledSiLUOp
    : Onnx_ElementwiseOp<"ScaledSiLU", "Silu", 4, 2, "nullptr", "inferSameAsFirst"> {
  let operands = ["X", "Scale?"];
  let attributes = ["alpha: float = 1"];
}
// RMS norm of each branch [..., branches, H] or [..., branches*H].
def Onnx_BranchwiseRMSNormOp : Onnx_CountedOp<"BranchwiseRMSNorm", "Norm"> {
  let operands = ["X", "Scale?"];
  let attributes = ["epsilon: float = 1e-05", "num_branches: int = 0"];
  let names = ["branches = max(num_branches, 1)"];
  let shapes = ["X: [..., D]"];
  let results = ["= X"];
  let contradictions = [
    "D - D/branches*branches: the last size of operand 0 is not a multiple of num_branches"];
  let problem = "rows: rows*branches | D/branches";
  let fp32Count = "rows*D*(3 + has.Scale)";
}
// Per element two RMS norms (8), their product, its sum, the gated value; per row the gate (7, 3);
// the norm of the result (4).
def Onnx_EngramGateOp : Onnx_CountedOp<"EngramGate", "Norm"> {
  let operands = ["Key", "Query", "Value", "KeyScale", "QueryScale", "ResultScale?"];
  let attributes = ["epsilon: float = 1e-05"];
  let maxResults = 2;
  let shapes = [
    "Key: [B, S, M, H]", "Query: [B, S, M, H]", "Value: [B, S, H]", "KeyScale: [M, H]",
    "QueryScale: [M, H]", "ResultScale: [M, H]"];
  let results = ["= Key", "= Key"];
  let contradictions = ["used.1*(1 - has.ResultScale): result 1 requires operand 5"];
  let problem = "rows: B*S*M | H";
  let fp32Count = "B*S*M*(H*(11 + 4*used.1) + 7)";
  let specialCount = "3*B*S*M";
}
// x + gate * y, with the gate sigmoid(a w) of each row.
def Onnx_GatedAddOp : Onnx_CountedOp<"GatedAdd", "Mul"> {
  let operands = ["X", "Y", "Gate", "GateWeight?"];
  let shapes = ["X: [..., C]", "Y: [..., C]", "Gate: [..., K]", "GateWeight: [K, 1]"];
  let results = ["= X"];
  let contradictions = [
    "(1 - has.GateWeight)*(K - 1): operand 2 has several gates per row and no weight"];
  let problem = "elements: rows*C";
  let fp32Count = "rows*(2*C + has.GateWeight*(2*K + 2))";
  let specialCount = "2*rows*has.GateWeight";
}
// Residual streams [..., C, H] or [..., num_branches*H].
def Onnx_HyperConnectionPreMixOp : Onnx_CountedOp<"HyperConnectionPreMix", "Mul"> {
  let operands = ["Streams", "Mix"];
  let attributes = ["num_branches: int = 0", "reduction_scale: float = 1"];
  let shapes = ["Streams: if num_branches: [..., num_branches*H] else [..., C, H]"];
  let names = ["width = size.Streams/rows/max(num_branches, 1)"];
  let results = ["if num_branches: [..., width] else [..., H]"];
  let contradictions = [
    "last.Streams - last.Streams/max(num_branches, 1)*max(num_branches, 1): the last size of operand 0 is not a multiple of num_branches"];
  let problem = "elements: size.out";
  let fp32Count = "2*size.Streams + size.out";
}
def Onnx_HyperConnectionPostMixOp : Onnx_CountedOp<"HyperConnectionPostMix", "Mul"> {
  let operands = ["Streams", "BlockOutput", "Mix", "StreamMix?"];
  let attributes = ["num_branches: int = 0"];
  let names = ["branches = size.Streams/size.BlockOutput"];
  let shapes = [
    "BlockOutput: [..., H]", "Streams: if num_branches: [..., num_branches*H] else [..., C, H]",
    "StreamMix: [..., branches, branches]"];
  let results = ["= Streams"];
  let problem = "elements: size.Streams";
  let fp32Count = "size.Streams*(2 + 2*branches*has.StreamMix)";
}
// The sum with the previous block (2), RMS norm (4), down and up projection of rank R with a scaled
// SiLU (4), sigmoid (2), product and sum (2), the gate of each branch (4).
def Onnx_HyperConnectionLowRankMixOp : Onnx_CountedOp<"HyperConnectionLowRankMix"> {
  let operands = [
    "Streams", "NormScale", "Down", "Up", "Inject", "BlockOutput?", "PostGate?"];
  let attributes = [
    "epsilon: float = 1e-05", "gate_div: float = 1", "gate_mul: float = 1",
    "num_branches: int !", "reduction_scale: float = 1", "silu_alpha: float = 1"];
  let maxResults = 3;
  let autocast = "Lower";
  let shapes = [
    "Streams: [..., D]", "NormScale: [D]", "Down: [D, R]", "Up: [R, D]",
    "Inject: [D, num_branches]", "BlockOutput: [..., D/num_branches]",
    "PostGate: [..., num_branches]"];
  let results = ["[..., D/num_branches]", "[..., num_branches]", "= Streams"];
  let contradictions = [
    "D - D/num_branches*num_branches: the last size of operand 0 is not a multiple of num_branches",
    "has.BlockOutput - has.PostGate: requires operands 5 and 6 together"];
  let problem = "matmul: rows | R | D | 0";
  let tensorCount = "2*rows*D*(2*R + num_branches)";
  let fp32Count =
      "rows*(D*(8 + 2*has.PostGate) + 4*R + 4*num_branches + D/num_branches)";
  let specialCount = "2*rows*(D + R + num_branches)";
}
// Three positions per token: a row of the tables consists of parts of their rows.
def Onnx_MRotaryEmbeddingOp : Onnx_CountedOp<"MRotaryEmbedding", "Mul"> {
  let operands = ["X", "PositionIds", "Cosines", "Sines"];
  let attributes = [
    "interleaved: int", "is_packed_batching: int", "mrope_layout: int", "mrope_section: ints !",
    "num_heads: int", "rotary_embedding_dim: int", "scale: float"];
  let names = [
    "head = E/(1 + (4 - rank.X)*(max(num_heads, 1) - 1))",
    "others = min(rotary_embedding_dim, 1)*(head - rotary_embedding_dim)",
    "rotated = size.X - size.X/head*others"];
  let shapes = ["X: [..., E]", "PositionIds: [3, B, S]", "Cosines: [P, W]", "Sines: [P, W]"];
  let results = ["= X"];
  let contradictions = [
    "max(rank.X - 4, 0) + max(3 - rank.X, 0): operand 0 does not have three or four dimensions",
    "max(rotary_embedding_dim - head, 0): rotary_embedding_dim is larger than a head",
    "min(rotary_embedding_dim, 1)*(2*W - rotary_embedding_dim): the tables do not fit rotary_embedding_dim"];
  let problem = "elements: size.X";
  let fp32Count = "3*rotated";
  let reads = ["Cosines: S*W", "Sines: S*W"];
}
// RMS norm of a slice of each head, then the rotation of its first elements.
def Onnx_RMSNormRotaryOp : Onnx_CountedOp<"RMSNormRotary", "Norm"> {
  let operands = ["X", "Scale", "PositionIds", "Cosines", "Sines", "PrefillNumerics?"];
  let attributes = [
    "epsilon: float = 1e-06", "flatten_batch: int = 0", "input_start: int = 0",
    "input_width: int = 0", "output_fp16: int = 0", "rotary_embedding_dim: int !",
    "use_fp32_arithmetic: int = 1"];
  let maxResults = 2;
  let names = ["merged = min(flatten_batch, 1)*(B - 1)"];
  let shapes = [
    "X: [B, S, N, E]", "Scale: [W]", "Cosines: [P, rotary_embedding_dim/2]",
    "Sines: [P, rotary_embedding_dim/2]"];
  let results = [
    "if output_fp16: f16 [B - merged, S*(1 + merged), N*W] else bf16 [B - merged, S*(1 + merged), N*W]",
    "f32 [B, S, N, W]"];
  let contradictions = [
    "min(input_width, 1)*(input_width - W): operand 1 does not have input_width elements",
    "max(input_start + W - E, 0): the slice of operand 0 ends after its last size",
    "max(rotary_embedding_dim - W, 0): rotary_embedding_dim is larger than the slice"];
  let problem = "rows: B*S*N | W";
  let fp32Count = "B*S*N*(4*W + 3*rotary_embedding_dim)";
  let reads = [
    "X: B*S*N*W", "Cosines: B*S*(rotary_embedding_dim/2)", "Sines: B*S*(rotary_embedding_dim/2)"];
}
// Integer hashes of n-grams: multiplications and exclusive ors are not FLOPs.
def Onnx_NGramHashMappingOp : Onnx_CountedOp<"NGramHashMapping", "Mul"> {
  let operands = [
    "Ids", "Multipliers", "VocabSizes", "PastIds?", "HeadOffsets?", "EosTokenId?",
    "SegmentIds?"];
  let attributes = [
    "max_ngram_size: int !", "n_head_per_ngram: int !", "pad_id: int !",
    "reset_on_eos: int = 0"];
  let maxResults = 2;
  let names = ["heads = (max_ngram_size - 1)*n_head_per_ngram"];
  let shapes = [
    "Ids: [B, S]", "VocabSizes: [heads]", "PastIds: [B, max_ngram_size - 1]",
    "HeadOffsets: [heads]", "SegmentIds: [B, S]"];
  let results = ["[B, S, heads]", "[B, max_ngram_size - 1]"];
  let problem = "elements: B*S*heads";
}
def Onnx_VarlenNGramHashMappingOp : Onnx_CountedOp<"VarlenNGramHashMapping", "Mul"> {
  let operands = [
    "Ids", "Multipliers", "VocabSizes", "Lengths", "PastIds?", "HeadOffsets?", "EosTokenId?",
    "SegmentIds?", "PastSegmentIds?", "CaptureCount?"];
  let attributes = [
    "max_ngram_size: int !", "n_head_per_ngram: int !", "pad_id: int !",
    "reset_on_eos: int = 0", "state_update_capacity: int = 0"];
  let maxResults = 4;
  let names = ["heads = (max_ngram_size - 1)*n_head_per_ngram"];
  let shapes = [
    "Ids: [T]", "VocabSizes: [heads]", "Lengths: [B+1]", "PastIds: [B, max_ngram_size - 1]",
    "HeadOffsets: [heads]", "SegmentIds: [T]", "PastSegmentIds: [B, max_ngram_size - 1]",
    "CaptureCount: [B]"];
  let results = [
    "[T, heads]", "[B, max_ngram_size - 1]", "i32 [B, max_ngram_size - 1]",
    "[B, state_update_capacity, max_ngram_size - 1]"];
  let contradictions = [
    "min(state_update_capacity, 1) - has.CaptureCount: requires operand 9 exactly if state_update_capacity is positive"];
  let problem = "elements: T*heads";
}
// Control words of speculative decoding, 16 per sequence.
def Onnx_SpeculativePrefixCommitOp : Onnx_CountedOp<"SpeculativePrefixCommit"> {
  let operands = [
    "NextTokens", "InputIds", "Status", "Control", "Committed", "Prefixes", "Ring"];
  let attributes = ["head_rows: int = 8"];
  let maxResults = 3;
  let results = ["i32 [size.Control/16]", "= Control", "= Committed"];
  let contradictions = [
    "size.Control - size.Control/16*16: operand 3 does not have 16 words per sequence"];
  let problem = "elements: size.Control";
}
// Scores: sigmoid (2) and bias (1); the legacy routing also compares groups and experts (2) and
// takes logarithms of the chosen ones.
def Onnx_MoEGroupRouterOp : Onnx_CountedOp<"MoEGroupRouter", "Sigmoid"> {
  let operands = ["Logits", "ExpertBias", "Projection?"];
  let attributes = [
    "group_topk: int = 2", "n_group: int = 1", "router_sentinel: float = -10000",
    "top_k: int !", "topk_group: int = 1"];
  let maxResults = 3;
  let shapes = ["Logits: [..., L]", "ExpertBias: [E]", "Projection: [E, L]"];
  let results = ["[rows, E]", "f32 [rows, E]", "f32 [rows, E]"];
  let contradictions = [
    "(1 - has.Projection)*(L - E): operands 0 and 1 have different numbers of experts",
    "E - E/n_group*n_group: the number of experts is not a multiple of n_group",
    "max(top_k - E, 0): top_k is larger than the number of experts"];
  let problem =
      "if has.Projection: matmul: rows | E | L | 0 else elements: rows*E";
  let tensorCount = "2*rows*E*L*has.Projection";
  let fp32Count = "rows*E*(3 + 2*used.0)";
  let specialCount = "rows*(2*E + top_k*used.0)";
}
// One product; the router's logits, and SwiGLU (5, 2) of the other columns.
def Onnx_RouterGateUpProjOp : Onnx_CountedOp<"RouterGateUpProj"> {
  let operands = ["X", "Weight"];
  let attributes = [
    "activation: string = swiglu", "activation_alpha: float = 1", "activation_beta: float = 0",
    "limit: float = 0", "router_size: int !"];
  let maxResults = 2;
  let autocast = "Lower";
  let names = ["inner = (M - router_size)/2"];
  let shapes = ["X: [..., K]", "Weight: [K, M]"];
  let results = ["[..., router_size]", "[..., inner]"];
  let contradictions = [
    "M - router_size - 2*inner: the columns of operand 1 are not router_size and two halves"];
  let problem = "matmul: rows | M | K | 0";
  let fp32Count = "5*rows*inner";
  let specialCount = "2*rows*inner";
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXDECODEROPS_TD
