// RUN: gpu-cost-opt %s --gpucost-raise-ops --split-input-file | FileCheck %s

// torchlib: x * (0.5 * (1 + erf(x / sqrt(2)))), constants on either side.
// CHECK-LABEL: func @erf_half_of_sum
// CHECK-NEXT: onnx.Gelu %{{.*}} {approximate = "none"}
// CHECK-NEXT: return
func.func @erf_half_of_sum(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = onnx.Constant {value = dense<0.707106769> : tensor<f32>} : () -> tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Mul %c, %x : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Add %one, %1 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = onnx.Mul %half, %2 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = onnx.Mul %3, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %4 : tensor<8xf32>
}

// -----

// (x / 2) * (1 + erf(x / sqrt(2)))
// CHECK-LABEL: func @erf_half_of_x
// CHECK-NEXT: onnx.Gelu
// CHECK-NEXT: return
func.func @erf_half_of_x(%x: tensor<8xf32>) -> tensor<8xf32> {
  %c = onnx.Constant {value = dense<1.41421354> : tensor<f32>} : () -> tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %two = onnx.Constant {value = dense<2.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %h = onnx.Div %x, %two : (tensor<8xf32>, tensor<1xf32>) -> tensor<8xf32>
  %0 = onnx.Div %x, %c : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = onnx.Erf %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Add %1, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = onnx.Mul %h, %2 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// F.gelu(x, approximate="tanh") by torchlib.
// CHECK-LABEL: func @tanh
// CHECK-NEXT: onnx.Gelu %{{.*}} {approximate = "tanh"}
// CHECK-NEXT: return
func.func @tanh(%x: tensor<8xf32>) -> tensor<8xf32> {
  %three = onnx.Constant {value = dense<3.0> : tensor<f32>} : () -> tensor<f32>
  %k = onnx.Constant {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %c = onnx.Constant {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Pow %x, %three : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = onnx.Mul %k, %0 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Add %x, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = onnx.Mul %c, %2 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = onnx.Tanh %3 : (tensor<8xf32>) -> tensor<8xf32>
  %5 = onnx.Add %4, %one : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %6 = onnx.Mul %half, %5 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %7 = onnx.Mul %x, %6 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %7 : tensor<8xf32>
}

// -----

// The same by the TorchScript exporter: 0.5 * (x * (1 + tanh(..))), x * (x * x).
// CHECK-LABEL: func @tanh_torchscript
// CHECK-NEXT: onnx.Gelu %{{.*}} {approximate = "tanh"}
// CHECK-NEXT: return
func.func @tanh_torchscript(%x: tensor<8xf32>) -> tensor<8xf32> {
  %k = onnx.Constant {value = dense<0.044715> : tensor<f32>} : () -> tensor<f32>
  %c = onnx.Constant {value = dense<0.797884583> : tensor<f32>} : () -> tensor<f32>
  %one = onnx.Constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %s = onnx.Mul %x, %x : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %0 = onnx.Mul %x, %s : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Mul %k, %0 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Add %x, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %3 = onnx.Mul %c, %2 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %4 = onnx.Tanh %3 : (tensor<8xf32>) -> tensor<8xf32>
  %5 = onnx.Add %one, %4 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  %6 = onnx.Mul %x, %5 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %7 = onnx.Mul %half, %6 : (tensor<f32>, tensor<8xf32>) -> tensor<8xf32>
  return %7 : tensor<8xf32>
}
