// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms of TOSA are fast ones along rows and columns.
// RUN: gpu-cost-opt %s --gpucost-lower-tosa | FileCheck %s
// RUN: gpu-cost-opt %s --target=a100-fp32 --entry=real --report=json | FileCheck %s --check-prefix=REAL
// RUN: gpu-cost-opt %s --target=a100-fp32 --entry=complex --report=json | FileCheck %s --check-prefix=COMPLEX

// 4 * 64 real transforms of 128 points, 2.5 * 128 * 7 FLOP each, and 4 * 65 complex ones of 64
// points, 5 * 64 * 6 each: 573,440 + 499,200.
// CHECK-LABEL: @real
// CHECK: onnx.DFT {{.*}}axis = 2 : i64{{.*}} -> tensor<4x64x65x2xf32>
// CHECK: onnx.DFT {{.*}}axis = 1 : i64{{.*}} -> tensor<4x64x65x2xf32>
// REAL: "flops": 1072640
func.func @real(%x: tensor<4x64x128xf32>) -> (tensor<4x64x65xf32>, tensor<4x64x65xf32>) {
  %re, %im = tosa.rfft2d %x : (tensor<4x64x128xf32>) -> (tensor<4x64x65xf32>, tensor<4x64x65xf32>)
  return %re, %im : tensor<4x64x65xf32>, tensor<4x64x65xf32>
}

// 2 * 8 transforms of 16 points, 5 * 16 * 4, and 2 * 16 of 8 points, 5 * 8 * 3: 5,120 + 3,840.
// CHECK-LABEL: @complex
// CHECK: onnx.DFT {{.*}}inverse = 1
// COMPLEX: "flops": 8960
func.func @complex(%re: tensor<2x8x16xf32>, %im: tensor<2x8x16xf32>) -> (tensor<2x8x16xf32>, tensor<2x8x16xf32>) {
  %a, %b = tosa.fft2d %re, %im {inverse = true} : (tensor<2x8x16xf32>, tensor<2x8x16xf32>) -> (tensor<2x8x16xf32>, tensor<2x8x16xf32>)
  return %a, %b : tensor<2x8x16xf32>, tensor<2x8x16xf32>
}
