// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --target=a100-fp32 --report=json | FileCheck %s
// RUN: gpu-cost-opt %s --target=a100-fp32 --mode=training --loss=none --report=json | FileCheck %s

// Statistics of batch normalization are buffers under any name: scale and shift are
// learned, 2 * 8, and all four take memory, 4 * 4 * 8 bytes.
// CHECK: "parameter_count": 16,
// CHECK: "parameter_bytes": 128,
func.func @statistics(%x: tensor<4x8x6x6xf32>) -> tensor<4x8x6x6xf32> {
  %s = onnx.Parameter : () -> tensor<8xf32>
  %b = onnx.Parameter : () -> tensor<8xf32>
  %m = onnx.Parameter : () -> tensor<8xf32>
  %v = onnx.Parameter : () -> tensor<8xf32>
  %0 = onnx.BatchNormalization %x, %s, %b, %m, %v : (tensor<4x8x6x6xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<4x8x6x6xf32>
  return %0 : tensor<4x8x6x6xf32>
}
