// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s

// CHECK: func.func @conv
// CHECK-SAME: -> (tensor<1x64x112x112xf32>, tensor<1x8x5x6xf32>, tensor<1x3x112x75xf32>)
func.func @conv(%x: tensor<1x3x224x224xf32>, %w: tensor<64x3x7x7xf32>,
                %y: tensor<1x4x9x8xf32>, %v: tensor<8x2x3x3xf32>,
                %d: tensor<3x1x3x3xf32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  // (224 + 3 + 3 - 7) / 2 + 1 = 112, rounded down.
  %0 = onnx.Conv %x, %w {pads = array<i64: 3, 3, 3, 3>, strides = array<i64: 2, 2>}
      : (tensor<1x3x224x224xf32>, tensor<64x3x7x7xf32>) -> !onnx.unknown
  // Dilation 2 and 1 make a 5x3 window: 9 - 5 + 1 = 5, 8 - 3 + 1 = 6; 2 groups of 2.
  %1 = onnx.Conv %y, %v {dilations = array<i64: 2, 1>, group = 2 : i64}
      : (tensor<1x4x9x8xf32>, tensor<8x2x3x3xf32>) -> !onnx.unknown
  // SAME: ceil(224 / 2) = 112, ceil(224 / 3) = 75.
  %2 = onnx.Conv %x, %d {auto_pad = "SAME_UPPER", strides = array<i64: 2, 3>,
                         group = 3 : i64}
      : (tensor<1x3x224x224xf32>, tensor<3x1x3x3xf32>) -> !onnx.unknown
  return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// CHECK: func.func @conv_transpose
// CHECK-SAME: -> (tensor<1x6x10x9xf32>, tensor<1x6x12x12xf32>, tensor<1x6x10x8xf32>)
func.func @conv_transpose(%x: tensor<1x4x5x4xf32>, %w: tensor<4x3x3x3xf32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  // 2 * (5 - 1) + 3 + 1 - 1 - 1 = 10; 2 * (4 - 1) + 3 + 0 - 0 - 0 = 9; 3 * 2 groups.
  %0 = onnx.ConvTranspose %x, %w {group = 2 : i64, strides = array<i64: 2, 2>,
      pads = array<i64: 1, 0, 1, 0>, output_padding = array<i64: 1, 0>}
      : (tensor<1x4x5x4xf32>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  %1 = onnx.ConvTranspose %x, %w {group = 2 : i64, output_shape = array<i64: 12, 12>}
      : (tensor<1x4x5x4xf32>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  // SAME: size times stride.
  %2 = onnx.ConvTranspose %x, %w {group = 2 : i64, strides = array<i64: 2, 2>,
      auto_pad = "SAME_LOWER"}
      : (tensor<1x4x5x4xf32>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// CHECK: func.func @pool
// CHECK-SAME: -> (tensor<1x8x4x4xf32>, tensor<1x8x4x4xi64>, tensor<1x8x3x3xf32>, tensor<1x8x1x1xf32>)
func.func @pool(%x: tensor<1x8x7x7xf32>, %y: tensor<1x8x5x5xf32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  // (7 + 1 + 1 - 3) / 2 + 1 = 4; result 1 holds the indices.
  %0, %1 = onnx.MaxPool %x {kernel_shape = array<i64: 3, 3>,
      strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
      : (tensor<1x8x7x7xf32>) -> (!onnx.unknown, !onnx.unknown)
  // ceil((5 + 1 + 1 - 1) / 2) + 1 = 4, but window 3 would start at 6 = 5 + 1, in the
  // padding at the end: 3.
  %2 = onnx.AveragePool %y {kernel_shape = array<i64: 1, 1>, ceil_mode = 1 : i64,
      strides = array<i64: 2, 2>, pads = array<i64: 1, 1, 1, 1>}
      : (tensor<1x8x5x5xf32>) -> !onnx.unknown
  %3 = onnx.GlobalAveragePool %y : (tensor<1x8x5x5xf32>) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}
