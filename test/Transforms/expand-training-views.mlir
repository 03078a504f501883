// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none" | FileCheck %s

// The gradient of a view is a view where strides can express it.
// CHECK-LABEL: func.func @views(
// CHECK-SAME: %[[X:.*]]: tensor<2x6x8xf32>, %{{.*}}: tensor<4xi64>, %[[I:.*]]: tensor<3xi64>, %[[DY:.*]]: tensor<2x6xf32>) -> (tensor<8x24xf32>, tensor<1x6xf32>, tensor<2x6xf32>)
// CHECK: onnx.Parameter : () -> tensor<1x6xf32>
// The gradient of an expanded tensor is summed.
// CHECK: %[[DE:.*]] = onnx.ReduceSum %[[DY]] {{.*}}origin = "gradient of Expand"{{.*}} -> tensor<1x6xf32>
// CHECK-NEXT: %[[C0:.*]] = onnx.Slice %[[DY]] {{.*}}origin = "gradient of Concat"
// CHECK-NEXT: %[[C1:.*]] = onnx.Slice %[[DY]] {{.*}}origin = "gradient of Concat"
// CHECK-NEXT: %[[Z:.*]] = onnx.Fill {{.*}}-> tensor<2x3xf32>
// CHECK-NEXT: %[[G:.*]] = onnx.Insert %[[C0]], %[[Z]], %[[I]] {{.*}}origin = "gradient of Gather"
// CHECK-NEXT: %[[S:.*]] = onnx.Add %[[C1]], %[[G]] {{.*}}origin = "gradient sum"
// The mean hands out shares, the sum the gradient itself.
// CHECK-NEXT: %[[V:.*]] = onnx.Expand %[[S]] {{.*}}-> tensor<2x3x8xf32>
// CHECK-NEXT: %[[M:.*]] = onnx.Div %[[V]] {{.*}}origin = "gradient of ReduceMean"
// CHECK-NEXT: %[[Q:.*]] = onnx.Reshape %[[DY]] {{.*}}origin = "gradient of Squeeze"{{.*}} -> tensor<2x1x1x6xf32>
// CHECK-NEXT: %[[U:.*]] = onnx.Expand %[[Q]] {{.*}}origin = "gradient of ReduceSum"
// (B7) Zeros of the whole, then the part.
// CHECK-NEXT: %[[Z2:.*]] = onnx.Fill {{.*}}-> tensor<2x6x8xf32>
// CHECK-NEXT: %[[P1:.*]] = onnx.Insert %[[M]], %[[Z2]] {{.*}}origin = "gradient of Slice"
// The inverse of 0, 2, 3, 1.
// CHECK-NEXT: %[[T:.*]] = onnx.Transpose %[[U]] {{.*}}perm = array<i64: 0, 3, 1, 2>
// CHECK-NEXT: %[[P0:.*]] = onnx.Reshape %[[T]]
// The third part has no reader: zeros.
// CHECK-NEXT: %[[P2:.*]] = onnx.Fill {{.*}}origin = "gradient of Split"
// CHECK-NEXT: %[[DZ:.*]] = onnx.Concat %[[P0]], %[[P1]], %[[P2]] {axis = -1 : i64,
// (B1) A weight has 2 * 6 rows of inputs.
// CHECK-NEXT: %[[XF:.*]] = onnx.Reshape %[[X]] {{.*}}-> tensor<12x8xf32>
// CHECK-NEXT: %[[XT:.*]] = onnx.Transpose %[[XF]]
// CHECK-NEXT: %[[DF:.*]] = onnx.Reshape %[[DZ]] {{.*}}-> tensor<12x24xf32>
// CHECK-NEXT: %[[DW:.*]] = onnx.MatMul %[[XT]], %[[DF]] {{.*}}-> tensor<8x24xf32>
// CHECK-NEXT: return {gpucost.gradients = array<i64: 0, 1>} %[[DW]], %[[DE]]
func.func @views(%x: tensor<2x6x8xf32>, %s: tensor<4xi64>, %i: tensor<3xi64>) -> tensor<2x6xf32> {
  %w = onnx.Parameter : () -> tensor<8x24xf32>
  %0 = onnx.MatMul %x, %w : (tensor<2x6x8xf32>, tensor<8x24xf32>) -> tensor<2x6x24xf32>
  %1:3 = onnx.Split %0 {axis = -1 : i64} : (tensor<2x6x24xf32>) -> (tensor<2x6x8xf32>, tensor<2x6x8xf32>, tensor<2x6x8xf32>)
  %2 = onnx.Reshape %1#0, %s : (tensor<2x6x8xf32>, tensor<4xi64>) -> tensor<2x6x2x4xf32>
  %3 = onnx.Transpose %2 {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x6x2x4xf32>) -> tensor<2x2x4x6xf32>
  %4 = onnx.Slice %1#1, %s, %s : (tensor<2x6x8xf32>, tensor<4xi64>, tensor<4xi64>) -> tensor<2x3x8xf32>
  %5 = onnx.ReduceSum %3 : (tensor<2x2x4x6xf32>) -> tensor<2x1x1x6xf32>
  %6 = onnx.Squeeze %5, %s : (tensor<2x1x1x6xf32>, tensor<4xi64>) -> tensor<2x6xf32>
  %7 = onnx.ReduceMean %4 : (tensor<2x3x8xf32>) -> tensor<2x3xf32>
  %8 = onnx.Gather %7, %i {axis = 1 : i64} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x3xf32>
  %9 = onnx.Concat %8, %7 {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x6xf32>
  %e = onnx.Parameter : () -> tensor<1x6xf32>
  %10 = onnx.Expand %e, %s : (tensor<1x6xf32>, tensor<4xi64>) -> tensor<2x6xf32>
  %11 = onnx.Add %6, %9 : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  %12 = onnx.Add %11, %10 : (tensor<2x6xf32>, tensor<2x6xf32>) -> tensor<2x6xf32>
  return %12 : tensor<2x6xf32>
}
