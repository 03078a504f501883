// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// torch-mlir 20261001, TOSA: a convolution of 16 images of 56 x 56 pixels, 256 to 256 channels, 3 x 3, between transposes of the
// layout: 2 * 16 * 56 * 56 * 256 * 256 * 9 FLOP. Parameters: 256 * 256 * 9 + 256.
// RUN: gpu-cost-opt %s --target=a100-bf16 --strict --report=json | FileCheck %s
// CHECK: "matrix_flops": 59190018048
// CHECK: "matrix_format": "bf16"
// The transposes cancel those of the lowering.
// CHECK: "launches": 1
// CHECK: "parameter_count": 590080
// CHECK: "family": "convolution"

module {
  func.func @main(%arg0: tensor<16x256x56x56xbf16>) -> tensor<16x256x56x56xbf16> {
    %0 = "tosa.const"() <{values = dense_resource<torch_tensor_256_torch.bfloat16> : tensor<256xbf16>}> : () -> tensor<256xbf16>
    %1 = "tosa.const"() <{values = dense<0.000000e+00> : tensor<1xbf16>}> : () -> tensor<1xbf16>
    %2 = "tosa.const"() <{values = dense_resource<__elided__> : tensor<256x3x3x256xbf16>}> : () -> tensor<256x3x3x256xbf16>
    %3 = tosa.transpose %arg0 {perms = array<i32: 0, 2, 3, 1>} : (tensor<16x256x56x56xbf16>) -> tensor<16x56x56x256xbf16>
    %4 = tosa.conv2d %3, %2, %0, %1, %1 {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>} : (tensor<16x56x56x256xbf16>, tensor<256x3x3x256xbf16>, tensor<256xbf16>, tensor<1xbf16>, tensor<1xbf16>) -> tensor<16x56x56x256xbf16>
    %5 = tosa.transpose %4 {perms = array<i32: 0, 3, 1, 2>} : (tensor<16x56x56x256xbf16>) -> tensor<16x256x56x56xbf16>
    return %5 : tensor<16x256x56x56xbf16>
  }
}

{-#

#-}
