// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is software=pytorch-1.13})' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is})' | FileCheck %s --check-prefix=CUDNN
// RUN: sed 's/f16/bf16/g' %s > %t.mlir
// RUN: gpu-cost-opt %t.mlir --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 mode=training loss=none optimizer=none precision-mode=as-is})' | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is channels-last=true})' | FileCheck %s --check-prefix=OTHER
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is runtime=compiled})' | FileCheck %s --check-prefix=OTHER
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16})' | FileCheck %s --check-prefix=OTHER

// (M10) The four kernels of a batch normalization of NCHW tensors in training load
// single elements of their channel; the ReLU does not. With channels last, in
// compiled code and with fixed statistics no kernel does.
// CHECK: kernel "BatchStatistics" {{.*}}implementation = "native-batch-norm-sums"{{.*}}rows = 8, cols = 144, norm = batch, run = 36>
// CHECK: kernel "BatchNormalization" {{.*}}implementation = "native-batch-norm-apply"{{.*}}count = 1152, norm = batch, channels = 8, run = 36>
// CHECK: kernel "Relu" {{.*}}implementation = pointwise{{.*}}count = 1152>
// CHECK: kernel "BatchNormReduceGrad" {{.*}}implementation = "native-batch-norm-sums"
// CHECK: kernel "BatchNormInputGrad" {{.*}}implementation = "native-batch-norm-apply"
// (M15) In current releases they are a kernel of cuDNN, but not in bf16.
// CUDNN: kernel "BatchStatistics" {{.*}}implementation = "cudnn-batch-norm-sums"
// CUDNN: kernel "BatchNormalization" {{.*}}implementation = "cudnn-batch-norm-apply"
// CUDNN: kernel "BatchNormReduceGrad" {{.*}}implementation = "cudnn-batch-norm-sums"
// CUDNN: kernel "BatchNormInputGrad" {{.*}}implementation = "cudnn-batch-norm-apply"
// OTHER: onnx.BatchNormalization
// OTHER-NOT: {{native|cudnn}}-batch-norm
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
