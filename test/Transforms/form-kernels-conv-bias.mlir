// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels | FileCheck %s --check-prefixes=CHECK,ADD,NCHW
// RUN: gpu-cost-opt %s --gpucost-form-kernels=channels-last | FileCheck %s --check-prefixes=CHECK,ADD,NHWC
// RUN: gpu-cost-opt %s --gpucost-form-kernels=runtime=cudagraph | FileCheck %s --check-prefixes=CHECK,ADD,NCHW
// RUN: gpu-cost-opt %s --gpucost-form-kernels=runtime=compiled | FileCheck %s --check-prefixes=CHECK,FUSED
// RUN: gpu-cost-opt %s --gpucost-form-kernels=software=vllm | FileCheck %s --check-prefixes=CHECK,FUSED

// (L18) Eager PyTorch adds the bias of a library's convolution with its own
// kernel; the convolution has no bias.
// CHECK-LABEL: func.func @bias
// CHECK: gpucost.kernel "Conv"
// ADD-NEXT: onnx.Conv %{{[^,]*}}, %{{[^,]*}} {
// ADD: gpucost.kernel "InPlaceBias" {
// ADD-NEXT: onnx.InPlaceBias %{{.*}} : (tensor<2x128x56x56xf32>, tensor<128xf32>) -> tensor<2x128x56x56xf32>
// FUSED-NEXT: onnx.Conv %{{[^,]*}}, %{{[^,]*}}, %
// FUSED-NOT: InPlaceBias
// CHECK: return
func.func @bias(%x: tensor<2x64x56x56xf32>) -> tensor<2x128x56x56xf32> {
  %w = onnx.Parameter : () -> tensor<128x64x1x1xf32>
  %b = onnx.Parameter : () -> tensor<128xf32>
  %0 = onnx.Conv %x, %w, %b {kernel_shape = array<i64: 1, 1>} : (tensor<2x64x56x56xf32>, tensor<128x64x1x1xf32>, tensor<128xf32>) -> tensor<2x128x56x56xf32>
  return %0 : tensor<2x128x56x56xf32>
}

// The framework's own depthwise kernel, which is for NCHW, adds it.
// CHECK-LABEL: func.func @depthwise
// NCHW: onnx.Conv %{{[^,]*}}, %{{[^,]*}}, %
// NCHW-NOT: InPlaceBias
// NHWC: gpucost.kernel "InPlaceBias"
// CHECK: return
func.func @depthwise(%x: tensor<2x64x56x56xf32>) -> tensor<2x64x56x56xf32> {
  %w = onnx.Parameter : () -> tensor<64x1x3x3xf32>
  %b = onnx.Parameter : () -> tensor<64xf32>
  %0 = onnx.Conv %x, %w, %b {group = 64 : i64, pads = array<i64: 1, 1, 1, 1>} : (tensor<2x64x56x56xf32>, tensor<64x1x3x3xf32>, tensor<64xf32>) -> tensor<2x64x56x56xf32>
  return %0 : tensor<2x64x56x56xf32>
}

// A convolution without a bias is one kernel.
// CHECK-LABEL: func.func @plain
// CHECK-NOT: InPlaceBias
// CHECK: return
func.func @plain(%x: tensor<2x64x56x56xf32>) -> tensor<2x128x56x56xf32> {
  %w = onnx.Parameter : () -> tensor<128x64x1x1xf32>
  %0 = onnx.Conv %x, %w {kernel_shape = array<i64: 1, 1>} : (tensor<2x64x56x56xf32>, tensor<128x64x1x1xf32>) -> tensor<2x128x56x56xf32>
  return %0 : tensor<2x128x56x56xf32>
}
