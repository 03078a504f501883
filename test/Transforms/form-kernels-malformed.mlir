// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels | FileCheck %s

// A matmul with one operand cannot be fused with an addition.
// CHECK-LABEL: func.func @product
// CHECK: gpucost.kernel "MatMul"
// CHECK: gpucost.kernel "Add"
func.func @product(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %w = onnx.Parameter : () -> tensor<8xf32>
  %0 = onnx.MatMul %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = onnx.Add %0, %w : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
