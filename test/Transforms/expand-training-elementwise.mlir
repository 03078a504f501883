// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none" | FileCheck %s

// One op is one launch; formulas come from PyTorch's derivatives.
// CHECK-LABEL: func.func @arithmetic(
// CHECK-SAME: %[[X:.*]]: tensor<4x8xf32>, %[[DY:.*]]: tensor<4x8xf32>) -> (tensor<8xf32>, tensor<4x8xf32>, tensor<4x8xf32>)
// CHECK: %[[B:.*]] = onnx.Parameter : () -> tensor<8xf32>
// CHECK: %[[C:.*]] = onnx.Parameter : () -> tensor<4x8xf32>
// CHECK: %[[S:.*]] = onnx.Sigmoid
// y = s / c: ds = dy / c, dc = -dy * ((s / c) / c).
// CHECK: %[[DS:.*]] = onnx.Div %[[DY]], %[[C]] {{.*}}origin = "gradient of Div"
// CHECK-NEXT: %[[R:.*]] = onnx.Div %[[S]], %[[C]]
// CHECK-NEXT: %[[R2:.*]] = onnx.Div %[[R]], %[[C]]
// CHECK-NEXT: %[[N:.*]] = onnx.Neg %[[DY]]
// CHECK-NEXT: %[[DC0:.*]] = onnx.Mul %[[N]], %[[R2]]
// CHECK-NEXT: %[[DA:.*]] = onnx.SigmoidGrad %[[DS]], %[[S]]
// x needs none; the product is subtracted.
// CHECK-NEXT: %[[DM:.*]] = onnx.Neg %[[DA]] {{.*}}origin = "gradient of Sub"
// CHECK-NEXT: %[[DC1:.*]] = onnx.Mul %[[DM]], %[[B]]
// CHECK-NEXT: %[[DC:.*]] = onnx.Add %[[DC0]], %[[DC1]] {{.*}}origin = "gradient sum"
// The gradient of a broadcast operand is summed.
// CHECK-NEXT: %[[DB4:.*]] = onnx.Mul %[[DM]], %[[C]]
// CHECK-NEXT: %[[DB:.*]] = onnx.ReduceSum %[[DB4]] {{.*}}-> tensor<8xf32>
// CHECK-NEXT: return {gpucost.gradients = array<i64: 0, 1>} %[[DB]], %[[DC]]
func.func @arithmetic(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %b = onnx.Parameter : () -> tensor<8xf32>
  %c = onnx.Parameter : () -> tensor<4x8xf32>
  %0 = onnx.Mul %c, %b : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %1 = onnx.Sub %x, %0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %2 = onnx.Sigmoid %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = onnx.Div %2, %c : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %3 : tensor<4x8xf32>
}

// CHECK-LABEL: func.func @functions(
// CHECK: %[[GELU:.*]] = onnx.Gelu %[[C:.*]] :
// CHECK: %[[SQRT:.*]] = onnx.Sqrt
// CHECK: %[[EXP:.*]] = onnx.Exp
// CHECK: %[[WHERE:.*]] = onnx.Where
// CHECK: %[[MAX:.*]] = onnx.Max
// CHECK: %[[ERF:.*]] = onnx.Erf
// CHECK: %[[D7:.*]] = onnx.ActivationGrad %{{.*}}, %[[ERF]] {{.*}}of = "HardSwish"
// erf: 2 / sqrt(pi) * exp(-x^2) * dy
// CHECK-NEXT: %[[E0:.*]] = onnx.Pow %[[MAX]]
// CHECK-NEXT: %[[E1:.*]] = onnx.Neg %[[E0]]
// CHECK-NEXT: %[[E2:.*]] = onnx.Exp %[[E1]]
// CHECK-NEXT: %[[E3:.*]] = onnx.Mul %[[E2]]
// CHECK-NEXT: %[[D6:.*]] = onnx.Mul %[[E3]], %[[D7]]
// maximum: where(a == b, dy / 2, dy), and 0 where a < b.
// CHECK-NEXT: %[[HALF:.*]] = onnx.Mul %[[D6]]
// CHECK-NEXT: %[[EQUAL:.*]] = onnx.Equal %[[WHERE]], %{{.*}} -> tensor<4x8xi1>
// CHECK-NEXT: %[[SHARED:.*]] = onnx.Where %[[EQUAL]], %[[HALF]], %[[D6]]
// CHECK-NEXT: %[[LESS:.*]] = onnx.Less %[[WHERE]]
// CHECK-NEXT: %[[D5:.*]] = onnx.Where %[[LESS]], %[[SHARED]]
// CHECK-NEXT: %[[D4:.*]] = onnx.Where %{{.*}}, %[[D5]] {{.*}}origin = "gradient of Where"
// exp: dy * y; sqrt: dy / (2 y); pow: dy * (e * x^(e - 1)).
// CHECK-NEXT: %[[D3:.*]] = onnx.Mul %[[D4]], %[[EXP]]
// CHECK-NEXT: %[[TWICE:.*]] = onnx.Mul %[[SQRT]]
// CHECK-NEXT: %[[D2:.*]] = onnx.Div %[[D3]], %[[TWICE]]
// CHECK-NEXT: %[[P0:.*]] = onnx.Pow %[[GELU]]
// CHECK-NEXT: %[[P1:.*]] = onnx.Mul %[[P0]]
// CHECK-NEXT: %[[D1:.*]] = onnx.Mul %[[D2]], %[[P1]]
// CHECK-NEXT: %[[D0:.*]] = onnx.GeluGrad %[[D1]], %[[C]]
// CHECK-NEXT: return {gpucost.gradients = array<i64: 0>} %[[D0]]
func.func @functions(%x: tensor<4x8xf32>, %m: tensor<4x8xi1>, %two: tensor<f32>) -> tensor<4x8xf32> {
  %c = onnx.Parameter : () -> tensor<4x8xf32>
  %0 = onnx.Gelu %c : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = onnx.Pow %0, %two : (tensor<4x8xf32>, tensor<f32>) -> tensor<4x8xf32>
  %2 = onnx.Sqrt %1 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %3 = onnx.Exp %2 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = onnx.Where %m, %3, %x : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = onnx.Max %4, %x : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %6 = onnx.Erf %5 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %7 = onnx.HardSwish %6 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %7 : tensor<4x8xf32>
}
