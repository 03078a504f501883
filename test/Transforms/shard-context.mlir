// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --verify-diagnostics --gpucost-shard-context='gpus=4 parallel=cp seq=1024' | FileCheck %s
// RUN: gpu-cost-opt %s --split-input-file --verify-diagnostics --gpucost-shard-context='gpus=4 parallel=cp seq=1024' --gpucost-expand-training='loss=none optimizer=none' | FileCheck %s --check-prefix=STEP

// (X20) 256 of 1024 tokens on each of 4 GPUs. Keys and values of all tokens, 2 * 1024 * 64 * 2
// bytes, are sent round; with a causal mask a query reads half of them on average.
// CHECK-LABEL: func.func @causal
// CHECK: %[[K:.*]] = gpucost.collective all_gather(%{{.*}}) {bytes = 262144 : i64, gpucost.origin = "context parallel", gpucost.reduce_gradient = 4 : i64, world_size = 4 : i64} : (tensor<2x256x64xbf16>) -> tensor<2x512x64xbf16>
// CHECK: %[[V:.*]] = gpucost.collective all_gather
// CHECK: onnx.Attention %{{.*}}, %[[K]], %[[V]] {is_causal = 0 : i64, {{.*}} : (tensor<2x256x128xbf16>, tensor<2x512x64xbf16>, tensor<2x512x64xbf16>) -> tensor<2x256x128xbf16>
// The backward pass sends keys and values again and adds up their gradients.
// STEP-LABEL: func.func @causal
// STEP-COUNT-2: gpucost.collective all_gather({{.*}}phase backward>, gpucost.recomputed
// STEP: onnx.FusedAttentionGrad
// STEP-COUNT-2: gpucost.collective reduce_scatter(%{{.*}}) {bytes = 262144 : i64, {{.*}} : (tensor<2x512x64xbf16>) -> tensor<2x256x64xbf16>
func.func @causal(%x: tensor<2x256x128xbf16>) -> tensor<2x256x128xbf16> {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<128x128xbf16>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<128x64xbf16>
  %wv = onnx.Parameter {name = "v"} : () -> tensor<128x64xbf16>
  %q = onnx.MatMul %x, %wq : (tensor<2x256x128xbf16>, tensor<128x128xbf16>) -> tensor<2x256x128xbf16>
  %k = onnx.MatMul %x, %wk : (tensor<2x256x128xbf16>, tensor<128x64xbf16>) -> tensor<2x256x64xbf16>
  %v = onnx.MatMul %x, %wv : (tensor<2x256x128xbf16>, tensor<128x64xbf16>) -> tensor<2x256x64xbf16>
  %y = onnx.Attention %q, %k, %v {is_causal = 1 : i64, q_num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<2x256x128xbf16>, tensor<2x256x64xbf16>, tensor<2x256x64xbf16>) -> tensor<2x256x128xbf16>
  return %y : tensor<2x256x128xbf16>
}

// -----

// Without a mask, a query reads the keys of all GPUs.
// CHECK-LABEL: func.func @full
// CHECK: onnx.Attention {{.*}} : (tensor<2x256x128xbf16>, tensor<2x1024x128xbf16>, tensor<2x1024x128xbf16>) -> tensor<2x256x128xbf16>
func.func @full(%q: tensor<2x256x128xbf16>, %k: tensor<2x256x128xbf16>, %v: tensor<2x256x128xbf16>) -> tensor<2x256x128xbf16> {
  %y = onnx.Attention %q, %k, %v {q_num_heads = 4 : i64, kv_num_heads = 4 : i64} : (tensor<2x256x128xbf16>, tensor<2x256x128xbf16>, tensor<2x256x128xbf16>) -> tensor<2x256x128xbf16>
  return %y : tensor<2x256x128xbf16>
}

// -----

func.func @scores(%s: tensor<2x4x256x256xbf16>) -> tensor<2x4x256x256xbf16> {
  // expected-error @+1 {{context parallelism needs attention as one op without a mask or past keys; use --attention=flash}}
  %p = onnx.Softmax %s {axis = -1 : i64} : (tensor<2x4x256x256xbf16>) -> tensor<2x4x256x256xbf16>
  return %p : tensor<2x4x256x256xbf16>
}
