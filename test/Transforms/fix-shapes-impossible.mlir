// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes=bind=*:3 --verify-diagnostics
// RUN: not gpu-cost-opt %s --target=a100-fp32 --bind=*:3 2>&1 | FileCheck %s
// RUN: gpu-cost-opt %s --target=a100-fp32 --bind=arg0.2:32,arg2.2:17 | FileCheck %s --check-prefix=FITS

// Sizes that an op does not accept are an error, not a kernel: a window of 16 over 3 elements.
// CHECK: error: {{.*}}'linalg.conv_1d_ncw_fcw' op
// CHECK-NOT: time
// FITS: time
func.func @main(%x: tensor<2x4x?xf32>, %w: tensor<8x4x16xf32>, %y: tensor<2x8x?xf32>) -> tensor<2x8x?xf32> {
  // expected-error @+1 {{'linalg.conv_1d_ncw_fcw' op}}
  %0 = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x4x?xf32>, tensor<8x4x16xf32>) outs(%y : tensor<2x8x?xf32>) -> tensor<2x8x?xf32>
  return %0 : tensor<2x8x?xf32>
}
