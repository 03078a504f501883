// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// Queries at positions p see floor((p + 1) / 4) blocks.
// CHECK-LABEL: func.func @indexers
func.func @indexers(%a0: tensor<1x2x16xf16>, %a1: tensor<1x2x8xf16>, %a2: tensor<8xf16>, %a3: tensor<8xf16>, %a4: tensor<1x100x8xf16>, %a5: tensor<1x100x8xf16>, %a6: tensor<1x6x8xf16>, %a7: tensor<1x4x16xf16>, %a8: tensor<1x4x16xf16>, %a9: tensor<100x2xf16>, %a10: tensor<100x2xf16>, %a11: tensor<1x3x8xf16>, %a12: tensor<1x4x16xf16>, %a13: tensor<4x16xf16>, %a14: tensor<1x4x2xf16>, %a15: tensor<1x4xi64>, %a16: tensor<2x1x5x16xf16>, %a17: tensor<4x24xf16>, %a18: tensor<100x8xf16>, %a19: tensor<100x8xf16>, %a20: tensor<3xi32>, %a21: tensor<2xi32>, %a22: tensor<2x16x8xf16>, %a23: tensor<2x7x8xf16>, %a24: tensor<2x2xi32>, %a25: tensor<3x8xi32>, %a26: tensor<4xi32>, %a27: tensor<4xi32>, %a28: tensor<4xi32>) {
  %none = onnx.None : () -> !onnx.none
  // 8 keys: 1 + 2 blocks, two heads of 8: 2 * 3 * 2 * 8 FLOP. Scores 3 * (2 * 2 + 1), queries 4 * (4 * 8
  // + 3 * 8), two blocks of 8 * 5 + 4 * 8 + 3 * 8. Four rows of 16 bytes of both tables; queries 64, keys
  // 32 + 96, two norms of 16.
  // CHECK: #gpucost.matmul<m = 4, n = 2, k = 8, linear = false>, tensor_flops = 96, fp32_flops = 431, bytes_read = 352, bytes_written = 216,
  %k0:2 = gpucost.kernel "SparseAttentionIndexer" {
    %r:2 = onnx.SparseAttentionIndexer %a0, %a1, %a2, %a3, %a4, %a5, %none, %a6 {policy_mode = "qsa", compress_ratio = 4 : i64, token_budget = 8 : i64} : (tensor<1x2x16xf16>, tensor<1x2x8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<1x100x8xf16>, tensor<1x100x8xf16>, !onnx.none, tensor<1x6x8xf16>) -> (tensor<1x2x11xi32>, tensor<1x8x8xf16>)
    gpucost.yield %r#0, %r#1 : tensor<1x2x11xi32>, tensor<1x8x8xf16>
  } : tensor<1x2x11xi32>, tensor<1x8x8xf16>
  // 3 blocks, a complete window and one token in the buffer: 4 new tokens close one block, and 17 tokens
  // are known. 3 + 3 + 4 + 4 blocks are seen: 2 * 14 * 2 * 8 FLOP. Scores 14 * (2 * 3 + 1), queries 8 * (4
  // * 8 + 3 * 4), the block 8 slots of 8 channels (8), 4 * 8 + 3 * 4.
  // CHECK: #gpucost.matmul<m = 8, n = 4, k = 8, linear = false>, tensor_flops = 448, fp32_flops = 1006, special_ops = 64,
  %k1:3 = gpucost.kernel "SparseAttentionIndexer" {
    %r:3 = onnx.SparseAttentionIndexer %a7, %a8, %a2, %a3, %a9, %a10, %none, %a11, %a12, %a13, %a14, %a15, %none, %a16 {policy_mode = "csa", compress_ratio = 4 : i64, index_topk = 3 : i64} : (tensor<1x4x16xf16>, tensor<1x4x16xf16>, tensor<8xf16>, tensor<8xf16>, tensor<100x2xf16>, tensor<100x2xf16>, !onnx.none, tensor<1x3x8xf16>, tensor<1x4x16xf16>, tensor<4x16xf16>, tensor<1x4x2xf16>, tensor<1x4xi64>, !onnx.none, tensor<2x1x5x16xf16>) -> (tensor<1x4x3xi32>, tensor<1x4x8xf16>, tensor<2x1x5x16xf16>)
    gpucost.yield %r#0, %r#1, %r#2 : tensor<1x4x3xi32>, tensor<1x4x8xf16>, tensor<2x1x5x16xf16>
  } : tensor<1x4x3xi32>, tensor<1x4x8xf16>, tensor<2x1x5x16xf16>
  // Each of 4 tokens may see all 16 blocks: 2 * 64 * 2 * 8 FLOP, scores 64 * 5, queries 8 * 56, one new
  // block of 96. Five rows of both tables, 160 bytes; queries 192, norms 32, lengths 36, states 512 and
  // 224; written: positions 176 + 16, a block, the new keys and lengths.
  // CHECK: #gpucost.matmul<batch = 2, m = 4, n = 16, k = 8, linear = false>, tensor_flops = 2048, fp32_flops = 864, bytes_read = 1156, bytes_written = 288,
  %k2:5 = gpucost.kernel "PackedSparseAttentionIndexer" {
    %r:6 = onnx.PackedSparseAttentionIndexer %a17, %none, %a2, %a3, %a18, %a19, %a20, %a21, %none, %none, %none, %none, %a22, %a23, %none, %a24 {policy_mode = "qsa", compress_ratio = 4 : i64, token_budget = 8 : i64, state_capacity = 16 : i64} : (tensor<4x24xf16>, !onnx.none, tensor<8xf16>, tensor<8xf16>, tensor<100x8xf16>, tensor<100x8xf16>, tensor<3xi32>, tensor<2xi32>, !onnx.none, !onnx.none, !onnx.none, !onnx.none, tensor<2x16x8xf16>, tensor<2x7x8xf16>, !onnx.none, tensor<2x2xi32>) -> (tensor<4x11xi32>, tensor<4xi32>, tensor<2x16x8xf16>, tensor<2x7x8xf16>, !onnx.none, tensor<2x2xi32>)
    gpucost.yield %r#0, %r#1, %r#2, %r#3, %r#5 : tensor<4x11xi32>, tensor<4xi32>, tensor<2x16x8xf16>, tensor<2x7x8xf16>, tensor<2x2xi32>
  } : tensor<4x11xi32>, tensor<4xi32>, tensor<2x16x8xf16>, tensor<2x7x8xf16>, tensor<2x2xi32>
  // Integers: 96 + 12 + 3 * 16 bytes in.
  // CHECK: #gpucost.elements<count = 40>, bytes_read = 156, bytes_written = 192>
  %k3:3 = gpucost.kernel "PackedSparseAttentionIndexerMerge" {
    %r:3 = onnx.PackedSparseAttentionIndexerMerge %a25, %a20, %a26, %a27, %a28 {policy_mode = "append_range", max_output_entries = 10 : i64} : (tensor<3x8xi32>, tensor<3xi32>, tensor<4xi32>, tensor<4xi32>, tensor<4xi32>) -> (tensor<4x10xi32>, tensor<4xi32>, tensor<4xi32>)
    gpucost.yield %r#0, %r#1, %r#2 : tensor<4x10xi32>, tensor<4xi32>, tensor<4xi32>
  } : tensor<4x10xi32>, tensor<4xi32>, tensor<4xi32>
  return
}

// 4 heads of 8, 2 key heads; 4 * 8 FLOP per score.
// CHECK-LABEL: func.func @chosen
func.func @chosen(%a0: tensor<1x2x32xf16>, %a1: tensor<1x2x16xf16>, %a2: tensor<1x2x16xf16>, %a3: tensor<1x2x16x8xf16>, %a4: tensor<1x2x16x8xf16>, %a5: tensor<2x3xi32>, %a6: tensor<2xi32>, %a7: tensor<1xi32>, %a8: tensor<1xi32>, %a9: tensor<1x2x10x8xf16>, %a10: tensor<2x32xf16>, %a11: tensor<2x16xf16>, %a12: tensor<2x16xf16>, %a13: tensor<10x4x2x8xf16>, %a14: tensor<10x4x2x8xf16>, %a15: tensor<3xi32>, %a16: tensor<2x3xi32>, %a17: tensor<2xi32>, %a18: tensor<2x6x2x8xf16>, %a19: tensor<2x6x2x8xf16>, %a20: tensor<2xi32>) {
  %none = onnx.None : () -> !onnx.none
  // 3 keys for each of 2 queries: 24 scores. At most 6 of 16 tokens are read, 192 bytes of K and of V;
  // Q 128, new K and V 64 each, indices 24 + 8, lengths 8.
  // CHECK: query_length = 2, kv_length = 16, head_dim = 8, window = 3, causal = true>, tensor_flops = 768, fp32_flops = 120, special_ops = 24, bytes_read = 680, bytes_written = 128>
  %k0 = gpucost.kernel "DynamicSparseAttention" {
    %r = onnx.DynamicSparseAttention %a0, %a1, %a2, %a3, %a4, %none, %none, %a5, %a6, %a7, %a8 {num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<1x2x32xf16>, tensor<1x2x16xf16>, tensor<1x2x16xf16>, tensor<1x2x16x8xf16>, tensor<1x2x16x8xf16>, !onnx.none, !onnx.none, tensor<2x3xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x2x32xf16>
    gpucost.yield %r : tensor<1x2x32xf16>
  } : tensor<1x2x32xf16>
  // 4 keys of the window and 3 of the auxiliary ones: 56 scores. 5 tokens of the cache, 160 bytes of K and
  // of V, 6 auxiliary ones, 192.
  // CHECK: query_length = 2, kv_length = 16, head_dim = 8, window = 7, causal = true>, tensor_flops = 1792, fp32_flops = 280, special_ops = 56, bytes_read = 808, bytes_written = 128>
  %k1 = gpucost.kernel "DynamicSparseAttention" {
    %r = onnx.DynamicSparseAttention %a0, %a1, %a2, %a3, %a4, %a9, %none, %a5, %a6, %a7, %a8 {num_heads = 4 : i64, kv_num_heads = 2 : i64, attention_mode = "local_plus_selected", selected_kv_source = "auxiliary", local_window_size = 4 : i64, auxiliary_kv_shared = 1 : i64} : (tensor<1x2x32xf16>, tensor<1x2x16xf16>, tensor<1x2x16xf16>, tensor<1x2x16x8xf16>, tensor<1x2x16x8xf16>, tensor<1x2x10x8xf16>, !onnx.none, tensor<2x3xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x2x32xf16>
    gpucost.yield %r : tensor<1x2x32xf16>
  } : tensor<1x2x32xf16>
  // One query of each of 2 sequences, 3 of 12 keys: 24 scores, 6 tokens of 32 bytes of K and of V. Q 128,
  // new K and V 128, lengths 20, table 24, indices 32.
  // CHECK: batch = 2, heads = 4, kv_heads = 2, query_length = 1, kv_length = 12, head_dim = 8, window = 3, causal = true>, tensor_flops = 768, fp32_flops = 120, special_ops = 24, bytes_read = 716, bytes_written = 128>
  %k2 = gpucost.kernel "SparsePagedAttention" {
    %r = onnx.SparsePagedAttention %a10, %a11, %a12, %a13, %a14, %a15, %a6, %a5, %none, %a16, %a17 {num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<2x32xf16>, tensor<2x16xf16>, tensor<2x16xf16>, tensor<10x4x2x8xf16>, tensor<10x4x2x8xf16>, tensor<3xi32>, tensor<2xi32>, tensor<2x3xi32>, !onnx.none, tensor<2x3xi32>, tensor<2xi32>) -> tensor<2x32xf16>
    gpucost.yield %r : tensor<2x32xf16>
  } : tensor<2x32xf16>
  // Only auxiliary keys: 3 of 6, as many bytes as above, and 8 of their lengths.
  // CHECK: tensor_flops = 768, fp32_flops = 120, special_ops = 24, bytes_read = 724,
  %k3 = gpucost.kernel "SparsePagedAttention" {
    %r = onnx.SparsePagedAttention %a10, %a11, %a12, %a13, %a14, %a15, %a6, %a5, %none, %a16, %a17, %a18, %a19, %a20 {num_heads = 4 : i64, kv_num_heads = 2 : i64, selected_kv_source = "auxiliary"} : (tensor<2x32xf16>, tensor<2x16xf16>, tensor<2x16xf16>, tensor<10x4x2x8xf16>, tensor<10x4x2x8xf16>, tensor<3xi32>, tensor<2xi32>, tensor<2x3xi32>, !onnx.none, tensor<2x3xi32>, tensor<2xi32>, tensor<2x6x2x8xf16>, tensor<2x6x2x8xf16>, tensor<2xi32>) -> tensor<2x32xf16>
    gpucost.yield %r : tensor<2x32xf16>
  } : tensor<2x32xf16>
  return
}

// CHECK-LABEL: func.func @block_layout
func.func @block_layout(%q: tensor<1x8x32xf16>, %k: tensor<1x8x16xf16>, %past: tensor<1x2x8x8xf16>, %values: tensor<1x2x8x8xf16>, %v: tensor<1x1x16xf16>, %step: tensor<1x1x32xf16>, %new: tensor<1x1x16xf16>, %lengths: tensor<1xi32>, %rows: tensor<1x5xi32>, %columns: tensor<1x7xi32>) {
  %total = onnx.Constant {value = dense<8> : tensor<1xi32>} : () -> tensor<1xi32>
  %r = onnx.Constant {value = dense<[[0, 1, 3, 5, 7]]> : tensor<1x5xi32>} : () -> tensor<1x5xi32>
  %c = onnx.Constant {value = dense<[[0, 0, 1, 1, 2, 2, 3]]> : tensor<1x7xi32>} : () -> tensor<1x7xi32>
  // Blocks of 2: each of 4 rows has its own block, 3 scores, and 3 rows the block before it, 4 scores: 24 scores
  // of 36. 4 heads of 8: 24 * 4 * 8 * 4.
  // CHECK: window = 4, causal = true>, tensor_flops = 3072, fp32_flops = 480, special_ops = 96,
  %0:3 = gpucost.kernel "SparseAttention" {
    %o:3 = onnx.SparseAttention %q, %k, %k, %past, %past, %r, %c, %total, %lengths {num_heads = 4 : i64, kv_num_heads = 2 : i64, sparse_block_size = 2 : i64} : (tensor<1x8x32xf16>, tensor<1x8x16xf16>, tensor<1x8x16xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>, tensor<1x5xi32>, tensor<1x7xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<1x8x32xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>)
    gpucost.yield %o#0, %o#1, %o#2 : tensor<1x8x32xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>
  } : tensor<1x8x32xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>
  // A new token reads two blocks of four: 4 scores, 4 * 4 * 8 * 4, and 4 of 8 tokens of the cache: Q 64, K and V
  // 32 each, half of the caches of 256 each, lengths 4.
  // CHECK: query_length = 1, {{.*}}tensor_flops = 512, fp32_flops = 80, special_ops = 16, bytes_read = 388,
  %1:3 = gpucost.kernel "SparseAttention" {
    %o:3 = onnx.SparseAttention %step, %new, %v, %past, %values, %r, %c, %total, %lengths {num_heads = 4 : i64, kv_num_heads = 2 : i64, sparse_block_size = 2 : i64} : (tensor<1x1x32xf16>, tensor<1x1x16xf16>, tensor<1x1x16xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>, tensor<1x5xi32>, tensor<1x7xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<1x1x32xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>)
    gpucost.yield %o#0, %o#1, %o#2 : tensor<1x1x32xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>
  } : tensor<1x1x32xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>
  // A layout that is not constant: all 36 scores.
  // CHECK: tensor_flops = 4608,
  %2:3 = gpucost.kernel "SparseAttention" {
    %o:3 = onnx.SparseAttention %q, %k, %k, %past, %past, %rows, %columns, %total, %lengths {num_heads = 4 : i64, kv_num_heads = 2 : i64, sparse_block_size = 2 : i64} : (tensor<1x8x32xf16>, tensor<1x8x16xf16>, tensor<1x8x16xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>, tensor<1x5xi32>, tensor<1x7xi32>, tensor<1xi32>, tensor<1xi32>) -> (tensor<1x8x32xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>)
    gpucost.yield %o#0, %o#1, %o#2 : tensor<1x8x32xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>
  } : tensor<1x8x32xf16>, tensor<1x2x8x8xf16>, tensor<1x2x8x8xf16>
  return
}
