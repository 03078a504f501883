// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 mode=training loss=none optimizer=none precision-mode=as-is channels-last=true})' | FileCheck %s
// RUN: sed 's/bf16/f16/g' %s | gpu-cost-opt --pass-pipeline='builtin.module(gpucost-analyze{target=h100-fp16 mode=training loss=none optimizer=none precision-mode=as-is channels-last=true})' | FileCheck %s --check-prefix=OTHER
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 channels-last=true})' | FileCheck %s --check-prefix=OTHER

// (M13) Statistics and sums of channels-last tensors in bf16 have separate kernels;
// the normalizing pass, fp16 and fixed statistics do not.
// CHECK: kernel "BatchStatistics" {{.*}}implementation = "native-batch-norm-sums-nhwc"{{.*}}rows = 8, cols = 144, norm = batch, run = 1>
// CHECK: kernel "BatchNormalization" {{.*}}implementation = pointwise{{.*}}count = 1152, norm = batch, channels = 8, run = 1>
// CHECK: kernel "BatchNormReduceGrad" {{.*}}implementation = "native-batch-norm-sums-nhwc"
// CHECK: kernel "BatchNormInputGrad" {{.*}}implementation = pointwise
// OTHER: onnx.BatchNormalization
// OTHER-NOT: native-batch-norm
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
