// RUN: gpu-cost-opt %s --gpucost-raise-ops | FileCheck %s

// CHECK-LABEL: func @hard_swish
// CHECK-NEXT: onnx.HardSwish
// CHECK-NEXT: return
func.func @hard_swish(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = onnx.HardSigmoid %x {alpha = 0.166666672 : f32} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Mul %x, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// ONNX's own slope of 0.2 is not PyTorch's.
// CHECK-LABEL: func @other_slope
// CHECK-NEXT: onnx.HardSigmoid
// CHECK-NEXT: onnx.Mul
func.func @other_slope(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = onnx.HardSigmoid %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Mul %x, %0 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// CHECK-LABEL: func @mish
// CHECK-NEXT: onnx.Mish
// CHECK-NEXT: return
func.func @mish(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = onnx.Softplus %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Tanh %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Mul %x, %1 : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

// torchlib's softplus with a threshold, with and without beta.
// CHECK-LABEL: func @softplus
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK-NEXT: %[[A:.*]] = onnx.Softplus %[[X]]
// CHECK-NEXT: %[[B:.*]] = onnx.Softplus %[[A]]
// CHECK-NEXT: return %[[B]]
func.func @softplus(%x: tensor<8xf32>) -> tensor<8xf32> {
  %beta = onnx.Constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %t = onnx.Constant {value = dense<20.0> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Mul %x, %beta : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = onnx.Softplus %0 : (tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Div %1, %beta : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = onnx.Greater %0, %t : (tensor<8xf32>, tensor<f32>) -> tensor<8xi1>
  %4 = onnx.Where %3, %x, %2 : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  %5 = onnx.Softplus %4 : (tensor<8xf32>) -> tensor<8xf32>
  %6 = onnx.Greater %4, %t : (tensor<8xf32>, tensor<f32>) -> tensor<8xi1>
  %7 = onnx.Where %6, %4, %5 : (tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %7 : tensor<8xf32>
}

// CHECK-LABEL: func @clamp
// CHECK-SAME: (%[[X:.*]]: tensor<8xf32>)
// CHECK-DAG: %[[LO:.*]] = onnx.Constant {value = dense<0.000000e+00>
// CHECK-DAG: %[[HI:.*]] = onnx.Constant {value = dense<6.000000e+00>
// CHECK: onnx.Clip %[[X]], %[[LO]], %[[HI]]
// CHECK-NEXT: onnx.Clip %{{.*}}, %[[LO]], %[[HI]]
// CHECK-NEXT: return
func.func @clamp(%x: tensor<8xf32>) -> tensor<8xf32> {
  %lo = onnx.Constant {value = dense<0.0> : tensor<f32>} : () -> tensor<f32>
  %hi = onnx.Constant {value = dense<6.0> : tensor<f32>} : () -> tensor<f32>
  %none = onnx.None : () -> !onnx.none
  %0 = onnx.Max %x, %lo : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = onnx.Min %0, %hi : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = onnx.Clip %1, %lo : (tensor<8xf32>, tensor<f32>) -> tensor<8xf32>
  %3 = onnx.Clip %2, %none, %hi : (tensor<8xf32>, !onnx.none, tensor<f32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// rsqrt by the TorchScript exporter; a square root that is used otherwise too.
// CHECK-LABEL: func @rsqrt
// CHECK-NEXT: %[[A:.*]] = onnx.Rsqrt
// CHECK-NEXT: onnx.Sqrt %[[A]]
// CHECK-NEXT: onnx.Reciprocal
func.func @rsqrt(%x: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %one = onnx.Constant {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = onnx.Sqrt %x : (tensor<8xf32>) -> tensor<8xf32>
  %1 = onnx.Div %one, %0 : (tensor<1xf32>, tensor<8xf32>) -> tensor<8xf32>
  %2 = onnx.Sqrt %1 : (tensor<8xf32>) -> tensor<8xf32>
  %3 = onnx.Reciprocal %2 : (tensor<8xf32>) -> tensor<8xf32>
  return %2, %3 : tensor<8xf32>, tensor<8xf32>
}
