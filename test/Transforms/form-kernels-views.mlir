// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels=runtime=compiled | FileCheck %s

// Views inside of a fused chain move into its kernel, and the computation of their
// shapes (which launches nothing) moves before it.

// CHECK-LABEL: func.func @shape_of_view
// CHECK-NEXT: %[[S:.*]] = onnx.Constant
// CHECK-NEXT: gpucost.kernel "Mul+Relu" {
// CHECK-NEXT: onnx.Mul
// CHECK-NEXT: onnx.Reshape %{{.*}}, %[[S]]
// CHECK-NEXT: onnx.Relu
func.func @shape_of_view(%x: tensor<8x64xf32>) -> tensor<2x4x64xf32> {
  %0 = onnx.Mul %x, %x : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %s = onnx.Constant {value = dense<[2, 4, 64]> : tensor<3xi64>} : () -> tensor<3xi64>
  %1 = onnx.Reshape %0, %s : (tensor<8x64xf32>, tensor<3xi64>) -> tensor<2x4x64xf32>
  %2 = onnx.Relu %1 : (tensor<2x4x64xf32>) -> tensor<2x4x64xf32>
  return %2 : tensor<2x4x64xf32>
}
