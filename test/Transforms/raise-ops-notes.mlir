// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops --split-input-file | FileCheck %s

// Attributes that change the work of an op, but not its cost: once for all ops, and not for the
// default.
// CHECK: module attributes
// CHECK-SAME: gpucost.notes = ["the cost of Resize does not depend on 'mode', which changes the work", "the block layout of SparseAttention is not constant: all blocks are counted"]
func.func @uncounted(%x: tensor<1x3x4x4xf32>, %s: tensor<4xf32>, %q: tensor<1x3x32xf16>, %k: tensor<1x3x16xf16>, %p: tensor<1x2x16x8xf16>, %r: tensor<1x3xi32>, %t: tensor<i32>, %l: tensor<1xi32>) -> (tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x32xf16>) {
  %none = onnx.None : () -> !onnx.none
  %0 = onnx.Resize %x, %none, %s {mode = "linear"} : (tensor<1x3x4x4xf32>, !onnx.none, tensor<4xf32>) -> tensor<1x3x8x8xf32>
  %1 = onnx.Resize %x, %none, %s {mode = "cubic"} : (tensor<1x3x4x4xf32>, !onnx.none, tensor<4xf32>) -> tensor<1x3x8x8xf32>
  %2 = onnx.Resize %x, %none, %s {mode = "nearest", antialias = 0 : i64} : (tensor<1x3x4x4xf32>, !onnx.none, tensor<4xf32>) -> tensor<1x3x8x8xf32>
  %3 = onnx.SparseAttention %q, %k, %k, %p, %p, %r, %r, %t, %l {num_heads = 4 : i64, kv_num_heads = 2 : i64, sparse_block_size = 16 : i64} : (tensor<1x3x32xf16>, tensor<1x3x16xf16>, tensor<1x3x16xf16>, tensor<1x2x16x8xf16>, tensor<1x2x16x8xf16>, tensor<1x3xi32>, tensor<1x3xi32>, tensor<i32>, tensor<1xi32>) -> tensor<1x3x32xf16>
  return %0, %1, %2, %3 : tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x8x8xf32>, tensor<1x3x32xf16>
}

// -----

// CHECK-NOT: does not depend on
// CHECK: gpucost.notes = ["linear attention without a delta rule (Mamba-2, lightning attention) was not measured: its kernels are assumed to resemble those of the gated delta rule"]
func.func @states(%q: tensor<2x6x64xf16>, %k: tensor<2x6x32xf16>, %v: tensor<2x6x16xf16>) -> tensor<2x6x32xf16> {
  %0 = onnx.LinearAttention %q, %k, %v {q_num_heads = 4 : i64, kv_num_heads = 2 : i64, update_rule = "linear"} : (tensor<2x6x64xf16>, tensor<2x6x32xf16>, tensor<2x6x16xf16>) -> tensor<2x6x32xf16>
  return %0 : tensor<2x6x32xf16>
}
