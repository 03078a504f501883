// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels{software=pytorch-1.13},gpucost-annotate-work)' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s --check-prefix=CUDNN
// RUN: sed 's/f16/bf16/g' %s > %t.mlir
// RUN: gpu-cost-opt %t.mlir --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels{channels-last=true},gpucost-annotate-work)' | FileCheck %s --check-prefix=OTHER
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels{runtime=compiled},gpucost-annotate-work)' | FileCheck %s --check-prefix=OTHER
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s --check-prefix=OTHER

// (M10) The four kernels of a batch normalization with NCHW tensors in training load
// single elements from their channel; the ReLU does not. With channels last, in
// compiled code and with fixed statistics no kernel does.
// CHECK: kernel "BatchStatistics" {{.*}}rows = 8, cols = 144, per_channel = true>
// CHECK: kernel "BatchNormalization" {{.*}}count = 1152, per_channel = true>
// CHECK: kernel "Relu" {{.*}}count = 1152>
// CHECK: kernel "BatchNormReduceGrad" {{.*}}rows = 8, cols = 144, per_channel = true>
// CHECK: kernel "BatchNormInputGrad" {{.*}}count = 1152, per_channel = true>
// (M15) In current releases they are a kernel of cuDNN, but not in bf16.
// CUDNN: kernel "BatchStatistics" {{.*}}rows = 8, cols = 144, cudnn_channels = 8>
// CUDNN: kernel "BatchNormalization" {{.*}}count = 1152, cudnn_channels = 8>
// CUDNN: kernel "BatchNormReduceGrad" {{.*}}rows = 8, cols = 144, cudnn_channels = 8>
// CUDNN: kernel "BatchNormInputGrad" {{.*}}count = 1152, cudnn_channels = 8>
// OTHER: onnx.BatchNormalization
// OTHER-NOT: {{per_channel|cudnn_channels}}
func.func @batch_norm(%x: tensor<4x8x6x6xf16>) -> tensor<4x8x6x6xf16> {
  %w = onnx.Parameter : () -> tensor<8x8x1x1xf16>
  %s = onnx.Parameter : () -> tensor<8xf16>
  %b = onnx.Parameter : () -> tensor<8xf16>
  %m = onnx.Parameter {onnx.values = ["bn.running_mean"]} : () -> tensor<8xf16>
  %v = onnx.Parameter {onnx.values = ["bn.running_var"]} : () -> tensor<8xf16>
  %0 = onnx.Conv %x, %w : (tensor<4x8x6x6xf16>, tensor<8x8x1x1xf16>) -> tensor<4x8x6x6xf16>
  %1 = onnx.BatchNormalization %0, %s, %b, %m, %v : (tensor<4x8x6x6xf16>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>, tensor<8xf16>) -> tensor<4x8x6x6xf16>
  %2 = onnx.Relu %1 : (tensor<4x8x6x6xf16>) -> tensor<4x8x6x6xf16>
  return %2 : tensor<4x8x6x6xf16>
}
