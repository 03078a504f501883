// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=a100-fp32})' | FileCheck %s --check-prefix=FP32
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=a100-tf32})' | FileCheck %s --check-prefix=TF32
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=v100-fp32})' | FileCheck %s --check-prefix=SEPARATE

// (A11) Attention of fp32 tensors is one kernel of TF32 matmuls, with TF32 on or
// off: Q, K, V and O are 4 * 2 * 4 * 64 * 32 * 4 bytes, no scores. A GPU without
// TF32 runs the matmuls one by one on CUDA cores.
// FP32: modelled = 1
// FP32: family = attention, format = fp32, {{.*}}bytes_read = 196608, bytes_written = 65536
// TF32: modelled = 1
// TF32: family = attention, format = tf32, {{.*}}bytes_read = 196608, bytes_written = 65536
// SEPARATE: modelled = 4
// SEPARATE-NOT: family = attention
// SEPARATE: family = matmul, format = fp32
func.func @main(%q: tensor<2x4x64x32xf32>, %k: tensor<2x4x64x32xf32>, %v: tensor<2x4x64x32xf32>) -> tensor<2x4x64x32xf32> {
  %0 = onnx.Attention %q, %k, %v : (tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>, tensor<2x4x64x32xf32>) -> tensor<2x4x64x32xf32>
  return %0 : tensor<2x4x64x32xf32>
}
