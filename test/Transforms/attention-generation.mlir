// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 attention=flash1})' | FileCheck %s --check-prefix=FIRST
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 attention=flash2})' | FileCheck %s --check-prefix=SECOND
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 attention=triton1})' | FileCheck %s --check-prefix=TRITON
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 software=pytorch-2.7})' | FileCheck %s --check-prefix=SECOND
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 attention=flash})' | FileCheck %s --check-prefix=CURRENT
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-analyze{target=h100-bf16 software=vllm})' | FileCheck %s --check-prefix=FULL

// (A9), (A12), (A13) Which kernel runs: the one of a setting, else of the release.
// The work is the same.
// FIRST: implementation = "flash-attention-1"{{.*}}head_dim = 32>
// SECOND: implementation = "flash-attention-2"{{.*}}head_dim = 32>
// TRITON: implementation = "triton-flash-1"{{.*}}head_dim = 32>
// CURRENT: implementation = "cudnn-attention"{{.*}}head_dim = 32>
// FULL: implementation = "flash-attention-full"{{.*}}head_dim = 32>
func.func @main(%q: tensor<2x4x64x32xbf16>, %k: tensor<2x4x64x32xbf16>, %v: tensor<2x4x64x32xbf16>) -> tensor<2x4x64x32xbf16> {
  %0 = onnx.Attention %q, %k, %v : (tensor<2x4x64x32xbf16>, tensor<2x4x64x32xbf16>, tensor<2x4x64x32xbf16>) -> tensor<2x4x64x32xbf16>
  return %0 : tensor<2x4x64x32xbf16>
}
