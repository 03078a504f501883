// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops --split-input-file | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-raise-ops --gpucost-form-kernels --gpucost-annotate-work --split-input-file | FileCheck %s --check-prefix=WORK

// A weight matmul as TensorFlow writes it: [2, 8, 64] x [64, 4, 16].
// FLOPs: 2 * 2 * 8 * 64 * 4 * 16 = 131072.
// CHECK-LABEL: func @projection
// CHECK: %[[W:.*]] = onnx.Reshape %{{.*}} -> tensor<64x64xf32>
// CHECK: onnx.MatMul %{{.*}}, %[[W]] : {{.*}} -> tensor<2x8x64xf32>
// CHECK: onnx.Reshape {{.*}} -> tensor<2x8x4x16xf32>
// CHECK-NOT: onnx.Einsum
// WORK-LABEL: func.func @projection
// WORK: tensor_flops = 131072
func.func @projection(%x: tensor<2x8x64xf32>) -> tensor<2x8x4x16xf32> {
  %w = onnx.Parameter : () -> tensor<64x4x16xf32>
  %0 = onnx.Einsum %x, %w {equation = "abc,cde->abde"} : (tensor<2x8x64xf32>, tensor<64x4x16xf32>) -> tensor<2x8x4x16xf32>
  return %0 : tensor<2x8x4x16xf32>
}

// -----

// Attention of two einsums; FLOPs of each matmul: 2 * 2 * 4 * 8 * 8 * 16 = 16384.
// CHECK-LABEL: func @attention
// CHECK-DAG: onnx.Transpose {{.*}}perm = array<i64: 0, 2, 1, 3>
// CHECK-DAG: onnx.Transpose {{.*}}perm = array<i64: 0, 2, 3, 1>
// CHECK: onnx.MatMul {{.*}} -> tensor<2x4x8x8xf32>
// CHECK: onnx.Softmax
// CHECK: onnx.MatMul {{.*}} -> tensor<2x4x8x16xf32>
// CHECK: onnx.Transpose {{.*}}perm = array<i64: 0, 2, 1, 3>
// CHECK-NOT: onnx.Einsum
// WORK-LABEL: func.func @attention
// WORK: tensor_flops = 16384
// WORK: tensor_flops = 16384
func.func @attention(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x4x16xf32>, %v: tensor<2x8x4x16xf32>) -> tensor<2x8x4x16xf32> {
  %0 = onnx.Einsum %q, %k {equation = "BFNH,BTNH->BNFT"} : (tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>) -> tensor<2x4x8x8xf32>
  %1 = onnx.Softmax %0 {axis = -1 : i64} : (tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  %2 = onnx.Einsum %1, %v {equation = "BNFT,BTNH->BFNH"} : (tensor<2x4x8x8xf32>, tensor<2x8x4x16xf32>) -> tensor<2x8x4x16xf32>
  return %2 : tensor<2x8x4x16xf32>
}

// -----

// Other equations are not raised and keep the cost rule of Einsum: a sum over a letter
// of only one operand, a diagonal, an outer product.
// CHECK-LABEL: func @others
// CHECK-COUNT-3: onnx.Einsum
func.func @others(%x: tensor<8x16xf32>, %y: tensor<16x8xf32>, %z: tensor<8x8xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8x16x16x8xf32>) {
  %0 = onnx.Einsum %x, %y {equation = "ij,jk->i"} : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8xf32>
  %1 = onnx.Einsum %z, %z {equation = "ii,ij->j"} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8xf32>
  %2 = onnx.Einsum %x, %y {equation = "ij,kl->ijkl"} : (tensor<8x16xf32>, tensor<16x8xf32>) -> tensor<8x16x16x8xf32>
  return %0, %1, %2 : tensor<8xf32>, tensor<8xf32>, tensor<8x16x16x8xf32>
}

// -----

// Three operands are contracted in pairs, from left to right: [4, 3] x [5, 3, 2] with the shared
// letter i, 2 * 4 * 5 * 3 * 2 = 240, then [4, 5, 2] x [4, 2] for each of 4 b: 2 * 4 * 5 * 2 = 80.
// CHECK-LABEL: func @bilinear
// CHECK: onnx.MatMul {{.*}} -> tensor<4x10xf32>
// CHECK: onnx.MatMul {{.*}} -> tensor<4x5x1xf32>
// CHECK-NOT: onnx.Einsum
// WORK-LABEL: func.func @bilinear
// WORK: tensor_flops = 240,
// WORK: tensor_flops = 80,
func.func @bilinear(%x: tensor<4x3xf32>, %w: tensor<5x3x2xf32>, %y: tensor<4x2xf32>) -> tensor<4x5xf32> {
  %0 = onnx.Einsum %x, %w, %y {equation = "bi,oij,bj->bo"} : (tensor<4x3xf32>, tensor<5x3x2xf32>, tensor<4x2xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}

// -----

// A chain of four: 2 * 2 * 3 * 4 = 48, 2 * 2 * 4 * 5 = 80, 2 * 2 * 5 * 6 = 120.
// CHECK-LABEL: func @chain
// CHECK: onnx.MatMul {{.*}} -> tensor<2x4xf32>
// CHECK: onnx.MatMul {{.*}} -> tensor<2x5xf32>
// CHECK: onnx.MatMul {{.*}} -> tensor<2x6xf32>
// WORK-LABEL: func.func @chain
// WORK: tensor_flops = 48,
// WORK: tensor_flops = 80,
// WORK: tensor_flops = 120,
func.func @chain(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>, %c: tensor<4x5xf32>, %d: tensor<5x6xf32>) -> tensor<2x6xf32> {
  %0 = onnx.Einsum %a, %b, %c, %d {equation = "ab, bc, cd, de -> ae"} : (tensor<2x3xf32>, tensor<3x4xf32>, tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// -----

// With an ellipsis and a broadcast size: 2 * 7 * 2 * 3 * 4 = 336 and 2 * 7 * 2 * 4 * 5 = 560. A product without a
// summed letter stays an Einsum of two operands.
// CHECK-LABEL: func @batched
// CHECK: onnx.Einsum {{.*}} -> tensor<7x2x4xf32>
// CHECK: onnx.MatMul {{.*}} -> tensor<7x2x5xf32>
// WORK-LABEL: func.func @batched
// WORK: tensor_flops = 336,
// WORK: tensor_flops = 560,
func.func @batched(%a: tensor<7x2x3xf32>, %b: tensor<1x3x4xf32>, %c: tensor<7x4x5xf32>) -> tensor<7x2x5xf32> {
  %0 = onnx.Einsum %a, %b, %c {equation = "...ij,...jk,...kl->...il"} : (tensor<7x2x3xf32>, tensor<1x3x4xf32>, tensor<7x4x5xf32>) -> tensor<7x2x5xf32>
  return %0 : tensor<7x2x5xf32>
}
