// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none" | FileCheck %s

// A vector is a matrix of one column: dA = dY w^T and dw = A^T dY, 2 * 8 * 16 FLOP
// each as forward; its views cost nothing.
// CHECK-LABEL: func.func @product
// CHECK: onnx.MatMul %{{.*}} : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8xf32>
// CHECK: %[[DA:.*]] = onnx.MatMul %{{.*}}phase backward{{.*}} : (tensor<8x1xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
// CHECK: %[[D:.*]] = onnx.MatMul %{{.*}}phase backward{{.*}} : (tensor<16x8xf32>, tensor<8x1xf32>) -> tensor<16x1xf32>
// CHECK: %[[DW:.*]] = onnx.Reshape %[[D]] {{.*}} -> tensor<16xf32>
// CHECK: %[[DU:.*]] = onnx.Mul %[[DA]]
// CHECK: return {{.*}} %[[DW]], %[[DU]]
func.func @product(%x: tensor<8x16xf32>) -> tensor<8xf32> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<16xf32>
  %u = onnx.Parameter {name = "u"} : () -> tensor<8x16xf32>
  %0 = onnx.Mul %x, %u : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %y = onnx.MatMul %0, %w : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8xf32>
  return %y : tensor<8xf32>
}
