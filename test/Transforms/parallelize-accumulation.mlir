// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-bf16 --gpucost-autocast --gpucost-expand-training="loss=none optimizer-variant=foreach grad-accum=3" --gpucost-parallelize="gpus=4 parallel=fsdp" | FileCheck %s

// Every pass gathers, reduces and scatters; each GPU adds to its quarter of 64 * 64
// gradients, and the scratch list of the update is also a quarter: 3 * 4096 / 4 * 4 bytes.
// CHECK-LABEL: func.func @step(
// CHECK: onnx.Parameter {gpucost.role = #gpucost<role gradient>, gpucost.shards = 1 : i64} : () -> tensor<1024xf32>
// CHECK: gpucost.collective all_gather({{.*}}gpucost.accumulation_count = 3 : i64
// CHECK: %[[S:.*]]:2 = gpucost.collective reduce_scatter({{.*}}gpucost.accumulation_count = 3 : i64{{.*}} -> (tensor<1024xf32>, tensor<1024xf32>)
// CHECK: %[[A:.*]] = onnx.InPlaceAccumulator %{{.*}}, %[[S]]#0 {{.*}}gpucost.accumulation_count = 2 : i64{{.*}} -> tensor<1024xf32>
// CHECK-NEXT: %[[B:.*]] = onnx.InPlaceAccumulator %{{.*}}, %[[S]]#1
// CHECK: gpucost.optimizer_step "sqrt"(%{{.*}}, %[[A]], %[[B]]) {elements = 3072 : i64, {{.*}}gpucost.scratch = 12288 : i64
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
