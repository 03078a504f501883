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

// -----

// Keys at a distance below 3, so 2 on both sides of the query: a window instead of a mask.
// CHECK-LABEL: func @both_sides
// CHECK: onnx.FusedAttention %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} {is_causal = 0 : i64, left_window_size = 2 : i64, right_window_size = 2 : i64
// CHECK-NEXT: return
func.func @both_sides(%q: tensor<2x4x8x16xbf16>, %kt: tensor<2x4x16x8xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %keys = onnx.Constant {value = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>} : () -> tensor<1x8xi64>
  %queries = onnx.Constant {value = dense<[[0], [1], [2], [3], [4], [5], [6], [7]]> : tensor<8x1xi64>} : () -> tensor<8x1xi64>
  %c3 = onnx.Constant {value = dense<3> : tensor<i64>} : () -> tensor<i64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %d = onnx.Sub %queries, %keys : (tensor<8x1xi64>, tensor<1x8xi64>) -> tensor<8x8xi64>
  %a = onnx.Abs %d : (tensor<8x8xi64>) -> tensor<8x8xi64>
  %near = onnx.Less %a, %c3 : (tensor<8x8xi64>, tensor<i64>) -> tensor<8x8xi1>
  %mask = onnx.Where %near, %zero, %low : (tensor<8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<8x8xbf16>
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Add %0, %mask : (tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.MatMul %2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %3 : tensor<2x4x8x16xbf16>
}

// -----

// Up to 3 keys back and 1 ahead, each hidden by its own comparison.
// CHECK-LABEL: func @two_comparisons
// CHECK: onnx.FusedAttention %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} {is_causal = 0 : i64, left_window_size = 3 : i64, right_window_size = 1 : i64
// CHECK-NEXT: return
func.func @two_comparisons(%q: tensor<2x4x8x16xbf16>, %kt: tensor<2x4x16x8xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %keys = onnx.Constant {value = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>} : () -> tensor<1x8xi64>
  %first = onnx.Constant {value = dense<[[-3], [-2], [-1], [0], [1], [2], [3], [4]]> : tensor<8x1xi64>} : () -> tensor<8x1xi64>
  %last = onnx.Constant {value = dense<[[1], [2], [3], [4], [5], [6], [7], [8]]> : tensor<8x1xi64>} : () -> tensor<8x1xi64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %a = onnx.Less %keys, %first : (tensor<1x8xi64>, tensor<8x1xi64>) -> tensor<8x8xi1>
  %b = onnx.Greater %keys, %last : (tensor<1x8xi64>, tensor<8x1xi64>) -> tensor<8x8xi1>
  %hidden = onnx.Or %a, %b : (tensor<8x8xi1>, tensor<8x8xi1>) -> tensor<8x8xi1>
  %mask = onnx.Where %hidden, %low, %zero : (tensor<8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<8x8xbf16>
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Add %0, %mask : (tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.MatMul %2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %3 : tensor<2x4x8x16xbf16>
}

// -----

// Only keys farther than 2 are visible: no window.
// CHECK-LABEL: func @outside
// CHECK: onnx.FusedAttention %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}} {is_causal = 0 : i64, scale
func.func @outside(%q: tensor<2x4x8x16xbf16>, %kt: tensor<2x4x16x8xbf16>, %v: tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16> {
  %keys = onnx.Constant {value = dense<[[0, 1, 2, 3, 4, 5, 6, 7]]> : tensor<1x8xi64>} : () -> tensor<1x8xi64>
  %queries = onnx.Constant {value = dense<[[0], [1], [2], [3], [4], [5], [6], [7]]> : tensor<8x1xi64>} : () -> tensor<8x1xi64>
  %c2 = onnx.Constant {value = dense<2> : tensor<i64>} : () -> tensor<i64>
  %zero = onnx.Constant {value = dense<0.0> : tensor<bf16>} : () -> tensor<bf16>
  %low = onnx.Constant {value = dense<-3.38953139E+38> : tensor<bf16>} : () -> tensor<bf16>
  %d = onnx.Sub %queries, %keys : (tensor<8x1xi64>, tensor<1x8xi64>) -> tensor<8x8xi64>
  %a = onnx.Abs %d : (tensor<8x8xi64>) -> tensor<8x8xi64>
  %far = onnx.Greater %a, %c2 : (tensor<8x8xi64>, tensor<i64>) -> tensor<8x8xi1>
  %mask = onnx.Where %far, %zero, %low : (tensor<8x8xi1>, tensor<bf16>, tensor<bf16>) -> tensor<8x8xbf16>
  %0 = onnx.MatMul %q, %kt : (tensor<2x4x8x16xbf16>, tensor<2x4x16x8xbf16>) -> tensor<2x4x8x8xbf16>
  %1 = onnx.Add %0, %mask : (tensor<2x4x8x8xbf16>, tensor<8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<2x4x8x8xbf16>) -> tensor<2x4x8x8xbf16>
  %3 = onnx.MatMul %2, %v : (tensor<2x4x8x8xbf16>, tensor<2x4x8x16xbf16>) -> tensor<2x4x8x16xbf16>
  return %3 : tensor<2x4x8x16xbf16>
}
