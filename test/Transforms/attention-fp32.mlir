// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=a100-fp32})' | FileCheck %s --check-prefix=FP32
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=a100-tf32})' | FileCheck %s --check-prefix=TF32

// Fused attention runs on tensor cores. fp32 has none: its products run on CUDA
// cores, one by one; TF32 has.
// FP32: modelled = 4
// FP32-NOT: family = attention
// FP32: family = matmul, format = fp32
// TF32: family = attention, format = tf32
func.func @main(%q: tensor<2x4x64x32xf32>, %k: tensor<2x4x64x32xf32>, %v: tensor<2x4x64x32xf32>) -> tensor<2x4x64x32xf32> {
  %0 = onnx.Attention %q, %k, %v : (tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>) -> tensor<2x4x64x32xf32>
  return %0 : tensor<2x4x64x32xf32>
}
