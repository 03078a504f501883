// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels=runtime=compiled | FileCheck %s

#row = affine_map<(d0) -> (d0)>

// The body of the second op uses a constant that is defined after the first one:
// it must be moved before the kernel of both.
// CHECK-LABEL: func.func @captured
// CHECK: %[[EPS:.*]] = arith.constant 9.99999974E-6 : f32
// CHECK: gpucost.kernel "exp+generic"
// CHECK: arith.addf %{{.*}}, %[[EPS]] : f32
func.func @captured(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %e = tensor.empty() : tensor<1024xf32>
  %a = linalg.exp ins(%x : tensor<1024xf32>) outs(%e : tensor<1024xf32>) -> tensor<1024xf32>
  %eps = arith.constant 1.0e-5 : f32
  %b = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel"]} ins(%a : tensor<1024xf32>) outs(%e : tensor<1024xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %eps : f32
    linalg.yield %s : f32
  } -> tensor<1024xf32>
  return %b : tensor<1024xf32>
}
