// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s
// RUN: sed 's/onnx.opsets = {ai.onnx = 20/onnx.opsets = {ai.onnx = 17/' %s | gpu-cost-opt - --gpucost-fix-shapes | FileCheck %s --check-prefix=OLD

module attributes {onnx.opsets = {ai.onnx = 20 : i64}} {
// The axis is operand 2 (here 1, of 16 points: 9 values of a one-sided transform),
// default -2; a length of 8 cuts or pads. The inverse of 9 one-sided values has 16
// real points. Opset 17 reads an attribute whose default is 1.
// CHECK: func.func @dft
// CHECK-SAME: -> (tensor<2x9x10x2xf32>, tensor<2x16x10x2xf32>, tensor<2x8x10x2xf32>, tensor<2x16x16x1xf32>)
// OLD: func.func @dft
// OLD-SAME: -> (tensor<2x9x10x2xf32>, tensor<2x16x10x2xf32>, tensor<2x8x10x2xf32>, tensor<2x30x9x1xf32>)
func.func @dft(%x: tensor<2x16x10x1xf32>, %c: tensor<2x16x9x2xf32>) -> (!onnx.unknown,
    !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  %one = onnx.Constant {value_int = 1 : i64} : () -> !onnx.unknown
  %n = onnx.Constant {value_int = 8 : i64} : () -> !onnx.unknown
  %0 = onnx.DFT %x, %none, %one {onesided = 1 : i64} : (tensor<2x16x10x1xf32>, !onnx.none, !onnx.unknown) -> !onnx.unknown
  %1 = onnx.DFT %x : (tensor<2x16x10x1xf32>) -> !onnx.unknown
  %2 = onnx.DFT %x, %n, %one : (tensor<2x16x10x1xf32>, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %3 = onnx.DFT %c {onesided = 1 : i64, inverse = 1 : i64} : (tensor<2x16x9x2xf32>) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// (128 - 16) / 8 + 1 = 15 frames of 16 / 2 + 1 = 9 values; the window gives the
// length of a frame where operand 3 is missing.
// CHECK: func.func @stft
// CHECK-SAME: -> (tensor<2x15x9x2xf32>, tensor<2x15x16x2xf32>)
func.func @stft(%x: tensor<2x128x1xf32>, %w: tensor<16xf32>) -> (!onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  %step = onnx.Constant {value_int = 8 : i64} : () -> !onnx.unknown
  %n = onnx.Constant {value_int = 16 : i64} : () -> !onnx.unknown
  %0 = onnx.STFT %x, %step, %w : (tensor<2x128x1xf32>, !onnx.unknown, tensor<16xf32>) -> !onnx.unknown
  %1 = onnx.STFT %x, %step, %none, %n {onesided = 0 : i64} : (tensor<2x128x1xf32>, !onnx.unknown, !onnx.none, !onnx.unknown) -> !onnx.unknown
  return %0, %1 : !onnx.unknown, !onnx.unknown
}

// Windows of 10; 40 / 2 + 1 = 21 frequencies in 8 mel bins; output_datatype 11 is f64.
// CHECK: func.func @windows
// CHECK-SAME: -> (tensor<10xf32>, tensor<10xf64>, tensor<10xf32>, tensor<21x8xf32>)
func.func @windows() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %n = onnx.Constant {value_int = 10 : i64} : () -> !onnx.unknown
  %bins = onnx.Constant {value_int = 8 : i64} : () -> !onnx.unknown
  %length = onnx.Constant {value_int = 40 : i64} : () -> !onnx.unknown
  %f = onnx.Constant {value_float = 1.0 : f32} : () -> !onnx.unknown
  %0 = onnx.HannWindow %n : (!onnx.unknown) -> !onnx.unknown
  %1 = onnx.HammingWindow %n {output_datatype = 11 : i64} : (!onnx.unknown) -> !onnx.unknown
  %2 = onnx.BlackmanWindow %n : (!onnx.unknown) -> !onnx.unknown
  %3 = onnx.MelWeightMatrix %bins, %length, %n, %f, %f : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Columns of 3 channels x 2 x 2 blocks; an unpooled [(4 - 1) * 2 + 2] image, or the
// size that operand 2 gives; 5 regions.
// CHECK: func.func @images
// CHECK-SAME: -> (tensor<2x7x9x2xf32>, tensor<1x3x5x5xf32>, tensor<1x1x8x8xf32>, tensor<1x1x9x9xf32>, tensor<5x3x2x2xf32>)
func.func @images(%theta: tensor<2x2x3xf32>, %cols: tensor<1x12x16xf32>, %p: tensor<1x1x4x4xf32>, %i: tensor<1x1x4x4xi64>, %x: tensor<1x3x8x8xf32>, %rois: tensor<5x5xf32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %size = onnx.Constant {value_ints = array<i64: 2, 4, 7, 9>} : () -> !onnx.unknown
  %image = onnx.Constant {value_ints = array<i64: 5, 5>} : () -> !onnx.unknown
  %block = onnx.Constant {value_ints = array<i64: 2, 2>} : () -> !onnx.unknown
  %out = onnx.Constant {value_ints = array<i64: 1, 1, 9, 9>} : () -> !onnx.unknown
  %0 = onnx.AffineGrid %theta, %size : (tensor<2x2x3xf32>, !onnx.unknown) -> !onnx.unknown
  %1 = onnx.Col2Im %cols, %image, %block : (tensor<1x12x16xf32>, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %2 = onnx.MaxUnpool %p, %i {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xi64>) -> !onnx.unknown
  %3 = onnx.MaxUnpool %p, %i, %out {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xi64>, !onnx.unknown) -> !onnx.unknown
  %4 = onnx.MaxRoiPool %x, %rois {pooled_shape = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>, tensor<5x5xf32>) -> !onnx.unknown
  return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Opset 12: a softmax has axis 1; the mask of a dropout is boolean since opset 10.
// CHECK-LABEL: func.func @softmax
// CHECK: onnx.Softmax %{{.*}} : (tensor<2x3x4xf32>)
func.func @softmax(%x: tensor<2x3x4xf32>) -> !onnx.unknown {
  %0 = onnx.Softmax %x : (tensor<2x3x4xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}
}
