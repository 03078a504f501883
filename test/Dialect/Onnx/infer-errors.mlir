// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes --split-input-file --verify-diagnostics

func.func @broadcast(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Add' op operand shapes [2, 3] and [4, 3] do not broadcast}}
  %0 = onnx.Add %a, %b : (tensor<2x3xf32>, tensor<4x3xf32>) -> !onnx.unknown
  // Ops that depend on it are not reported again.
  %1 = onnx.MatMul %0, %a : (!onnx.unknown, tensor<2x3xf32>) -> !onnx.unknown
  return %1 : !onnx.unknown
}

// -----

// Each inconsistent op is reported.
func.func @products(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> (!onnx.unknown, !onnx.unknown) {
  // expected-error @+1 {{'onnx.MatMul' op cannot multiply [2, 3] by [4, 5]}}
  %0 = onnx.MatMul %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> !onnx.unknown
  // expected-error @+1 {{'onnx.Gemm' op cannot multiply [2, 3] by [4, 5] (transposed)}}
  %1 = onnx.Gemm %a, %b {transB = 1 : i64}
      : (tensor<2x3xf32>, tensor<4x5xf32>) -> !onnx.unknown
  return %0, %1 : !onnx.unknown, !onnx.unknown
}

// -----

func.func @reshape(%a: tensor<2x3xf32>) -> !onnx.unknown {
  %s = onnx.Constant {value_ints = array<i64: 4, -1>} : () -> !onnx.unknown
  // expected-error @+1 {{'onnx.Reshape' op cannot reshape [2, 3] to [4, -1]}}
  %0 = onnx.Reshape %a, %s : (tensor<2x3xf32>, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @conv(%x: tensor<1x4x8x8xf32>, %w: tensor<8x3x3x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Conv' op cannot convolve [1, 4, 8, 8] with [8, 3, 3, 3] in 1 groups}}
  %0 = onnx.Conv %x, %w : (tensor<1x4x8x8xf32>, tensor<8x3x3x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// Strides of 0 would divide by 0.
func.func @strides(%x: tensor<1x4x8x8xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.MaxPool' op has a window with kernel [3, 3], strides [0, 1], dilations [1, 1], pads [0, 0, 0, 0] for 2 spatial dimensions}}
  %0 = onnx.MaxPool %x {kernel_shape = array<i64: 3, 3>, strides = array<i64: 0, 1>}
      : (tensor<1x4x8x8xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @window(%x: tensor<1x4x2x2xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.AveragePool' op kernel [5, 5] is larger than [1, 4, 2, 2] with its padding}}
  %0 = onnx.AveragePool %x {kernel_shape = array<i64: 5, 5>}
      : (tensor<1x4x2x2xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @concat(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Concat' op cannot concatenate [2, 3] and [4, 5] along axis 1}}
  %0 = onnx.Concat %a, %b {axis = 1 : i64} : (tensor<2x3xf32>, tensor<4x5xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @split(%a: tensor<2x7xf32>) -> (!onnx.unknown, !onnx.unknown) {
  // expected-error @+1 {{'onnx.Split' op cannot split axis 1 of [2, 7] into [3, 3] for 2 results}}
  %0:2 = onnx.Split %a {axis = 1 : i64, split = array<i64: 3, 3>}
      : (tensor<2x7xf32>) -> (!onnx.unknown, !onnx.unknown)
  return %0#0, %0#1 : !onnx.unknown, !onnx.unknown
}

// -----

// 2^33 * 2^33 elements do not fit.
func.func @tile(%a: tensor<8589934592x2xf32>) -> !onnx.unknown {
  %r = onnx.Constant {value_ints = array<i64: 1, 8589934592>} : () -> !onnx.unknown
  // expected-error @+1 {{'onnx.Tile' op result 0 of shape [8589934592, 17179869184] is too large}}
  %0 = onnx.Tile %a, %r : (tensor<8589934592x2xf32>, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @pad(%a: tensor<2x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Pad' op result 0 has a dimension that is negative or too large}}
  %0 = onnx.Pad %a {pads = array<i64: 0, -2, 0, -2>} : (tensor<2x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @einsum(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Einsum' op operand 1 of shape [4, 5] does not fit equation 'ij,jk->ik'}}
  %0 = onnx.Einsum %a, %b {equation = "ij,jk->ik"}
      : (tensor<2x3xf32>, tensor<4x5xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @cast(%a: tensor<2xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Cast' op has an unknown element type 99 in 'to'}}
  %0 = onnx.Cast %a {to = 99 : i64} : (tensor<2xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// Not the operator of that name: rules read no more than its results.
func.func @results(%x: tensor<2x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Relu' op has 2 results, the operator has 1 to 1}}
  %0:2 = onnx.Relu %x : (tensor<2x3xf32>) -> (!onnx.unknown, !onnx.unknown)
  return %0#0 : !onnx.unknown
}

// -----

// A type that inference did not find is not one to fold by.
func.func @stated() -> tensor<2xi64> {
  %a = onnx.Constant {value_ints = array<i64: 4, 5>} : () -> !onnx.unknown
  %n = onnx.None : () -> !onnx.none
  %0 = onnx.Concat %a, %n, %a, %a, %a {axis = 0 : i64}
      : (!onnx.unknown, !onnx.none, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
