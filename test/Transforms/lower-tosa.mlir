// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-lower-tosa | FileCheck %s

// Convolution and activation become structured ops; the operator that upstream
// has no lowering for stays.
// CHECK-LABEL: func.func @tosa
// CHECK: tensor.pad
// CHECK: linalg.conv_2d_nhwc_
// CHECK: linalg.generic
// CHECK: tosa.custom
func.func @tosa(%x: tensor<1x8x8x4xf32>, %w: tensor<16x3x3x4xf32>, %b: tensor<16xf32>)
    -> tensor<1x8x8x16xf32> {
  %zero = "tosa.const"() <{values = dense<0.0> : tensor<1xf32>}> : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %zero, %zero {acc_type = f32, dilation = array<i64: 1, 1>,
      pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>}
      : (tensor<1x8x8x4xf32>, tensor<16x3x3x4xf32>, tensor<16xf32>, tensor<1xf32>, tensor<1xf32>)
      -> tensor<1x8x8x16xf32>
  %1 = tosa.sigmoid %0 : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  %2 = tosa.custom %1 {domain_name = "mine", implementation_attrs = "", operator_name = "op"}
      : (tensor<1x8x8x16xf32>) -> tensor<1x8x8x16xf32>
  return %2 : tensor<1x8x8x16xf32>
}

// The usual form of half precision accumulates in fp32 and ends in a cast.
// CHECK-LABEL: func.func @wide_accumulator
// CHECK-NOT: tosa.
// CHECK: linalg.conv_2d_{{.*}}tensor<1x56x56x64xf32>
// CHECK: arith.truncf
func.func @wide_accumulator(%x: tensor<1x56x56x64xf16>, %w: tensor<64x3x3x64xf16>, %bias: tensor<64xf16>) -> tensor<1x56x56x64xf16> {
  %zp = "tosa.const"() <{values = dense<0.0> : tensor<1xf16>}> : () -> tensor<1xf16>
  %c = tosa.conv2d %x, %w, %bias, %zp, %zp {acc_type = f32, pad = array<i64: 1, 1, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>} : (tensor<1x56x56x64xf16>, tensor<64x3x3x64xf16>, tensor<64xf16>, tensor<1xf16>, tensor<1xf16>) -> tensor<1x56x56x64xf16>
  return %c : tensor<1x56x56x64xf16>
}
