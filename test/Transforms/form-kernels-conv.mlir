// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels | FileCheck %s --check-prefixes=CHECK,NCHW
// RUN: gpu-cost-opt %s --gpucost-form-kernels=channels-last | FileCheck %s --check-prefixes=CHECK,NHWC

// (L6) 16-bit convolutions compute on channels-last data. On NCHW tensors the
// library converts input and output inside its call: two kernels that the host
// does not launch.
// CHECK-LABEL: func.func @conv_bf16
// NCHW: gpucost.kernel "layout copy" attributes {host_launches = 0 : i64} {
// NCHW-NEXT: gpucost.copy %{{.*}} layout strided : (tensor<2x64x56x56xbf16>) -> tensor<2x64x56x56xbf16>
// NCHW: gpucost.kernel "Conv" attributes {library}
// NCHW: gpucost.kernel "layout copy" attributes {host_launches = 0 : i64} {
// NCHW-NEXT: gpucost.copy %{{.*}} layout strided : (tensor<2x128x56x56xbf16>) -> tensor<2x128x56x56xbf16>
// NHWC-NOT: gpucost.copy
// NHWC: onnx.Conv %{{.*}} {gpucost.channels_last
// NHWC-NOT: gpucost.copy
// CHECK: return
func.func @conv_bf16(%x: tensor<2x64x56x56xbf16>) -> tensor<2x128x56x56xbf16> {
  %w = onnx.Parameter : () -> tensor<128x64x3x3xbf16>
  %0 = onnx.Conv %x, %w {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x64x56x56xbf16>, tensor<128x64x3x3xbf16>) -> tensor<2x128x56x56xbf16>
  return %0 : tensor<2x128x56x56xbf16>
}

// fp32 kernels exist for NCHW; those of TF32 convert inside their call (C9).
// CHECK-LABEL: func.func @conv_fp32
// CHECK-NOT: gpucost.copy
// CHECK: gpucost.kernel "Conv" attributes {library}
// CHECK-NOT: gpucost.copy
// CHECK: return
func.func @conv_fp32(%x: tensor<2x64x56x56xf32>) -> tensor<2x128x56x56xf32> {
  %w = onnx.Parameter : () -> tensor<128x64x1x1xf32>
  %0 = onnx.Conv %x, %w {kernel_shape = array<i64: 1, 1>} : (tensor<2x64x56x56xf32>, tensor<128x64x1x1xf32>) -> tensor<2x128x56x56xf32>
  return %0 : tensor<2x128x56x56xf32>
}

// Depthwise kernels are the framework's own.
// CHECK-LABEL: func.func @depthwise
// CHECK-NOT: gpucost.copy
// CHECK: gpucost.kernel "Conv"
// CHECK-NOT: gpucost.copy
// CHECK: return
func.func @depthwise(%x: tensor<2x64x56x56xf16>) -> tensor<2x64x56x56xf16> {
  %w = onnx.Parameter : () -> tensor<64x1x3x3xf16>
  %0 = onnx.Conv %x, %w {group = 64 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x64x56x56xf16>, tensor<64x1x3x3xf16>) -> tensor<2x64x56x56xf16>
  return %0 : tensor<2x64x56x56xf16>
}

// (L1) A permuted image is made contiguous first, by the framework: a separate
// launch before the launches of the library.
// CHECK-LABEL: func.func @conv_permuted
// CHECK: gpucost.kernel "contiguous copy" {
// NCHW: gpucost.kernel "layout copy" attributes {host_launches = 0 : i64} {
// CHECK: gpucost.kernel "Conv"
func.func @conv_permuted(%x: tensor<1x64x8x8xbf16>) -> tensor<1x64x8x8xbf16> {
  %w = onnx.Parameter : () -> tensor<64x64x3x3xbf16>
  %t = onnx.Transpose %x {perm = array<i64: 0, 1, 3, 2>} : (tensor<1x64x8x8xbf16>) -> tensor<1x64x8x8xbf16>
  %0 = onnx.Conv %t, %w {kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>} : (tensor<1x64x8x8xbf16>, tensor<64x64x3x3xbf16>) -> tensor<1x64x8x8xbf16>
  return %0 : tensor<1x64x8x8xbf16>
}

// (L6) A 1x1 window of stride 1 reads NCHW in place where the 3136 pixels of a
// channel are a multiple of 16 bytes; 49 pixels are none.
// CHECK-LABEL: func.func @pointwise
// NCHW-NOT: layout copy
// CHECK: return
func.func @pointwise(%x: tensor<2x64x56x56xbf16>) -> tensor<2x128x56x56xbf16> {
  %w = onnx.Parameter : () -> tensor<128x64x1x1xbf16>
  %0 = onnx.Conv %x, %w {kernel_shape = array<i64: 1, 1>} : (tensor<2x64x56x56xbf16>, tensor<128x64x1x1xbf16>) -> tensor<2x128x56x56xbf16>
  return %0 : tensor<2x128x56x56xbf16>
}

// CHECK-LABEL: func.func @pointwise_of_49
// NCHW: layout copy
// CHECK: return
func.func @pointwise_of_49(%x: tensor<2x64x7x7xbf16>) -> tensor<2x128x7x7xbf16> {
  %w = onnx.Parameter : () -> tensor<128x64x1x1xbf16>
  %0 = onnx.Conv %x, %w {kernel_shape = array<i64: 1, 1>} : (tensor<2x64x7x7xbf16>, tensor<128x64x1x1xbf16>) -> tensor<2x128x7x7xbf16>
  return %0 : tensor<2x128x7x7xbf16>
}
