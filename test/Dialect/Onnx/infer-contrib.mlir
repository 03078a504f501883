// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s

// 3 * 64 columns; the past has 5 positions before the 8 new ones. Uneven sizes: 32,
// 32 and 16 columns of 4 heads.
// CHECK: func.func @attention
// CHECK-SAME: -> (tensor<2x8x64xf16>, tensor<2x2x4x13x16xf16>, tensor<2x8x16xf16>)
func.func @attention(%x: tensor<2x8x48xf16>, %w: tensor<48x192xf16>, %past: tensor<2x2x4x5x16xf16>, %u: tensor<48x80xf16>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  %0:2 = onnx.ContribAttention %x, %w, %none, %none, %past {num_heads = 4 : i64} : (tensor<2x8x48xf16>, tensor<48x192xf16>, !onnx.none, !onnx.none, tensor<2x2x4x5x16xf16>) -> (!onnx.unknown, !onnx.unknown)
  %1 = onnx.ContribAttention %x, %u {num_heads = 4 : i64, qkv_hidden_sizes = array<i64: 32, 32, 16>} : (tensor<2x8x48xf16>, tensor<48x80xf16>) -> !onnx.unknown
  return %0#0, %0#1, %1 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Keys of [batch, length, hidden], 4 heads of 16; present = past 5 + 10.
// CHECK: func.func @multi_head
// CHECK-SAME: -> (tensor<2x8x32xf16>, tensor<2x4x15x16xf16>, tensor<2x4x15x8xf16>)
func.func @multi_head(%q: tensor<2x8x64xf16>, %k: tensor<2x10x64xf16>, %v: tensor<2x10x32xf16>, %pk: tensor<2x4x5x16xf16>, %pv: tensor<2x4x5x8xf16>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  %0:3 = onnx.MultiHeadAttention %q, %k, %v, %none, %none, %none, %pk, %pv {num_heads = 4 : i64} : (tensor<2x8x64xf16>, tensor<2x10x64xf16>, tensor<2x10x32xf16>, !onnx.none, !onnx.none, !onnx.none, tensor<2x4x5x16xf16>, tensor<2x4x5x8xf16>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return %0#0, %0#1, %0#2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// A buffer of 32 positions stays when 9 are filled; a cache of 5 grows to 9.
// CHECK: func.func @group_query
// CHECK-SAME: -> (tensor<2x4x64xf16>, tensor<2x2x32x16xf16>, tensor<2x2x9x16xf16>)
func.func @group_query(%q: tensor<2x4x64xf16>, %k: tensor<2x4x32xf16>, %buffer: tensor<2x2x32x16xf16>, %cache: tensor<2x2x5x16xf16>, %l: tensor<2xi32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %total = onnx.Constant {value_int = 9 : i64} : () -> !onnx.unknown
  %0:3 = onnx.GroupQueryAttention %q, %k, %k, %buffer, %buffer, %l, %total {num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<2x4x64xf16>, tensor<2x4x32xf16>, tensor<2x4x32xf16>, tensor<2x2x32x16xf16>, tensor<2x2x32x16xf16>, tensor<2xi32>, !onnx.unknown) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  %1:3 = onnx.GroupQueryAttention %q, %k, %k, %cache, %cache, %l, %total {num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<2x4x64xf16>, tensor<2x4x32xf16>, tensor<2x4x32xf16>, tensor<2x2x5x16xf16>, tensor<2x2x5x16xf16>, tensor<2xi32>, !onnx.unknown) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return %0#0, %0#1, %1#1 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// 4 query heads of 16 and 2 value heads of 8; a state for each key head. The last
// taps - 1 positions are carried on.
// CHECK: func.func @state_space
// CHECK-SAME: -> (tensor<2x6x32xf16>, tensor<2x2x16x8xf32>, tensor<2x12x6xf32>, tensor<2x12x3xf32>)
func.func @state_space(%q: tensor<2x6x64xf16>, %k: tensor<2x6x32xf16>, %v: tensor<2x6x16xf16>, %s: tensor<2x2x16x8xf32>, %x: tensor<2x12x6xf32>, %w: tensor<12x1x4xf32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0:2 = onnx.LinearAttention %q, %k, %v, %s {q_num_heads = 4 : i64, kv_num_heads = 2 : i64} : (tensor<2x6x64xf16>, tensor<2x6x32xf16>, tensor<2x6x16xf16>, tensor<2x2x16x8xf32>) -> (!onnx.unknown, !onnx.unknown)
  %1:2 = onnx.CausalConvWithState %x, %w : (tensor<2x12x6xf32>, tensor<12x1x4xf32>) -> (!onnx.unknown, !onnx.unknown)
  return %0#0, %0#1, %1#0, %1#1 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Two 4-bit columns in a byte: rows with 64 elements from 32 bytes. Channels-last pools keep
// the channels; quantised parts add up along axis 1.
// CHECK: func.func @quantised
// CHECK-SAME: -> (tensor<7x64xf16>, tensor<1x4x4x3xui8>, tensor<1x1x1x3xui8>, tensor<2x5xui8>, tensor<4x6xui8>)
func.func @quantised(%t: tensor<100x32xui8>, %i: tensor<7xi64>, %s: tensor<100x4xf16>, %x: tensor<1x8x8x3xui8>, %f: tensor<f32>, %z: tensor<ui8>, %a: tensor<2x3xui8>, %b: tensor<2x2xui8>, %m: tensor<4x8xui8>, %n: tensor<6x8xui8>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %none = onnx.None : () -> !onnx.none
  %0 = onnx.GatherBlockQuantized %t, %i, %s {bits = 4 : i64, block_size = 16 : i64} : (tensor<100x32xui8>, tensor<7xi64>, tensor<100x4xf16>) -> !onnx.unknown
  %1 = onnx.QLinearAveragePool %x, %f, %z, %f, %z {kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>, channels_last = 1 : i64} : (tensor<1x8x8x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  %2 = onnx.QLinearGlobalAveragePool %x, %f, %z, %f, %z {channels_last = 1 : i64} : (tensor<1x8x8x3xui8>, tensor<f32>, tensor<ui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  %3 = onnx.QLinearConcat %f, %z, %a, %f, %z, %b, %f, %z {axis = 1 : i64} : (tensor<f32>, tensor<ui8>, tensor<2x3xui8>, tensor<f32>, tensor<ui8>, tensor<2x2xui8>, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  %4 = onnx.QGemm %m, %f, %z, %n, %f, %z, %none, %f, %z {transB = 1 : i64} : (tensor<4x8xui8>, tensor<f32>, tensor<ui8>, tensor<6x8xui8>, tensor<f32>, tensor<ui8>, !onnx.none, tensor<f32>, tensor<ui8>) -> !onnx.unknown
  return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Parameters, gradients and two moments: the new parameters, then the moments.
// CHECK: func.func @update
// CHECK-SAME: -> (tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>)
func.func @update(%r: tensor<f32>, %t: tensor<i64>, %a: tensor<3xf32>, %b: tensor<4xf32>) -> (!onnx.unknown,
    !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0:6 = onnx.Adam %r, %t, %a, %b, %a, %b, %a, %b, %a, %b : (tensor<f32>, tensor<i64>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<4xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}
