// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// Weights are dequantised with 2 FLOP each.
// CHECK-LABEL: func.func @products
func.func @products(%a0: tensor<4x32xf16>, %a1: tensor<8x16xui8>, %a2: tensor<8x2xui8>, %a3: tensor<f32>, %a4: tensor<8x32xf8E4M3FN>, %a5: tensor<8x1xf32>, %a6: tensor<8xf16>, %a7: tensor<4x32xf32>, %a8: tensor<160xui8>, %a9: tensor<2xi64>, %a10: tensor<4x32xbf16>, %a11: tensor<8x18xui8>, %a12: tensor<2x32xf16>, %a13: tensor<2x32xf16>, %a14: tensor<32xf16>, %a15: tensor<8x1x16xui8>, %a16: tensor<8x1x16xui8>, %a17: tensor<8xf16>, %a18: tensor<4x1x16xui8>, %a19: tensor<4xf16>, %a20: tensor<4x1x16xui8>, %a21: tensor<4xf16>, %a22: tensor<8x1xf16>, %a23: tensor<4x1x32xui8>, %a24: tensor<4x1xf16>, %a25: tensor<8x1x32xui8>, %a26: tensor<8x1xf16>, %a27: tensor<0x1x32xui8>, %a28: tensor<8x0x32xui8>) {
  %none = onnx.None : () -> !onnx.none
  // 2 * 4 * 8 * 32 FLOP; 256 weights in 128 bytes, scales 16 + 4.
  // CHECK: #gpucost.matmul<m = 4, n = 8, k = 32, weight_bits = 4>, tensor_flops = 2048, fp32_flops = 512, bytes_read = 404, bytes_written = 64>
  %k0 = gpucost.kernel "MatMulBlockQuantizedFp4Weight" {
    %r = onnx.MatMulBlockQuantizedFp4Weight %a0, %a1, %a2, %a3 : (tensor<4x32xf16>, tensor<8x16xui8>, tensor<8x2xui8>, tensor<f32>) -> tensor<4x8xf16>
    gpucost.yield %r : tensor<4x8xf16>
  } : tensor<4x8xf16>
  // Activations are rounded as well (2 * 128), and a bias (32).
  // CHECK: weight_bits = 8>, tensor_flops = 2048, fp32_flops = 800, bytes_read = 564, bytes_written = 64
  %k1 = gpucost.kernel "MatMulBlockQuantizedFp8Weight" {
    %r = onnx.MatMulBlockQuantizedFp8Weight %a0, %a4, %a5, %a3, %a6 : (tensor<4x32xf16>, tensor<8x32xf8E4M3FN>, tensor<8x1xf32>, tensor<f32>, tensor<8xf16>) -> tensor<4x8xf16>
    gpucost.yield %r : tensor<4x8xf16>
  } : tensor<4x8xf16>
  // A blob with 20 bytes for 32 weights.
  // CHECK: #gpucost.matmul<m = 4, n = 8, k = 32, weight_bits = 4>, tensor_flops = 2048, fp32_flops = 512, bytes_read = 688, bytes_written = 128>
  %k2 = gpucost.kernel "MatMulFpQ4" {
    %r = onnx.MatMulFpQ4 %a7, %a8, %a9 : (tensor<4x32xf32>, tensor<160xui8>, tensor<2xi64>) -> tensor<4x8xf32>
    gpucost.yield %r : tensor<4x8xf32>
  } : tensor<4x8xf32>
  // 18 bytes for 32 weights, 4.5 bits; the square of ReLU (2).
  // CHECK: #gpucost.matmul<m = 4, n = 8, k = 32, weight_bits = 5>, tensor_flops = 2048, fp32_flops = 576, bytes_read = 400, bytes_written = 64
  %k3 = gpucost.kernel "MatMulPacked" {
    %r = onnx.MatMulPacked %a10, %a11 {K = 32 : i64, N = 8 : i64, packed_type = 2 : i64, activation_type = "relu2"} : (tensor<4x32xbf16>, tensor<8x18xui8>) -> tensor<4x8xbf16>
    gpucost.yield %r : tensor<4x8xbf16>
  } : tensor<4x8xbf16>
  // Two products of 8 columns, 1024 to dequantise. The sum and its RMS norm, 64 * 5; SiLU and the
  // product, 16 * 4.
  // CHECK: #gpucost.matmul<m = 2, n = 16, k = 32, weight_bits = 4>, tensor_flops = 2048, fp32_flops = 1408, special_ops = 32, bytes_read = 608, bytes_written = 160, fused_fp32_flops = 352, fused_special_ops = 32>
  %k4:2 = gpucost.kernel "MatMulNBitsMlp" {
    %r:2 = onnx.MatMulNBitsMlp %a12, %a13, %a14, %a15, %a6, %none, %a16, %a17 {K = 32 : i64, N = 8 : i64, block_size = 32 : i64, activation = "silu"} : (tensor<2x32xf16>, tensor<2x32xf16>, tensor<32xf16>, tensor<8x1x16xui8>, tensor<8xf16>, !onnx.none, tensor<8x1x16xui8>, tensor<8xf16>) -> (tensor<2x8xf16>, tensor<2x32xf16>)
    gpucost.yield %r#0, %r#1 : tensor<2x8xf16>, tensor<2x32xf16>
  } : tensor<2x8xf16>, tensor<2x32xf16>
  // 8 + 4 + 4 columns, 1024 to dequantise; RMS norm 64 * 4, the bias of Q 16.
  // CHECK: #gpucost.matmul<m = 2, n = 16, k = 32, weight_bits = 4>, tensor_flops = 2048, fp32_flops = 1296, bytes_read = 496, bytes_written = 64,
  %k5:3 = gpucost.kernel "MatMulNBitsQkv" {
    %r:3 = onnx.MatMulNBitsQkv %a12, %none, %a14, %a15, %a6, %a17, %a18, %a19, %none, %a20, %a21 {K = 32 : i64, Nq = 8 : i64, Nkv = 4 : i64, block_size = 32 : i64} : (tensor<2x32xf16>, !onnx.none, tensor<32xf16>, tensor<8x1x16xui8>, tensor<8xf16>, tensor<8xf16>, tensor<4x1x16xui8>, tensor<4xf16>, !onnx.none, tensor<4x1x16xui8>, tensor<4xf16>) -> (tensor<2x8xf16>, tensor<2x4xf16>, tensor<2x4xf16>)
    gpucost.yield %r#0, %r#1, %r#2 : tensor<2x8xf16>, tensor<2x4xf16>, tensor<2x4xf16>
  } : tensor<2x8xf16>, tensor<2x4xf16>, tensor<2x4xf16>
  // 2 * 2 * 8 * 32 FLOP; the adapter of rank 4 adds 2 * 2 * (4 * 32 + 8 * 4) FLOP, 320 for its weights
  // and a sum of 16.
  // CHECK: #gpucost.matmul<m = 2, n = 8, k = 32, weight_bits = 4>, tensor_flops = 1664, fp32_flops = 848, {{.*}}fused_tensor_flops = 640,
  %k6 = gpucost.kernel "MatMulNBitsQLoRA" {
    %r = onnx.MatMulNBitsQLoRA %a12, %a15, %a22, %a23, %a24, %a25, %a26 {K = 32 : i64, N = 8 : i64} : (tensor<2x32xf16>, tensor<8x1x16xui8>, tensor<8x1xf16>, tensor<4x1x32xui8>, tensor<4x1xf16>, tensor<8x1x32xui8>, tensor<8x1xf16>) -> tensor<2x8xf16>
    gpucost.yield %r : tensor<2x8xf16>
  } : tensor<2x8xf16>
  // An adapter without weights.
  // CHECK: tensor_flops = 1024, fp32_flops = 512, 
  %k7 = gpucost.kernel "MatMulNBitsQLoRA" {
    %r = onnx.MatMulNBitsQLoRA %a12, %a15, %a22, %a27, %a24, %a28, %a26 {K = 32 : i64, N = 8 : i64} : (tensor<2x32xf16>, tensor<8x1x16xui8>, tensor<8x1xf16>, tensor<0x1x32xui8>, tensor<4x1xf16>, tensor<8x0x32xui8>, tensor<8x1xf16>) -> tensor<2x8xf16>
    gpucost.yield %r : tensor<2x8xf16>
  } : tensor<2x8xf16>
  return
}

// CHECK-LABEL: func.func @layers
func.func @layers(%a0: tensor<1x4x16xi8>, %a1: tensor<f32>, %a2: tensor<f32>, %a3: tensor<f32>, %a4: tensor<f32>, %a5: tensor<16x8xi8>, %a6: tensor<16x8xi8>, %a7: tensor<16x8xi8>, %a8: tensor<8xf32>, %a9: tensor<8xf32>, %a10: tensor<8xf32>, %a11: tensor<8xf32>, %a12: tensor<8xf32>, %a13: tensor<8xf32>, %a14: tensor<f32>, %a15: tensor<3x4xf32>, %a16: tensor<5xf32>, %a17: tensor<100x18xui8>, %a18: tensor<5xi64>, %a19: tensor<4x64xbf16>, %a20: tensor<4x8xbf16>, %a21: tensor<8x32x36xui8>, %a22: tensor<8x32x36xui8>, %a23: tensor<8x64x18xui8>, %a24: tensor<4x64xf16>, %a25: tensor<4x8xf16>, %a26: tensor<8x32x32xui8>, %a27: tensor<8x32xf16>, %a28: tensor<8x64x32xui8>, %a29: tensor<8x64xf16>, %a30: tensor<2x4xi32>, %a31: tensor<2x4xi32>, %a32: tensor<100x8xui8>, %a33: tensor<16x8xui8>, %a34: tensor<2x8xui8>, %a35: tensor<8xui8>, %a36: tensor<8xui8>, %a37: tensor<ui8>, %a38: tensor<ui8>, %a39: tensor<ui8>, %a40: tensor<ui8>, %a41: tensor<ui8>, %a42: tensor<4x32xf32>, %a43: tensor<144xui8>, %a44: tensor<2xi64>, %a45: tensor<2xi64>, %a46: tensor<1x5x7xf32>, %a47: tensor<1x3x4x4xf32>, %a48: tensor<3x6x2x2xf32>, %a49: tensor<4xi64>) {
  %none = onnx.None : () -> !onnx.none
  // Three projections, 2 * 4 * 24 * 16 FLOP; 2 heads of 10 scores with 4 * 4 FLOP. Input 64, weights 384,
  // scales and biases 20 + 6 * 32.
  // CHECK: format = int8, {{.*}}#gpucost.matmul<m = 4, n = 24, k = 16>, tensor_flops = 3392, fp32_flops = 100, special_ops = 20, bytes_read = 660, bytes_written = 32, fused_tensor_flops = 320,
  %k0 = gpucost.kernel "QOrderedAttention" {
    %r = onnx.QOrderedAttention %a0, %a1, %a2, %a3, %a4, %a5, %a6, %a7, %a8, %a9, %a10, %a11, %a12, %a13, %none, %none, %a14 {num_heads = 2 : i64, order_input = 1 : i64, order_output = 1 : i64, order_weight = 0 : i64, unidirectional = 1 : i64} : (tensor<1x4x16xi8>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<16x8xi8>, tensor<16x8xi8>, tensor<16x8xi8>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, !onnx.none, !onnx.none, tensor<f32>) -> tensor<1x4x8xi8>
    gpucost.yield %r : tensor<1x4x8xi8>
  } : tensor<1x4x8xi8>
  // All tensors in one pass.
  // CHECK: #gpucost.elements<count = 17>, fp32_flops = 17, bytes_read = 68, bytes_written = 1>
  %k1 = gpucost.kernel "IsAllFinite" {
    %r = onnx.IsAllFinite %a15, %a16 : (tensor<3x4xf32>, tensor<5xf32>) -> tensor<i1>
    gpucost.yield %r : tensor<i1>
  } : tensor<i1>
  // Squares, their sum, and a root.
  // CHECK: #gpucost.elements<count = 17>, fp32_flops = 34, special_ops = 1, bytes_read = 68, bytes_written = 4>
  %k2 = gpucost.kernel "ReduceAllL2" {
    %r = onnx.ReduceAllL2 %a15, %a16 : (tensor<3x4xf32>, tensor<5xf32>) -> tensor<f32>
    gpucost.yield %r : tensor<f32>
  } : tensor<f32>
  // 5 rows of 18 bytes, and their positions.
  // CHECK: family = embedding, {{.*}}#gpucost.elements<count = 160, strided = true>, fp32_flops = 320, bytes_read = 130, bytes_written = 320>
  %k3 = gpucost.kernel "GatherPacked" {
    %r = onnx.GatherPacked %a17, %a18 {K = 32 : i64, packed_type = 2 : i64} : (tensor<100x18xui8>, tensor<5xi64>) -> tensor<5x32xbf16>
    gpucost.yield %r : tensor<5x32xbf16>
  } : tensor<5x32xbf16>
  // (E1) 4 rows visit 2 of 8 experts each, on average 5.46875 different ones, with 32 * 64 weights in
  // each of three matrices and 3456 bytes: 2 * 8 * 96 * 64 FLOP; 5.46875 * 3456 + 512 + 64 bytes.
  // CHECK: #gpucost.matmul<batch = 6, m = 2, n = 96, k = 64, linear = false, weight_bits = 4, experts = 8, choices = 2, inner = 32, gated = true>, tensor_flops = 98304, bytes_read = 19476, bytes_written = 512>
  %k4 = gpucost.kernel "MoEPacked" {
    %r = onnx.MoEPacked %a19, %a20, %a21, %a22, %a23 {k = 2 : i64, gate_type = 2 : i64, up_type = 2 : i64, down_type = 2 : i64} : (tensor<4x64xbf16>, tensor<4x8xbf16>, tensor<8x32x36xui8>, tensor<8x32x36xui8>, tensor<8x64x18xui8>) -> tensor<4x64xbf16>
    gpucost.yield %r : tensor<4x64xbf16>
  } : tensor<4x64xbf16>
  // 32 * 64 weights of 4 bits and as many of 8: 2 * 8 * 64 * 64 FLOP, 6 bits on average.
  // CHECK: #gpucost.matmul<batch = 6, m = 2, n = 64, k = 64, linear = false, weight_bits = 6, experts = 8, choices = 2, inner = 32>, tensor_flops = 65536,
  %k5 = gpucost.kernel "QMoE" {
    %r = onnx.QMoE %a24, %a25, %a26, %a27, %none, %a28, %a29 {k = 2 : i64, expert_weight_bits = 4 : i64, fc2_expert_weight_bits = 8 : i64} : (tensor<4x64xf16>, tensor<4x8xf16>, tensor<8x32x32xui8>, tensor<8x32xf16>, !onnx.none, tensor<8x64x32xui8>, tensor<8x64xf16>) -> tensor<4x64xf16>
    gpucost.yield %r : tensor<4x64xf16>
  } : tensor<4x64xf16>
  // 64 results of 16 FLOP: three rows dequantised (6), two sums, a norm (8); 32 for its weights. Ids
  // 64, 8 rows of words, 4 of positions, 2 of segments: 112; weights 16, scales 20, zero points 5.
  // CHECK: #gpucost.rows<rows = 8, cols = 8>, fp32_flops = 1056, bytes_read = 217, bytes_written = 256>
  %k6 = gpucost.kernel "QEmbedLayerNormalization" {
    %r = onnx.QEmbedLayerNormalization %a30, %a31, %a32, %a33, %a34, %a35, %a36, %none, %a1, %a2, %a3, %a4, %a14, %a37, %a38, %a39, %a40, %a41 : (tensor<2x4xi32>, tensor<2x4xi32>, tensor<100x8xui8>, tensor<16x8xui8>, tensor<2x8xui8>, tensor<8xui8>, tensor<8xui8>, !onnx.none, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<ui8>, tensor<ui8>, tensor<ui8>, tensor<ui8>, tensor<ui8>) -> tensor<2x4x8xf32>
    gpucost.yield %r : tensor<2x4x8xf32>
  } : tensor<2x4x8xf32>
  // 5 FLOP per element; the bytes of the format are declared in the file.
  // CHECK: #gpucost.elements<count = 128>, fp32_flops = 640, bytes_read = 512, bytes_written = 176>
  %k7:3 = gpucost.kernel "QuantizeBFP" {
    %r:3 = onnx.QuantizeBFP %a42 {bfp_type = 0 : i64} : (tensor<4x32xf32>) -> (tensor<144xui8>, tensor<2xi64>, tensor<2xi64>)
    gpucost.yield %r#0, %r#1, %r#2 : tensor<144xui8>, tensor<2xi64>, tensor<2xi64>
  } : tensor<144xui8>, tensor<2xi64>, tensor<2xi64>
  // A product per element.
  // CHECK: #gpucost.elements<count = 128>, fp32_flops = 128, bytes_read = 176, bytes_written = 512>
  %k8 = gpucost.kernel "DequantizeBFP" {
    %r = onnx.DequantizeBFP %a43, %a44, %a45 {bfp_type = 0 : i64} : (tensor<144xui8>, tensor<2xi64>, tensor<2xi64>) -> tensor<4x32xf32>
    gpucost.yield %r : tensor<4x32xf32>
  } : tensor<4x32xf32>
  // Two comparisons and a sum per cell; a path of at most 11 points.
  // CHECK: #gpucost.elements<count = 35, strided = true>, fp32_flops = 105, bytes_read = 140, bytes_written = 88>
  %k9 = gpucost.kernel "DynamicTimeWarping" {
    %r = onnx.DynamicTimeWarping %a46 : (tensor<1x5x7xf32>) -> tensor<2x?xi32>
    gpucost.yield %r : tensor<2x?xi32>
  } : tensor<2x?xi32>
  // Each of 3 * 16 inputs has 6 * 4 products.
  // CHECK: #gpucost.convolution<{{.*}}tensor_flops = 2304,
  %k10 = gpucost.kernel "ConvTransposeWithDynamicPads" {
    %r = onnx.ConvTransposeWithDynamicPads %a47, %a48, %a49 {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x3x4x4xf32>, tensor<3x6x2x2xf32>, tensor<4xi64>) -> tensor<1x6x8x8xf32>
    gpucost.yield %r : tensor<1x6x8x8xf32>
  } : tensor<1x6x8x8xf32>
  return
}
