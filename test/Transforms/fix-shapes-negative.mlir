// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes=bind=*:3 --verify-diagnostics
// RUN: not gpu-cost-opt %s --target=a100-fp32 --bind=*:3 2>&1 | FileCheck %s
// RUN: gpu-cost-opt %s --target=a100-fp32 --bind=arg0.1:3,arg0.2:127 | FileCheck %s --check-prefix=FITS

// A window of three columns 64 apart over 3 + 2 of them: 3 + 2 - 129 + 1 steps.
// CHECK: error: 'tosa.conv2d' op has a result of size -123 for the given input sizes
// CHECK-NOT: time
// FITS: time
func.func @main(%x: tensor<1x?x?x8xf32>, %w: tensor<1x3x3x8xf32>, %b: tensor<1xf32>, %zero: tensor<1xf32>) -> tensor<1x?x?x1xf32> {
  // expected-error @+1 {{'tosa.conv2d' op has a result of size -123}}
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 64>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<1x?x?x8xf32>, tensor<1x3x3x8xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x?x?x1xf32>
  return %0 : tensor<1x?x?x1xf32>
}
