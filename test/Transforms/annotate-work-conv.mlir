// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// CHECK-LABEL: func.func @conv
func.func @conv(%x: tensor<4x64x56x56xf16>, %one: tensor<2x8x100xf32>, %vol: tensor<2x3x8x16x16xf32>) {
  // Stride 2: 28 x 28 positions. 2 * 4 * 128 * 28 * 28 * 64 * 9 FLOPs;
  // 2 * (4 * 64 * 56 * 56 + 128 * 64 * 9 + 128) in, 2 * 4 * 128 * 28 * 28 out.
  // CHECK: family = convolution, format = fp16, input_bits = 16, output_bits = 16, problem = #gpucost.convolution<batch = 4, channels = 64, height = 56, width = 56, out_channels = 128, out_height = 28, out_width = 28, kernel_height = 3, kernel_width = 3, stride_height = 2, stride_width = 2>, tensor_flops = 462422016, bytes_read = 1753344, bytes_written = 802816>
  %w = onnx.Parameter : () -> tensor<128x64x3x3xf16>
  %b = onnx.Parameter : () -> tensor<128xf16>
  %0 = gpucost.kernel "Conv" {
    %r = onnx.Conv %x, %w, %b {pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<4x64x56x56xf16>, tensor<128x64x3x3xf16>, tensor<128xf16>) -> tensor<4x128x28x28xf16>
    gpucost.yield %r : tensor<4x128x28x28xf16>
  } : tensor<4x128x28x28xf16>

  // Four groups: each output channel sums over 64 / 4 channels.
  // 2 * 4 * 128 * 56 * 56 * 16 * 9; 2 * (802816 + 128 * 16 * 9).
  // CHECK: kernel_height = 3, kernel_width = 3, groups = 4>, tensor_flops = 462422016, bytes_read = 1642496, bytes_written = 3211264>
  %wg = onnx.Parameter : () -> tensor<128x16x3x3xf16>
  %1 = gpucost.kernel "Conv" {
    %r = onnx.Conv %x, %wg {group = 4 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x64x56x56xf16>, tensor<128x16x3x3xf16>) -> tensor<4x128x56x56xf16>
    gpucost.yield %r : tensor<4x128x56x56xf16>
  } : tensor<4x128x56x56xf16>

  // Depthwise: one channel each. 2 * 4 * 64 * 56 * 56 * 9.
  // CHECK: groups = 64>, tensor_flops = 14450688, bytes_read = 1606784, bytes_written = 1605632>
  %wd = onnx.Parameter : () -> tensor<64x1x3x3xf16>
  %2 = gpucost.kernel "Conv" {
    %r = onnx.Conv %x, %wd {group = 64 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<4x64x56x56xf16>, tensor<64x1x3x3xf16>) -> tensor<4x64x56x56xf16>
    gpucost.yield %r : tensor<4x64x56x56xf16>
  } : tensor<4x64x56x56xf16>

  // A transposed convolution is the gradient of one from 32 x 112 x 112 to
  // 64 x 56 x 56: 2 * 4 * 64 * 56 * 56 * 32 * 4.
  // CHECK: #gpucost.convolution<batch = 4, channels = 32, height = 112, width = 112, out_channels = 64, out_height = 56, out_width = 56, kernel_height = 2, kernel_width = 2, stride_height = 2, stride_width = 2, pass = input_gradient>, tensor_flops = 205520896, bytes_read = 1622016, bytes_written = 3211264>
  %wt = onnx.Parameter : () -> tensor<64x32x2x2xf16>
  %3 = gpucost.kernel "ConvTranspose" {
    %r = onnx.ConvTranspose %x, %wt {strides = array<i64: 2, 2>} : (tensor<4x64x56x56xf16>, tensor<64x32x2x2xf16>) -> tensor<4x32x112x112xf16>
    gpucost.yield %r : tensor<4x32x112x112xf16>
  } : tensor<4x32x112x112xf16>

  // One dimension: height 1. 2 * 2 * 16 * 98 * 8 * 3.
  // CHECK: #gpucost.convolution<batch = 2, channels = 8, height = 1, width = 100, out_channels = 16, out_height = 1, out_width = 98, kernel_width = 3>, tensor_flops = 150528, bytes_read = 7936, bytes_written = 12544>
  %w1 = onnx.Parameter : () -> tensor<16x8x3xf32>
  %4 = gpucost.kernel "Conv" {
    %r = onnx.Conv %one, %w1 : (tensor<2x8x100xf32>, tensor<16x8x3xf32>) -> tensor<2x16x98xf32>
    gpucost.yield %r : tensor<2x16x98xf32>
  } : tensor<2x16x98xf32>

  // Three: depth folds into batch (2 * 6 output planes) and taps (3 * 3 high).
  // 2 * 12 * 4 * 14 * 14 * 3 * 27.
  // CHECK: #gpucost.convolution<batch = 12, channels = 3, height = 16, width = 16, out_channels = 4, out_height = 14, out_width = 14, kernel_height = 9, kernel_width = 3, dims = 3>, tensor_flops = 1524096, bytes_read = 50448, bytes_written = 37632>
  %w3 = onnx.Parameter : () -> tensor<4x3x3x3x3xf32>
  %5 = gpucost.kernel "Conv" {
    %r = onnx.Conv %vol, %w3 : (tensor<2x3x8x16x16xf32>, tensor<4x3x3x3x3xf32>) -> tensor<2x4x6x14x14xf32>
    gpucost.yield %r : tensor<2x4x6x14x14xf32>
  } : tensor<2x4x6x14x14xf32>

  // Taps two pixels apart: 56 - 2 * 2 = 52 positions along an edge.
  // 2 * 4 * 128 * 52 * 52 * 64 * 9; 2 * (4 * 64 * 56 * 56 + 128 * 64 * 9) in, 2 * 4 * 128 * 52 * 52 out.
  // CHECK: kernel_height = 3, kernel_width = 3, dilation_height = 2, dilation_width = 2>, tensor_flops = 1594884096, bytes_read = 1753088, bytes_written = 2768896>
  %wdil = onnx.Parameter : () -> tensor<128x64x3x3xf16>
  %dilated = gpucost.kernel "Conv" {
    %r = onnx.Conv %x, %wdil {dilations = array<i64: 2, 2>} : (tensor<4x64x56x56xf16>, tensor<128x64x3x3xf16>) -> tensor<4x128x52x52xf16>
    gpucost.yield %r : tensor<4x128x52x52xf16>
  } : tensor<4x128x52x52xf16>

  // --channels-last is kept for the cost model.
  // CHECK: kernel_width = 3, channels_last = true>
  %6 = gpucost.kernel "Conv" {
    %r = onnx.Conv %x, %w {gpucost.channels_last} : (tensor<4x64x56x56xf16>, tensor<128x64x3x3xf16>) -> tensor<4x128x54x54xf16>
    gpucost.yield %r : tensor<4x128x54x54xf16>
  } : tensor<4x128x54x54xf16>
  return
}
