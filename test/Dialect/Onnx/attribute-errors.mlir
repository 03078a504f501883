// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --emit=imported-ir --split-input-file --verify-diagnostics
// Attributes are those that the op declares, of its kinds.

func.func @list_of_numbers(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Conv' op attribute 'strides': expected ints (array<i64: 1, 2>), found [2, 2]}}
  %0 = onnx.Conv %x, %w {strides = [2, 2]} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @one_of_a_list(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Conv' op attribute 'strides': expected ints (array<i64: 1, 2>), found 2 : i64}}
  %0 = onnx.Conv %x, %w {strides = 2 : i64} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @nearly(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Conv' op unknown attribute 'stride'; did you mean 'strides'?}}
  %0 = onnx.Conv %x, %w {stride = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @text(%x: tensor<2x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Softmax' op attribute 'axis': expected int (1 : i64), found "three"}}
  %0 = onnx.Softmax %x {axis = "three"} : (tensor<2x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @narrow(%x: tensor<2x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Softmax' op attribute 'axis': expected int (1 : i64), found 1 : i32}}
  %0 = onnx.Softmax %x {axis = 1 : i32} : (tensor<2x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @swapped(%x: tensor<2x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Softmax' op unknown attribute 'axsi'; did you mean 'axis'?}}
  %0 = onnx.Softmax %x {axsi = 0 : i64} : (tensor<2x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// Nothing is near.
func.func @far(%x: tensor<2x3xf32>) -> !onnx.unknown {
  // expected-error-re @+1 {{'onnx.Relu' op unknown attribute 'slope'{{$}}}}
  %0 = onnx.Relu %x {slope = 1.0 : f32} : (tensor<2x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @two_kinds(%x: tensor<2x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Cast' op attribute 'to': expected int (1 : i64) or string ("text"), found f16}}
  %0 = onnx.Cast %x {to = f16} : (tensor<2x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

func.func @missing(%x: tensor<2x3xf32>) -> !onnx.unknown {
  // expected-error @+1 {{'onnx.Cast' op required attribute 'to' is missing}}
  %0 = onnx.Cast %x : (tensor<2x3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// -----

// A known result type replaces the attribute; opset 1 casts to a name;
// attributes of dialects, private attributes and open lists are not checked.
func.func @allowed(%x: tensor<2x3xf32>) -> !onnx.unknown {
  %0 = onnx.Cast %x : (tensor<2x3xf32>) -> tensor<2x3xf16>
  %1 = onnx.Cast %0 {to = "FLOAT", test.mark, __backwardpass} : (tensor<2x3xf16>) -> !onnx.unknown
  %2 = onnx.ReluGrad %1, %x {anything = [1, 2]} : (!onnx.unknown, tensor<2x3xf32>) -> !onnx.unknown
  return %2 : !onnx.unknown
}
