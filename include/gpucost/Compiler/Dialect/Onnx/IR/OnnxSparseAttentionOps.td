//===- OnnxSparseAttentionOps.td - Attention to chosen keys ---- -*- tablegen -*-===//
//
// Part of gpu-cost-opt, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef GPUCOST_DIALECT_ONNX_IR_ONNXSPARSEATTENTIONOPS_TD
#define GPUCOST_DIALECT_ONNX_IR_ONNXSPARSEATTENTIONOPS_TD

include "gpucost/Compiler/Dialect/Onnx/IR/OnnxBase.td"

// Keys that another operator chose, and those in a window: at most max_selected and the window per
// query.
def Onnx_DynamicSparseAttentionOp
    : Onnx_AttentionLikeOp<"DynamicSparseAttention", "inferDynamicSparseAttention"> {
  let formula = "2 x scores x (head size + value size), 5 per score; per query max_selected keys and the window";
  let operands = [
    "Query", "Key?", "Value?", "PastKey?", "PastValue?", "AuxiliaryKey?", "AuxiliaryValue?",
    "SelectedIndices?", "SelectedCounts?", "SequenceLengths?", "TotalLength?", "..."];
  let attributes = [
    "attention_mode: string = selected_only", "auxiliary_kv_shared: int = 0",
    "do_rotary: int = 0", "is_causal: int = 1", "kv_num_heads: int !",
    "local_window_size: int = -1", "num_heads: int !", "output_bf16: int = 0",
    "qk_norm_epsilon: float = 1e-06", "rotary_interleaved: int = 0", "rotary_offset: int = 0",
    "scale: float", "selected_kv_source: string = main", "smooth_softmax: int = 0"];
  let work = "dynamicSparseAttentionWork";
  let cacheOperand = 3;
  let maxResults = 4;
}
def Onnx_SparsePagedAttentionOp
    : Onnx_AttentionLikeOp<"SparsePagedAttention", "inferSparsePagedAttention"> {
  let formula = "2 x scores x (head size + value size), 5 per score; per query max_selected keys and the window";
  let operands = [
    "Query", "Key?", "Value?", "KeyCache?", "ValueCache?", "Lengths?", "PastLengths?",
    "BlockTable?", "SlotMapping?", "SelectedIndices?", "SelectedCounts?", "..."];
  let attributes = [
    "attention_mode: string = selected_only", "auxiliary_cache_layout: string = contiguous",
    "auxiliary_kv_shared: int = 0", "do_rotary: int = 0", "is_causal: int = 1",
    "k_quant_type: string = NONE", "kv_num_heads: int !", "local_window_size: int = -1",
    "num_heads: int !", "qk_norm_epsilon: float = 1e-06", "rotary_interleaved: int = 0",
    "rotary_offset: int = 0", "scale: float", "selected_kv_source: string = main",
    "softcap: float", "v_quant_type: string = NONE"];
  let work = "sparsePagedAttentionWork";
  let cacheOperand = 3;
  let maxResults = 3;
}
// qsa: the mean of each block of keys, its RMS norm (4) and rotation, and the score of each visible
// block: a product per head, ReLU (1), sum (1), comparison (1). csa: instead of the mean a softmax
// over 2 blocks (8, 1), scores with a weight (1).
def Onnx_SparseAttentionIndexerOp : Onnx_CountedOp<"SparseAttentionIndexer"> {
  let operands = [
    "Query", "Key?", "QueryNorm?", "KeyNorm?", "Cosines?", "Sines?", "Mask?", "PastKey?",
    "Gate?", "PositionBias?", "HeadWeights?", "PositionIds?", "PastLength?", "PastBuffer?"];
  let attributes = [
    "compress_ratio: int !", "epsilon: float = 1e-06", "head_weight_scale: float",
    "index_topk: int", "policy_mode: string !", "scale: float", "token_budget: int"];
  let maxResults = 3;
  let autocast = "Lower";
  let names = [
    "csa = policy_mode.csa", "qsa = policy_mode.qsa", "grows = 1 - has.PastLength",
    "heads = W/D - 1 + has.Key", "rotated = last.Cosines*(1 + csa)",
    "whole = min(size.PastBuffer/max(4*B*D, 1)/compress_ratio, 1)",
    "open = size.PastBuffer/max(4*B*D, 1) - compress_ratio*whole + S",
    "closed = open/compress_ratio",
    "kept = open - closed*compress_ratio + compress_ratio*min(whole + closed, 1)",
    "tokens = qsa*(P + S*grows) + csa*((P + closed*grows)*compress_ratio + (open - closed*compress_ratio)*grows)",
    "seen = B*visible(S, tokens, compress_ratio)",
    "pooled = qsa*(tokens/compress_ratio) + csa*closed"];
  let shapes = [
    "Query: [B, S, W]", "QueryNorm!: [D]", "KeyNorm!: [D]", "PastKey!: [B, P, D]",
    "Key: if csa: [B, S, 2*D] else [B, S, D]", "Mask: [B, tokens]", "Gate: [B, S, 2*D]",
    "PositionBias: [compress_ratio, 2*D]", "HeadWeights: [B, S, heads]",
    "PositionIds: [B, S]", "PastBuffer: [2, B, ?, 2*D]", "Cosines!:", "Sines!:"];
  let results = [
    "i32 [B, S, qsa*(token_budget + compress_ratio - 1) + csa*index_topk]",
    "[B, P + grows*(qsa*S + csa*closed), D]", "[2, B, kept, 2*D]"];
  let contradictions = [
    "1 - qsa - csa: policy_mode is neither qsa nor csa",
    "qsa*(1 - min(max(token_budget, 0), 1)) + csa*(1 - min(max(index_topk, 0), 1)): policy_mode requires token_budget (qsa) or index_topk (csa)",
    "qsa*(token_budget - token_budget/compress_ratio*compress_ratio): token_budget is not a multiple of compress_ratio",
    "W - W/D*D: the last size of operand 0 is not a multiple of the head size"];
  let problem = "matmul: S*heads | ceil(seen, max(B*S, 1)) | D | 0 | B";
  let tensorCount = "2*seen*heads*D";
  let fp32Count =
      "seen*(heads*(2 + csa) + 1) + B*S*heads*(4*D + 3*rotated) + B*pooled*(qsa*D*(compress_ratio + 1) + csa*16*compress_ratio*D + 4*D + 3*rotated)";
  let specialCount = "csa*B*pooled*2*compress_ratio*D";
  let reads = ["Cosines: (S + pooled)*last.Cosines", "Sines: (S + pooled)*last.Cosines"];
}
// Rows of tokens; keys are prepared blocks with a fixed capacity, all of which a query may see.
def Onnx_PackedSparseAttentionIndexerOp : Onnx_CountedOp<"PackedSparseAttentionIndexer"> {
  let operands = [
    "Query", "Key?", "QueryNorm?", "KeyNorm?", "Cosines?", "Sines?", "Lengths?",
    "PastLengths?", "Gate?", "PositionBias?", "HeadWeights?", "PositionIds?", "KeyState?",
    "KeyBuffer?", "GateBuffer?", "StateLengths?", "CaptureCount?", "CaptureActive?",
    "IndexShareMode?", "MergedIndices?", "MergedCounts?", "MergedStatus?"];
  let attributes = [
    "compress_ratio: int !", "epsilon: float = 1e-06", "head_weight_scale: float",
    "index_topk: int", "indexshare_state_policy: string = default",
    "max_output_entries: int = 0", "policy_mode: string !", "scale: float",
    "state_capacity: int !", "state_update_capacity: int = 0", "token_budget: int"];
  let maxResults = 9;
  let autocast = "Lower";
  let names = [
    "csa = policy_mode.csa", "qsa = policy_mode.qsa", "heads = W/D - 1 + has.Key",
    "rotated = last.Cosines*(1 + csa)", "seen = T*state_capacity",
    "pooled = T/compress_ratio"];
  let shapes = [
    "Query: [T, W]", "QueryNorm!: [D]", "KeyNorm!: [D]",
    "Key: if csa: [T, 2*D] else [T, D]", "Lengths!: [B+1]", "PastLengths!: [B]",
    "Gate: [T, 2*D]", "PositionBias: [compress_ratio, 2*D]", "HeadWeights: [T, heads]",
    "PositionIds: [T]", "KeyState!: [B, state_capacity, D]",
    "KeyBuffer!: [B, 2*compress_ratio - 1, D*(1 + csa)]",
    "GateBuffer: [B, 2*compress_ratio - 1, 2*D]", "StateLengths!: [B, 2]",
    "CaptureCount: [B]", "Cosines!:", "Sines!:"];
  let results = [
    "if max_output_entries: i32 [T, max_output_entries] else i32 [T, qsa*(token_budget + compress_ratio - 1) + csa*index_topk]",
    "i32 [T]", "= KeyState", "= KeyBuffer", "= GateBuffer", "= StateLengths",
    "[B, state_update_capacity, D]", "i32 [T]", "i32 [B]"];
  let contradictions = [
    "1 - qsa - csa: policy_mode is neither qsa nor csa",
    "qsa*(1 - min(max(token_budget, 0), 1)) + csa*(1 - min(max(index_topk, 0), 1)): policy_mode requires token_budget (qsa) or index_topk (csa)",
    "W - W/D*D: the last size of operand 0 is not a multiple of the head size"];
  let problem = "matmul: ceil(T, max(B, 1))*heads | state_capacity | D | 0 | B";
  let tensorCount = "2*seen*heads*D";
  let fp32Count =
      "seen*(heads*(2 + csa) + 1) + T*heads*(4*D + 3*rotated) + pooled*(qsa*D*(compress_ratio + 1) + csa*16*compress_ratio*D + 4*D + 3*rotated)";
  let specialCount = "csa*pooled*2*compress_ratio*D";
  let reads = ["Cosines: (T + pooled)*last.Cosines", "Sines: (T + pooled)*last.Cosines"];
  let writes = ["2: pooled*D", "3: T*D*(1 + csa)", "4: 2*T*D"];
}
// Union of two lists of positions per query.
def Onnx_PackedSparseAttentionIndexerMergeOp
    : Onnx_CountedOp<"PackedSparseAttentionIndexerMerge", "Compare"> {
  let operands = [
    "BaseIndices", "BaseCounts", "BaseRows", "RangeStarts?", "RangeEnds?",
    "AdditionalIndices?", "AdditionalCounts?"];
  let attributes = ["max_output_entries: int !", "policy_mode: string !"];
  let maxResults = 3;
  let shapes = [
    "BaseIndices: [R, C]", "BaseCounts: [R]", "BaseRows: [T]", "RangeStarts: [T]",
    "RangeEnds: [T]", "AdditionalIndices: [T, A]", "AdditionalCounts: [T]"];
  let results = ["[T, max_output_entries]", "[T]", "[T]"];
  let contradictions = [
    "policy_mode.append_indices*(1 - has.AdditionalIndices*has.AdditionalCounts): append_indices requires operands 5 and 6",
    "policy_mode.append_range*(1 - has.RangeStarts*has.RangeEnds): append_range requires operands 3 and 4"];
  let problem = "elements: T*max_output_entries";
  let reads = ["BaseIndices: T*C", "BaseCounts: T"];
}

#endif // GPUCOST_DIALECT_ONNX_IR_ONNXSPARSEATTENTIONOPS_TD
