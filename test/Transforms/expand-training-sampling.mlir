// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none" | FileCheck %s

// (B8) Zeros, to which dY is added; the positions have a gradient as well, and so do the
// transforms from which the grid is computed.
// CHECK-LABEL: func.func @grid(
// CHECK: %[[G:.*]] = onnx.AffineGrid
// CHECK: onnx.GridSample %[[X:.*]], %[[G]]
// CHECK: %[[ZERO:.*]] = onnx.Fill {{.*}}origin = "gradient of GridSample"{{.*}} -> tensor<2x3x8x8xf32>
// CHECK-NEXT: onnx.Insert %[[DY:.*]], %[[ZERO]], %[[G]] {{.*}} -> tensor<2x3x8x8xf32>
// CHECK-NEXT: %[[DG:.*]] = onnx.ActivationGrad %[[DY]], %[[X]], %[[G]] {{.*}}of = "GridSample"{{.*}} -> tensor<2x8x8x2xf32>
// CHECK-NEXT: onnx.ReduceSum %[[DG]] {{.*}}origin = "gradient of AffineGrid"{{.*}} -> tensor<2x2x3xf32>
func.func @grid() -> tensor<2x3x8x8xf32> {
  %x = onnx.Parameter : () -> tensor<2x3x8x8xf32>
  %theta = onnx.Parameter : () -> tensor<2x2x3xf32>
  %size = onnx.Constant {value = dense<[2, 3, 8, 8]> : tensor<4xi64>} : () -> tensor<4xi64>
  %g = onnx.AffineGrid %theta, %size : (tensor<2x2x3xf32>, tensor<4xi64>) -> tensor<2x8x8x2xf32>
  %0 = onnx.GridSample %x, %g : (tensor<2x3x8x8xf32>, tensor<2x8x8x2xf32>) -> tensor<2x3x8x8xf32>
  return %0 : tensor<2x3x8x8xf32>
}

// CHECK-LABEL: func.func @regions(
// CHECK: onnx.RoiAlign
// CHECK: %[[ZERO:.*]] = onnx.Fill {{.*}}origin = "gradient of RoiAlign"{{.*}} -> tensor<1x4x16x16xf32>
// CHECK-NEXT: onnx.Insert %{{.*}}, %[[ZERO]], %arg0
func.func @regions(%rois: tensor<5x4xf32>, %images: tensor<5xi64>) -> tensor<5x4x7x7xf32> {
  %x = onnx.Parameter : () -> tensor<1x4x16x16xf32>
  %0 = onnx.RoiAlign %x, %rois, %images {output_height = 7 : i64, output_width = 7 : i64} : (tensor<1x4x16x16xf32>, tensor<5x4xf32>, tensor<5xi64>) -> tensor<5x4x7x7xf32>
  return %0 : tensor<5x4x7x7xf32>
}

// Two matmuls as of a convolution; x and the offsets by a kernel each.
// CHECK-LABEL: func.func @deformed(
// CHECK: onnx.DeformConv %[[X:.*]], %[[W:.*]], %[[O:.*]], %{{.*}} {
// CHECK: %[[C:.*]] = onnx.ConvInputGrad %[[DY:.*]], %[[W]]
// CHECK-NEXT: onnx.ActivationGrad %[[C]], %[[X]], %[[O]] {{.*}} -> tensor<1x4x8x8xf32>
// CHECK-NEXT: onnx.ActivationGrad %[[C]], %[[X]], %[[O]] {{.*}} -> tensor<1x18x6x6xf32>
// CHECK-NEXT: onnx.ConvWeightGrad %[[DY]], %[[X]] {{.*}} -> tensor<6x4x3x3xf32>
// CHECK-NEXT: onnx.ReduceSum %[[DY]] {{.*}} -> tensor<6xf32>
func.func @deformed() -> tensor<1x6x6x6xf32> {
  %x = onnx.Parameter : () -> tensor<1x4x8x8xf32>
  %w = onnx.Parameter : () -> tensor<6x4x3x3xf32>
  %o = onnx.Parameter : () -> tensor<1x18x6x6xf32>
  %b = onnx.Parameter : () -> tensor<6xf32>
  %0 = onnx.DeformConv %x, %w, %o, %b {kernel_shape = array<i64: 3, 3>} : (tensor<1x4x8x8xf32>, tensor<6x4x3x3xf32>, tensor<1x18x6x6xf32>, tensor<6xf32>) -> tensor<1x6x6x6xf32>
  return %0 : tensor<1x6x6x6xf32>
}
