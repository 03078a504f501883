// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes --split-input-file --verify-diagnostics

// Sizes that the definition of the op contradicts.
func.func @sizes(%x: tensor<2x8xf16>, %s: tensor<3xf16>, %g: tensor<2x4xf16>, %b: tensor<8x16xui8>, %a: tensor<4x30xf16>, %t: tensor<8x2xui8>, %f: tensor<f32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  // expected-error @+1 {{'onnx.GatedRMSNorm' op operand 2 has shape [2, 4], expected [..., D] with D = 8}}
  %0 = onnx.GatedRMSNorm %x, %s, %g : (tensor<2x8xf16>, tensor<3xf16>, tensor<2x4xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.GatedRMSNorm' op the last size of operand 0 is not a multiple of the size of operand 1}}
  %1 = onnx.GatedRMSNorm %x, %s, %x : (tensor<2x8xf16>, tensor<3xf16>, tensor<2x8xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.MatMulBlockQuantizedFp4Weight' op operand 1 has shape [8, 16], expected [N, K/2] with N = 8, K = 30}}
  %2 = onnx.MatMulBlockQuantizedFp4Weight %a, %b, %t, %f : (tensor<4x30xf16>, tensor<8x16xui8>, tensor<8x2xui8>, tensor<f32>) -> !onnx.unknown
  return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// -----

func.func @ranks(%m: tensor<4x4xf16>, %v: tensor<4xf16>, %i: tensor<2xi32>, %q: tensor<2x4x8xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  // expected-error @+1 {{'onnx.EngramGate' op operand 0 has shape [4, 4], expected [B, S, M, H]}}
  %0 = onnx.EngramGate %m, %m, %m, %m, %m : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>) -> !onnx.unknown
  %p = onnx.Parameter : () -> tensor<3x1x4xi64>
  // expected-error @+1 {{'onnx.MRotaryEmbedding' op operand 0 does not have three or four dimensions}}
  %1 = onnx.MRotaryEmbedding %m, %p, %m, %m {mrope_section = array<i64: 1, 1, 0>} : (tensor<4x4xf16>, tensor<3x1x4xi64>, tensor<4x4xf16>, tensor<4x4xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.GatedDeltaNet' op operand shapes [4, 4], [4, 4] and [4, 4] do not fit as queries, keys and values}}
  %2 = onnx.GatedDeltaNet %m, %m, %m : (tensor<4x4xf16>, tensor<4x4xf16>, tensor<4x4xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.CausalConvWithState' op operand shapes [4, 4] and [2, 4, 8] do not fit as input and weight of a convolution over 1 dimensions}}
  %3 = onnx.CausalConvWithState %m, %q : (tensor<4x4xf16>, tensor<2x4x8xf16>) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// -----

// Operands that only some calls need.
func.func @operands(%a: tensor<2x32xf16>, %n: tensor<32xf16>, %w: tensor<8x1x16xui8>, %s: tensor<8xf16>, %q: tensor<6x2x16xf16>, %v: tensor<6x4x8xf16>, %p: tensor<6x96xf16>, %k: tensor<6x3x8xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  // expected-error @+1 {{'onnx.MatMulNBitsMlp' op requires operand 6}}
  %0 = onnx.MatMulNBitsMlp %a, %none, %n, %w, %s {K = 32 : i64, N = 8 : i64, block_size = 32 : i64, activation = "silu"} : (tensor<2x32xf16>, !onnx.none, tensor<32xf16>, tensor<8x1x16xui8>, tensor<8xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.MatMulNBitsMlp' op operand 1 requires operand 2}}
  %1 = onnx.MatMulNBitsMlp %a, %a, %none, %w, %s, %none, %w, %s {K = 32 : i64, N = 8 : i64, block_size = 32 : i64, activation = "silu"} : (tensor<2x32xf16>, tensor<2x32xf16>, !onnx.none, tensor<8x1x16xui8>, tensor<8xf16>, !onnx.none, tensor<8x1x16xui8>, tensor<8xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.GatedDeltaNet' op requires operands 1 and 2 together}}
  %2 = onnx.GatedDeltaNet %q, %q : (tensor<6x2x16xf16>, tensor<6x2x16xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.GatedDeltaNet' op requires operand 6 if operand 0 contains keys and values}}
  %3 = onnx.GatedDeltaNet %p : (tensor<6x96xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.GatedDeltaNet' op requires operand 3 or 6 for the number of sequences}}
  %4 = onnx.GatedDeltaNet %q, %q, %v : (tensor<6x2x16xf16>, tensor<6x2x16xf16>, tensor<6x4x8xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.GatedDeltaNet' op 3 value heads are not a multiple of 2 query heads}}
  %5 = onnx.GatedDeltaNet %q, %q, %k : (tensor<6x2x16xf16>, tensor<6x2x16xf16>, tensor<6x3x8xf16>) -> !onnx.unknown
  return %0, %1, %2, %3, %4, %5 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// -----

func.func @attributes(%x: tensor<6x8xf16>, %b: tensor<8xf32>, %q: tensor<1x2x16xf16>, %n: tensor<8xf16>, %c: tensor<100x8xf16>, %p: tensor<1x6x8xf16>, %w: tensor<16x13xf16>, %h: tensor<4x16xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  // expected-error @+1 {{'onnx.MoEGroupRouter' op top_k is larger than the number of experts}}
  %0 = onnx.MoEGroupRouter %x, %b {top_k = 9 : i64} : (tensor<6x8xf16>, tensor<8xf32>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.MoEGroupRouter' op the number of experts is not a multiple of n_group}}
  %1 = onnx.MoEGroupRouter %x, %b {top_k = 2 : i64, n_group = 3 : i64} : (tensor<6x8xf16>, tensor<8xf32>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.SparseAttentionIndexer' op policy_mode is neither qsa nor csa}}
  %2:2 = onnx.SparseAttentionIndexer %q, %none, %n, %n, %c, %c, %none, %p {policy_mode = "all", compress_ratio = 4 : i64} : (tensor<1x2x16xf16>, !onnx.none, tensor<8xf16>, tensor<8xf16>, tensor<100x8xf16>, tensor<100x8xf16>, !onnx.none, tensor<1x6x8xf16>) -> (!onnx.unknown, !onnx.unknown)
  // expected-error @+1 {{'onnx.SparseAttentionIndexer' op policy_mode requires token_budget (qsa) or index_topk (csa)}}
  %3:2 = onnx.SparseAttentionIndexer %q, %none, %n, %n, %c, %c, %none, %p {policy_mode = "qsa", compress_ratio = 4 : i64} : (tensor<1x2x16xf16>, !onnx.none, tensor<8xf16>, tensor<8xf16>, tensor<100x8xf16>, tensor<100x8xf16>, !onnx.none, tensor<1x6x8xf16>) -> (!onnx.unknown, !onnx.unknown)
  // expected-error @+1 {{'onnx.RouterGateUpProj' op the columns of operand 1 are not router_size and two halves}}
  %4:2 = onnx.RouterGateUpProj %h, %w {router_size = 4 : i64} : (tensor<4x16xf16>, tensor<16x13xf16>) -> (!onnx.unknown, !onnx.unknown)
  return %0, %1, %2#0, %3#0, %4#0 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// -----

func.func @sparse(%q: tensor<1x2x64xf16>, %i: tensor<2x3xi32>, %c: tensor<2xi32>, %s: tensor<1xi32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  // expected-error @+1 {{'onnx.DynamicSparseAttention' op requires operand 7}}
  %0 = onnx.DynamicSparseAttention %q {num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<1x2x64xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.DynamicSparseAttention' op unknown attention_mode 'all'}}
  %1 = onnx.DynamicSparseAttention %q, %none, %none, %none, %none, %none, %none, %i, %c, %s, %s {num_heads = 4 : i64, kv_num_heads = 2 : i64, attention_mode = "all"} : (tensor<1x2x64xf16>, !onnx.none, !onnx.none, !onnx.none, !onnx.none, !onnx.none, !onnx.none, tensor<2x3xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.DynamicSparseAttention' op selected_kv_source 'auxiliary' requires operand 5}}
  %2 = onnx.DynamicSparseAttention %q, %none, %none, %none, %none, %none, %none, %i, %c, %s, %s {num_heads = 4 : i64, kv_num_heads = 2 : i64, selected_kv_source = "auxiliary"} : (tensor<1x2x64xf16>, !onnx.none, !onnx.none, !onnx.none, !onnx.none, !onnx.none, !onnx.none, tensor<2x3xi32>, tensor<2xi32>, tensor<1xi32>, tensor<1xi32>) -> !onnx.unknown
  return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// -----

// Divisions that leave a rest, and by 0.
func.func @divisions(%s: tensor<0xf16>, %y: tensor<2x8xf16>) -> (!onnx.unknown, !onnx.unknown) {
  // expected-error @+1 {{'onnx.BranchwiseRMSNorm' op the last size of operand 0 is not a multiple of num_branches}}
  %0 = onnx.BranchwiseRMSNorm %y {num_branches = 3 : i64} : (tensor<2x8xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.GatedRMSNorm' op the last size of operand 0 is not a multiple of the size of operand 1}}
  %1 = onnx.GatedRMSNorm %y, %s, %y : (tensor<2x8xf16>, tensor<0xf16>, tensor<2x8xf16>) -> !onnx.unknown
  return %0, %1 : !onnx.unknown, !onnx.unknown
}

// -----

// Too few operands.
func.func @malformed(%x: tensor<2x8xf16>) -> !onnx.unknown {
  // expected-remark @+2 {{shape of result 0 of operator 'GatedRMSNorm' is unknown}}
  // expected-warning @+1 {{'onnx.GatedRMSNorm' op has 1 of the 3 operands that the operator requires; it is treated as an unknown operator}}
  %0 = onnx.GatedRMSNorm %x : (tensor<2x8xf16>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @kinds(%x: tensor<2x8xf16>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.BranchwiseRMSNorm' op attribute 'num_branches'}}
  %0 = onnx.BranchwiseRMSNorm %x {num_branches = "2"} : (tensor<2x8xf16>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// Windows and caches that contradict the operator.
func.func @windows(%q: tensor<1x2x8x16xf16>, %x: tensor<1x4x32xf16>, %k: tensor<1x4x16xf16>, %l: tensor<1xi32>, %r: tensor<2x32xf16>, %c: tensor<10x4x2x8xf16>, %n: tensor<3xi32>, %p: tensor<2xi32>, %t: tensor<2x3xi32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  // expected-error @+1 {{'onnx.Attention' op left_window_size is -2, expected -1 or more}}
  %0 = onnx.Attention %q, %q, %q {left_window_size = -2 : i64} : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.GroupQueryAttention' op a window requires a causal mask}}
  %1 = onnx.GroupQueryAttention %x, %k, %k, %none, %none, %l, %l {num_heads = 4 : i64, kv_num_heads = 2 : i64, causal = 0 : i64, local_window_size = 2 : i64} : (tensor<1x4x32xf16>, tensor<1x4x16xf16>, tensor<1x4x16xf16>, !onnx.none, !onnx.none, tensor<1xi32>, tensor<1xi32>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.PagedAttention' op a latent cache has one key head and no values (operands 2 and 4)}}
  %2 = onnx.PagedAttention %r, %none, %none, %c, %c, %n, %p, %t {num_heads = 4 : i64, kv_num_heads = 1 : i64, kv_cache_layout = "LATENT"} : (tensor<2x32xf16>, !onnx.none, !onnx.none, tensor<10x4x2x8xf16>, tensor<10x4x2x8xf16>, tensor<3xi32>, tensor<2xi32>, tensor<2x3xi32>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.PagedAttention' op unknown kv_cache_layout 'OTHER'}}
  %3 = onnx.PagedAttention %r, %none, %none, %c, %c, %n, %p, %t {num_heads = 2 : i64, kv_num_heads = 1 : i64, kv_cache_layout = "OTHER"} : (tensor<2x32xf16>, !onnx.none, !onnx.none, tensor<10x4x2x8xf16>, tensor<10x4x2x8xf16>, tensor<3xi32>, tensor<2xi32>, tensor<2x3xi32>) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}
