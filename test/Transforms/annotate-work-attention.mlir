// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x8x64xf16>, %k: tensor<2x10x64xf16>, %p: tensor<2x4x6x16xf16>, %kv: tensor<2x8x32xf16>, %cache: tensor<2x2x8x16xf16>, %l: tensor<2xi32>) {
  %none = onnx.None : () -> !onnx.none
  // 10 new and 6 past keys: 2 * 4 * 8 * 16 = 1024 scores of 2 * (16 + 16) FLOP; 5 FLOP
  // and an exponential each. Q 2048, K and V 2560 each, past keys 1536 (K = V here).
  // CHECK: #gpucost.attention<batch = 2, heads = 4, kv_heads = 4, query_length = 8, kv_length = 16, head_dim = 16{{.*}}tensor_flops = 65536, fp32_flops = 5120, special_ops = 1024, bytes_read = 6144, bytes_written = 2048>
  %0 = gpucost.kernel "MultiHeadAttention" {
    %r = onnx.MultiHeadAttention %q, %k, %k, %none, %none, %none, %p, %p {num_heads = 4 : i64} : (tensor<2x8x64xf16>, tensor<2x10x64xf16>, tensor<2x10x64xf16>, !onnx.none, !onnx.none, !onnx.none, tensor<2x4x6x16xf16>, tensor<2x4x6x16xf16>) -> tensor<2x8x64xf16>
    gpucost.yield %r : tensor<2x8x64xf16>
  } : tensor<2x8x64xf16>
  // Causal over 8 past and 8 new keys, 2 key heads: 8 * 8 + 36 = 100 scores of 4 heads
  // in 2 sequences, 800 * 2 * 32 FLOP.
  // CHECK: #gpucost.attention<batch = 2, heads = 4, kv_heads = 2, query_length = 8, kv_length = 16, head_dim = 16, {{.*}}causal = true{{.*}}tensor_flops = 51200, fp32_flops = 4000, special_ops = 800,
  %1 = gpucost.kernel "GroupQueryAttention" {
    %r = onnx.GroupQueryAttention %q, %kv, %kv, %cache, %cache, %l {num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<2x8x64xf16>, tensor<2x8x32xf16>, tensor<2x8x32xf16>, tensor<2x2x8x16xf16>, tensor<2x2x8x16xf16>, tensor<2xi32>) -> tensor<2x8x64xf16>
    gpucost.yield %r : tensor<2x8x64xf16>
  } : tensor<2x8x64xf16>
  return
}

// CHECK-LABEL: func.func @latent_heads
func.func @latent_heads(%q: tensor<2x4x8x24xbf16>, %v: tensor<2x4x8x16xbf16>) {
  // Causal: 2 * 4 * 36 = 288 scores. Forward 2 * (24 + 16) FLOP for each, backward
  // 2 * (3 * 24 + 2 * 16).
  // CHECK: head_dim = 24, causal = true, value_dim = 16>, tensor_flops = 23040, fp32_flops = 1440, special_ops = 288,
  %0 = gpucost.kernel "FusedAttention" {
    %r = onnx.FusedAttention %q, %q, %v {is_causal = 1 : i64} : (tensor<2x4x8x24xbf16>, tensor<2x4x8x24xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
    gpucost.yield %r : tensor<2x4x8x16xbf16>
  } : tensor<2x4x8x16xbf16>
  // CHECK: head_dim = 24, causal = true, backward = true, value_dim = 16>, tensor_flops = 59904, fp32_flops = 2304, special_ops = 288,
  %1:3 = gpucost.kernel "FusedAttentionGrad" {
    %r:3 = onnx.FusedAttentionGrad %q, %q, %v, %v, %v {is_causal = 1 : i64} : (tensor<2x4x8x24xbf16>, tensor<2x4x8x24xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>, tensor<2x4x8x16xbf16>) -> (tensor<2x4x8x24xbf16>, tensor<2x4x8x24xbf16>, tensor<2x4x8x16xbf16>)
    gpucost.yield %r#0, %r#1, %r#2 : tensor<2x4x8x24xbf16>, tensor<2x4x8x24xbf16>, tensor<2x4x8x16xbf16>
  } : tensor<2x4x8x24xbf16>, tensor<2x4x8x24xbf16>, tensor<2x4x8x16xbf16>
  return
}

// CHECK-LABEL: func.func @state_space
func.func @state_space(%q: tensor<2x6x64xf16>, %k: tensor<2x6x32xf16>, %v: tensor<2x6x16xf16>, %g: tensor<2x6x2xf16>, %x: tensor<2x12x6xf32>, %w: tensor<12x1x4xf32>) {
  %none = onnx.None : () -> !onnx.none
  // 2 * 6 tokens, states of 16 x 8: 1536 cells. Two key heads update (2), decay (1) and
  // correct (2) them; four query heads read them (2): 1536 * (2 * 5 + 4 * 2).
  // CHECK: #gpucost.linear_attention<batch = 2, length = 6, heads = 4, value_heads = 2, key_size = 16, value_size = 8>, fp32_flops = 27648,
  %0 = gpucost.kernel "LinearAttention" {
    %r = onnx.LinearAttention %q, %k, %v, %none, %g, %g {q_num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<2x6x64xf16>, tensor<2x6x32xf16>, tensor<2x6x16xf16>, !onnx.none, tensor<2x6x2xf16>, tensor<2x6x2xf16>) -> tensor<2x6x32xf16>
    gpucost.yield %r : tensor<2x6x32xf16>
  } : tensor<2x6x32xf16>
  // The plain rule: 1536 * (2 * 2 + 4 * 2).
  // CHECK: fp32_flops = 18432,
  %1 = gpucost.kernel "LinearAttention" {
    %r = onnx.LinearAttention %q, %k, %v {q_num_heads = 4 : i64, kv_num_heads = 2 : i64, update_rule = "linear"} : (tensor<2x6x64xf16>, tensor<2x6x32xf16>, tensor<2x6x16xf16>) -> tensor<2x6x32xf16>
    gpucost.yield %r : tensor<2x6x32xf16>
  } : tensor<2x6x32xf16>
  // 144 results of 4 taps (8 FLOP) and SiLU (3 and 2).
  // CHECK: #gpucost.causal_convolution<batch = 2, length = 6, channels = 12, taps = 4>, fp32_flops = 1584, special_ops = 288, bytes_read = 768, bytes_written = 576>
  %2 = gpucost.kernel "CausalConvWithState" {
    %r = onnx.CausalConvWithState %x, %w {activation = "silu"} : (tensor<2x12x6xf32>, tensor<12x1x4xf32>) -> tensor<2x12x6xf32>
    gpucost.yield %r : tensor<2x12x6xf32>
  } : tensor<2x12x6xf32>
  return
}
