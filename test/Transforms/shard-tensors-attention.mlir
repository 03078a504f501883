// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --gpucost-shard-tensors=gpus=2 | FileCheck %s --check-prefix=TWO
// RUN: gpu-cost-opt %s --split-input-file --gpucost-shard-tensors=gpus=4 | FileCheck %s --check-prefix=FOUR

// One token after a cache of 100: 8 query heads, 2 key heads, 16 elements each.
// Two GPUs have 4 and 1 heads, four (X6) have 2 and a copy of one. The caches are
// sharded like the key heads.
// TWO-LABEL: func.func @cache(
// TWO-SAME: tensor<3x1x100x16xf16>
// TWO-SAME: tensor<3x1x100x16xf16>
// TWO-SAME: -> (tensor<3x1x128xf16>, tensor<3x1x101x16xf16>, tensor<3x1x101x16xf16>)
// TWO-DAG: onnx.Parameter {name = "q"} : () -> tensor<128x64xf16>
// TWO-DAG: onnx.Parameter {name = "k"} : () -> tensor<128x16xf16>
// TWO-DAG: onnx.Parameter {name = "o"} : () -> tensor<64x128xf16>
// TWO: onnx.GroupQueryAttention {{.*}}kv_num_heads = 1 : i64, num_heads = 4 : i64
// TWO-SAME: -> (tensor<3x1x64xf16>, tensor<3x1x101x16xf16>, tensor<3x1x101x16xf16>)
// 3 * 128 * 2 bytes.
// TWO: gpucost.collective all_reduce{{.*}}bytes = 768 : i64
// FOUR: gpucost.parallel_notes = ["tensor parallelism, 1 x attention: 2 key/value heads on 4 GPUs: each GPU stores a copy of one head"]
// FOUR-LABEL: func.func @cache(
// FOUR-SAME: tensor<3x1x100x16xf16>
// FOUR-DAG: onnx.Parameter {name = "q"} : () -> tensor<128x32xf16>
// FOUR-DAG: onnx.Parameter {name = "k"} : () -> tensor<128x16xf16>
// FOUR-DAG: onnx.Parameter {name = "o"} : () -> tensor<32x128xf16>
// FOUR: onnx.GroupQueryAttention {{.*}}kv_num_heads = 1 : i64, num_heads = 2 : i64
func.func @cache(%x: tensor<3x1x128xf16>, %pk: tensor<3x2x100x16xf16>, %pv: tensor<3x2x100x16xf16>, %seq: tensor<3xi32>, %total: tensor<i32>) -> (tensor<3x1x128xf16>, tensor<3x2x101x16xf16>, tensor<3x2x101x16xf16>) {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<128x128xf16>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<128x32xf16>
  %wv = onnx.Parameter {name = "v"} : () -> tensor<128x32xf16>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<128x128xf16>
  %q = onnx.MatMul %x, %wq : (tensor<3x1x128xf16>, tensor<128x128xf16>) -> tensor<3x1x128xf16>
  %k = onnx.MatMul %x, %wk : (tensor<3x1x128xf16>, tensor<128x32xf16>) -> tensor<3x1x32xf16>
  %v = onnx.MatMul %x, %wv : (tensor<3x1x128xf16>, tensor<128x32xf16>) -> tensor<3x1x32xf16>
  %a:3 = onnx.GroupQueryAttention %q, %k, %v, %pk, %pv, %seq, %total {num_heads = 8 : i64, kv_num_heads = 2 : i64} : (tensor<3x1x128xf16>, tensor<3x1x32xf16>, tensor<3x1x32xf16>, tensor<3x2x100x16xf16>, tensor<3x2x100x16xf16>, tensor<3xi32>, tensor<i32>) -> (tensor<3x1x128xf16>, tensor<3x2x101x16xf16>, tensor<3x2x101x16xf16>)
  %y = onnx.MatMul %a#0, %wo : (tensor<3x1x128xf16>, tensor<128x128xf16>) -> tensor<3x1x128xf16>
  return %y, %a#1, %a#2 : tensor<3x1x128xf16>, tensor<3x2x101x16xf16>, tensor<3x2x101x16xf16>
}

// -----

// One matmul makes queries, keys and values: (8 + 2 + 2) * 16 = 192 columns.
// Two GPUs have (4 + 1 + 1) * 16 = 96 each, four (2 + 1 + 1) * 16 = 64.
// TWO-LABEL: func.func @packed(
// TWO: onnx.Parameter {name = "qkv"} : () -> tensor<128x96xf16>
// TWO: onnx.GroupQueryAttention {{.*}}kv_num_heads = 1 : i64, num_heads = 4 : i64
// FOUR-LABEL: func.func @packed(
// FOUR: onnx.Parameter {name = "qkv"} : () -> tensor<128x64xf16>
// FOUR: onnx.GroupQueryAttention {{.*}}kv_num_heads = 1 : i64, num_heads = 2 : i64
func.func @packed(%x: tensor<3x1x128xf16>, %pk: tensor<3x2x100x16xf16>, %pv: tensor<3x2x100x16xf16>) -> tensor<3x1x128xf16> {
  %none = onnx.None : () -> !onnx.none
  %w = onnx.Parameter {name = "qkv"} : () -> tensor<128x192xf16>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<128x128xf16>
  %q = onnx.MatMul %x, %w : (tensor<3x1x128xf16>, tensor<128x192xf16>) -> tensor<3x1x192xf16>
  %a:3 = onnx.GroupQueryAttention %q, %none, %none, %pk, %pv {num_heads = 8 : i64, kv_num_heads = 2 : i64} : (tensor<3x1x192xf16>, !onnx.none, !onnx.none, tensor<3x2x100x16xf16>, tensor<3x2x100x16xf16>) -> (tensor<3x1x128xf16>, tensor<3x2x101x16xf16>, tensor<3x2x101x16xf16>)
  %y = onnx.MatMul %a#0, %wo : (tensor<3x1x128xf16>, tensor<128x128xf16>) -> tensor<3x1x128xf16>
  return %y : tensor<3x1x128xf16>
}

// -----

// Opset 23, rows with past keys and values, and a mask of each head: the mask
// is whole, each GPU reads a view of it.
// TWO-LABEL: func.func @rows(
// TWO-SAME: tensor<3x8x1x101xf16>
// TWO-SAME: tensor<3x1x100x16xf16>
// TWO: %[[M:.*]] = onnx.Slice {{.*}} -> tensor<3x4x1x101xf16>
// TWO: onnx.Attention %{{.*}}, %{{.*}}, %{{.*}}, %[[M]]{{.*}}kv_num_heads = 1 : i64, q_num_heads = 4 : i64
// FOUR-LABEL: func.func @rows(
// FOUR: onnx.Attention {{.*}}kv_num_heads = 1 : i64, q_num_heads = 2 : i64
func.func @rows(%x: tensor<3x1x128xf16>, %mask: tensor<3x8x1x101xf16>, %pk: tensor<3x2x100x16xf16>, %pv: tensor<3x2x100x16xf16>) -> tensor<3x1x128xf16> {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<128x128xf16>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<128x32xf16>
  %wv = onnx.Parameter {name = "v"} : () -> tensor<128x32xf16>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<128x128xf16>
  %q = onnx.MatMul %x, %wq : (tensor<3x1x128xf16>, tensor<128x128xf16>) -> tensor<3x1x128xf16>
  %k = onnx.MatMul %x, %wk : (tensor<3x1x128xf16>, tensor<128x32xf16>) -> tensor<3x1x32xf16>
  %v = onnx.MatMul %x, %wv : (tensor<3x1x128xf16>, tensor<128x32xf16>) -> tensor<3x1x32xf16>
  %a:3 = onnx.Attention %q, %k, %v, %mask, %pk, %pv {q_num_heads = 8 : i64, kv_num_heads = 2 : i64} : (tensor<3x1x128xf16>, tensor<3x1x32xf16>, tensor<3x1x32xf16>, tensor<3x8x1x101xf16>, tensor<3x2x100x16xf16>, tensor<3x2x100x16xf16>) -> (tensor<3x1x128xf16>, tensor<3x2x101x16xf16>, tensor<3x2x101x16xf16>)
  %y = onnx.MatMul %a#0, %wo : (tensor<3x1x128xf16>, tensor<128x128xf16>) -> tensor<3x1x128xf16>
  return %y : tensor<3x1x128xf16>
}

// -----

// The key heads are copied for the queries that share them, as exporters write it:
// 2 x 4 copies. Four GPUs have one key head and 2 copies of it.
// FOUR-LABEL: func.func @copies(
// FOUR: onnx.Expand {{.*}} -> tensor<3x1x2x7x16xf16>
// FOUR: onnx.Reshape {{.*}} -> tensor<3x2x7x16xf16>
// FOUR: onnx.FusedAttention {{.*}} -> tensor<3x2x7x16xf16>
// FOUR: gpucost.collective all_reduce
func.func @copies(%x: tensor<3x7x128xf16>) -> tensor<3x7x128xf16> {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<128x128xf16>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<128x32xf16>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<128x128xf16>
  %q0 = onnx.MatMul %x, %wq : (tensor<3x7x128xf16>, tensor<128x128xf16>) -> tensor<3x7x128xf16>
  %k0 = onnx.MatMul %x, %wk : (tensor<3x7x128xf16>, tensor<128x32xf16>) -> tensor<3x7x32xf16>
  %q1 = onnx.Reshape %q0 : (tensor<3x7x128xf16>) -> tensor<3x7x8x16xf16>
  %k1 = onnx.Reshape %k0 : (tensor<3x7x32xf16>) -> tensor<3x7x2x16xf16>
  %q = onnx.Transpose %q1 {perm = array<i64: 0, 2, 1, 3>} : (tensor<3x7x8x16xf16>) -> tensor<3x8x7x16xf16>
  %k2 = onnx.Transpose %k1 {perm = array<i64: 0, 2, 1, 3>} : (tensor<3x7x2x16xf16>) -> tensor<3x2x7x16xf16>
  %k3 = onnx.Unsqueeze %k2 : (tensor<3x2x7x16xf16>) -> tensor<3x2x1x7x16xf16>
  %k4 = onnx.Expand %k3 : (tensor<3x2x1x7x16xf16>) -> tensor<3x2x4x7x16xf16>
  %k = onnx.Reshape %k4 : (tensor<3x2x4x7x16xf16>) -> tensor<3x8x7x16xf16>
  %a = onnx.FusedAttention %q, %k, %k {is_causal = 1 : i64} : (tensor<3x8x7x16xf16>, tensor<3x8x7x16xf16>, tensor<3x8x7x16xf16>) -> tensor<3x8x7x16xf16>
  %t = onnx.Transpose %a {perm = array<i64: 0, 2, 1, 3>} : (tensor<3x8x7x16xf16>) -> tensor<3x7x8x16xf16>
  %r = onnx.Reshape %t : (tensor<3x7x8x16xf16>) -> tensor<3x7x128xf16>
  %y = onnx.MatMul %r, %wo : (tensor<3x7x128xf16>, tensor<128x128xf16>) -> tensor<3x7x128xf16>
  return %y : tensor<3x7x128xf16>
}

// -----

// One head of keys: every GPU has all of it.
// TWO-LABEL: func.func @one_head(
// TWO-DAG: onnx.Parameter {name = "q"} : () -> tensor<128x64xf16>
// TWO-DAG: onnx.Parameter {name = "k"} : () -> tensor<128x16xf16>
// TWO: onnx.GroupQueryAttention {{.*}}kv_num_heads = 1 : i64, num_heads = 4 : i64
func.func @one_head(%x: tensor<3x7x128xf16>) -> tensor<3x7x128xf16> {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<128x128xf16>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<128x16xf16>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<128x128xf16>
  %q = onnx.MatMul %x, %wq : (tensor<3x7x128xf16>, tensor<128x128xf16>) -> tensor<3x7x128xf16>
  %k = onnx.MatMul %x, %wk : (tensor<3x7x128xf16>, tensor<128x16xf16>) -> tensor<3x7x16xf16>
  %a = onnx.GroupQueryAttention %q, %k, %k {num_heads = 8 : i64, kv_num_heads = 1 : i64} : (tensor<3x7x128xf16>, tensor<3x7x16xf16>, tensor<3x7x16xf16>) -> tensor<3x7x128xf16>
  %y = onnx.MatMul %a, %wo : (tensor<3x7x128xf16>, tensor<128x128xf16>) -> tensor<3x7x128xf16>
  return %y : tensor<3x7x128xf16>
}

// -----

// A graph without matmuls: its inputs are already sharded.
// TWO-LABEL: func.func @inputs(
// TWO-SAME: %{{.*}}: tensor<3x1x64xf16>, %{{.*}}: tensor<3x1x64xf16>, %{{.*}}: tensor<3x1x64xf16>) -> tensor<3x1x64xf16>
// TWO: onnx.MultiHeadAttention {{.*}}num_heads = 4 : i64
func.func @inputs(%q: tensor<3x1x128xf16>, %k: tensor<3x1x128xf16>, %v: tensor<3x1x128xf16>) -> tensor<3x1x128xf16> {
  %a = onnx.MultiHeadAttention %q, %k, %v {num_heads = 8 : i64} : (tensor<3x1x128xf16>, tensor<3x1x128xf16>, tensor<3x1x128xf16>) -> tensor<3x1x128xf16>
  return %a : tensor<3x1x128xf16>
}

// -----

// A cache that is filled in place is sharded like the 2 key heads: each of two
// GPUs has one head, each of four GPUs has a copy of one.
// TWO-LABEL: func.func @in_place(
// TWO-SAME: tensor<3x1x100x16xf16>
// TWO-DAG: onnx.Parameter {name = "k"} : () -> tensor<128x16xf16>
// TWO: onnx.Insert {{.*}} : (tensor<3x1x1x16xf16>, tensor<3x1x100x16xf16>) -> tensor<3x1x101x16xf16>
// TWO: onnx.FusedAttention {{.*}} -> tensor<3x4x1x16xf16>
// TWO: gpucost.collective all_reduce{{.*}}bytes = 768 : i64
// FOUR-LABEL: func.func @in_place(
// FOUR: onnx.Insert {{.*}} : (tensor<3x1x1x16xf16>, tensor<3x1x100x16xf16>) -> tensor<3x1x101x16xf16>
// FOUR: onnx.FusedAttention {{.*}} -> tensor<3x2x1x16xf16>
func.func @in_place(%x: tensor<3x1x128xf16>, %past: tensor<3x2x100x16xf16>) -> (tensor<3x1x128xf16>, tensor<3x2x101x16xf16>) {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<128x128xf16>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<128x32xf16>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<128x128xf16>
  %q0 = onnx.MatMul %x, %wq : (tensor<3x1x128xf16>, tensor<128x128xf16>) -> tensor<3x1x128xf16>
  %k0 = onnx.MatMul %x, %wk : (tensor<3x1x128xf16>, tensor<128x32xf16>) -> tensor<3x1x32xf16>
  %q1 = onnx.Reshape %q0 : (tensor<3x1x128xf16>) -> tensor<3x1x8x16xf16>
  %k1 = onnx.Reshape %k0 : (tensor<3x1x32xf16>) -> tensor<3x1x2x16xf16>
  %q = onnx.Transpose %q1 {perm = array<i64: 0, 2, 1, 3>} : (tensor<3x1x8x16xf16>) -> tensor<3x8x1x16xf16>
  %k = onnx.Transpose %k1 {perm = array<i64: 0, 2, 1, 3>} : (tensor<3x1x2x16xf16>) -> tensor<3x2x1x16xf16>
  %cache = onnx.Insert %k, %past : (tensor<3x2x1x16xf16>, tensor<3x2x100x16xf16>) -> tensor<3x2x101x16xf16>
  %a = onnx.FusedAttention %q, %cache, %cache {is_causal = 1 : i64} : (tensor<3x8x1x16xf16>, tensor<3x2x101x16xf16>, tensor<3x2x101x16xf16>) -> tensor<3x8x1x16xf16>
  %t = onnx.Transpose %a {perm = array<i64: 0, 2, 1, 3>} : (tensor<3x8x1x16xf16>) -> tensor<3x1x8x16xf16>
  %r = onnx.Reshape %t : (tensor<3x1x8x16xf16>) -> tensor<3x1x128xf16>
  %y = onnx.MatMul %r, %wo : (tensor<3x1x128xf16>, tensor<128x128xf16>) -> tensor<3x1x128xf16>
  return %y, %cache : tensor<3x1x128xf16>, tensor<3x2x101x16xf16>
}
