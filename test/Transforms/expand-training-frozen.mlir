// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: split-file %s %t
// RUN: gpu-cost-opt %t/frozen.mlir --gpucost-expand-training=loss=none | FileCheck %s
// RUN: gpu-cost-opt %t/nothing.mlir --gpucost-expand-training 2>&1 | FileCheck %s --check-prefix=NOTHING

// Only values between a weight and the loss get a gradient: not data, masks, integers
// or values that are computed before the first weight; a weight that does not affect
// any output has no gradient and is not updated.
// CHECK-LABEL: func.func @frozen(
// CHECK-SAME: -> (tensor<4x8xf32>, tensor<4x8xf32>) {
// CHECK: onnx.Where %{{.*}}, %[[D:.*]] : {{.*}}tensor<4x8xf32>
// CHECK: %[[DW:.*]] = onnx.Mul %{{.*}}, %[[H:.*]] {gpucost.origin = "gradient of Mul", gpucost.phase = #gpucost<phase backward>}
// CHECK-NOT: phase backward
// CHECK: gpucost.optimizer_step "weight decay"(%[[DW]]) {elements = 32 : i64,
// CHECK: return {gpucost.gradients = array<i64: 0>} %[[DW]], %{{.*}} : tensor<4x8xf32>, tensor<4x8xf32>

// NOTHING: "no trainable parameter: the step is the unchanged graph"
// NOTHING-NOT: phase backward
// NOTHING-NOT: optimizer_step
// NOTHING: return

//--- frozen.mlir
func.func @frozen(%x: tensor<4x8xf32>, %m: tensor<4x8xi1>, %i: tensor<4x8xi64>) -> (tensor<4x8xf32>, tensor<4xi64>) {
  %w = onnx.Parameter : () -> tensor<4x8xf32>
  %unused = onnx.Parameter : () -> tensor<8x8xf32>
  %q = onnx.Parameter : () -> tensor<4x8xi64>
  %v = onnx.Parameter {onnx.values = ["norm.running_var"]} : () -> tensor<8xf32>
  %0 = onnx.Exp %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = onnx.Add %0, %v : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %2 = onnx.Add %i, %q : (tensor<4x8xi64>, tensor<4x8xi64>) -> tensor<4x8xi64>
  %3 = onnx.Mul %w, %1 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %4 = onnx.Where %m, %3, %x : (tensor<4x8xi1>, tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>
  %5 = onnx.ArgMax %4 {axis = 1 : i64, keepdims = 0 : i64} : (tensor<4x8xf32>) -> tensor<4xi64>
  return %4, %5 : tensor<4x8xf32>, tensor<4xi64>
}

//--- nothing.mlir
func.func @nothing(%x: tensor<4xf32>) -> tensor<4xf32> {
  %s = onnx.Parameter : () -> tensor<f32>
  %0 = onnx.Mul %x, %s : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
