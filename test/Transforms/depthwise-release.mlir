// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 channels-last=true})' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 channels-last=true software=pytorch-1.13})' | FileCheck %s --check-prefix=OLD

// (C5) Channels-last depthwise convolutions are charged for NCHW kernels up to PyTorch 1.13;
// other convolutions are the same.
// CHECK: kernel "Conv" {{.*}}implementation = "cudnn-depthwise-nhwc"{{.*}}groups = 64, channels_last = true>
// CHECK: kernel "Conv" {{.*}}implementation = "cudnn-implicit-gemm-tensor"{{.*}}channels_last = true>
// OLD: kernel "Conv" {{.*}}implementation = "cudnn-depthwise"{{.*}}groups = 64, channels_last = true>
// OLD: kernel "Conv" {{.*}}implementation = "cudnn-implicit-gemm-tensor"{{.*}}channels_last = true>
func.func @main(%x: tensor<8x64x28x28xf16>) -> tensor<8x32x26x26xf16> {
  %w = onnx.Parameter : () -> tensor<64x1x3x3xf16>
  %v = onnx.Parameter : () -> tensor<32x64x1x1xf16>
  %0 = onnx.Conv %x, %w {group = 64 : i64} : (tensor<8x64x28x28xf16>, tensor<64x1x3x3xf16>) -> tensor<8x64x26x26xf16>
  %1 = onnx.Conv %0, %v : (tensor<8x64x26x26xf16>, tensor<32x64x1x1xf16>) -> tensor<8x32x26x26xf16>
  return %1 : tensor<8x32x26x26xf16>
}
