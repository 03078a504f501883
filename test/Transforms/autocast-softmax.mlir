// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-autocast=format=fp16 | FileCheck %s --check-prefixes=CHECK,FP16
// RUN: gpu-cost-opt %s --gpucost-autocast=format=bf16 | FileCheck %s --check-prefixes=CHECK,BF16

// Under autocast softmax has a result in fp32. PyTorch's kernel reads fp16 itself
// (half_to_float in aten/src/ATen/native/SoftMax.cpp); bf16 is converted before.
// CHECK: %[[S:.*]] = onnx.MatMul
// FP16-NEXT: onnx.Softmax %[[S]] {{.*}} : (tensor<8x8xf16>) -> tensor<8x8xf32>
// BF16-NEXT: %[[F:.*]] = onnx.Cast %[[S]] : (tensor<8x8xbf16>) -> tensor<8x8xf32>
// BF16-NEXT: onnx.Softmax %[[F]] {{.*}} : (tensor<8x8xf32>) -> tensor<8x8xf32>
func.func @softmax(%q: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = onnx.MatMul %q, %q : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = onnx.Softmax %0 {axis = -1 : i64} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}
