// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels | FileCheck %s

// Which operands are copied before a kernel.

// (L4) [batch, length, heads, 64] seen as [batch, heads, length, 64]: with a
// batch of 2 its two batch dimensions do not merge, and both operands are copied.
// CHECK-LABEL: func.func @scores_batch2
// CHECK-COUNT-2: gpucost.copy %{{.*}} contiguous strided
// CHECK: gpucost.kernel "MatMul" attributes {library}
func.func @scores_batch2(%q: tensor<2x128x12x64xbf16>, %k: tensor<2x128x12x64xbf16>) -> tensor<2x12x128x128xbf16> {
  %0 = onnx.Transpose %q {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x128x12x64xbf16>) -> tensor<2x12x128x64xbf16>
  %1 = onnx.Transpose %k {perm = array<i64: 0, 2, 3, 1>} : (tensor<2x128x12x64xbf16>) -> tensor<2x12x64x128xbf16>
  %2 = onnx.MatMul %0, %1 : (tensor<2x12x128x64xbf16>, tensor<2x12x64x128xbf16>) -> tensor<2x12x128x128xbf16>
  return %2 : tensor<2x12x128x128xbf16>
}

// With a batch of 1 only the heads are the batch: no copy.
// CHECK-LABEL: func.func @scores_batch1
// CHECK-NOT: gpucost.copy
// CHECK: gpucost.kernel "MatMul" attributes {library}
// CHECK-NOT: gpucost.kernel
// CHECK: return
func.func @scores_batch1(%q: tensor<1x128x12x64xbf16>, %k: tensor<1x128x12x64xbf16>) -> tensor<1x12x128x128xbf16> {
  %0 = onnx.Transpose %q {perm = array<i64: 0, 2, 1, 3>} : (tensor<1x128x12x64xbf16>) -> tensor<1x12x128x64xbf16>
  %1 = onnx.Transpose %k {perm = array<i64: 0, 2, 3, 1>} : (tensor<1x128x12x64xbf16>) -> tensor<1x12x64x128xbf16>
  %2 = onnx.MatMul %0, %1 : (tensor<1x12x128x64xbf16>, tensor<1x12x64x128xbf16>) -> tensor<1x12x128x128xbf16>
  return %2 : tensor<1x12x128x128xbf16>
}

// Grouped queries: 2 key heads expanded to 12 are not a view of 12 heads, so the
// reshape copies, at the size of the expanded tensor.
// CHECK-LABEL: func.func @repeat_kv
// CHECK: gpucost.kernel "contiguous copy" {
// CHECK-NEXT: gpucost.copy %{{.*}} contiguous strided : (tensor<1x2x6x128x64xbf16>) -> tensor<1x2x6x128x64xbf16>
// CHECK: onnx.Reshape
// CHECK-NOT: gpucost.kernel
// CHECK: return
func.func @repeat_kv(%k: tensor<1x2x128x64xbf16>, %s: tensor<4xi64>, %a: tensor<1xi64>) -> tensor<1x12x128x64xbf16> {
  %0 = onnx.Unsqueeze %k, %a : (tensor<1x2x128x64xbf16>, tensor<1xi64>) -> tensor<1x2x1x128x64xbf16>
  %1 = onnx.Expand %0, %s : (tensor<1x2x1x128x64xbf16>, tensor<4xi64>) -> tensor<1x2x6x128x64xbf16>
  %2 = onnx.Reshape %1, %s : (tensor<1x2x6x128x64xbf16>, tensor<4xi64>) -> tensor<1x12x128x64xbf16>
  return %2 : tensor<1x12x128x64xbf16>
}

// (L1) Softmax takes a contiguous operand.
// CHECK-LABEL: func.func @softmax_permuted
// CHECK: gpucost.copy %{{.*}} contiguous strided : (tensor<64x32xf32>) -> tensor<64x32xf32>
// CHECK: gpucost.kernel "Softmax" attributes {library}
func.func @softmax_permuted(%x: tensor<32x64xf32>) -> tensor<64x32xf32> {
  %0 = onnx.Transpose %x {perm = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
  %1 = onnx.Softmax %0 {axis = -1 : i64} : (tensor<64x32xf32>) -> tensor<64x32xf32>
  return %1 : tensor<64x32xf32>
}

// (L3) Elementwise kernels write in the layout of their first full operand: one
// permuted operand costs nothing, two with different layouts are indexed. (L7) A
// kernel that writes contiguously reads any layout.
// CHECK-LABEL: func.func @elementwise_layouts
// CHECK: onnx.Relu %{{[0-9]+}} : (tensor<64x32xf32>)
// CHECK: onnx.Add %{{.*}} {gpucost.strided} : (tensor<64x32xf32>
// CHECK: gpucost.kernel "Concat" {
// CHECK-NEXT: onnx.Concat %{{.*}} {axis = 0 : i64}
// CHECK-NOT: gpucost.copy
// CHECK: return
func.func @elementwise_layouts(%x: tensor<32x64xf32>, %y: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %0 = onnx.Transpose %x {perm = array<i64: 1, 0>} : (tensor<32x64xf32>) -> tensor<64x32xf32>
  %1 = onnx.Relu %0 : (tensor<64x32xf32>) -> tensor<64x32xf32>
  %2 = onnx.Add %1, %y : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x32xf32>
  %3 = onnx.Concat %2, %y {axis = 0 : i64} : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<128x32xf32>
  return %3 : tensor<128x32xf32>
}

// (L8) Fused attention gives [batch, heads, length, 64] as a view of
// [batch, length, heads, 64]: transposing back and merging heads is free.
// CHECK-LABEL: func.func @fused_attention
// CHECK: gpucost.kernel "FusedAttention" attributes {library}
// CHECK-NOT: gpucost.kernel
// CHECK: return
func.func @fused_attention(%q: tensor<2x12x128x64xbf16>, %s: tensor<3xi64>) -> tensor<2x128x768xbf16> {
  %0 = onnx.FusedAttention %q, %q, %q {is_causal = 0 : i64} : (tensor<2x12x128x64xbf16>, tensor<2x12x128x64xbf16>, tensor<2x12x128x64xbf16>) -> tensor<2x12x128x64xbf16>
  %1 = onnx.Transpose %0 {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x12x128x64xbf16>) -> tensor<2x128x12x64xbf16>
  %2 = onnx.Reshape %1, %s : (tensor<2x128x12x64xbf16>, tensor<3xi64>) -> tensor<2x128x768xbf16>
  return %2 : tensor<2x128x768xbf16>
}
