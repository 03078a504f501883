// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-bf16 --gpucost-raise-ops | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-set-target=target=v100-sxm-fp16 --gpucost-raise-ops | FileCheck %s --check-prefix=NONE

// Volta has no tensor cores for int8: the conversions stay separate kernels.
// NONE-LABEL: func.func @matmul
// NONE: onnx.DequantizeLinear
// NONE: onnx.MatMul
// NONE: onnx.QuantizeLinear

// Both operands and the result, with the bias in between: one kernel.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: (%[[X:.*]]: tensor<64x128xi8>)
// CHECK-NOT: DequantizeLinear
// CHECK: %[[Y:.*]] = onnx.QLinearMatMul %[[X]], %{{.*}} : (tensor<64x128xi8>, tensor<f32>, tensor<i8>, tensor<128x32xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<32xf32>) -> tensor<64x32xi8>
// CHECK-NEXT: return %[[Y]]
func.func @matmul(%x: tensor<64x128xi8>) -> tensor<64x32xi8> {
  %s = onnx.Parameter : () -> tensor<f32>
  %z = onnx.Parameter : () -> tensor<i8>
  %w = onnx.Parameter : () -> tensor<128x32xi8>
  %b = onnx.Parameter : () -> tensor<32xf32>
  %0 = onnx.DequantizeLinear %x, %s, %z : (tensor<64x128xi8>, tensor<f32>, tensor<i8>) -> tensor<64x128xf32>
  %1 = onnx.DequantizeLinear %w, %s, %z {onnx.constant} : (tensor<128x32xi8>, tensor<f32>, tensor<i8>) -> tensor<128x32xf32>
  %2 = onnx.MatMul %0, %1 : (tensor<64x128xf32>, tensor<128x32xf32>) -> tensor<64x32xf32>
  %3 = onnx.Add %2, %b : (tensor<64x32xf32>, tensor<32xf32>) -> tensor<64x32xf32>
  %4 = onnx.QuantizeLinear %3, %s, %z : (tensor<64x32xf32>, tensor<f32>, tensor<i8>) -> tensor<64x32xi8>
  return %4 : tensor<64x32xi8>
}

// A result that stays in float is written by the same kernel; the ReLU of a
// convolution before its quantisation is part of it.
// CHECK-LABEL: func.func @convolution
// CHECK: onnx.QLinearConv %{{.*}} {group = 1 : i64} : (tensor<1x16x8x8xi8>, tensor<f32>, tensor<i8>, tensor<32x16x3x3xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>, tensor<32xf32>) -> tensor<1x32x6x6xi8>
// CHECK-NOT: onnx.Relu
// CHECK: onnx.QLinearConv {{.*}} -> tensor<1x32x6x6xf32>
// CHECK-NEXT: onnx.Sigmoid
func.func @convolution(%x: tensor<1x16x8x8xi8>) -> (tensor<1x32x6x6xi8>, tensor<1x32x6x6xf32>) {
  %s = onnx.Parameter : () -> tensor<f32>
  %z = onnx.Parameter : () -> tensor<i8>
  %w = onnx.Parameter : () -> tensor<32x16x3x3xi8>
  %b = onnx.Parameter : () -> tensor<32xf32>
  %0 = onnx.DequantizeLinear %x, %s, %z : (tensor<1x16x8x8xi8>, tensor<f32>, tensor<i8>) -> tensor<1x16x8x8xf32>
  %1 = onnx.DequantizeLinear %w, %s, %z {onnx.constant} : (tensor<32x16x3x3xi8>, tensor<f32>, tensor<i8>) -> tensor<32x16x3x3xf32>
  %2 = onnx.Conv %0, %1, %b {group = 1 : i64} : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>, tensor<32xf32>) -> tensor<1x32x6x6xf32>
  %3 = onnx.Relu %2 : (tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  %4 = onnx.QuantizeLinear %3, %s, %z : (tensor<1x32x6x6xf32>, tensor<f32>, tensor<i8>) -> tensor<1x32x6x6xi8>
  %5 = onnx.Conv %0, %1, %b {group = 1 : i64} : (tensor<1x16x8x8xf32>, tensor<32x16x3x3xf32>, tensor<32xf32>) -> tensor<1x32x6x6xf32>
  %6 = onnx.Sigmoid %5 : (tensor<1x32x6x6xf32>) -> tensor<1x32x6x6xf32>
  return %4, %6 : tensor<1x32x6x6xi8>, tensor<1x32x6x6xf32>
}

// Only the weight, [out, in] and transposed: the kernel reads 4 bits per weight.
// CHECK-LABEL: func.func @weight_only
// CHECK: onnx.MatMulNBits %{{.*}} {K = 256 : i64, N = 128 : i64, bits = 4 : i64} : (tensor<8x256xf16>, tensor<128x256xi4>, tensor<128x8xf16>) -> tensor<8x128xf16>
// CHECK-NOT: onnx.MatMul{{ }}
// A weight that is computed at run time is dequantised by a kernel.
// CHECK: onnx.DequantizeLinear
// CHECK: onnx.MatMul{{ }}
func.func @weight_only(%x: tensor<8x256xf16>, %v: tensor<256x128xi4>, %t: tensor<8x128xf16>) -> (tensor<8x128xf16>, tensor<8x128xf16>) {
  %w = onnx.Parameter : () -> tensor<128x256xi4>
  %s = onnx.Parameter : () -> tensor<128x8xf16>
  %0 = onnx.DequantizeLinear %w, %s {axis = 1 : i64, block_size = 32 : i64, onnx.constant} : (tensor<128x256xi4>, tensor<128x8xf16>) -> tensor<128x256xf16>
  %1 = onnx.Transpose %0 {perm = array<i64: 1, 0>, onnx.constant} : (tensor<128x256xf16>) -> tensor<256x128xf16>
  %2 = onnx.MatMul %x, %1 : (tensor<8x256xf16>, tensor<256x128xf16>) -> tensor<8x128xf16>
  %3 = onnx.DequantizeLinear %v, %t {axis = 0 : i64, block_size = 32 : i64} : (tensor<256x128xi4>, tensor<8x128xf16>) -> tensor<256x128xf16>
  %4 = onnx.MatMul %x, %3 : (tensor<8x256xf16>, tensor<256x128xf16>) -> tensor<8x128xf16>
  return %2, %4 : tensor<8x128xf16>, tensor<8x128xf16>
}
