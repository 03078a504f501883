// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=mse optimizer=adam" | FileCheck %s

// One matrix embeds the tokens and makes the logits: one gradient, one entry of the
// optimizer. An activation with two readers sums their gradients with one kernel.
// CHECK-LABEL: func.func @tied(
// CHECK-SAME: %[[IDS:.*]]: tensor<6xi64>, %[[TARGET:.*]]: tensor<6x10xf32>) -> (tensor<10x8xf32>, tensor<6x10xf32>)
// Moments of the one parameter: 80 elements.
// CHECK-COUNT-2: onnx.Parameter {gpucost.role = #gpucost<role optimizer_state>} : () -> tensor<80xf32>
// CHECK: %[[E:.*]] = onnx.Parameter : () -> tensor<10x8xf32>
// CHECK: %[[Y:.*]] = onnx.MatMul
// CHECK-NEXT: onnx.MseLoss %[[Y]], %[[TARGET]]
// CHECK: onnx.MseLossGrad
// CHECK: %[[D3:.*]] = onnx.MatMul {{.*}}-> tensor<6x8xf32>
// CHECK: %[[DT:.*]] = onnx.MatMul {{.*}}-> tensor<8x10xf32>
// CHECK-NEXT: %[[DE1:.*]] = onnx.Transpose %[[DT]]
// Scalars, frequencies and integers get none.
// CHECK-NEXT: %[[D2:.*]] = onnx.Mul %[[D3]], %{{.*}} {{.*}}origin = "gradient of Mul"
// CHECK-NEXT: %[[D1:.*]] = onnx.Mul %[[D2]], %{{.*}} {{.*}}origin = "gradient of Mul"
// CHECK-NEXT: %[[D0:.*]] = onnx.Add %[[D2]], %[[D1]] {{.*}}origin = "gradient sum"{{.*}} -> tensor<6x8xf32>
// (B7) The rows of the table: zeros, then an addition at each index.
// CHECK-NEXT: %[[Z:.*]] = onnx.Fill {{.*}}origin = "gradient of Gather"{{.*}}} : () -> tensor<10x8xf32>
// CHECK-NEXT: %[[DE0:.*]] = onnx.Insert %[[D0]], %[[Z]], %[[IDS]]
// CHECK-NEXT: %[[DE:.*]] = onnx.Add %[[DE1]], %[[DE0]] {{.*}}origin = "gradient sum"{{.*}} -> tensor<10x8xf32>
// CHECK-NEXT: gpucost.optimizer_step "exp_avg lerp"(%[[DE]]) {elements = 80 : i64,
// CHECK: return {gpucost.gradients = array<i64: 0>} %[[DE]]
func.func @tied(%ids: tensor<6xi64>) -> tensor<6x10xf32> {
  %e = onnx.Parameter : () -> tensor<10x8xf32>
  %unused = onnx.Parameter : () -> tensor<5x5xf32>
  %s = onnx.Parameter : () -> tensor<f32>
  %f = onnx.Parameter {onnx.values = ["rotary.inv_freq"]} : () -> tensor<8xf32>
  %0 = onnx.Gather %e, %ids {axis = 0 : i64} : (tensor<10x8xf32>, tensor<6xi64>) -> tensor<6x8xf32>
  %1 = onnx.Mul %0, %f : (tensor<6x8xf32>, tensor<8xf32>) -> tensor<6x8xf32>
  %2 = onnx.Add %0, %1 : (tensor<6x8xf32>, tensor<6x8xf32>) -> tensor<6x8xf32>
  %3 = onnx.Mul %2, %s : (tensor<6x8xf32>, tensor<f32>) -> tensor<6x8xf32>
  %t = onnx.Transpose %e {onnx.constant, perm = array<i64: 1, 0>} : (tensor<10x8xf32>) -> tensor<8x10xf32>
  %4 = onnx.MatMul %3, %t : (tensor<6x8xf32>, tensor<8x10xf32>) -> tensor<6x10xf32>
  return %4 : tensor<6x10xf32>
}
