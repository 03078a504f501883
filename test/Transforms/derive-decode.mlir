// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: split-file %s %t
// DEFINE: %{run} = gpu-cost-opt --target=a100-fp16 --precision-mode=as-is --decode --past=6 --batch=2
// RUN: gpu-cost-opt %t/causal.mlir --pass-pipeline='builtin.module(gpucost-derive-decode{past=6 batch=2})' | FileCheck %s --check-prefix=MARKED
// RUN: %{run} %t/causal.mlir --emit=ir | FileCheck %s
// RUN: %{run} %t/causal.mlir --kv-cache=in-place --emit=ir | FileCheck %s --check-prefix=INPLACE
// RUN: %{run} %t/causal.mlir --seq=3 --emit=ir | FileCheck %s --check-prefix=THREE
// RUN: %{run} %t/eager.mlir --emit=ir | FileCheck %s --check-prefix=EAGER
// RUN: %{run} %t/eager.mlir --attention=eager --emit=ir | FileCheck %s --check-prefix=SPLIT
// RUN: %{run} %t/cached.mlir --emit=ir | FileCheck %s --check-prefix=CACHED
// RUN: not %{run} %t/full.mlir 2>&1 | FileCheck %s --check-prefix=FULL
// RUN: not %{run} %t/cross.mlir 2>&1 | FileCheck %s --check-prefix=CROSS
// RUN: not %{run} %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not gpu-cost-opt --target=a100-fp16 --decode --batch=2 %t/causal.mlir 2>&1 | FileCheck %s --check-prefix=PAST

// MARKED: module attributes {gpucost.derives_decode, gpucost.scenario = #gpucost.scenario<{{.*}}seq = 1{{.*}}>

// (K4) 2 sequences, 2 heads of 8 channels for queries and 1 for keys, 6 tokens in the cache and 1 new: the matmuls have
// 2 rows, 2 * 2 * 16 * 16 = 1024 FLOP for Q and 512 for K and V each. Attention 4 * 2 * 2 * 7 * 8 = 896.
// CHECK: func.func @main(%{{.*}}: tensor<2x1x16xf16>{{.*}}, %{{.*}}: tensor<2x1x6x8xf16> {onnx.name = "past_key_values.0.key"}, %{{.*}}: tensor<2x1x6x8xf16> {onnx.name = "past_key_values.0.value"}) -> (tensor<2x1x16xf16>, tensor<2x1x7x8xf16>, tensor<2x1x7x8xf16>)
// CHECK-SAME: onnx.output_names = ["y", "present.0.key", "present.0.value"]
// CHECK: kernel "MatMul" {{.*}}tensor_flops = 1024
// A copy of the cache: 2 * 7 * 8 * 2 bytes in and out.
// CHECK-COUNT-2: kernel "Concat" {{.*}}bytes_read = 224, bytes_written = 224>
// Q 64 bytes, keys and values 224 each.
// CHECK: kernel "FusedAttention" {{.*}}query_length = 1, kv_length = 7, head_dim = 8, causal = true{{.*}}tensor_flops = 896{{.*}}bytes_read = 512, bytes_written = 64>

// INPLACE-COUNT-2: kernel "Insert" {{.*}}bytes_read = 32, bytes_written = 32>
// INPLACE: kernel "FusedAttention" {{.*}}kv_length = 7

// Three new tokens attend to 7, 8 and 9 keys: 4 * 2 * 2 * 24 * 8.
// THREE: kernel "FusedAttention" {{.*}}query_length = 3, kv_length = 9, {{.*}}tensor_flops = 3072

// The mask and its producers are gone; the cache has the heads before they are repeated.
// EAGER-NOT: "Where"
// EAGER: kernel "FusedAttention" {{.*}}heads = 2, {{.*}}query_length = 1, kv_length = 7
// EAGER-NOT: "Softmax"
// SPLIT: kernel "Softmax"

// CACHED: kernel "Attention"
// CACHED-SAME: kv_length = 7

// FULL: error: --decode: cannot derive a decode step of this attention: it is not causal; expected the forward pass of a causal decoder
// CROSS: error: --decode: cannot derive a decode step of this attention: its keys and queries are different sequences
// NONE: error: --decode: no attention found; expected the forward pass of a causal decoder
// PAST: error: --decode expects --past, the tokens in the cache

//--- causal.mlir
module attributes {onnx.opsets = {ai.onnx = 23 : i64}} {
  func.func @main(%x: tensor<?x?x16xf16> {onnx.dims = ["batch", "sequence", ""], onnx.name = "x"}) -> !onnx.unknown attributes {onnx.output_names = ["y"]} {
    %wq = onnx.Parameter {name = "wq"} : () -> tensor<16x16xf16>
    %wk = onnx.Parameter {name = "wk"} : () -> tensor<16x8xf16>
    %wv = onnx.Parameter {name = "wv"} : () -> tensor<16x8xf16>
    %q = onnx.MatMul %x, %wq : (tensor<?x?x16xf16>, tensor<16x16xf16>) -> !onnx.unknown
    %k = onnx.MatMul %x, %wk : (tensor<?x?x16xf16>, tensor<16x8xf16>) -> !onnx.unknown
    %v = onnx.MatMul %x, %wv : (tensor<?x?x16xf16>, tensor<16x8xf16>) -> !onnx.unknown
    %y = onnx.Attention %q, %k, %v {is_causal = 1 : i64, q_num_heads = 2 : i64, kv_num_heads = 1 : i64} : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}

//--- eager.mlir
module attributes {onnx.opsets = {ai.onnx = 20 : i64}} {
  func.func @main(%q: tensor<?x2x?x8xf16> {onnx.dims = ["batch", "", "sequence", ""], onnx.name = "q"}, %k: tensor<?x2x?x8xf16> {onnx.dims = ["batch", "", "sequence", ""], onnx.name = "k"}, %v: tensor<?x2x?x8xf16> {onnx.dims = ["batch", "", "sequence", ""], onnx.name = "v"}) -> !onnx.unknown attributes {onnx.output_names = ["y"]} {
    %shape = onnx.Shape %q {start = 2 : i64, end = 3 : i64} : (tensor<?x2x?x8xf16>) -> !onnx.unknown
    %twice = onnx.Concat %shape, %shape {axis = 0 : i64} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
    %one = onnx.Constant {value = dense<1.0> : tensor<1xf16>} : () -> tensor<1xf16>
    %ones = onnx.Expand %one, %twice : (tensor<1xf16>, !onnx.unknown) -> !onnx.unknown
    %lower = onnx.Trilu %ones {upper = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
    %keep = onnx.Cast %lower {to = 9 : i64} : (!onnx.unknown) -> !onnx.unknown
    %low = onnx.Constant {value = dense<0xFC00> : tensor<f16>} : () -> tensor<f16>
    %t = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<?x2x?x8xf16>) -> !onnx.unknown
    %s = onnx.MatMul %q, %t : (tensor<?x2x?x8xf16>, !onnx.unknown) -> !onnx.unknown
    %m = onnx.Where %keep, %s, %low : (!onnx.unknown, !onnx.unknown, tensor<f16>) -> !onnx.unknown
    %p = onnx.Softmax %m {axis = -1 : i64} : (!onnx.unknown) -> !onnx.unknown
    %y = onnx.MatMul %p, %v : (!onnx.unknown, tensor<?x2x?x8xf16>) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}

//--- cached.mlir
module attributes {onnx.opsets = {ai.onnx = 23 : i64}} {
  func.func @main(%q: tensor<?x2x1x8xf16> {onnx.dims = ["batch", "", "", ""], onnx.name = "q"}, %past: tensor<?x2x?x8xf16> {onnx.dims = ["batch", "", "past_sequence_length", ""], onnx.name = "past"}) -> !onnx.unknown attributes {onnx.output_names = ["y"]} {
    %k = onnx.Concat %past, %q {axis = 2 : i64} : (tensor<?x2x?x8xf16>, tensor<?x2x1x8xf16>) -> !onnx.unknown
    %y = onnx.Attention %q, %k, %k : (tensor<?x2x1x8xf16>, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}

//--- full.mlir
module attributes {onnx.opsets = {ai.onnx = 23 : i64}} {
  func.func @main(%x: tensor<?x2x?x8xf16> {onnx.dims = ["batch", "", "sequence", ""], onnx.name = "x"}) -> !onnx.unknown {
    %y = onnx.Attention %x, %x, %x : (tensor<?x2x?x8xf16>, tensor<?x2x?x8xf16>, tensor<?x2x?x8xf16>) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}

//--- cross.mlir
module attributes {onnx.opsets = {ai.onnx = 23 : i64}} {
  func.func @main(%x: tensor<?x2x?x8xf16> {onnx.dims = ["batch", "", "sequence", ""], onnx.name = "x"}, %z: tensor<?x2x5x8xf16> {onnx.dims = ["batch", "", "", ""], onnx.name = "z"}) -> !onnx.unknown {
    %y = onnx.Attention %x, %z, %z {is_causal = 1 : i64} : (tensor<?x2x?x8xf16>, tensor<?x2x5x8xf16>, tensor<?x2x5x8xf16>) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}

//--- none.mlir
module attributes {onnx.opsets = {ai.onnx = 23 : i64}} {
  func.func @main(%x: tensor<?x?x16xf16> {onnx.dims = ["batch", "sequence", ""], onnx.name = "x"}) -> !onnx.unknown {
    %y = onnx.Relu %x : (tensor<?x?x16xf16>) -> !onnx.unknown
    return %y : !onnx.unknown
  }
}
