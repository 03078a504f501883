// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels --gpucost-annotate-work | FileCheck %s

// Convolutions and poolings in each layout. Images are padded already; every
// destination is read as well, since the tests pass it in.

// Output 2 x 16 x 8 x 8, filter 3 x 3 over 4 channels.
//   FLOPs: 2 * (2 * 8 * 8 * 16) * (4 * 3 * 3)         = 147456
//   read:  4 * (2 * 10 * 10 * 4 + 3 * 3 * 4 * 16 + 2 * 8 * 8 * 16) = 13696
//   write: 4 * 2 * 8 * 8 * 16                         = 8192
// CHECK-LABEL: func.func @nhwc
// CHECK: family = convolution, format = fp32, problem = #gpucost.convolution<batch = 2, channels = 4, height = 10, width = 10, out_channels = 16, out_height = 8, out_width = 8, kernel_height = 3, kernel_width = 3, channels_last = true>, tensor_flops = 147456, bytes_read = 13696, bytes_written = 8192>
func.func @nhwc(%x: tensor<2x10x10x4xf32>, %w: tensor<3x3x4x16xf32>, %o: tensor<2x8x8x16xf32>)
    -> tensor<2x8x8x16xf32> {
  %0 = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<2x10x10x4xf32>, tensor<3x3x4x16xf32>)
      outs(%o : tensor<2x8x8x16xf32>) -> tensor<2x8x8x16xf32>
  return %0 : tensor<2x8x8x16xf32>
}

// The same with zero points, which kernels take out of the sum.
//   read:  2 * 10 * 10 * 4 + 3 * 3 * 4 * 16 + 4 * 2 * 8 * 8 * 16 = 9568
// CHECK-LABEL: func.func @quantized
// CHECK: family = convolution, format = int8, input_bits = 8, problem = #gpucost.convolution<batch = 2, channels = 4, height = 10, width = 10, out_channels = 16, out_height = 8, out_width = 8, kernel_height = 3, kernel_width = 3, channels_last = true>, tensor_flops = 147456, bytes_read = 9568, bytes_written = 8192>
func.func @quantized(%x: tensor<2x10x10x4xi8>, %w: tensor<3x3x4x16xi8>, %zx: i32, %zw: i32, %o: tensor<2x8x8x16xi32>)
    -> tensor<2x8x8x16xi32> {
  %0 = linalg.conv_2d_nhwc_hwcf_q ins(%x, %w, %zx, %zw : tensor<2x10x10x4xi8>, tensor<3x3x4x16xi8>, i32, i32)
      outs(%o : tensor<2x8x8x16xi32>) -> tensor<2x8x8x16xi32>
  return %0 : tensor<2x8x8x16xi32>
}

// The same sums in the other layout, on a 17 x 19 image with stride 2:
//   read:  4 * (2 * 4 * 17 * 19 + 16 * 4 * 3 * 3 + 2 * 16 * 8 * 9) = 21856
//   FLOPs: 2 * (2 * 8 * 9 * 16) * (4 * 3 * 3)         = 165888
// CHECK-LABEL: func.func @nchw
// CHECK: problem = #gpucost.convolution<batch = 2, channels = 4, height = 17, width = 19, out_channels = 16, out_height = 8, out_width = 9, kernel_height = 3, kernel_width = 3, stride_height = 2, stride_width = 2>, tensor_flops = 165888, bytes_read = 21856, bytes_written = 9216>
func.func @nchw(%x: tensor<2x4x17x19xf32>, %w: tensor<16x4x3x3xf32>, %o: tensor<2x16x8x9xf32>)
    -> tensor<2x16x8x9xf32> {
  %0 = linalg.conv_2d_nchw_fchw {strides = dense<2> : tensor<2xi64>}
      ins(%x, %w : tensor<2x4x17x19xf32>, tensor<16x4x3x3xf32>)
      outs(%o : tensor<2x16x8x9xf32>) -> tensor<2x16x8x9xf32>
  return %0 : tensor<2x16x8x9xf32>
}

// One filter for each of 32 channels: 2 * (8 * 8 * 32) * (3 * 3) FLOPs = 36864.
//   read: 4 * (10 * 10 * 32 + 3 * 3 * 32 + 8 * 8 * 32) = 22144
// CHECK-LABEL: func.func @depthwise
// CHECK: problem = #gpucost.convolution<channels = 32, height = 10, width = 10, out_channels = 32, out_height = 8, out_width = 8, kernel_height = 3, kernel_width = 3, groups = 32, channels_last = true>, tensor_flops = 36864, bytes_read = 22144, bytes_written = 8192>
func.func @depthwise(%x: tensor<1x10x10x32xf32>, %w: tensor<3x3x32xf32>, %o: tensor<1x8x8x32xf32>)
    -> tensor<1x8x8x32xf32> {
  %0 = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<1x10x10x32xf32>, tensor<3x3x32xf32>)
      outs(%o : tensor<1x8x8x32xf32>) -> tensor<1x8x8x32xf32>
  return %0 : tensor<1x8x8x32xf32>
}

// 4 groups of 8 -> 2 channels: 32 in, 8 out; 2 * (6 * 6 * 8) * (8 * 3 * 3) = 41472.
// CHECK-LABEL: func.func @grouped
// CHECK: problem = #gpucost.convolution<channels = 32, height = 8, width = 8, out_channels = 8, out_height = 6, out_width = 6, kernel_height = 3, kernel_width = 3, groups = 4>, tensor_flops = 41472
func.func @grouped(%x: tensor<1x4x8x8x8xf32>, %w: tensor<4x2x8x3x3xf32>, %o: tensor<1x4x2x6x6xf32>)
    -> tensor<1x4x2x6x6xf32> {
  %0 = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<1x4x8x8x8xf32>, tensor<4x2x8x3x3xf32>)
      outs(%o : tensor<1x4x2x6x6xf32>) -> tensor<1x4x2x6x6xf32>
  return %0 : tensor<1x4x2x6x6xf32>
}

// One dimension is a width; the depth of three counts as batch and as kernel
// height. FLOPs: 2 * 14 * 8 * 4 * 3 = 2688 and 2 * (4 * 4 * 4 * 2) * 27 = 6912.
// CHECK-LABEL: func.func @other_ranks
// CHECK: problem = #gpucost.convolution<channels = 4, height = 1, width = 16, out_channels = 8, out_height = 1, out_width = 14, kernel_width = 3, channels_last = true>, tensor_flops = 2688
// CHECK: problem = #gpucost.convolution<batch = 4, channels = 1, height = 6, width = 6, out_channels = 2, out_height = 4, out_width = 4, kernel_height = 9, kernel_width = 3, dims = 3>, tensor_flops = 6912
func.func @other_ranks(%x: tensor<1x16x4xf32>, %w: tensor<3x4x8xf32>, %o: tensor<1x14x8xf32>,
    %x3: tensor<1x1x6x6x6xf32>, %w3: tensor<2x1x3x3x3xf32>, %o3: tensor<1x2x4x4x4xf32>)
    -> (tensor<1x14x8xf32>, tensor<1x2x4x4x4xf32>) {
  %0 = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<1x16x4xf32>, tensor<3x4x8xf32>)
      outs(%o : tensor<1x14x8xf32>) -> tensor<1x14x8xf32>
  %1 = linalg.conv_3d_ncdhw_fcdhw ins(%x3, %w3 : tensor<1x1x6x6x6xf32>, tensor<2x1x3x3x3xf32>)
      outs(%o3 : tensor<1x2x4x4x4xf32>) -> tensor<1x2x4x4x4xf32>
  return %0, %1 : tensor<1x14x8xf32>, tensor<1x2x4x4x4xf32>
}

// One compare for each of 3 * 3 taps: 9 * 8 * 8 * 4 = 2304. The window operand
// is a shape and is not read: 4 * (17 * 17 * 4 + 8 * 8 * 4) = 5648.
// CHECK-LABEL: func.func @pooling
// CHECK: family = pooling, instructions = pool, format = fp32, problem = #gpucost.elements<count = 256, strided = true>, fp32_flops = 2304, bytes_read = 5648, bytes_written = 1024>
func.func @pooling(%x: tensor<1x17x17x4xf32>, %o: tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32> {
  %window = tensor.empty() : tensor<3x3xf32>
  %0 = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x17x17x4xf32>, tensor<3x3xf32>)
      outs(%o : tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  return %0 : tensor<1x8x8x4xf32>
}
