// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{shard} = gpu-cost-opt %s --gpucost-shard-context
// RUN: %{shard}='gpus=4 parallel=cp seq=1024 context=ulysses' | FileCheck %s
// RUN: %{shard}='gpus=4 parallel=cp seq=1024 context=ulysses' --gpucost-expand-training='loss=none optimizer=none' | FileCheck %s --check-prefix=STEP
// RUN: %{shard}='gpus=4 parallel=cp seq=1024 context=all-gather' --gpucost-expand-training='loss=none optimizer=none' | FileCheck %s --check-prefix=GATHER
// RUN: not %{shard}='gpus=8 parallel=cp seq=2048 context=ulysses' 2>&1 | FileCheck %s --check-prefix=FEW

// All 4 GPUs divide the heads: one of 4 query and of 4 key-value heads for all 1024 tokens, 32 wide. 256 tokens of one GPU
// are 2 * 256 * 128 * 2 bytes. The causal mask stays.
// CHECK-LABEL: func.func @step
// CHECK-COUNT-3: gpucost.collective all_to_all(%{{.*}}) {bytes = 131072 : i64, {{.*}}world_size = 4 : i64} : (tensor<2x256x128xbf16>) -> tensor<2x1024x32xbf16>
// CHECK-NOT: all_gather
// CHECK: onnx.Attention {{.*}}is_causal = 1 : i64, kv_num_heads = 1 : i64, {{.*}}q_num_heads = 1 : i64{{.*}} -> tensor<2x1024x32xbf16>
// CHECK-NEXT: gpucost.collective all_to_all(%{{.*}}) {bytes = 131072 : i64, {{.*}} -> tensor<2x256x128xbf16>
// The gradient of the result is sent on the way of the result, those of queries, keys and values return.
// STEP-LABEL: func.func @step
// STEP: gpucost.collective all_to_all(%{{.*}}) {bytes = 131072 : i64, gpucost.origin = "heads of context", gpucost.phase = #gpucost<phase backward>, {{.*}} -> tensor<2x1024x32xbf16>
// STEP: onnx.FusedAttentionGrad
// STEP-COUNT-3: gpucost.collective all_to_all(%{{.*}}) {bytes = 131072 : i64, gpucost.origin = "heads of context", gpucost.phase = #gpucost<phase backward>, {{.*}} -> tensor<2x256x128xbf16>
// Attention waits for keys and values of all GPUs, as with a ring, but they do not run beside it.
// GATHER-LABEL: func.func @step
// GATHER-COUNT-2: gpucost.collective all_gather(%{{.*}}) {bytes = 524288 : i64, gpucost.reduce_gradient = 4 : i64, world_size = 4 : i64}
// GATHER: onnx.FusedAttentionGrad
// GATHER-COUNT-2: gpucost.collective reduce_scatter(%{{.*}}) {bytes = 524288 : i64,
// FEW: error: attention has 4 heads, which cannot be divided among 8 GPUs
func.func @step(%x: tensor<2x256x128xbf16>) -> tensor<2x256x128xbf16> {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<128x128xbf16>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<128x128xbf16>
  %wv = onnx.Parameter {name = "v"} : () -> tensor<128x128xbf16>
  %q = onnx.MatMul %x, %wq : (tensor<2x256x128xbf16>, tensor<128x128xbf16>) -> tensor<2x256x128xbf16>
  %k = onnx.MatMul %x, %wk : (tensor<2x256x128xbf16>, tensor<128x128xbf16>) -> tensor<2x256x128xbf16>
  %v = onnx.MatMul %x, %wv : (tensor<2x256x128xbf16>, tensor<128x128xbf16>) -> tensor<2x256x128xbf16>
  %y = onnx.Attention %q, %k, %v {is_causal = 1 : i64, q_num_heads = 4 : i64, kv_num_heads = 4 : i64} : (tensor<2x256x128xbf16>, tensor<2x256x128xbf16>, tensor<2x256x128xbf16>) -> tensor<2x256x128xbf16>
  return %y : tensor<2x256x128xbf16>
}
