// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s

// NumPy broadcasting: [2, 1, 4] and [3, 1] -> [2, 3, 4].
// CHECK: func.func @broadcast
// CHECK-SAME: -> (tensor<2x3x4xf32>, tensor<2x3x4xf32>, tensor<2x3x4xi1>, tensor<2x3x4xf32>)
func.func @broadcast(%a: tensor<2x1x4xf32>, %b: tensor<3x1xf32>, %c: tensor<4xi1>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.Add %a, %b : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> !onnx.unknown
  %1 = onnx.Max %b, %a, %b
      : (tensor<3x1xf32>, tensor<2x1x4xf32>, tensor<3x1xf32>) -> !onnx.unknown
  // Comparisons give booleans.
  %2 = onnx.LessOrEqual %a, %b : (tensor<2x1x4xf32>, tensor<3x1xf32>) -> !onnx.unknown
  %3 = onnx.Where %c, %a, %b
      : (tensor<4xi1>, tensor<2x1x4xf32>, tensor<3x1xf32>) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Before opset 7 operand 1 is aligned with operand 0 starting at `axis`.
// CHECK: func.func @broadcast_attribute
// CHECK-SAME: -> tensor<2x3x4xf32>
func.func @broadcast_attribute(%a: tensor<2x3x4xf32>, %b: tensor<3xf32>) -> !onnx.unknown {
  %0 = onnx.Add %a, %b {axis = 1 : i64, broadcast = 1 : i64}
      : (tensor<2x3x4xf32>, tensor<3xf32>) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// `to` counts as in TensorProto: 10 float16, 2 uint8, 9 bool, 16 bfloat16, 17 f8E4M3FN.
// CHECK: func.func @cast
// CHECK-SAME: -> (tensor<2xf16>, tensor<2xui8>, tensor<2xi1>, tensor<2xbf16>, tensor<2xf8E4M3FN>, tensor<2xi64>)
func.func @cast(%a: tensor<2xf32>, %like: tensor<5xi64>) -> (!onnx.unknown,
    !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.Cast %a {to = 10 : i64} : (tensor<2xf32>) -> !onnx.unknown
  %1 = onnx.Cast %a {to = 2 : i64} : (tensor<2xf32>) -> !onnx.unknown
  %2 = onnx.Cast %a {to = "BOOL"} : (tensor<2xf32>) -> !onnx.unknown
  %3 = onnx.Cast %a {to = 16 : i64} : (tensor<2xf32>) -> !onnx.unknown
  %4 = onnx.Cast %a {to = 17 : i64} : (tensor<2xf32>) -> !onnx.unknown
  %5 = onnx.CastLike %a, %like : (tensor<2xf32>, tensor<5xi64>) -> !onnx.unknown
  return %0, %1, %2, %3, %4, %5 : !onnx.unknown, !onnx.unknown, !onnx.unknown,
      !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// A quantised tensor has the type of its zero point, a dequantised one has the type
// of its scale.
// CHECK: func.func @quantize
// CHECK-SAME: -> (tensor<2xi8>, tensor<2xui8>, tensor<2xf16>)
func.func @quantize(%a: tensor<2xf32>, %s: tensor<f16>, %z: tensor<i8>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.QuantizeLinear %a, %s, %z
      : (tensor<2xf32>, tensor<f16>, tensor<i8>) -> !onnx.unknown
  %1 = onnx.QuantizeLinear %a, %s : (tensor<2xf32>, tensor<f16>) -> !onnx.unknown
  %2 = onnx.DequantizeLinear %0, %s, %z
      : (!onnx.unknown, tensor<f16>, tensor<i8>) -> !onnx.unknown
  return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}
