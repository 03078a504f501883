// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s

// Statistics of a layer norm have 1 for each normalised axis.
// CHECK: func.func @norms
// CHECK-SAME: -> (tensor<2x5x8xf16>, tensor<2x5x1xf32>, tensor<2x5x8xf16>, tensor<2x5x8xf16>, tensor<2x5x8xi1>)
func.func @norms(%x: tensor<2x5x8xf16>, %s: tensor<8xf16>, %c: tensor<5xf16>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0:2 = onnx.LayerNormalization %x, %s {axis = -1 : i64}
      : (tensor<2x5x8xf16>, tensor<8xf16>) -> (!onnx.unknown, !onnx.unknown)
  %1 = onnx.BatchNormalization %x, %c, %c, %c, %c : (tensor<2x5x8xf16>, tensor<5xf16>,
      tensor<5xf16>, tensor<5xf16>, tensor<5xf16>) -> !onnx.unknown
  %2:2 = onnx.Dropout %x : (tensor<2x5x8xf16>) -> (!onnx.unknown, !onnx.unknown)
  return %0#0, %0#1, %1, %2#0, %2#1 : !onnx.unknown, !onnx.unknown, !onnx.unknown,
      !onnx.unknown, !onnx.unknown
}

// 12 query heads of 64, 2 key heads; values of 32; 10 past positions.
// CHECK: func.func @attention
// CHECK-SAME: -> (tensor<2x12x7x32xf16>, tensor<2x2x15x64xf16>, tensor<2x7x384xf16>, tensor<2x12x7x32xf16>)
func.func @attention(%q: tensor<2x12x7x64xf16>, %k: tensor<2x2x5x64xf16>,
    %v: tensor<2x2x5x32xf16>, %pk: tensor<2x2x10x64xf16>, %pv: tensor<2x2x10x32xf16>,
    %q3: tensor<2x7x768xf16>, %k3: tensor<2x5x128xf16>, %v3: tensor<2x5x64xf16>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  %0:2 = onnx.Attention %q, %k, %v, %none, %pk, %pv
      : (tensor<2x12x7x64xf16>, tensor<2x2x5x64xf16>, tensor<2x2x5x32xf16>, !onnx.none,
         tensor<2x2x10x64xf16>, tensor<2x2x10x32xf16>) -> (!onnx.unknown, !onnx.unknown)
  // Rank 3: 12 heads * 32.
  %1 = onnx.Attention %q3, %k3, %v3 {q_num_heads = 12 : i64, kv_num_heads = 2 : i64}
      : (tensor<2x7x768xf16>, tensor<2x5x128xf16>, tensor<2x5x64xf16>) -> !onnx.unknown
  %2 = onnx.FusedAttention %q, %k, %v {is_causal = 1 : i64}
      : (tensor<2x12x7x64xf16>, tensor<2x2x5x64xf16>, tensor<2x2x5x32xf16>)
      -> !onnx.unknown
  return %0#0, %0#1, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// X [length, batch, input], R [directions, 4 * hidden, hidden].
// CHECK: func.func @lstm
// CHECK-SAME: -> (tensor<9x2x4x16xf32>, tensor<2x4x16xf32>, tensor<2x4x16xf32>)
func.func @lstm(%x: tensor<9x4x8xf32>, %w: tensor<2x64x8xf32>, %r: tensor<2x64x16xf32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0:3 = onnx.LSTM %x, %w, %r {direction = "bidirectional"}
      : (tensor<9x4x8xf32>, tensor<2x64x8xf32>, tensor<2x64x16xf32>)
      -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return %0#0, %0#1, %0#2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}
