// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s

// CHECK: func.func @reduce
// CHECK-SAME: -> (tensor<2x1x4xf32>, tensor<2x4xf32>, tensor<1x1x1xf32>, tensor<2x3x4xf32>, tensor<f32>)
func.func @reduce(%x: tensor<2x3x4xf32>) -> (!onnx.unknown, !onnx.unknown,
    !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %a = onnx.Constant {value_ints = array<i64: 1>} : () -> !onnx.unknown
  %0 = onnx.ReduceMean %x, %a : (tensor<2x3x4xf32>, !onnx.unknown) -> !onnx.unknown
  // Before opset 18 (13 for ReduceSum): an attribute.
  %1 = onnx.ReduceSum %x {axes = array<i64: -2>, keepdims = 0 : i64}
      : (tensor<2x3x4xf32>) -> !onnx.unknown
  // No axes: all, or with the attribute none.
  %2 = onnx.ReduceMax %x : (tensor<2x3x4xf32>) -> !onnx.unknown
  %3 = onnx.ReduceMax %x {noop_with_empty_axes = 1 : i64}
      : (tensor<2x3x4xf32>) -> !onnx.unknown
  %4 = onnx.ReduceProd %x {keepdims = 0 : i64} : (tensor<2x3x4xf32>) -> !onnx.unknown
  return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown,
      !onnx.unknown, !onnx.unknown
}

// CHECK: func.func @search
// CHECK-SAME: -> (tensor<2x4xi64>, tensor<2x3x2xf32>, tensor<2x3x2xi64>, tensor<2x3x4xf32>)
func.func @search(%x: tensor<2x3x4xf32>) -> (!onnx.unknown, !onnx.unknown,
    !onnx.unknown, !onnx.unknown) {
  %0 = onnx.ArgMax %x {axis = 1 : i64, keepdims = 0 : i64}
      : (tensor<2x3x4xf32>) -> !onnx.unknown
  %k = onnx.Constant {value_ints = array<i64: 2>} : () -> !onnx.unknown
  %1:2 = onnx.TopK %x, %k : (tensor<2x3x4xf32>, !onnx.unknown)
      -> (!onnx.unknown, !onnx.unknown)
  %a = onnx.Constant {value_int = 1 : i64} : () -> !onnx.unknown
  %2 = onnx.CumSum %x, %a : (tensor<2x3x4xf32>, !onnx.unknown) -> !onnx.unknown
  return %0, %1#0, %1#1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}
