// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels | FileCheck %s

// One gpucost.kernel per launch. More: form-kernels-*.mlir.

// A matmul with a weight and its bias vector are one launch (L5); parameters,
// constants and values that depend only on weights (onnx.constant) launch nothing.
// CHECK-LABEL: func.func @linear
// CHECK-NEXT: onnx.Parameter
// CHECK-NEXT: onnx.Parameter
// CHECK-NEXT: onnx.Transpose %{{.*}} {onnx.constant
// CHECK-NEXT: %[[K:.*]] = gpucost.kernel "MatMul+Add" attributes {library} {
// CHECK-NEXT:   %[[P:.*]] = onnx.MatMul
// CHECK-NEXT:   %[[Y:.*]] = onnx.Add %[[P]]
// CHECK-NEXT:   gpucost.yield %[[Y]] : tensor<8x16xbf16>
// CHECK-NEXT: } : tensor<8x16xbf16>
// CHECK-NEXT: return %[[K]]
func.func @linear(%x: tensor<8x32xbf16>) -> tensor<8x16xbf16> {
  %w = onnx.Parameter : () -> tensor<16x32xbf16>
  %b = onnx.Parameter : () -> tensor<16xbf16>
  %t = onnx.Transpose %w {onnx.constant, perm = array<i64: 1, 0>} : (tensor<16x32xbf16>) -> tensor<32x16xbf16>
  %0 = onnx.MatMul %x, %t : (tensor<8x32xbf16>, tensor<32x16xbf16>) -> tensor<8x16xbf16>
  %1 = onnx.Add %0, %b : (tensor<8x16xbf16>, tensor<16xbf16>) -> tensor<8x16xbf16>
  return %1 : tensor<8x16xbf16>
}

// (L2) A view launches nothing, whatever it is made of, and stays outside.
// CHECK-LABEL: func.func @views
// CHECK-NEXT: onnx.Transpose
// CHECK-NEXT: onnx.Slice
// CHECK-NEXT: onnx.Unsqueeze
// CHECK-NEXT: onnx.Expand
// CHECK-NEXT: return
func.func @views(%x: tensor<8x32xf32>, %s: tensor<1xi64>, %e: tensor<1xi64>, %a: tensor<1xi64>) -> tensor<16x1x8xf32> {
  %0 = onnx.Transpose %x {perm = array<i64: 1, 0>} : (tensor<8x32xf32>) -> tensor<32x8xf32>
  %1 = onnx.Slice %0, %s, %e : (tensor<32x8xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<16x8xf32>
  %2 = onnx.Unsqueeze %1, %a : (tensor<16x8xf32>, tensor<1xi64>) -> tensor<16x1x8xf32>
  %3 = onnx.Expand %2, %s : (tensor<16x1x8xf32>, tensor<1xi64>) -> tensor<16x1x8xf32>
  return %3 : tensor<16x1x8xf32>
}

// (L2) Heads that are merged again: [length, heads, 64] is not a view of
// [heads, length, 64], so the reshape is a copy that reads with strides.
// CHECK-LABEL: func.func @merge_heads
// CHECK-NEXT: %[[T:.*]] = onnx.Transpose
// CHECK-NEXT: %[[K:.*]] = gpucost.kernel "contiguous copy" {
// CHECK-NEXT:   %[[C:.*]] = gpucost.copy %[[T]] contiguous strided : (tensor<128x12x64xf16>) -> tensor<128x12x64xf16>
// CHECK-NEXT:   gpucost.yield %[[C]]
// CHECK-NEXT: }
// CHECK-NEXT: onnx.Reshape %[[K]]
// CHECK-NEXT: return
func.func @merge_heads(%x: tensor<12x128x64xf16>, %s: tensor<2xi64>) -> tensor<128x768xf16> {
  %0 = onnx.Transpose %x {perm = array<i64: 1, 0, 2>} : (tensor<12x128x64xf16>) -> tensor<128x12x64xf16>
  %1 = onnx.Reshape %0, %s : (tensor<128x12x64xf16>, tensor<2xi64>) -> tensor<128x768xf16>
  return %1 : tensor<128x768xf16>
}

// The same reshape where strides can express it: splitting one dimension, and
// heads of length 1.
// CHECK-LABEL: func.func @reshape_view
// CHECK-NOT: gpucost.kernel
// CHECK: return
func.func @reshape_view(%x: tensor<128x768xf16>, %y: tensor<12x1x64xf16>, %s: tensor<3xi64>) -> (tensor<12x128x64xf16>, tensor<1x768xf16>) {
  %0 = onnx.Reshape %x, %s : (tensor<128x768xf16>, tensor<3xi64>) -> tensor<128x12x64xf16>
  %1 = onnx.Transpose %0 {perm = array<i64: 1, 0, 2>} : (tensor<128x12x64xf16>) -> tensor<12x128x64xf16>
  %2 = onnx.Transpose %y {perm = array<i64: 1, 0, 2>} : (tensor<12x1x64xf16>) -> tensor<1x12x64xf16>
  %3 = onnx.Reshape %2, %s : (tensor<1x12x64xf16>, tensor<3xi64>) -> tensor<1x768xf16>
  return %1, %3 : tensor<12x128x64xf16>, tensor<1x768xf16>
}

// Shapes are metadata.
// CHECK-LABEL: func.func @metadata
// CHECK-NOT: gpucost.kernel
// CHECK: return
func.func @metadata(%x: tensor<2x3xf32>) -> tensor<2xi64> {
  %0 = onnx.Shape %x : (tensor<2x3xf32>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
