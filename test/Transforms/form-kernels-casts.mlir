// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-form-kernels{software=pytorch})' | FileCheck %s

// (L11) PyTorch's kernel that widens loads and stores single elements; the one that narrows does not.
// CHECK: onnx.Cast %{{.*}}gpucost.strided{{.*}} : (tensor<64x32xbf16>) -> tensor<64x32xf32>
// CHECK: onnx.Cast
// CHECK-NOT: gpucost.strided
// CHECK-SAME: : (tensor<64x32xf32>) -> tensor<64x32xbf16>
func.func @casts(%wide: tensor<64x32xf32>, %narrow: tensor<64x32xbf16>) -> (tensor<64x32xf32>, tensor<64x32xbf16>) {
  %0 = onnx.Cast %narrow {to = 1 : i64} : (tensor<64x32xbf16>) -> tensor<64x32xf32>
  %1 = onnx.Cast %wide {to = 16 : i64} : (tensor<64x32xf32>) -> tensor<64x32xbf16>
  return %0, %1 : tensor<64x32xf32>, tensor<64x32xbf16>
}
