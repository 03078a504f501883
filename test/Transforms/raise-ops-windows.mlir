// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops="attention=eager" | FileCheck %s --check-prefix=EAGER
// RUN: gpu-cost-opt %s --gpucost-raise-ops | FileCheck %s --check-prefix=FUSED

// A band of two keys before and one after the query, for both layers: everything above diagonal
// 2 and below diagonal -3 is masked.
// EAGER-LABEL: func.func @band
// EAGER: %[[END:.*]] = onnx.Constant {value = dense<2> : tensor<i64>}
// EAGER: %[[HIGH:.*]] = onnx.Trilu %{{.*}}, %[[END]] {upper = 1 : i64}
// EAGER: %[[START:.*]] = onnx.Constant {value = dense<-3> : tensor<i64>}
// EAGER: %[[LOW:.*]] = onnx.Trilu %{{.*}}, %[[START]] {upper = 0 : i64}
// EAGER: %[[MASK:.*]] = onnx.Add %[[HIGH]], %[[LOW]]
// EAGER-NOT: onnx.Trilu
// EAGER: onnx.Add %{{.*}}, %[[MASK]]
// EAGER: onnx.Softmax
// EAGER: onnx.Add %{{.*}}, %[[MASK]]
// EAGER: onnx.Softmax
func.func @band(%q: tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16> {
  %0 = onnx.Attention %q, %q, %q {left_window_size = 2 : i64, right_window_size = 1 : i64} : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  %1 = onnx.Attention %0, %q, %q {left_window_size = 2 : i64, right_window_size = 1 : i64} : (tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) -> tensor<1x2x8x16xf16>
  return %1 : tensor<1x2x8x16xf16>
}

// The cache update is a separate kernel; the window stays.
// FUSED-LABEL: func.func @cache
// FUSED: onnx.FusedAttention %{{.*}} {is_causal = 1 : i64, left_window_size = 3 : i64}
// EAGER-LABEL: func.func @cache
func.func @cache(%q: tensor<1x2x2x16xf16>, %p: tensor<1x2x6x16xf16>) -> (tensor<1x2x2x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>) {
  %none = onnx.None : () -> !onnx.none
  %0:3 = onnx.Attention %q, %q, %q, %none, %p, %p {is_causal = 1 : i64, left_window_size = 3 : i64} : (tensor<1x2x2x16xf16>, tensor<1x2x2x16xf16>, tensor<1x2x2x16xf16>, !onnx.none, tensor<1x2x6x16xf16>, tensor<1x2x6x16xf16>) -> (tensor<1x2x2x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>)
  return %0#0, %0#1, %0#2 : tensor<1x2x2x16xf16>, tensor<1x2x8x16xf16>, tensor<1x2x8x16xf16>
}

// The kernel quantises new keys itself.
// FUSED-LABEL: func.func @quantised
// FUSED: onnx.GroupQueryAttention
// FUSED-NOT: onnx.Concat
// FUSED: return
func.func @quantised(%q: tensor<1x4x32xf16>, %k: tensor<1x4x16xf16>, %p: tensor<1x2x5x4xui8>, %l: tensor<1xi32>, %t: tensor<i32>) -> (tensor<1x4x32xf16>, tensor<1x2x9x4xui8>, tensor<1x2x9x4xui8>) {
  %0:3 = onnx.GroupQueryAttention %q, %k, %k, %p, %p, %l, %t {num_heads = 4 : i64, kv_num_heads = 2 : i64, kv_cache_bit_width = 4 : i64} : (tensor<1x4x32xf16>, tensor<1x4x16xf16>, tensor<1x4x16xf16>, tensor<1x2x5x4xui8>, tensor<1x2x5x4xui8>, tensor<1xi32>, tensor<i32>) -> (tensor<1x4x32xf16>, tensor<1x2x9x4xui8>, tensor<1x2x9x4xui8>)
  return %0#0, %0#1, %0#2 : tensor<1x4x32xf16>, tensor<1x2x9x4xui8>, tensor<1x2x9x4xui8>
}
