// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// CHECK-LABEL: func.func @matmul
func.func @matmul(%q: tensor<2x12x128x64xf16>, %k: tensor<2x12x64x128xf16>, %k1: tensor<1x12x64x128xf16>, %a: tensor<100x30xf32>, %v: tensor<64xf16>) {
  // A matmul of two activations: batch 2 * 12, 2 * 24 * 128 * 128 * 64 FLOPs;
  // bytes 2 * 24 * (128 * 64 + 64 * 128) and 2 * 24 * 128 * 128.
  // CHECK: #gpucost.matmul<batch = 24, m = 128, n = 128, k = 64, linear = false>, tensor_flops = 50331648, bytes_read = 786432, bytes_written = 786432>
  %0 = gpucost.kernel "MatMul" {
    %r = onnx.MatMul %q, %k : (tensor<2x12x128x64xf16>, tensor<2x12x64x128xf16>) -> tensor<2x12x128x128xf16>
    gpucost.yield %r : tensor<2x12x128x128xf16>
  } : tensor<2x12x128x128xf16>

  // An operand that is broadcast over the batch is read once:
  // 2 * (24 * 128 * 64 + 12 * 64 * 128).
  // CHECK: #gpucost.matmul<batch = 24, m = 128, n = 128, k = 64, linear = false>, tensor_flops = 50331648, bytes_read = 589824, bytes_written = 786432>
  %1 = gpucost.kernel "MatMul" {
    %r = onnx.MatMul %q, %k1 : (tensor<2x12x128x64xf16>, tensor<1x12x64x128xf16>) -> tensor<2x12x128x128xf16>
    gpucost.yield %r : tensor<2x12x128x128xf16>
  } : tensor<2x12x128x128xf16>

  // A vector is a matrix of one column: m = 2 * 12 * 128 rows, k = 64;
  // 2 * (24 * 128 * 64 + 64) bytes in, 2 * 24 * 128 out.
  // CHECK: #gpucost.matmul<m = 3072, n = 1, k = 64>, tensor_flops = 393216, bytes_read = 393344, bytes_written = 6144>
  %2 = gpucost.kernel "MatMul" {
    %r = onnx.MatMul %q, %v : (tensor<2x12x128x64xf16>, tensor<64xf16>) -> tensor<2x12x128xf16>
    gpucost.yield %r : tensor<2x12x128xf16>
  } : tensor<2x12x128xf16>

  // Gemm with A transposed: m = 30, k = 100; both transposed below. C is read.
  // 2 * 30 * 50 * 100; 4 * (100 * 30 + 100 * 50 + 50); 4 * 30 * 50.
  // CHECK: #gpucost.matmul<m = 30, n = 50, k = 100, trans_a = true, strided_k = true>, tensor_flops = 300000, bytes_read = 32200, bytes_written = 6000>
  %wn = onnx.Parameter : () -> tensor<100x50xf32>
  %c = onnx.Parameter : () -> tensor<50xf32>
  %3 = gpucost.kernel "Gemm" {
    %r = onnx.Gemm %a, %wn, %c {transA = 1 : i64} : (tensor<100x30xf32>, tensor<100x50xf32>, tensor<50xf32>) -> tensor<30x50xf32>
    gpucost.yield %r : tensor<30x50xf32>
  } : tensor<30x50xf32>
  // m = 100, n = 50, k = 30: 2 * 100 * 50 * 30; 4 * (100 * 30 + 50 * 30).
  // CHECK: #gpucost.matmul<m = 100, n = 50, k = 30>, tensor_flops = 300000, bytes_read = 18000, bytes_written = 20000>
  %wt = onnx.Parameter : () -> tensor<50x30xf32>
  %4 = gpucost.kernel "Gemm" {
    %r = onnx.Gemm %a, %wt {transB = 1 : i64} : (tensor<100x30xf32>, tensor<50x30xf32>) -> tensor<100x50xf32>
    gpucost.yield %r : tensor<100x50xf32>
  } : tensor<100x50xf32>

  // Letters of an Einsum: b and h in both and in the result are the batch, d is
  // summed. 2 * 24 * 128 * 128 * 64.
  // CHECK: #gpucost.matmul<batch = 24, m = 128, n = 128, k = 64, linear = false>, tensor_flops = 50331648, bytes_read = 786432, bytes_written = 786432>
  %5 = gpucost.kernel "Einsum" {
    %r = onnx.Einsum %q, %k {equation = "bhid,bhdj->bhij"} : (tensor<2x12x128x64xf16>, tensor<2x12x64x128xf16>) -> tensor<2x12x128x128xf16>
    gpucost.yield %r : tensor<2x12x128x128xf16>
  } : tensor<2x12x128x128xf16>
  return
}

// CHECK-LABEL: func.func @diagonals
func.func @diagonals(%square: tensor<64x64xf32>, %cube: tensor<3x8x8xf16>, %rows: tensor<8x5xf16>) {
  // The 64 elements of a diagonal are read, 256 bytes, and written.
  // CHECK: #gpucost.rows<rows = 64, cols = 1>, bytes_read = 256, bytes_written = 256>
  %0 = gpucost.kernel "Einsum" {
    %r = onnx.Einsum %square {equation = "ii->i"} : (tensor<64x64xf32>) -> tensor<64xf32>
    gpucost.yield %r : tensor<64xf32>
  } : tensor<64xf32>
  // A trace: 63 additions.
  // CHECK: #gpucost.rows<rows = 1, cols = 64>, fp32_flops = 63, bytes_read = 256, bytes_written = 4>
  %1 = gpucost.kernel "Einsum" {
    %r = onnx.Einsum %square {equation = "ii"} : (tensor<64x64xf32>) -> tensor<f32>
    gpucost.yield %r : tensor<f32>
  } : tensor<f32>
  // The diagonals of three matrices, 3 * 8 elements of 2 bytes, times 8 x 5 elements: 48 + 80 bytes.
  // CHECK: #gpucost.matmul<m = 3, n = 5, k = 8>, tensor_flops = 240, bytes_read = 128, bytes_written = 30>
  %2 = gpucost.kernel "Einsum" {
    %r = onnx.Einsum %cube, %rows {equation = "bii,ij->bj"} : (tensor<3x8x8xf16>, tensor<8x5xf16>) -> tensor<3x5xf16>
    gpucost.yield %r : tensor<3x5xf16>
  } : tensor<3x5xf16>
  return
}

// CHECK-LABEL: func.func @attention
func.func @attention(%q: tensor<2x12x100x64xbf16>, %k: tensor<2x4x300x64xbf16>) {
  // 100 queries attend to 300 keys: 4 * 2 * 12 * 100 * 300 * 64 matmul FLOPs, 5
  // FLOPs and one exponential for each of 2 * 12 * 100 * 300 scores. K and V
  // are the same tensor here and read once:
  // 2 * (2 * 12 * 100 * 64 + 2 * 4 * 300 * 64) bytes.
  // CHECK: #gpucost.attention<batch = 2, heads = 12, kv_heads = 4, query_length = 100, kv_length = 300, head_dim = 64>, tensor_flops = 184320000, fp32_flops = 3600000, special_ops = 720000, bytes_read = 614400, bytes_written = 307200>
  %0 = gpucost.kernel "FusedAttention" {
    %r = onnx.FusedAttention %q, %k, %k {is_causal = 0 : i64} : (tensor<2x12x100x64xbf16>, tensor<2x4x300x64xbf16>, tensor<2x4x300x64xbf16>) -> tensor<2x12x100x64xbf16>
    gpucost.yield %r : tensor<2x12x100x64xbf16>
  } : tensor<2x12x100x64xbf16>

  // Causal: query i attends to 201 + i keys, 100 * 201 + 4950 = 25050 scores a head.
  // 4 * 24 * 25050 * 64; 5 * 24 * 25050.
  // CHECK: causal = true>, tensor_flops = 153907200, fp32_flops = 3006000, special_ops = 601200,
  %1 = gpucost.kernel "FusedAttention" {
    %r = onnx.FusedAttention %q, %k, %k {is_causal = 1 : i64} : (tensor<2x12x100x64xbf16>, tensor<2x4x300x64xbf16>, tensor<2x4x300x64xbf16>) -> tensor<2x12x100x64xbf16>
    gpucost.yield %r : tensor<2x12x100x64xbf16>
  } : tensor<2x12x100x64xbf16>
  return
}
