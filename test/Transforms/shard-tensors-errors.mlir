// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --gpucost-shard-tensors=gpus=2 --verify-diagnostics
// RUN: not gpu-cost-opt %s --gpucost-shard-tensors=gpus=0 2>&1 | FileCheck %s
// CHECK: --gpus expects 1 to 131072, but got '0'

// An odd number of hidden units cannot be divided.
// expected-error@below {{no transformer block can be split across 2 GPUs; use another number of GPUs, ddp or fsdp}}
// expected-note@below {{1 x onnx.MatMul: 63 columns are not divisible by 2}}
// expected-note@below {{1 x onnx.MatMul: no matmul sums over its columns}}
module {
func.func @odd(%x: tensor<2x64xf32>) -> tensor<2x64xf32> {
  %up = onnx.Parameter : () -> tensor<64x63xf32>
  %down = onnx.Parameter : () -> tensor<63x64xf32>
  %0 = onnx.MatMul %x, %up : (tensor<2x64xf32>, tensor<64x63xf32>) -> tensor<2x63xf32>
  %1 = onnx.MatMul %0, %down : (tensor<2x63xf32>, tensor<63x64xf32>) -> tensor<2x64xf32>
  return %1 : tensor<2x64xf32>
}
}

// -----

// A bias that comes from outside, and a contraction of one operand.
// expected-error@below {{no transformer block can be split across 2 GPUs}}
// expected-note@below {{1 x onnx.Gemm: tensor parallelism does not support it}}
// expected-note@below {{1 x onnx.MatMul: onnx.Einsum needs the complete tensor}}
module {
func.func @outside(%x: tensor<2x64xf32>, %b: tensor<64xf32>) -> tensor<2x64xf32> {
  %up = onnx.Parameter : () -> tensor<64x64xf32>
  %down = onnx.Parameter : () -> tensor<64x64xf32>
  %0 = onnx.Gemm %x, %up, %b : (tensor<2x64xf32>, tensor<64x64xf32>, tensor<64xf32>) -> tensor<2x64xf32>
  %1 = onnx.MatMul %0, %down : (tensor<2x64xf32>, tensor<64x64xf32>) -> tensor<2x64xf32>
  %2 = onnx.Einsum %1 {equation = "ab->ab"} : (tensor<2x64xf32>) -> tensor<2x64xf32>
  return %2 : tensor<2x64xf32>
}
}
