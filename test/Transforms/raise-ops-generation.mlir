// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops=attention=flash1 | FileCheck %s --check-prefix=FIRST
// RUN: gpu-cost-opt %s --gpucost-raise-ops=attention=flash2 | FileCheck %s --check-prefix=SECOND
// RUN: gpu-cost-opt %s --gpucost-raise-ops=attention=triton1 | FileCheck %s --check-prefix=TRITON
// RUN: gpu-cost-opt %s --gpucost-raise-ops=attention=flash | FileCheck %s --check-prefix=CURRENT

// (A9), (A12) The FlashAttention version, if FlashAttention is requested.
// FIRST: onnx.Attention {{.*}}gpucost.generation = 1 : i64
// SECOND: onnx.Attention {{.*}}gpucost.generation = 2 : i64
// TRITON: onnx.Attention {{.*}}gpucost.generation = 1 : i64, gpucost.triton
// CURRENT: onnx.Attention
// CURRENT-NOT: gpucost.generation
func.func @main(%q: tensor<2x4x64x32xbf16>, %k: tensor<2x4x64x32xbf16>, %v: tensor<2x4x64x32xbf16>) -> tensor<2x4x64x32xbf16> {
  %0 = onnx.Attention %q, %k, %v : (tensor<2x4x64x32xbf16>, tensor<2x4x64x32xbf16>, tensor<2x4x64x32xbf16>) -> tensor<2x4x64x32xbf16>
  return %0 : tensor<2x4x64x32xbf16>
}
