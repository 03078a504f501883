// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-autocast=format=bf16 | FileCheck %s

// Ops of other dialects keep the types of their operands.
// CHECK: %[[P:.*]] = onnx.MatMul {{.*}} -> tensor<8x16xbf16>
// CHECK: %[[C:.*]] = onnx.Cast %[[P]] : (tensor<8x16xbf16>) -> tensor<8x16xf32>
// CHECK: linalg.exp ins(%[[C]] : tensor<8x16xf32>)
// CHECK: onnx.Relu %[[P]] : (tensor<8x16xbf16>)
func.func @main(%x: tensor<8x32xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %w = onnx.Parameter : () -> tensor<32x16xf32>
  %0 = onnx.MatMul %x, %w : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %1 = tensor.empty() : tensor<8x16xf32>
  %2 = linalg.exp ins(%0 : tensor<8x16xf32>) outs(%1 : tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = onnx.Relu %0 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %2, %3 : tensor<8x16xf32>, tensor<8x16xf32>
}
