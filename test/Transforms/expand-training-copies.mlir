// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels)' | FileCheck %s

// (L9) Heads with a layout that a batched matmul does not accept are copied (L4). PyTorch's
// matmul copies before it calls bmm, so bmm saves the copies: the backward
// pass reads views of them.
// CHECK-LABEL: func.func @attention_scores
// CHECK: %[[Q:.*]] = gpucost.kernel "contiguous copy"
// CHECK: %[[K:.*]] = gpucost.kernel "contiguous copy"
// CHECK: onnx.MatMul %[[Q]], %[[K]]
// CHECK-NOT: contiguous copy
// CHECK: %[[KT:.*]] = onnx.Transpose %[[K]]
// CHECK-NOT: contiguous copy
// CHECK: onnx.MatMul %{{.*}}, %[[KT]]
// CHECK-NOT: contiguous copy
// CHECK: %[[QT:.*]] = onnx.Transpose %[[Q]]
// CHECK-NOT: contiguous copy
// CHECK: onnx.MatMul %[[QT]], %
// CHECK-NOT: contiguous copy
// CHECK: return
func.func @attention_scores(%x: tensor<2x16x3x8xf32>) -> tensor<2x3x16x16xf32> {
  %w = onnx.Parameter : () -> tensor<2x16x3x8xf32>
  %0 = onnx.Mul %x, %w : (tensor<2x16x3x8xf32>, tensor<2x16x3x8xf32>) -> tensor<2x16x3x8xf32>
  %q = onnx.Transpose %0 {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x16x3x8xf32>) -> tensor<2x3x16x8xf32>
  %k = onnx.Transpose %0 {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x16x3x8xf32>) -> tensor<2x3x8x16xf32>
  %1 = onnx.MatMul %q, %k : (tensor<2x3x16x8xf32>, tensor<2x3x8x16xf32>) -> tensor<2x3x16x16xf32>
  return %1 : tensor<2x3x16x16xf32>
}
