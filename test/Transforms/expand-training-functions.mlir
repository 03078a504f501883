// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none" | FileCheck %s

// asin: dy / sqrt(1 - x^2), as autograd launches it.
// CHECK-LABEL: func.func @inverse(
// CHECK: onnx.Asin %[[X:.*]] :
// CHECK-NEXT: %[[S0:.*]] = onnx.Mul %[[X]] {{.*}}origin = "gradient of Asin"
// CHECK-NEXT: %[[S1:.*]] = onnx.Neg %[[S0]]
// CHECK-NEXT: %[[S2:.*]] = onnx.Add %[[S1]]
// CHECK-NEXT: %[[S3:.*]] = onnx.Sqrt %[[S2]]
// CHECK-NEXT: %[[D:.*]] = onnx.Mul %{{.*}}, %[[S3]]
// CHECK-NEXT: return {gpucost.gradients = array<i64: 0>} %[[D]]
func.func @inverse() -> tensor<4x8xf32> {
  %x = onnx.Parameter : () -> tensor<4x8xf32>
  %0 = onnx.Asin %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @hyperbolic(
// CHECK: %[[Y:.*]] = onnx.Sinh %[[X:.*]] :
// CHECK: onnx.Atan %[[Y]]
// atan: dy / (1 + x^2).
// CHECK-NEXT: %[[Q:.*]] = onnx.Mul %[[Y]]
// CHECK-NEXT: %[[Q1:.*]] = onnx.Add %[[Q]]
// CHECK-NEXT: %[[D1:.*]] = onnx.Div %{{.*}}, %[[Q1]] {{.*}}origin = "gradient of Atan"
// sinh: dy * cosh(x).
// CHECK-NEXT: %[[C:.*]] = onnx.Cosh %[[X]]
// CHECK-NEXT: onnx.Mul %[[D1]], %[[C]]
func.func @hyperbolic() -> tensor<4x8xf32> {
  %x = onnx.Parameter : () -> tensor<4x8xf32>
  %0 = onnx.Sinh %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = onnx.Atan %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @reductions(
// CHECK: %[[Y:.*]] = onnx.ReduceLogSumExp %[[X:.*]] {
// CHECK-NEXT: onnx.ReduceL1 %[[Y]]
// CHECK-NEXT: %[[SIGN:.*]] = onnx.Sign %[[Y]] {{.*}}origin = "gradient of ReduceL1"
// CHECK-NEXT: %[[D1:.*]] = onnx.Mul %[[SIGN]], %{{.*}} -> tensor<4x1xf32>
// CHECK-NEXT: %[[DIFF:.*]] = onnx.Sub %[[X]], %[[Y]] {{.*}}-> tensor<4x8xf32>
// CHECK-NEXT: %[[EXP:.*]] = onnx.Exp %[[DIFF]]
// CHECK-NEXT: onnx.Mul %[[EXP]], %[[D1]] {{.*}}-> tensor<4x8xf32>
func.func @reductions() -> tensor<1x1xf32> {
  %x = onnx.Parameter : () -> tensor<4x8xf32>
  %0 = onnx.ReduceLogSumExp %x {axes = array<i64: 1>} : (tensor<4x8xf32>) -> tensor<4x1xf32>
  %1 = onnx.ReduceL1 %0 : (tensor<4x1xf32>) -> tensor<1x1xf32>
  return %1 : tensor<1x1xf32>
}

// Values go back to where they came from; positions have no gradient.
// CHECK-LABEL: func.func @selection(
// CHECK: %[[K:.*]]:2 = onnx.TopK
// CHECK: %[[ZERO:.*]] = onnx.Fill {{.*}}-> tensor<4x8xf32>
// CHECK-NEXT: onnx.Insert %{{.*}}, %[[ZERO]], %[[K]]#1 {{.*}}-> tensor<4x8xf32>
func.func @selection() -> tensor<4x3xf32> {
  %x = onnx.Parameter : () -> tensor<4x8xf32>
  %k = onnx.Constant {value = dense<3> : tensor<1xi64>} : () -> tensor<1xi64>
  %0:2 = onnx.TopK %x, %k : (tensor<4x8xf32>, tensor<1xi64>) -> (tensor<4x3xf32>, tensor<4x3xi64>)
  return %0#0 : tensor<4x3xf32>
}

// Both gradients of a gated unit in one kernel.
// CHECK-LABEL: func.func @gated(
// CHECK: onnx.SwiGLU %[[A:.*]], %[[B:.*]] :
// CHECK-NEXT: %[[G:.*]]:2 = onnx.ActivationGrad %{{.*}}, %[[A]], %[[B]] {{.*}}of = "SwiGLU"
// CHECK-NEXT: return {gpucost.gradients = array<i64: 0, 1>} %[[G]]#0, %[[G]]#1
func.func @gated() -> tensor<4x8xf32> {
  %a = onnx.Parameter : () -> tensor<4x8xf32>
  %b = onnx.Parameter : () -> tensor<4x8xf32>
  %0 = onnx.SwiGLU %a, %b : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The exponent as well: dy * y * log(x), 0 where the exponent is 0.
// CHECK-LABEL: func.func @exponent(
// CHECK: %[[Y:.*]] = onnx.Pow %[[X:.*]], %[[E:.*]] :
// CHECK: onnx.Pow %[[X]] {{.*}}origin = "gradient of Pow"
// CHECK: %[[LOG:.*]] = onnx.Log %[[X]]
// CHECK-NEXT: %[[S:.*]] = onnx.Mul %[[Y]], %[[LOG]]
// CHECK-NEXT: %[[Z:.*]] = onnx.Equal %[[E]]
// CHECK-NEXT: %[[W:.*]] = onnx.Where %[[Z]], %[[S]]
// CHECK-NEXT: %[[D:.*]] = onnx.Mul %{{.*}}, %[[W]]
// CHECK-NEXT: onnx.ReduceSum %[[D]] {{.*}} -> tensor<8xf32>
func.func @exponent() -> tensor<4x8xf32> {
  %x = onnx.Parameter : () -> tensor<4x8xf32>
  %e = onnx.Parameter : () -> tensor<8xf32>
  %0 = onnx.Pow %x, %e : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Each of the three operands that equals the maximum; the divisor gets -dy * floor(x / divisor).
// CHECK-LABEL: func.func @extremes(
// CHECK: %[[M:.*]] = onnx.Mod %[[X:.*]], %[[D:.*]] {fmod
// CHECK: %[[Y:.*]] = onnx.Max %[[M]], %[[X]], %[[D]]
// CHECK-NEXT: %[[W0:.*]] = onnx.Equal %[[M]], %[[Y]] {{.*}} -> tensor<4x8xi1>
// CHECK-NEXT: %[[DM:.*]] = onnx.Where %[[W0]]
// CHECK-COUNT-2: onnx.Equal
// CHECK: %[[Q:.*]] = onnx.Div %[[X]], %[[D]] {{.*}}origin = "gradient of Mod"
// CHECK-NEXT: onnx.Neg %[[DM]]
// CHECK-NEXT: onnx.Floor %[[Q]]
func.func @extremes() -> tensor<4x8xf32> {
  %x = onnx.Parameter : () -> tensor<4x8xf32>
  %d = onnx.Parameter : () -> tensor<4x8xf32>
  %0 = onnx.Mod %x, %d {fmod = 1 : i64} : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = onnx.Max %0, %x, %d : (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @scans(
// CHECK: %[[P:.*]] = onnx.CumProd
// CHECK: onnx.DFT
// CHECK: %[[DP:.*]] = onnx.DFT %{{.*}}inverse = 1 : i64{{.*}} -> tensor<4x8x2xf32>
// CHECK-NEXT: %[[T:.*]] = onnx.Mul %[[DP]], %[[P]]
// CHECK-NEXT: %[[S:.*]] = onnx.CumSum %[[T]]
// CHECK-NEXT: onnx.Div %[[S]]
func.func @scans() -> tensor<4x8x2xf32> {
  %x = onnx.Parameter : () -> tensor<4x8x2xf32>
  %axis = onnx.Constant {value = dense<0> : tensor<i64>} : () -> tensor<i64>
  %0 = onnx.CumProd %x, %axis : (tensor<4x8x2xf32>, tensor<i64>) -> tensor<4x8x2xf32>
  %1 = onnx.DFT %0 {axis = 1 : i64} : (tensor<4x8x2xf32>) -> tensor<4x8x2xf32>
  return %1 : tensor<4x8x2xf32>
}
