// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops=attention=flash --split-input-file | FileCheck %s

// Positions (ALiBi, T5) and padding, added one after the other: the kernel takes
// their sum.
// CHECK-LABEL: func @two_masks
// CHECK-SAME: %[[A:[^:]*]]: tensor<1x4x1x8xbf16>, %[[M:[^:]*]]: tensor<2x1x8x8xbf16>)
// CHECK: %[[S:.*]] = onnx.Add %[[A]], %[[M]] : (tensor<1x4x1x8xbf16>, tensor<2x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
// CHECK-NEXT: onnx.FusedAttention %{{.*}}, %{{.*}}, %{{.*}}, %[[S]] {is_causal = 0 : i64
// CHECK-NEXT: return
func.func @two_masks(%q: tensor<2x4x8x16xbf16>, %kt: tensor<2x4x16x8xbf16>, %v: tensor<2x4x8x16xbf16>, %alibi: tensor<1x4x1x8xbf16>, %mask: tensor<2x1x8x8xbf16>) -> tensor<2x4x8x16xbf16> {
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Add %0, %alibi : (tensor<2x4x8x8xbf16>, tensor<1x4x1x8xbf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Add %1, %mask : (tensor<2x4x8x8xbf16>, tensor<2x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.Softmax %2 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %4 = onnx.MatMul %3, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %4 : tensor<2x4x8x16xbf16>
}

// -----

// A scale between the masks would scale the first one too.
// CHECK-LABEL: func @scaled_mask
// CHECK: onnx.Softmax
// CHECK-NOT: onnx.FusedAttention
func.func @scaled_mask(%q: tensor<2x4x8x16xbf16>, %kt: tensor<2x4x16x8xbf16>, %v: tensor<2x4x8x16xbf16>, %alibi: tensor<1x4x1x8xbf16>, %mask: tensor<2x1x8x8xbf16>) -> tensor<2x4x8x16xbf16> {
  %c = onnx.Constant {value = dense<0.25> : tensor<bf16>} : () -> tensor<bf16>
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Add %0, %alibi : (tensor<2x4x8x8xbf16>, tensor<1x4x1x8xbf16>) -> tensor<2x4x8x8xbf16>
  %s = onnx.Mul %1, %c : (tensor<2x4x8x8xbf16>, tensor<bf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Add %s, %mask : (tensor<2x4x8x8xbf16>, tensor<2x1x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.Softmax %2 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %4 = onnx.MatMul %3, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %4 : tensor<2x4x8x16xbf16>
}
