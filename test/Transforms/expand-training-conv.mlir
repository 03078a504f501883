// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s

// (B2) Both gradients of a convolution are its multiply-adds again, the bias is a sum.
// CHECK-LABEL: func.func @conv
// Forward 2 * 4 * 64 * 56 * 56 * 3 * 9 and, in 4 groups of 16 channels,
// 2 * 4 * 128 * 28 * 28 * 16 * 9 FLOPs.
// CHECK: kernel "Conv" {{.*}}tensor_flops = 43352064,
// CHECK: kernel "Conv" {{.*}}tensor_flops = 115605504,
// dX: 4 * (4 * 128 * 28 * 28 + 128 * 16 * 9) bytes in, 4 * 4 * 64 * 56 * 56 out.
// CHECK: kernel "ConvInputGrad" {{.*}}phase backward{{.*}}channels = 64, height = 56, width = 56, out_channels = 128, out_height = 28, out_width = 28, kernel_height = 3, kernel_width = 3, stride_height = 2, stride_width = 2, groups = 4, pass = input_gradient>, tensor_flops = 115605504, bytes_read = 1679360, bytes_written = 3211264>
// dW: 4 * (4 * 128 * 28 * 28 + 4 * 64 * 56 * 56) in, 4 * 128 * 16 * 9 out.
// CHECK: kernel "ConvWeightGrad" {{.*}}groups = 4, pass = weight_gradient>, tensor_flops = 115605504, bytes_read = 4816896, bytes_written = 73728>
// Bias: 4 * 128 * 28 * 28 bytes in, 4 * 128 out.
// CHECK: kernel "ReduceSum" {{.*}}rows = 128, cols = 3136>, fp32_flops = 401408, bytes_read = 1605632, bytes_written = 512>
// The image needs no gradient: only dW, 4 * (4 * 64 * 56 * 56 + 4 * 3 * 56 * 56) in.
// CHECK: kernel "ConvWeightGrad" {{.*}}pass = weight_gradient>, tensor_flops = 43352064, bytes_read = 3361792, bytes_written = 6912>
// CHECK-NOT: gpucost.kernel
// CHECK: return
func.func @conv(%x: tensor<4x3x56x56xf32>) -> tensor<4x128x28x28xf32> {
  %w0 = onnx.Parameter : () -> tensor<64x3x3x3xf32>
  %0 = onnx.Conv %x, %w0 {pads = array<i64: 1, 1, 1, 1>} : (tensor<4x3x56x56xf32>, tensor<64x3x3x3xf32>) -> tensor<4x64x56x56xf32>
  %w1 = onnx.Parameter : () -> tensor<128x16x3x3xf32>
  %b1 = onnx.Parameter : () -> tensor<128xf32>
  %1 = onnx.Conv %0, %w1, %b1 {group = 4 : i64, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<4x64x56x56xf32>, tensor<128x16x3x3xf32>, tensor<128xf32>) -> tensor<4x128x28x28xf32>
  return %1 : tensor<4x128x28x28xf32>
}

// A transposed convolution is the input gradient of a convolution from 32 x 112 x 112
// to 64 x 56 x 56, 2 * 4 * 64 * 56 * 56 * 32 * 4; this convolution is its input
// gradient: 4 * (4 * 32 * 112 * 112 + 64 * 32 * 4) bytes in, 4 * 4 * 64 * 56 * 56 out.
// CHECK-LABEL: func.func @transposed
// CHECK: kernel "ConvTranspose" {{.*}}pass = input_gradient>, tensor_flops = 205520896,
// CHECK: kernel "ConvInputGrad" {{.*}}channels = 32, height = 112, width = 112, out_channels = 64, out_height = 56, out_width = 56, kernel_height = 2, kernel_width = 2, stride_height = 2, stride_width = 2>, tensor_flops = 205520896, bytes_read = 6455296, bytes_written = 3211264>
// 4 * (4 * 32 * 112 * 112 + 4 * 64 * 56 * 56) in, 4 * 64 * 32 * 4 out.
// CHECK: kernel "ConvWeightGrad" {{.*}}pass = weight_gradient>, tensor_flops = 205520896, bytes_read = 9633792, bytes_written = 32768>
func.func @transposed(%x: tensor<4x64x56x56xf32>) -> tensor<4x32x112x112xf32> {
  %h = onnx.Parameter : () -> tensor<4x64x56x56xf32>
  %w = onnx.Parameter : () -> tensor<64x32x2x2xf32>
  %0 = onnx.Add %x, %h : (tensor<4x64x56x56xf32>, tensor<4x64x56x56xf32>) -> tensor<4x64x56x56xf32>
  %1 = onnx.ConvTranspose %0, %w {strides = array<i64: 2, 2>} : (tensor<4x64x56x56xf32>, tensor<64x32x2x2xf32>) -> tensor<4x32x112x112xf32>
  return %1 : tensor<4x32x112x112xf32>
}
