// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels{channels-last=true},gpucost-annotate-work)' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s --check-prefix=OTHER
// RUN: sed 's/bf16/f16/g' %s | gpu-cost-opt --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels{channels-last=true},gpucost-annotate-work)' | FileCheck %s --check-prefix=OTHER
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-form-kernels{channels-last=true},gpucost-annotate-work)' | FileCheck %s --check-prefix=OTHER

// (M13) Statistics and sums of channels-last bf16 tensors have dedicated kernels;
// the normalization does not, and NCHW tensors, fp16 and fixed statistics do not.
// CHECK: kernel "BatchStatistics" {{.*}}rows = 8, cols = 144, over_pixels = true>
// CHECK: kernel "BatchNormalization" {{.*}}count = 1152>
// CHECK: kernel "BatchNormReduceGrad" {{.*}}rows = 8, cols = 144, over_pixels = true>
// CHECK: kernel "BatchNormInputGrad" {{.*}}count = 1152>
// OTHER: onnx.BatchNormalization
// OTHER-NOT: over_pixels
func.func @batch_norm(%x: tensor<4x8x6x6xbf16>) -> tensor<4x8x6x6xbf16> {
  %w = onnx.Parameter : () -> tensor<8x8x1x1xbf16>
  %s = onnx.Parameter : () -> tensor<8xbf16>
  %b = onnx.Parameter : () -> tensor<8xbf16>
  %m = onnx.Parameter {onnx.values = ["bn.running_mean"]} : () -> tensor<8xbf16>
  %v = onnx.Parameter {onnx.values = ["bn.running_var"]} : () -> tensor<8xbf16>
  %0 = onnx.Conv %x, %w : (tensor<4x8x6x6xbf16>, tensor<8x8x1x1xbf16>) -> tensor<4x8x6x6xbf16>
  %1 = onnx.BatchNormalization %0, %s, %b, %m, %v : (tensor<4x8x6x6xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>, tensor<8xbf16>) -> tensor<4x8x6x6xbf16>
  %2 = onnx.Relu %1 : (tensor<4x8x6x6xbf16>) -> tensor<4x8x6x6xbf16>
  return %2 : tensor<4x8x6x6xbf16>
}
