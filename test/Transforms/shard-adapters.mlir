// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-shard-tensors=gpus=2 --gpucost-shard-sequence='gpus=2 parallel=tp sequence-parallel' | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-shard-tensors=gpus=2 --gpucost-shard-sequence='gpus=2 parallel=tp sequence-parallel' --gpucost-expand-training='loss=none optimizer=none' | FileCheck %s --check-prefix=STEP

// (X32) A feed-forward block with adapters of rank 4 on 2 GPUs. Next to columns, A has 2 columns, whose
// results are gathered, 2 * 8 * 4 * 4 bytes, and B half of the columns.
// CHECK-LABEL: func.func @block
// CHECK: %[[X:.*]] = onnx.Identity %{{.*}} {gpucost.reduce_gradient = 2 : i64}
// CHECK: onnx.MatMul %[[X]], %{{.*}} -> tensor<2x8x64xf32>
// CHECK: %[[Z:.*]] = onnx.MatMul %[[X]], %{{.*}} : (tensor<2x8x64xf32>, tensor<64x2xf32>)
// CHECK: gpucost.collective all_gather(%[[Z]]) {bytes = 256 : i64, gpucost.origin = "adapter"
// CHECK: onnx.MatMul %{{.*}} : (tensor<2x8x4xf32>, tensor<4x64xf32>) -> tensor<2x8x64xf32>
// Next to rows, A has rows, B half of the columns, and each GPU keeps 4 of 8 tokens of the gathered result.
// CHECK: %[[BASE:.*]] = gpucost.collective reduce_scatter
// CHECK: %[[SUM:.*]] = onnx.MatMul %{{.*}} : (tensor<2x8x64xf32>, tensor<64x4xf32>)
// CHECK: gpucost.collective all_reduce(%[[SUM]]) {bytes = 256 : i64, gpucost.in_place, gpucost.origin = "adapter"
// CHECK: %[[PART:.*]] = onnx.MatMul %{{.*}} : (tensor<2x8x4xf32>, tensor<4x32xf32>)
// CHECK: %[[ALL:.*]] = gpucost.collective all_gather(%[[PART]]) {bytes = 4096 : i64, gpucost.origin = "adapter"
// CHECK: %[[OWN:.*]] = onnx.Slice %[[ALL]] {{.*}} -> tensor<2x4x64xf32>
// CHECK: onnx.Add %[[BASE]], %[[OWN]] : {{.*}} -> tensor<2x4x64xf32>

// The gradient of the own tokens is gathered, and B has its columns of it. The gradients of what both B read are added up.
// STEP-LABEL: func.func @block
// STEP: gpucost.collective all_gather(%{{.*}}) {bytes = 4096 : i64, gpucost.origin = "adapter", gpucost.phase = {{.*}}backward>{{.*}} -> tensor<2x8x64xf32>
// STEP: onnx.Slice {{.*}} -> tensor<2x8x32xf32>
// STEP: gpucost.collective all_reduce(%{{.*}}) {bytes = 256 : i64, {{.*}}backward>
// STEP: gpucost.collective all_reduce(%{{.*}}) {bytes = 256 : i64, {{.*}}backward>
// STEP: return
module attributes {gpucost.scenario = #gpucost.scenario<mode = training>} {
func.func @block(%x: tensor<2x8x64xf32>) -> tensor<2x8x64xf32> {
  %up = onnx.Parameter {name = "up"} : () -> tensor<64x128xf32>
  %a1 = onnx.Parameter {name = "up.lora_A"} : () -> tensor<64x4xf32>
  %b1 = onnx.Parameter {name = "up.lora_B"} : () -> tensor<4x128xf32>
  %down = onnx.Parameter {name = "down"} : () -> tensor<128x64xf32>
  %a2 = onnx.Parameter {name = "down.lora_A"} : () -> tensor<128x4xf32>
  %b2 = onnx.Parameter {name = "down.lora_B"} : () -> tensor<4x64xf32>
  %0 = onnx.Relu %x : (tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
  %1 = onnx.MatMul %0, %up : (tensor<2x8x64xf32>, tensor<64x128xf32>) -> tensor<2x8x128xf32>
  %2 = onnx.MatMul %0, %a1 : (tensor<2x8x64xf32>, tensor<64x4xf32>) -> tensor<2x8x4xf32>
  %3 = onnx.MatMul %2, %b1 : (tensor<2x8x4xf32>, tensor<4x128xf32>) -> tensor<2x8x128xf32>
  %4 = onnx.Add %1, %3 : (tensor<2x8x128xf32>, tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
  %5 = onnx.Gelu %4 : (tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
  %6 = onnx.MatMul %5, %down : (tensor<2x8x128xf32>, tensor<128x64xf32>) -> tensor<2x8x64xf32>
  %7 = onnx.MatMul %5, %a2 : (tensor<2x8x128xf32>, tensor<128x4xf32>) -> tensor<2x8x4xf32>
  %8 = onnx.MatMul %7, %b2 : (tensor<2x8x4xf32>, tensor<4x64xf32>) -> tensor<2x8x64xf32>
  %9 = onnx.Add %6, %8 : (tensor<2x8x64xf32>, tensor<2x8x64xf32>) -> tensor<2x8x64xf32>
  return %9 : tensor<2x8x64xf32>
}
}
