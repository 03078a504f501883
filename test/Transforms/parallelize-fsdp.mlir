// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-bf16 --gpucost-autocast --gpucost-expand-training="loss=none optimizer-variant=fused" --gpucost-parallelize="gpus=4 parallel=fsdp" | FileCheck %s

// Each of 4 GPUs keeps a quarter of parameters, gradients and moments.
// CHECK-LABEL: func.func @step(
// CHECK-SAME: -> (tensor<1024xf32>, tensor<1024xf32>, tensor<1024xf32>, tensor<1x8x64xbf16>)
// CHECK: %[[W0:.*]] = onnx.Parameter {gpucost.shards = 4 : i64} : () -> tensor<64x64xf32>
// CHECK: %[[W1:.*]] = onnx.Parameter {gpucost.shards = 4
// CHECK: %[[W2:.*]] = onnx.Parameter {gpucost.shards = 4
// CHECK-COUNT-2: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>, gpucost.shards = 4 : i64} : () -> tensor<12288xf32>

// (X2) A softmax ends a unit: w0 is one, w1 and w2 are another. Parameters travel in
// bf16, 2 * 64 * 64 bytes each; a unit is gathered before the one ahead of it runs.
// CHECK: %[[G0:.*]] = gpucost.collective all_gather(%[[W0]]) {bytes = 8192 : i64, {{.*}}world_size = 4 : i64} : (tensor<64x64xf32>) -> tensor<64x64xbf16>
// CHECK-NEXT: %[[G1:.*]]:2 = gpucost.collective all_gather(%[[W1]], %[[W2]]) {bytes = 16384 : i64,
// CHECK-NEXT: onnx.MatMul %{{.*}}, %[[G0]]
// CHECK: onnx.MatMul %{{.*}}, %[[G1]]#0
// CHECK-NEXT: onnx.MatMul %{{.*}}, %[[G1]]#1
// Again for the backward pass, but not w0: no gradient passes it.
// CHECK-NEXT: %[[A1:.*]]:2 = gpucost.collective all_gather(%[[W1]], %[[W2]]) {bytes = 16384 : i64,
// CHECK-NEXT: onnx.Transpose %[[A1]]#1
// CHECK-NOT: all_gather

// (X3) bf16 gradients are summed and scattered; each GPU updates 64 * 64 / 4 elements.
// CHECK: %[[D2:.*]] = onnx.MatMul {{.*}} -> tensor<64x64xbf16>
// CHECK: %[[D1:.*]] = onnx.MatMul {{.*}} -> tensor<64x64xbf16>
// CHECK-NEXT: %[[S1:.*]]:2 = gpucost.collective reduce_scatter(%[[D1]], %[[D2]]) {bytes = 16384 : i64, {{.*}} -> (tensor<1024xf32>, tensor<1024xf32>)
// CHECK: %[[D0:.*]] = onnx.MatMul {{.*}} -> tensor<64x64xbf16>
// CHECK-NEXT: %[[S0:.*]] = gpucost.collective reduce_scatter(%[[D0]]) {bytes = 8192 : i64,
// CHECK-NEXT: gpucost.optimizer_step "fused adam"(%[[S0]], %[[S1]]#0, %[[S1]]#1) {elements = 3072 : i64,
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
