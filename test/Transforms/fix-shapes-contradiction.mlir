// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes='bind=batch:2 record-shapes' --verify-diagnostics | FileCheck %s

// If only shapes are requested, a contradiction that the bindings may have caused does
// not stop the other ops: a warning for the first one, the declared shape for its
// result, and inference continues.
// CHECK: func.func @contradiction
// CHECK-SAME: -> (tensor<5x3xf32>, tensor<3x2xf32>)
func.func @contradiction(%a: tensor<?x3xf32> {onnx.name = "a", onnx.dims = ["batch", ""]}, %b: tensor<5x3xf32>, %c: tensor<7x3xf32>) -> (!onnx.unknown, !onnx.unknown) {
  // expected-warning @+2 {{'onnx.Add' op operand shapes [2, 3] and [5, 3] do not broadcast}}
  // expected-note @+1 {{dimensions are bound as batch = 2}}
  %0 = onnx.Add %a, %b {onnx.declared = [tensor<5x3xf32>]} : (tensor<?x3xf32>, tensor<5x3xf32>) -> !onnx.unknown
  // expected-remark @+3 {{'onnx.Add' op operand shapes [2, 3] and [7, 3] do not broadcast}}
  // expected-note @+2 {{dimensions are bound as batch = 2}}
  // expected-remark @+1 {{shape of result 0 of operator 'Add' is unknown}}
  %1 = onnx.Add %a, %c : (tensor<?x3xf32>, tensor<7x3xf32>) -> !onnx.unknown
  %2 = onnx.Neg %1 : (!onnx.unknown) -> !onnx.unknown
  %3 = onnx.Transpose %a : (tensor<?x3xf32>) -> !onnx.unknown
  %4 = onnx.Add %2, %2 : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0, %3 : !onnx.unknown, !onnx.unknown
}
