// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels | FileCheck %s

// (L6) A block of ConvNeXt: [n, h, w, c] transposed is an image with its channels last. The
// convolution reads it without conversion, and the transpose back gives contiguous rows
// to the norm: no copies.
// CHECK-LABEL: func.func @strides
// CHECK-NOT: copy
// CHECK: onnx.Conv {{.*}}gpucost.channels_last
// CHECK-NOT: copy
// CHECK: onnx.LayerNormalization
// CHECK-NOT: copy
// CHECK: return
func.func @strides(%x: tensor<2x8x8x16xf16>) -> tensor<2x8x8x16xf16> {
  %w = onnx.Parameter : () -> tensor<16x1x7x7xf16>
  %s = onnx.Parameter : () -> tensor<16xf16>
  %0 = onnx.Transpose %x {perm = array<i64: 0, 3, 1, 2>} : (tensor<2x8x8x16xf16>) -> tensor<2x16x8x8xf16>
  %1 = onnx.Conv %0, %w {group = 16 : i64, pads = array<i64: 3, 3, 3, 3>} : (tensor<2x16x8x8xf16>, tensor<16x1x7x7xf16>) -> tensor<2x16x8x8xf16>
  %2 = onnx.Transpose %1 {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x16x8x8xf16>) -> tensor<2x8x8x16xf16>
  %3 = onnx.LayerNormalization %2, %s, %s : (tensor<2x8x8x16xf16>, tensor<16xf16>, tensor<16xf16>) -> tensor<2x8x8x16xf16>
  return %3 : tensor<2x8x8x16xf16>
}

// An image in NCHW is converted around the tensor-core convolution.
// CHECK-LABEL: func.func @contiguous
// CHECK: layout
// CHECK: onnx.Conv
// CHECK: layout
func.func @contiguous(%x: tensor<2x16x8x8xf16>) -> tensor<2x16x8x8xf16> {
  %w = onnx.Parameter : () -> tensor<16x16x3x3xf16>
  %0 = onnx.Conv %x, %w {pads = array<i64: 1, 1, 1, 1>} : (tensor<2x16x8x8xf16>, tensor<16x16x3x3xf16>) -> tensor<2x16x8x8xf16>
  return %0 : tensor<2x16x8x8xf16>
}
