// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops --split-input-file | FileCheck %s --check-prefixes=CHECK,EAGER
// RUN: gpu-cost-opt %s --gpucost-raise-ops=runtime=compiled --split-input-file | FileCheck %s --check-prefixes=CHECK,FUSED

// As libraries write it, with the maximum.
// CHECK-LABEL: func @stable
// CHECK-NEXT: onnx.Softmax %{{.*}} {axis = 1 : i64}
// CHECK-NEXT: return
func.func @stable(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = onnx.ReduceMax %x {axes = array<i64: -1>, keepdims = 1 : i64} : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %1 = onnx.Sub %x, %0 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  %2 = onnx.Exp %1 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = onnx.ReduceSum %2 {axes = array<i64: -1>, keepdims = 1 : i64} : (tensor<8x16xf32>) -> tensor<8x1xf32>
  %4 = onnx.Div %2, %3 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}

// -----

// Without the maximum it is the model's own: one kernel in compiled code only.
// CHECK-LABEL: func @plain
// EAGER: onnx.Exp
// EAGER-NEXT: onnx.ReduceSum
// EAGER-NEXT: onnx.Div
// FUSED-NOT: onnx.Exp
// FUSED: onnx.Softmax
func.func @plain(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %axes = onnx.Constant {value = dense<1> : tensor<1xi64>} : () -> tensor<1xi64>
  %2 = onnx.Exp %x : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = onnx.ReduceSum %2, %axes {keepdims = 1 : i64} : (tensor<8x16xf32>, tensor<1xi64>) -> tensor<8x1xf32>
  %4 = onnx.Div %2, %3 : (tensor<8x16xf32>, tensor<8x1xf32>) -> tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}

// -----

// The sum over another axis than the maximum.
// CHECK-LABEL: func @two_axes
// CHECK: onnx.Exp
// CHECK-NOT: onnx.Softmax
func.func @two_axes(%x: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = onnx.ReduceMax %x {axes = array<i64: 0>, keepdims = 1 : i64} : (tensor<8x16xf32>) -> tensor<1x16xf32>
  %1 = onnx.Sub %x, %0 : (tensor<8x16xf32>, tensor<1x16xf32>) -> tensor<8x16xf32>
  %2 = onnx.Exp %1 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = onnx.ReduceSum %2 {axes = array<i64: 0, 1>, keepdims = 1 : i64} : (tensor<8x16xf32>) -> tensor<1x1xf32>
  %4 = onnx.Div %2, %3 : (tensor<8x16xf32>, tensor<1x1xf32>) -> tensor<8x16xf32>
  return %4 : tensor<8x16xf32>
}
