// RUN: gpu-cost-opt %s --gpucost-raise-ops --split-input-file --verify-diagnostics | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-fix-shapes --gpucost-raise-ops --split-input-file --verify-diagnostics | FileCheck %s

// Each malformed op is diagnosed; the fusion patterns next to it are still found.
// CHECK-LABEL: func @beside_gelu
// CHECK: onnx.Gelu
// CHECK: onnx.Custom %arg0 {domain = "onnx", op_type = "And"}
// CHECK: onnx.Custom {domain = "onnx", op_type = "Erf"}
func.func @beside_gelu(%x: tensor<8xf32> {onnx.name = "x"}) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %c = onnx.Constant {value = dense<0.707106769> : tensor<f32>} : () -> tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Mul %c, %x : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Add %one, %1 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = onnx.Mul %half, %2 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = onnx.Mul %3, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  // expected-warning @below {{'onnx.And' op has 1 of the 2 operands that the operator requires; it is treated as an unknown operator}}
  %5 = onnx.And %x : (tensor<8xf32>) -> tensor<8xf32>
  // expected-warning @below {{'onnx.Erf' op has 0 of the 1 operands that the operator requires; it is treated as an unknown operator}}
  %6 = onnx.Erf : () -> tensor<8xf32>
  return %4, %5, %6 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// -----

// A missing optional operand is none of the required ones.
// CHECK-LABEL: func @missing_operand
// CHECK: onnx.Custom %{{.*}}, %arg0 {domain = "onnx", op_type = "Sub"}
func.func @missing_operand(%x: tensor<8xf32> {onnx.name = "x"}) -> tensor<8xf32> {
  %none = onnx.None : () -> !onnx.none
  // expected-warning @below {{'onnx.Sub' op has 0 of the 2 operands}}
  %0 = onnx.Sub %none, %x : (!onnx.none, tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
