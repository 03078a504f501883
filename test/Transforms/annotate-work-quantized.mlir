// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// CHECK-LABEL: func.func @products
func.func @products(%x: tensor<8x256xf16>, %a: tensor<64x128xi8>, %f: tensor<f32>, %z: tensor<i8>) {
  // A weight of 4 bits: 128 x 256 / 2 = 16384 bytes, 8 scales of 2 bytes per row:
  // 2048; activations 4096. 2 * 8 * 128 * 256 matrix FLOPs, and 2 per weight to
  // dequantise it.
  // CHECK: format = fp16, input_bits = 16, output_bits = 16, problem = #gpucost.matmul<m = 8, n = 128, k = 256, weight_bits = 4>, tensor_flops = 524288, fp32_flops = 65536, bytes_read = 22528, bytes_written = 2048>
  %w = onnx.Parameter : () -> tensor<128x8x16xui8>
  %s = onnx.Parameter : () -> tensor<128x8xf16>
  %0 = gpucost.kernel "MatMulNBits" {
    %r = onnx.MatMulNBits %x, %w, %s {K = 256 : i64, N = 128 : i64, bits = 4 : i64, block_size = 32 : i64} : (tensor<8x256xf16>, tensor<128x8x16xui8>, tensor<128x8xf16>) -> tensor<8x128xf16>
    gpucost.yield %r : tensor<8x128xf16>
  } : tensor<8x128xf16>
  // 8-bit operands on the int8 unit: 64 * 128 + 128 * 32 bytes, three scales of 4 and
  // three zero points of 1 (each read once: they are the same value).
  // CHECK: format = int8, input_bits = 8, output_bits = 8, problem = #gpucost.matmul<m = 64, n = 32, k = 128>, tensor_flops = 524288, bytes_read = 12293, bytes_written = 2048>
  %b = onnx.Parameter : () -> tensor<128x32xi8>
  %1 = gpucost.kernel "QLinearMatMul" {
    %r = onnx.QLinearMatMul %a, %f, %z, %b, %f, %z, %f, %z : (tensor<64x128xi8>, tensor<f32>, tensor<i8>, tensor<128x32xi8>, tensor<f32>, tensor<i8>, tensor<f32>, tensor<i8>) -> tensor<64x32xi8>
    gpucost.yield %r : tensor<64x32xi8>
  } : tensor<64x32xi8>
  // CHECK: format = int8, input_bits = 8, problem = #gpucost.matmul<m = 64, n = 32, k = 128>, tensor_flops = 524288, bytes_read = 12288, bytes_written = 8192>
  %2 = gpucost.kernel "MatMulInteger" {
    %r = onnx.MatMulInteger %a, %b : (tensor<64x128xi8>, tensor<128x32xi8>) -> tensor<64x32xi32>
    gpucost.yield %r : tensor<64x32xi32>
  } : tensor<64x32xi32>
  return
}

// CHECK-LABEL: func.func @layers
func.func @layers(%x: tensor<1x16x8x8xui8>, %f: tensor<f32>, %z: tensor<ui8>, %i: tensor<7xi64>, %h: tensor<4x64xf16>, %router: tensor<4x8xf16>) {
  // 32 filters of 16 x 3 x 3: 2 * 36 * 32 * 144 FLOPs; 1024 + 4608 + 4 + 1 bytes.
  // CHECK: format = int8, {{.*}}#gpucost.convolution<{{.*}}tensor_flops = 331776, bytes_read = 5637, bytes_written = 1152>
  %w = onnx.Parameter : () -> tensor<32x16x3x3xui8>
  %0 = gpucost.kernel "QLinearConv" {
    %r = onnx.QLinearConv %x, %f, %z, %w, %f, %z, %f, %z : (tensor<1x16x8x8xui8>, tensor<f32>, tensor<ui8>, tensor<32x16x3x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> tensor<1x32x6x6xui8>
    gpucost.yield %r : tensor<1x32x6x6xui8>
  } : tensor<1x32x6x6xui8>
  // 7 rows with 64 values at 4 bits, 224 bytes; a scale of 2 bytes per 16 values, 56; the
  // indices 56.
  // CHECK: family = embedding, {{.*}}#gpucost.elements<count = 448, strided = true>, fp32_flops = 896, bytes_read = 336, bytes_written = 896>
  %t = onnx.Parameter : () -> tensor<100x32xui8>
  %s = onnx.Parameter : () -> tensor<100x4xf16>
  %1 = gpucost.kernel "GatherBlockQuantized" {
    %r = onnx.GatherBlockQuantized %t, %i, %s {bits = 4 : i64, block_size = 16 : i64} : (tensor<100x32xui8>, tensor<7xi64>, tensor<100x4xf16>) -> tensor<7x64xf16>
    gpucost.yield %r : tensor<7x64xf16>
  } : tensor<7x64xf16>
  // (E1) 4 rows visit 2 of 8 experts each: on average 8 * (1 - (3/4)^4) = 5.46875, in 6
  // items with 2 rows, 64 x 256 and back; their columns, 512 * 5.46875 / 6 = 466.7,
  // round up to 512. 8 visits: 2 * 8 * 2 * 64 * 256 FLOP. Weights 5.46875 * 2 * 64 * 256 * 2
  // bytes, rows 512, router 64.
  // CHECK: #gpucost.matmul<batch = 6, m = 2, n = 512, k = 64, linear = false, experts = 8, choices = 2, inner = 256>, tensor_flops = 524288, bytes_read = 358976, bytes_written = 512>
  %w1 = onnx.Parameter : () -> tensor<8x256x64xf16>
  %w2 = onnx.Parameter : () -> tensor<8x64x256xf16>
  %none = onnx.None : () -> !onnx.none
  %2 = gpucost.kernel "MoE" {
    %r = onnx.MoE %h, %router, %w1, %none, %w2 {k = 2 : i64} : (tensor<4x64xf16>, tensor<4x8xf16>, tensor<8x256x64xf16>, !onnx.none, tensor<8x64x256xf16>) -> tensor<4x64xf16>
    gpucost.yield %r : tensor<4x64xf16>
  } : tensor<4x64xf16>
  // At most all 8, one row for each.
  // CHECK: #gpucost.matmul<batch = 8, m = 1, n = 512, k = 64, linear = false, experts = 8, choices = 2, inner = 256>, tensor_flops = 524288, bytes_read = 524864, bytes_written = 512>
  %3 = gpucost.kernel "MoE" {
    %r = onnx.MoE %h, %router, %w1, %none, %w2 {k = 2 : i64, gpucost.worst_balance} : (tensor<4x64xf16>, tensor<4x8xf16>, tensor<8x256x64xf16>, !onnx.none, tensor<8x64x256xf16>) -> tensor<4x64xf16>
    gpucost.yield %r : tensor<4x64xf16>
  } : tensor<4x64xf16>
  return
}
