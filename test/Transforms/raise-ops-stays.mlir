// RUN: gpu-cost-opt %s --gpucost-raise-ops --split-input-file | FileCheck %s

// Graphs that look like a fusion pattern but are not.

// 0.4 is not a half.
// CHECK-LABEL: func @wrong_constant
// CHECK: onnx.Erf
// CHECK-NOT: onnx.Gelu
func.func @wrong_constant(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = onnx.Constant {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = onnx.Constant {value = dense<0.4> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Div %x, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = onnx.Erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Add %1, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = onnx.Mul %x, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = onnx.Mul %3, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----

// The value of erf is returned too.
// CHECK-LABEL: func @inner_value_used
// CHECK: onnx.Erf
// CHECK-NOT: onnx.Gelu
func.func @inner_value_used(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %c = onnx.Constant {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Div %x, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = onnx.Erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Add %1, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = onnx.Mul %x, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = onnx.Mul %3, %half : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  return %4, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Hugging Face's NewGELUActivation halves x first and launches eight kernels.
// CHECK-LABEL: func @new_gelu
// CHECK-COUNT-8: {{onnx.(Mul|Pow|Add|Tanh)}}
// CHECK-NOT: onnx.Gelu
func.func @new_gelu(%x: tensor<8xbf16>) -> tensor<8xbf16> {
  %half = onnx.Constant {value = dense<0.5> : tensor<bf16>} : () -> tensor<bf16>
  %three = onnx.Constant {value = dense<3.0> : tensor<bf16>} : () -> tensor<bf16>
  %k = onnx.Constant {value = dense<4.467770e-02> : tensor<bf16>} : () -> tensor<bf16>
  %c = onnx.Constant {value = dense<7.968750e-01> : tensor<bf16>} : () -> tensor<bf16>
  %one = onnx.Constant {value = dense<1.0> : tensor<bf16>} : () -> tensor<bf16>
  %h = onnx.Mul %x, %half : (tensor<8xbf16>, tensor<bf16>) -> tensor<8xbf16>
  %0 = onnx.Pow %x, %three : (tensor<8xbf16>, tensor<bf16>) -> tensor<8xbf16>
  %1 = onnx.Mul %0, %k : (tensor<8xbf16>, tensor<bf16>) -> tensor<8xbf16>
  %2 = onnx.Add %x, %1 : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  %3 = onnx.Mul %2, %c : (tensor<8xbf16>, tensor<bf16>) -> tensor<8xbf16>
  %4 = onnx.Tanh %3 : (tensor<8xbf16>) -> tensor<8xbf16>
  %5 = onnx.Add %4, %one : (tensor<8xbf16>, tensor<bf16>) -> tensor<8xbf16>
  %6 = onnx.Mul %h, %5 : (tensor<8xbf16>, tensor<8xbf16>) -> tensor<8xbf16>
  return %6 : tensor<8xbf16>
}

// -----

// QuickGELU: three kernels.
// CHECK-LABEL: func @quick_gelu
// CHECK: onnx.Mul
// CHECK-NEXT: onnx.Sigmoid
// CHECK-NEXT: onnx.Mul
func.func @quick_gelu(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = onnx.Constant {value = dense<1.702> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Mul %x, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = onnx.Sigmoid %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Mul %x, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
