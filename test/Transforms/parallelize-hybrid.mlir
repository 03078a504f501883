// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// DEFINE: %{expand} = --gpucost-set-target=target=a100-bf16 --gpucost-autocast --gpucost-expand-training="loss=none optimizer-variant=fused"
// RUN: gpu-cost-opt %s %{expand} --gpucost-parallelize="gpus=8 parallel=fsdp4.dp2" | FileCheck %s
// RUN: gpu-cost-opt %s %{expand} --gpucost-parallelize="gpus=8 nodes=2 parallel=fsdp4.dp2" | FileCheck %s --check-prefix=NODES
// RUN: gpu-cost-opt %s %{expand} --gpucost-parallelize="gpus=8 parallel=zero1x4.dp2" | FileCheck %s --check-prefix=ZERO
// RUN: gpu-cost-opt %s %{expand} --gpucost-parallelize="gpus=4 parallel=fsdp4.dp1" > %t.one
// RUN: gpu-cost-opt %s %{expand} --gpucost-parallelize="gpus=4 parallel=fsdp4" | diff - %t.one

// (X31) Two copies, each sharded over 4 neighbours: a quarter of parameters, gradients and moments.
// CHECK: module {{.*}}hybrid sharding: 2 copies, each sharded over 4 GPUs; unseen: no public measurement
// CHECK-COUNT-3: onnx.Parameter {gpucost.shards = 4 : i64} : () -> tensor<64x64xf32>
// CHECK-COUNT-2: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>, gpucost.shards = 4 : i64} : () -> tensor<12288xf32>
// Gathers stay inside a copy.
// CHECK-COUNT-3: gpucost.collective all_gather({{.*}}world_size = 4 : i64}
// The bf16 gradients of a unit, 2 * 2 * 64 * 64 bytes, are scattered in a copy, and a quarter of them, 4096 bytes, is added up
// over the copies, on a separate stream.
// CHECK: %[[S1:.*]]:2 = gpucost.collective reduce_scatter({{.*}}) {bytes = 16384 : i64, {{.*}}world_size = 4 : i64} {{.*}} -> (tensor<1024xf32>, tensor<1024xf32>)
// CHECK-NEXT: %[[A1:.*]]:2 = gpucost.collective all_reduce(%[[S1]]#0, %[[S1]]#1) {bytes = 4096 : i64, gpucost.in_place, gpucost.origin = "hybrid sharding", {{.*}}world_size = 2 : i64}
// CHECK: %[[S0:.*]] = gpucost.collective reduce_scatter({{.*}}) {bytes = 8192 : i64, {{.*}}world_size = 4 : i64}
// CHECK-NEXT: %[[A0:.*]] = gpucost.collective all_reduce(%[[S0]]) {bytes = 2048 : i64, {{.*}}world_size = 2 : i64}
// CHECK-NEXT: gpucost.optimizer_step "fused adam"(%[[A0]], %[[A1]]#0, %[[A1]]#1) {elements = 3072 : i64,

// A copy is a node: the four all-reduces of its GPUs share the network.
// NODES: all_gather({{.*}}world_size = 4 : i64}
// NODES: reduce_scatter({{.*}}world_size = 4 : i64}
// NODES: all_reduce({{.*}}groups = 4 : i64, {{.*}}nodes = 2 : i64, {{.*}}world_size = 2 : i64}

// ZeRO-1 reduces fp32 buckets, 3 * 4 * 64 * 64 bytes in all, a quarter of them over the copies, and gathers the weights in a copy.
// ZERO-COUNT-2: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>, gpucost.shards = 4 : i64}
// ZERO: reduce_scatter({{.*}}) {bytes = 49152 : i64, gpucost.in_place, {{.*}}world_size = 4 : i64}
// ZERO-NEXT: all_reduce({{.*}}) {bytes = 12288 : i64, gpucost.in_place, {{.*}}world_size = 2 : i64}
// ZERO: all_gather({{.*}}world_size = 4 : i64}

func.func @step(%x: tensor<1x8x64xf32>) -> tensor<1x8x64xf32> {
  %w0 = onnx.Parameter : () -> tensor<64x64xf32>
  %w1 = onnx.Parameter : () -> tensor<64x64xf32>
  %w2 = onnx.Parameter : () -> tensor<64x64xf32>
  %0 = onnx.MatMul %x, %w0 : (tensor<1x8x64xf32>, tensor<64x64xf32>) -> tensor<1x8x64xf32>
  %t = onnx.Transpose %0 {perm = array<i64: 0, 2, 1>} : (tensor<1x8x64xf32>) -> tensor<1x64x8xf32>
  %1 = onnx.MatMul %0, %t : (tensor<1x8x64xf32>, tensor<1x64x8xf32>) -> tensor<1x8x8xf32>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<1x8x8xf32>) -> tensor<1x8x8xf32>
  %3 = onnx.MatMul %2, %0 : (tensor<1x8x8xf32>, tensor<1x8x64xf32>) -> tensor<1x8x64xf32>
  %4 = onnx.MatMul %3, %w1 : (tensor<1x8x64xf32>, tensor<64x64xf32>) -> tensor<1x8x64xf32>
  %5 = onnx.MatMul %4, %w2 : (tensor<1x8x64xf32>, tensor<64x64xf32>) -> tensor<1x8x64xf32>
  return %5 : tensor<1x8x64xf32>
}
