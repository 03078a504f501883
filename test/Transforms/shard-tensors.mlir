// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --gpucost-shard-tensors=gpus=2 | FileCheck %s
// RUN: gpu-cost-opt %s --split-input-file --gpucost-shard-tensors=gpus=2 --gpucost-expand-training='loss=none optimizer=none' | FileCheck %s --check-prefix=STEP

// A feed-forward block (X4): the first matmul keeps half of its columns, the
// second half of its rows; the sum over both GPUs is 2 * 8 * 64 * 4 bytes.
// CHECK-LABEL: func.func @feed_forward
// CHECK-DAG: %[[UP:.*]] = onnx.Parameter {name = "up.weight"} : () -> tensor<64x64xf32>
// CHECK-DAG: %[[B:.*]] = onnx.Parameter {name = "up.bias"} : () -> tensor<64xf32>
// CHECK-DAG: %[[DOWN:.*]] = onnx.Parameter {name = "down.weight"} : () -> tensor<64x64xf32>
// CHECK: %[[X:.*]] = onnx.Identity %{{.*}} {gpucost.reduce_gradient = 2 : i64}
// CHECK: onnx.MatMul %[[X]], %[[UP]] : (tensor<2x8x64xf32>, tensor<64x64xf32>) -> tensor<2x8x64xf32>
// CHECK: onnx.Gelu %{{.*}} -> tensor<2x8x64xf32>
// CHECK: %[[PART:.*]] = onnx.MatMul %{{.*}}, %[[DOWN]] : (tensor<2x8x64xf32>, tensor<64x64xf32>) -> tensor<2x8x64xf32>
// CHECK: gpucost.collective all_reduce(%[[PART]]) {bytes = 4096 : i64, gpucost.in_place, gpucost.origin = "tensor parallel", world_size = 2 : i64}
// The backward pass sums the gradient of the input that both GPUs read, nothing else.
// STEP-LABEL: func.func @feed_forward
// STEP: gpucost.collective all_reduce(%{{.*}}) {bytes = 4096 : i64, gpucost.in_place, gpucost.origin
// STEP: onnx.GeluGrad
// STEP: gpucost.collective all_reduce(%{{.*}}) {bytes = 4096 : i64, gpucost.in_place, {{.*}}gpucost.phase = #gpucost<phase backward>
// STEP-NOT: gpucost.collective
// STEP: return
func.func @feed_forward(%x: tensor<2x8x64xf32>, %embed: tensor<64xf32>) -> tensor<2x8x64xf32> {
  %scale = onnx.Parameter {name = "norm.weight"} : () -> tensor<64xf32>
  %up = onnx.Parameter {name = "up.weight"} : () -> tensor<64x128xf32>
  %bias = onnx.Parameter {name = "up.bias"} : () -> tensor<128xf32>
  %down = onnx.Parameter {name = "down.weight"} : () -> tensor<128x64xf32>
  %n = onnx.Mul %x, %scale : (tensor<2x8x64xf32>, tensor<64xf32>) -> tensor<2x8x64xf32>
  %0 = onnx.MatMul %n, %up : (tensor<2x8x64xf32>, tensor<64x128xf32>) -> tensor<2x8x128xf32>
  %1 = onnx.Add %0, %bias : (tensor<2x8x128xf32>, tensor<128xf32>) -> tensor<2x8x128xf32>
  %2 = onnx.Gelu %1 : (tensor<2x8x128xf32>) -> tensor<2x8x128xf32>
  %3 = onnx.MatMul %2, %down : (tensor<2x8x128xf32>, tensor<128x64xf32>) -> tensor<2x8x64xf32>
  return %3 : tensor<2x8x64xf32>
}

// -----

// Attention: queries, keys and values are split from 4 to 2 heads, softmax runs
// along keys, the output projection sums over the heads.
// CHECK-LABEL: func.func @attention
// CHECK: onnx.Softmax %{{.*}} : (tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32>
// CHECK: gpucost.collective all_reduce
// CHECK-NOT: gpucost.collective
func.func @attention(%x: tensor<2x8x64xf32>) -> tensor<2x8x64xf32> {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<64x64xf32>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<64x64xf32>
  %wv = onnx.Parameter {name = "v"} : () -> tensor<64x64xf32>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<64x64xf32>
  %q0 = onnx.MatMul %x, %wq : (tensor<2x8x64xf32>, tensor<64x64xf32>) -> tensor<2x8x64xf32>
  %k0 = onnx.MatMul %x, %wk : (tensor<2x8x64xf32>, tensor<64x64xf32>) -> tensor<2x8x64xf32>
  %v0 = onnx.MatMul %x, %wv : (tensor<2x8x64xf32>, tensor<64x64xf32>) -> tensor<2x8x64xf32>
  %q1 = onnx.Reshape %q0 : (tensor<2x8x64xf32>) -> tensor<2x8x4x16xf32>
  %k1 = onnx.Reshape %k0 : (tensor<2x8x64xf32>) -> tensor<2x8x4x16xf32>
  %v1 = onnx.Reshape %v0 : (tensor<2x8x64xf32>) -> tensor<2x8x4x16xf32>
  %q = onnx.Transpose %q1 {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x8x4x16xf32>) -> tensor<2x4x8x16xf32>
  %k = onnx.Transpose %k1 {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x8x4x16xf32>) -> tensor<2x4x16x8xf32>
  %v = onnx.Transpose %v1 {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x8x4x16xf32>) -> tensor<2x4x8x16xf32>
  %s = onnx.MatMul %q, %k : (tensor<2x4x8x16xf32>, tensor<2x4x16x8xf32>) -> tensor<2x4x8x8xf32>
  %p = onnx.Softmax %s {axis = -1 : i64} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %c = onnx.MatMul %p, %v : (tensor<2x4x8x8xf32>, tensor<2x4x8x16xf32>) -> tensor<2x4x8x16xf32>
  %t = onnx.Transpose %c {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x4x8x16xf32>) -> tensor<2x8x4x16xf32>
  %r = onnx.Reshape %t : (tensor<2x8x4x16xf32>) -> tensor<2x8x64xf32>
  %y = onnx.MatMul %r, %wo : (tensor<2x8x64xf32>, tensor<64x64xf32>) -> tensor<2x8x64xf32>
  return %y : tensor<2x8x64xf32>
}
