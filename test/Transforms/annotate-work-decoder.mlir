// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-annotate-work | FileCheck %s

// CHECK-LABEL: func.func @norms
func.func @norms(%a0: tensor<4x8xf16>, %a1: tensor<3x8xf16>, %a2: tensor<8xf16>, %a3: tensor<3x2x4xf16>, %a4: tensor<1x2x2x8xf16>, %a5: tensor<1x2x2x8xf16>, %a6: tensor<1x2x8xf16>, %a7: tensor<2x8xf16>, %a8: tensor<2x8xf16>, %a9: tensor<2x8xf16>, %a10: tensor<1x4x2x12xbf16>, %a11: tensor<8xf32>, %a12: tensor<1xi64>, %a13: tensor<100x2xf32>, %a14: tensor<100x2xf32>, %a15: tensor<1x4x16xf16>, %a16: tensor<3x1x4xi64>, %a17: tensor<100x2xf16>, %a18: tensor<100x2xf16>, %a19: tensor<4x2xf16>, %a20: tensor<4x2xf16>, %a21: tensor<1x2x4x8xf16>, %a22: tensor<1x4xi64>, %a23: tensor<100x4xf16>, %a24: tensor<100x4xf16>) {
  // A product and SiLU.
  // CHECK: #gpucost.elements<count = 32>, fp32_flops = 128, special_ops = 64, bytes_read = 64, bytes_written = 64>
  %k0 = gpucost.kernel "ScaledSiLU" {
    %r = onnx.ScaledSiLU %a0 {alpha = 2.0 : f32} : (tensor<4x8xf16>) -> tensor<4x8xf16>
    gpucost.yield %r : tensor<4x8xf16>
  } : tensor<4x8xf16>
  // Two branches of 4 elements in each row.
  // CHECK: #gpucost.rows<rows = 6, cols = 4>, fp32_flops = 96, bytes_read = 64, bytes_written = 48>
  %k1 = gpucost.kernel "BranchwiseRMSNorm" {
    %r = onnx.BranchwiseRMSNorm %a1, %a2 {num_branches = 2 : i64} : (tensor<3x8xf16>, tensor<8xf16>) -> tensor<3x8xf16>
    gpucost.yield %r : tensor<3x8xf16>
  } : tensor<3x8xf16>
  // Without a scale 3 FLOP.
  // CHECK: #gpucost.rows<rows = 6, cols = 4>, fp32_flops = 72, bytes_read = 48,
  %k2 = gpucost.kernel "BranchwiseRMSNorm" {
    %r = onnx.BranchwiseRMSNorm %a3 : (tensor<3x2x4xf16>) -> tensor<3x2x4xf16>
    gpucost.yield %r : tensor<3x2x4xf16>
  } : tensor<3x2x4xf16>
  // 4 rows of 8: 15 FLOP per element with the norm of the result, 7 and 3 per gate.
  // CHECK: #gpucost.rows<rows = 4, cols = 8>, fp32_flops = 508, special_ops = 12, bytes_read = 256, bytes_written = 128>
  %k3:2 = gpucost.kernel "EngramGate" {
    %r:2 = onnx.EngramGate %a4, %a5, %a6, %a7, %a8, %a9 : (tensor<1x2x2x8xf16>, tensor<1x2x2x8xf16>, tensor<1x2x8xf16>, tensor<2x8xf16>, tensor<2x8xf16>, tensor<2x8xf16>) -> (tensor<1x2x2x8xf16>, tensor<1x2x2x8xf16>)
    gpucost.yield %r#0, %r#1 : tensor<1x2x2x8xf16>, tensor<1x2x2x8xf16>
  } : tensor<1x2x2x8xf16>, tensor<1x2x2x8xf16>
  // 8 of 12 elements of each head: a norm (4), and the rotation of 4 of them (3). Reads 128 of 192
  // bytes, 4 rows of 8 bytes of both tables, the scale 32, the position 8.
  // CHECK: #gpucost.rows<rows = 8, cols = 8>, fp32_flops = 352, bytes_read = 232, bytes_written = 128>
  %k4 = gpucost.kernel "RMSNormRotary" {
    %r = onnx.RMSNormRotary %a10, %a11, %a12, %a13, %a14 {input_start = 4 : i64, input_width = 8 : i64, rotary_embedding_dim = 4 : i64} : (tensor<1x4x2x12xbf16>, tensor<8xf32>, tensor<1xi64>, tensor<100x2xf32>, tensor<100x2xf32>) -> tensor<1x4x16xbf16>
    gpucost.yield %r : tensor<1x4x16xbf16>
  } : tensor<1x4x16xbf16>
  // 4 of 8 elements of each head are rotated: 32. Four rows of the tables, 16 bytes each, positions
  // 96.
  // CHECK: #gpucost.elements<count = 64>, fp32_flops = 96, bytes_read = 256, bytes_written = 128>
  %k5 = gpucost.kernel "MRotaryEmbedding" {
    %r = onnx.MRotaryEmbedding %a15, %a16, %a17, %a18 {num_heads = 2 : i64, rotary_embedding_dim = 4 : i64, mrope_section = array<i64: 1, 1, 0>} : (tensor<1x4x16xf16>, tensor<3x1x4xi64>, tensor<100x2xf16>, tensor<100x2xf16>) -> tensor<1x4x16xf16>
    gpucost.yield %r : tensor<1x4x16xf16>
  } : tensor<1x4x16xf16>
  // The rotation of a part of each head, also with tables of the positions.
  // CHECK: #gpucost.elements<count = 64>, fp32_flops = 96,
  %k6 = gpucost.kernel "RotaryEmbedding" {
    %r = onnx.RotaryEmbedding %a15, %a19, %a20 {num_heads = 2 : i64, rotary_embedding_dim = 4 : i64} : (tensor<1x4x16xf16>, tensor<4x2xf16>, tensor<4x2xf16>) -> tensor<1x4x16xf16>
    gpucost.yield %r : tensor<1x4x16xf16>
  } : tensor<1x4x16xf16>
  // Half of each head.
  // CHECK: fp32_flops = 96,
  %k7 = gpucost.kernel "ContribRotaryEmbedding" {
    %r = onnx.ContribRotaryEmbedding %a21, %a22, %a17, %a18 {rotary_embedding_dim = 4 : i64} : (tensor<1x2x4x8xf16>, tensor<1x4xi64>, tensor<100x2xf16>, tensor<100x2xf16>) -> tensor<1x2x4x8xf16>
    gpucost.yield %r : tensor<1x2x4x8xf16>
  } : tensor<1x2x4x8xf16>
  // Whole heads.
  // CHECK: fp32_flops = 192, bytes_read = 288,
  %k8 = gpucost.kernel "MRotaryEmbedding" {
    %r = onnx.MRotaryEmbedding %a21, %a16, %a23, %a24 {mrope_section = array<i64: 2, 1, 1>} : (tensor<1x2x4x8xf16>, tensor<3x1x4xi64>, tensor<100x4xf16>, tensor<100x4xf16>) -> tensor<1x2x4x8xf16>
    gpucost.yield %r : tensor<1x2x4x8xf16>
  } : tensor<1x2x4x8xf16>
  return
}

// CHECK-LABEL: func.func @residuals
func.func @residuals(%a0: tensor<3x8xf16>, %a1: tensor<3x8xf16>, %a2: tensor<3x1xf16>, %a3: tensor<3x8xbf16>, %a4: tensor<3x8xbf16>, %a5: tensor<3x4xbf16>, %a6: tensor<4x1xbf16>, %a7: tensor<3x2x4xf16>, %a8: tensor<3x2xf16>, %a9: tensor<3x4xf16>, %a10: tensor<3x2x2xf16>, %a11: tensor<8xf16>, %a12: tensor<8x5xf16>, %a13: tensor<5x8xf16>, %a14: tensor<8x2xf16>) {
  // A product and a sum.
  // CHECK: #gpucost.elements<count = 24>, fp32_flops = 48, bytes_read = 102, bytes_written = 48>
  %k0 = gpucost.kernel "GatedAdd" {
    %r = onnx.GatedAdd %a0, %a1, %a2 : (tensor<3x8xf16>, tensor<3x8xf16>, tensor<3x1xf16>) -> tensor<3x8xf16>
    gpucost.yield %r : tensor<3x8xf16>
  } : tensor<3x8xf16>
  // The gate of each row: a product of 4 elements (8) and a sigmoid (2 and 2).
  // CHECK: fp32_flops = 78, special_ops = 6, bytes_read = 128,
  %k1 = gpucost.kernel "GatedAdd" {
    %r = onnx.GatedAdd %a3, %a4, %a5, %a6 : (tensor<3x8xbf16>, tensor<3x8xbf16>, tensor<3x4xbf16>, tensor<4x1xbf16>) -> tensor<3x8xbf16>
    gpucost.yield %r : tensor<3x8xbf16>
  } : tensor<3x8xbf16>
  // 24 products and sums, 12 products with the scale.
  // CHECK: #gpucost.elements<count = 12>, fp32_flops = 60, bytes_read = 60, bytes_written = 24>
  %k2 = gpucost.kernel "HyperConnectionPreMix" {
    %r = onnx.HyperConnectionPreMix %a7, %a8 : (tensor<3x2x4xf16>, tensor<3x2xf16>) -> tensor<3x4xf16>
    gpucost.yield %r : tensor<3x4xf16>
  } : tensor<3x4xf16>
  // The same streams in one dimension.
  // CHECK: #gpucost.elements<count = 12>, fp32_flops = 60, bytes_read = 60, bytes_written = 24>
  %k3 = gpucost.kernel "HyperConnectionPreMix" {
    %r = onnx.HyperConnectionPreMix %a0, %a8 {num_branches = 2 : i64} : (tensor<3x8xf16>, tensor<3x2xf16>) -> tensor<3x4xf16>
    gpucost.yield %r : tensor<3x4xf16>
  } : tensor<3x4xf16>
  // Two streams into each (4), and the output of the block (2).
  // CHECK: #gpucost.elements<count = 24>, fp32_flops = 144, bytes_read = 108, bytes_written = 48>
  %k4 = gpucost.kernel "HyperConnectionPostMix" {
    %r = onnx.HyperConnectionPostMix %a7, %a9, %a8, %a10 : (tensor<3x2x4xf16>, tensor<3x4xf16>, tensor<3x2xf16>, tensor<3x2x2xf16>) -> tensor<3x2x4xf16>
    gpucost.yield %r : tensor<3x2x4xf16>
  } : tensor<3x2x4xf16>
  // The streams stay apart.
  // CHECK: fp32_flops = 48, bytes_read = 84,
  %k5 = gpucost.kernel "HyperConnectionPostMix" {
    %r = onnx.HyperConnectionPostMix %a0, %a9, %a8 {num_branches = 2 : i64} : (tensor<3x8xf16>, tensor<3x4xf16>, tensor<3x2xf16>) -> tensor<3x8xf16>
    gpucost.yield %r : tensor<3x8xf16>
  } : tensor<3x8xf16>
  // 2 * 3 * 8 * 5 FLOP down, as many up, 2 * 3 * 8 * 2 for the gates of the branches. Per row norm,
  // gate and sum 8 * 8, SiLU 5 * 4, gates 2 * 4, the scale 4. Bytes: 48 + 16 + 80 + 80 + 32; other
  // than those of the first product, 158 of 292.
  // CHECK: #gpucost.matmul<m = 3, n = 5, k = 8>, tensor_flops = 576, fp32_flops = 288, special_ops = 90, bytes_read = 256, bytes_written = 36, fused_tensor_flops = 336, fused_fp32_flops = 273, fused_special_ops = 90, fused_bytes = 134>
  %k6:2 = gpucost.kernel "HyperConnectionLowRankMix" {
    %r:2 = onnx.HyperConnectionLowRankMix %a0, %a11, %a12, %a13, %a14 {num_branches = 2 : i64} : (tensor<3x8xf16>, tensor<8xf16>, tensor<8x5xf16>, tensor<5x8xf16>, tensor<8x2xf16>) -> (tensor<3x4xf16>, tensor<3x2xf16>)
    gpucost.yield %r#0, %r#1 : tensor<3x4xf16>, tensor<3x2xf16>
  } : tensor<3x4xf16>, tensor<3x2xf16>
  // The sum with the previous block: 2 * 24 FLOP more.
  // CHECK: tensor_flops = 576, fp32_flops = 336, special_ops = 90, bytes_read = 292, bytes_written = 84,
  %k7:3 = gpucost.kernel "HyperConnectionLowRankMix" {
    %r:3 = onnx.HyperConnectionLowRankMix %a0, %a11, %a12, %a13, %a14, %a9, %a8 {num_branches = 2 : i64} : (tensor<3x8xf16>, tensor<8xf16>, tensor<8x5xf16>, tensor<5x8xf16>, tensor<8x2xf16>, tensor<3x4xf16>, tensor<3x2xf16>) -> (tensor<3x4xf16>, tensor<3x2xf16>, tensor<3x8xf16>)
    gpucost.yield %r#0, %r#1, %r#2 : tensor<3x4xf16>, tensor<3x2xf16>, tensor<3x8xf16>
  } : tensor<3x4xf16>, tensor<3x2xf16>, tensor<3x8xf16>
  return
}

// CHECK-LABEL: func.func @routers
func.func @routers(%a0: tensor<6x8xf16>, %a1: tensor<8xf32>, %a2: tensor<6x256xf16>, %a3: tensor<8x256xf16>, %a4: tensor<4x16xf16>, %a5: tensor<16x13xf16>) {
  // 48 scores: sigmoid (2 and 2), bias (1), comparisons of groups and experts (2); 12 logarithms.
  // CHECK: #gpucost.elements<count = 48>, fp32_flops = 240, special_ops = 108, bytes_read = 128, bytes_written = 96>
  %k0 = gpucost.kernel "MoEGroupRouter" {
    %r = onnx.MoEGroupRouter %a0, %a1 {top_k = 2 : i64, n_group = 2 : i64} : (tensor<6x8xf16>, tensor<8xf32>) -> tensor<6x8xf16>
    gpucost.yield %r : tensor<6x8xf16>
  } : tensor<6x8xf16>
  // All scores: no choice.
  // CHECK: fp32_flops = 144, special_ops = 96, bytes_read = 128, bytes_written = 384>
  %k1:2 = gpucost.kernel "MoEGroupRouter" {
    %r:3 = onnx.MoEGroupRouter %a0, %a1 {top_k = 2 : i64} : (tensor<6x8xf16>, tensor<8xf32>) -> (!onnx.none, tensor<6x8xf32>, tensor<6x8xf32>)
    gpucost.yield %r#1, %r#2 : tensor<6x8xf32>, tensor<6x8xf32>
  } : tensor<6x8xf32>, tensor<6x8xf32>
  // 2 * 6 * 8 * 256 FLOP of the projection.
  // CHECK: #gpucost.matmul<m = 6, n = 8, k = 256>, tensor_flops = 24576, fp32_flops = 144, special_ops = 96, bytes_read = 7200, bytes_written = 384,
  %k2:2 = gpucost.kernel "MoEGroupRouter" {
    %r:3 = onnx.MoEGroupRouter %a2, %a1, %a3 {top_k = 2 : i64} : (tensor<6x256xf16>, tensor<8xf32>, tensor<8x256xf16>) -> (!onnx.none, tensor<6x8xf32>, tensor<6x8xf32>)
    gpucost.yield %r#1, %r#2 : tensor<6x8xf32>, tensor<6x8xf32>
  } : tensor<6x8xf32>, tensor<6x8xf32>
  // One product of 3 + 2 * 5 columns; SwiGLU of 20 results (5 and 2).
  // CHECK: #gpucost.matmul<m = 4, n = 13, k = 16>, tensor_flops = 1664, fp32_flops = 100, special_ops = 40, bytes_read = 544, bytes_written = 64,
  %k3:2 = gpucost.kernel "RouterGateUpProj" {
    %r:2 = onnx.RouterGateUpProj %a4, %a5 {router_size = 3 : i64} : (tensor<4x16xf16>, tensor<16x13xf16>) -> (tensor<4x3xf16>, tensor<4x5xf16>)
    gpucost.yield %r#0, %r#1 : tensor<4x3xf16>, tensor<4x5xf16>
  } : tensor<4x3xf16>, tensor<4x5xf16>
  return
}

// Integers are not FLOPs.
// CHECK-LABEL: func.func @hashes
func.func @hashes(%a0: tensor<2x5xi64>, %a1: tensor<3xi64>, %a2: tensor<4xi64>, %a3: tensor<7xi64>, %a4: tensor<3xi32>, %a5: tensor<2x8xi64>, %a6: tensor<2x8xi64>, %a7: tensor<1xi32>, %a8: tensor<2x16xi64>, %a9: tensor<2x2xi64>, %a10: tensor<2x16xi64>, %a11: tensor<2xi64>) {
  // Two orders with two heads: 40 hashes.
  // CHECK: #gpucost.elements<count = 40>, bytes_read = 136, bytes_written = 352>
  %k0:2 = gpucost.kernel "NGramHashMapping" {
    %r:2 = onnx.NGramHashMapping %a0, %a1, %a2 {max_ngram_size = 3 : i64, n_head_per_ngram = 2 : i64, pad_id = 0 : i64} : (tensor<2x5xi64>, tensor<3xi64>, tensor<4xi64>) -> (tensor<2x5x4xi64>, tensor<2x2xi64>)
    gpucost.yield %r#0, %r#1 : tensor<2x5x4xi64>, tensor<2x2xi64>
  } : tensor<2x5x4xi64>, tensor<2x2xi64>
  // 7 tokens of 2 sequences.
  // CHECK: #gpucost.elements<count = 28>, bytes_read = 124, bytes_written = 256>
  %k1:2 = gpucost.kernel "VarlenNGramHashMapping" {
    %r:2 = onnx.VarlenNGramHashMapping %a3, %a1, %a2, %a4 {max_ngram_size = 3 : i64, n_head_per_ngram = 2 : i64, pad_id = 0 : i64} : (tensor<7xi64>, tensor<3xi64>, tensor<4xi64>, tensor<3xi32>) -> (tensor<7x4xi64>, tensor<2x2xi64>)
    gpucost.yield %r#0, %r#1 : tensor<7x4xi64>, tensor<2x2xi64>
  } : tensor<7x4xi64>, tensor<2x2xi64>
  // 16 control words of each of 2 sequences.
  // CHECK: #gpucost.elements<count = 32>, bytes_read = 820, bytes_written = 296>
  %k2:3 = gpucost.kernel "SpeculativePrefixCommit" {
    %r:3 = onnx.SpeculativePrefixCommit %a5, %a6, %a7, %a8, %a9, %a10, %a11 : (tensor<2x8xi64>, tensor<2x8xi64>, tensor<1xi32>, tensor<2x16xi64>, tensor<2x2xi64>, tensor<2x16xi64>, tensor<2xi64>) -> (tensor<2xi32>, tensor<2x16xi64>, tensor<2x2xi64>)
    gpucost.yield %r#0, %r#1, %r#2 : tensor<2xi32>, tensor<2x16xi64>, tensor<2x2xi64>
  } : tensor<2xi32>, tensor<2x16xi64>, tensor<2x2xi64>
  return
}

// With a reduction every update is an addition or a comparison.
// CHECK-LABEL: func.func @scatters
func.func @scatters(%a0: tensor<10x4xf32>, %a1: tensor<6x4xi64>, %a2: tensor<6x4xf32>, %a3: tensor<6x1xi64>) {
  // 24 updates.
  // CHECK: family = embedding, {{.*}}#gpucost.elements<count = 40, strided = true>, fp32_flops = 24,
  %k0 = gpucost.kernel "ScatterElements" {
    %r = onnx.ScatterElements %a0, %a1, %a2 {axis = 0 : i64, reduction = "add"} : (tensor<10x4xf32>, tensor<6x4xi64>, tensor<6x4xf32>) -> tensor<10x4xf32>
    gpucost.yield %r : tensor<10x4xf32>
  } : tensor<10x4xf32>
  // 6 rows of 4.
  // CHECK: fp32_flops = 24,
  %k1 = gpucost.kernel "ScatterND" {
    %r = onnx.ScatterND %a0, %a3, %a2 {reduction = "max"} : (tensor<10x4xf32>, tensor<6x1xi64>, tensor<6x4xf32>) -> tensor<10x4xf32>
    gpucost.yield %r : tensor<10x4xf32>
  } : tensor<10x4xf32>
  // Without one, nothing is computed.
  // CHECK: #gpucost.elements<count = 40, strided = true>, bytes_read
  %k2 = gpucost.kernel "ScatterND" {
    %r = onnx.ScatterND %a0, %a3, %a2 : (tensor<10x4xf32>, tensor<6x1xi64>, tensor<6x4xf32>) -> tensor<10x4xf32>
    gpucost.yield %r : tensor<10x4xf32>
  } : tensor<10x4xf32>
  return
}
