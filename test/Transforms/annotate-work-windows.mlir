// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// Scores of one head; each is 2 * (16 + 16) = 64 FLOP of two heads.
// CHECK-LABEL: func.func @windows
func.func @windows(%q: tensor<1x2x8x16xf16>) {
  // Keys p - 2 to p + 1: 2 + 3 + 5 * 4 + 3 = 28. The causal band of 4 keys has 1 + 2 + 3 + 5 * 4 =
  // 26 scores, all keys 64.
  // CHECK: #gpucost.attention<{{.*}}query_length = 8, kv_length = 8, head_dim = 16, window = 4, causal = true>, tensor_flops = 3584, fp32_flops = 280, special_ops = 56, bytes_read = 512, bytes_written = 512>
  %0 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %q, %q {left_window_size = 2 : i64, right_window_size = 1 : i64} : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
    gpucost.yield %r : tensor<1x2x8x16xf16>
  } : tensor<1x2x8x16xf16>
  // A causal mask ends the window at the query: 1 + 2 + 6 * 3 = 21.
  // CHECK: window = 3, causal = true>, tensor_flops = 2688,
  %1 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %q, %q {is_causal = 1 : i64, left_window_size = 2 : i64, right_window_size = 1 : i64} : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
    gpucost.yield %r : tensor<1x2x8x16xf16>
  } : tensor<1x2x8x16xf16>
  // No key after the query is the same mask.
  // CHECK: window = 3, causal = true>, tensor_flops = 2688,
  %2 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %q, %q {left_window_size = 2 : i64, right_window_size = 0 : i64} : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
    gpucost.yield %r : tensor<1x2x8x16xf16>
  } : tensor<1x2x8x16xf16>
  // Only old keys are dropped: 64 - (1 + 2 + 3 + 4 + 5) = 49 with 2 before.
  // CHECK: head_dim = 16, window = 3>, tensor_flops = 6272,
  %3 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %q, %q {left_window_size = 2 : i64} : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
    gpucost.yield %r : tensor<1x2x8x16xf16>
  } : tensor<1x2x8x16xf16>
  // No key on either side: the diagonal.
  // CHECK: window = 1, causal = true>, tensor_flops = 1024,
  %4 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %q, %q {left_window_size = 0 : i64, right_window_size = 0 : i64} : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
    gpucost.yield %r : tensor<1x2x8x16xf16>
  } : tensor<1x2x8x16xf16>
  // 6 keys on both sides: all 64 but the last key of the first query and the first of the last. The
  // window without an end has 63 scores, the causal one of 13 keys 36.
  // CHECK: kv_length = 8, head_dim = 16, window = 7>, tensor_flops = 7936,
  %5 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %q, %q {left_window_size = 6 : i64, right_window_size = 6 : i64} : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
    gpucost.yield %r : tensor<1x2x8x16xf16>
  } : tensor<1x2x8x16xf16>
  return
}

// CHECK-LABEL: func.func @positions
func.func @positions(%q: tensor<1x2x2x16xf16>, %k: tensor<1x2x8x16xf16>, %v: tensor<1x2x8x16xf16>, %pk: tensor<1x2x6x16xf16>, %pv: tensor<1x2x6x16xf16>, %n: tensor<1xi64>, %narrow: tensor<1x2x8x8xf16>) {
  %none = onnx.None : () -> !onnx.none
  // 6 past keys: queries at positions 6 and 7, 4 keys each, from position 3: 3 past keys and
  // values are not read. Q = K = V 128 bytes, past 2 * 3 * 2 * 16 * 2.
  // CHECK: query_length = 2, kv_length = 8, head_dim = 16, window = 4, causal = true>, tensor_flops = 1024, fp32_flops = 80, special_ops = 16, bytes_read = 512,
  %0 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %q, %q, %none, %pk, %pv {is_causal = 1 : i64, left_window_size = 3 : i64} : (tensor<1x2x2x16xf16>, tensor<1x2x2x16xf16>, tensor<1x2x2x16xf16>, !onnx.none, tensor<1x2x6x16xf16>, tensor<1x2x6x16xf16>) -> tensor<1x2x2x16xf16>
    gpucost.yield %r : tensor<1x2x2x16xf16>
  } : tensor<1x2x2x16xf16>
  // Lengths of an external cache: positions 6 and 7 as well, of 8 keys; 3 of them are not read.
  // 128 + 2 * 5 * 2 * 16 * 2 + 8 bytes.
  // CHECK: query_length = 2, kv_length = 8, head_dim = 16, window = 4, causal = true>, tensor_flops = 1024, fp32_flops = 80, special_ops = 16, bytes_read = 776,
  %1 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %k, %v, %none, %none, %none, %n {is_causal = 1 : i64, left_window_size = 3 : i64} : (tensor<1x2x2x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, !onnx.none, !onnx.none, !onnx.none, tensor<1xi64>) -> tensor<1x2x2x16xf16>
    gpucost.yield %r : tensor<1x2x2x16xf16>
  } : tensor<1x2x2x16xf16>
  // Values of 8 channels: 128 + 5 * 2 * (16 + 8) * 2 + 8 bytes.
  // CHECK: window = 4, causal = true, value_dim = 8>, tensor_flops = 768, {{.*}}, bytes_read = 616,
  %3 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %k, %narrow, %none, %none, %none, %n {is_causal = 1 : i64, left_window_size = 3 : i64} : (tensor<1x2x2x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x8xf16>, !onnx.none, !onnx.none, !onnx.none, tensor<1xi64>) -> tensor<1x2x2x8xf16>
    gpucost.yield %r : tensor<1x2x2x8xf16>
  } : tensor<1x2x2x8xf16>
  // (K5) Values that are a part of the keys: 128 + 5 * 2 * 16 * 2 + 8 bytes.
  // CHECK: window = 4, causal = true, value_dim = 8>, tensor_flops = 768, {{.*}}, bytes_read = 456,
  %zero = onnx.Constant {value_ints = array<i64: 0>} : () -> tensor<1xi64>
  %end = onnx.Constant {value_ints = array<i64: 8>} : () -> tensor<1xi64>
  %axis = onnx.Constant {value_ints = array<i64: 3>} : () -> tensor<1xi64>
  %part = onnx.Slice %k, %zero, %end, %axis : (tensor<1x2x8x16xf16>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x8x8xf16>
  %4 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %k, %part, %none, %none, %none, %n {is_causal = 1 : i64, left_window_size = 3 : i64} : (tensor<1x2x2x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x8xf16>, !onnx.none, !onnx.none, !onnx.none, tensor<1xi64>) -> tensor<1x2x2x8xf16>
    gpucost.yield %r : tensor<1x2x2x8xf16>
  } : tensor<1x2x2x8xf16>
  // Without both the first query is at position 0: 1 + 2 scores.
  // CHECK: tensor_flops = 384, fp32_flops = 30, special_ops = 6,
  %2 = gpucost.kernel "Attention" {
    %r = onnx.Attention %q, %k, %v {is_causal = 1 : i64, left_window_size = 3 : i64} : (tensor<1x2x2x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x2x16xf16>
    gpucost.yield %r : tensor<1x2x2x16xf16>
  } : tensor<1x2x2x16xf16>
  return
}

// Two sequences with one new token each in blocks of 4 tokens, 3 blocks per sequence, 10 blocks in
// all: 12 keys at most. 4 heads of 8, 2 key heads.
// CHECK-LABEL: func.func @paged
func.func @paged(%q: tensor<2x32xf16>, %k: tensor<2x16xf16>, %v: tensor<2x16xf16>, %kc: tensor<10x4x2x8xf16>, %vc: tensor<10x4x2x8xf16>, %l: tensor<3xi32>, %p: tensor<2xi32>, %t: tensor<2x3xi32>, %c: tensor<100x4xf16>, %lc: tensor<10x4x1x8xf16>, %lk: tensor<2x8xf16>) {
  %none = onnx.None : () -> !onnx.none
  // 2 * 4 * 12 scores of 32 FLOP. Reads Q 128, K and V 64 each, 12 of 40 tokens per sequence:
  // 2 * (24 * 2 * 8 * 2), lengths 12 + 8, table 24.
  // CHECK: query_length = 1, kv_length = 12, head_dim = 8, causal = true>, tensor_flops = 3072, fp32_flops = 480, special_ops = 96, bytes_read = 1836, bytes_written = 128>
  %0 = gpucost.kernel "PagedAttention" {
    %r = onnx.PagedAttention %q, %k, %v, %kc, %vc, %l, %p, %t {num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<2x32xf16>, tensor<2x16xf16>, tensor<2x16xf16>, tensor<10x4x2x8xf16>, tensor<10x4x2x8xf16>, tensor<3xi32>, tensor<2xi32>, tensor<2x3xi32>) -> tensor<2x32xf16>
    gpucost.yield %r : tensor<2x32xf16>
  } : tensor<2x32xf16>
  // A window of 5 keys: 2 * 4 * 5 scores, 2 * (10 * 2 * 8 * 2) bytes of the cache; two tables of
  // cosines and sines with a row of 4 for each token.
  // CHECK: query_length = 1, kv_length = 12, head_dim = 8, window = 5, causal = true>, tensor_flops = 1280, fp32_flops = 200, special_ops = 40, bytes_read = 956, bytes_written = 128>
  %1 = gpucost.kernel "PagedAttention" {
    %r = onnx.PagedAttention %q, %k, %v, %kc, %vc, %l, %p, %t, %c {num_heads = 4 : i64, kv_num_heads = 2 : i64, local_window_size = 5 : i64, do_rotary = 1 : i64} : (tensor<2x32xf16>, tensor<2x16xf16>, tensor<2x16xf16>, tensor<10x4x2x8xf16>, tensor<10x4x2x8xf16>, tensor<3xi32>, tensor<2xi32>, tensor<2x3xi32>, tensor<100x4xf16>) -> tensor<2x32xf16>
    gpucost.yield %r : tensor<2x32xf16>
  } : tensor<2x32xf16>
  // Values are the first 6 channels of a latent row: 96 scores of 2 * (8 + 6) FLOP.
  // CHECK: kv_heads = 1, {{.*}}tensor_flops = 2688,
  %2 = gpucost.kernel "PagedAttention" {
    %r = onnx.PagedAttention %q, %lk, %none, %lc, %none, %l, %p, %t {num_heads = 4 : i64, kv_num_heads = 1 : i64, kv_cache_layout = "LATENT", v_head_size = 6 : i64, scale = 0.25 : f32} : (tensor<2x32xf16>, tensor<2x8xf16>, !onnx.none, tensor<10x4x1x8xf16>, !onnx.none, tensor<3xi32>, tensor<2xi32>, tensor<2x3xi32>) -> tensor<2x24xf16>
    gpucost.yield %r : tensor<2x24xf16>
  } : tensor<2x24xf16>
  return
}

// CHECK-LABEL: func.func @group_query
func.func @group_query(%q: tensor<1x4x32xf16>, %k: tensor<1x4x16xf16>, %v: tensor<1x4x16xf16>, %pk: tensor<1x2x16x4xui8>, %pv: tensor<1x2x16x4xui8>, %l: tensor<1xi32>) {
  %total = onnx.Parameter : () -> tensor<i32>
  %none = onnx.None : () -> !onnx.none
  // In both directions: 4 * 4 scores of 4 heads, 2 * (8 + 8) FLOP each.
  // CHECK: query_length = 4, kv_length = 4, head_dim = 8>, tensor_flops = 2048,
  %0 = gpucost.kernel "GroupQueryAttention" {
    %r = onnx.GroupQueryAttention %q, %k, %v, %none, %none, %l, %total {num_heads = 4 : i64, kv_num_heads = 2 : i64, causal = 0 : i64} : (tensor<1x4x32xf16>, tensor<1x4x16xf16>, tensor<1x4x16xf16>, !onnx.none, !onnx.none, tensor<1xi32>, tensor<i32>) -> tensor<1x4x32xf16>
    gpucost.yield %r : tensor<1x4x32xf16>
  } : tensor<1x4x32xf16>
  // A cache of 16 positions with 4 bits per element, updated in place: 4 new rows of 4 bytes in
  // 2 heads for K and for V, next to 256 bytes of Y. Reads Q 256, K and V 128 each, 128 each of
  // the past, 8 of lengths.
  // CHECK: input_bits = 4, {{.*}}kv_length = 16, {{.*}}bytes_read = 776, bytes_written = 320>
  %1:3 = gpucost.kernel "GroupQueryAttention" {
    %r:3 = onnx.GroupQueryAttention %q, %k, %v, %pk, %pv, %l, %total {num_heads = 4 : i64, kv_num_heads = 2 : i64, kv_cache_bit_width = 4 : i64, k_quant_type = "PER_TENSOR", v_quant_type = "PER_TENSOR"} : (tensor<1x4x32xf16>, tensor<1x4x16xf16>, tensor<1x4x16xf16>, tensor<1x2x16x4xui8>, tensor<1x2x16x4xui8>, tensor<1xi32>, tensor<i32>) -> (tensor<1x4x32xf16>, tensor<1x2x16x4xui8>, tensor<1x2x16x4xui8>)
    gpucost.yield %r#0, %r#1, %r#2 : tensor<1x4x32xf16>, tensor<1x2x16x4xui8>, tensor<1x2x16x4xui8>
  } : tensor<1x4x32xf16>, tensor<1x2x16x4xui8>, tensor<1x2x16x4xui8>
  return
}
