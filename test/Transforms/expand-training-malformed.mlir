// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=sgd" | FileCheck %s

// Invalid ops that some ONNX files contain: unchanged.
// CHECK-LABEL: func.func @malformed
// CHECK: onnx.Dropout : () -> tensor<4x8xf32>
// CHECK: onnx.BatchNormalization %{{.*}} : (tensor<4x8xf32>) -> tensor<4x8xf32>
func.func @malformed(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %w = onnx.Parameter {name = "w"} : () -> tensor<8xf32>
  %m = onnx.Mul %x, %w : (tensor<4x8xf32>, tensor<8xf32>) -> tensor<4x8xf32>
  %e = onnx.Dropout : () -> tensor<4x8xf32>
  %b = onnx.BatchNormalization %m : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %b, %e : tensor<4x8xf32>, tensor<4x8xf32>
}

// Nor is there a gradient of nothing.
// CHECK-LABEL: func.func @nothing
// CHECK: onnx.UnknownGrad {{.*}}of = "onnx.Atanh"
func.func @nothing() -> tensor<4x8xf32> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<4x8xf32>
  %n = onnx.None : () -> !onnx.none
  %0 = onnx.Atanh %n, %w : (!onnx.none, tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A scatter without positions, a dropout without a mask.
// CHECK-LABEL: func.func @short
// CHECK: onnx.UnknownGrad {{.*}}of = "onnx.DropoutTraining"
// CHECK: onnx.UnknownGrad {{.*}}of = "onnx.Scatter"
func.func @short() -> tensor<4x8xf32> {
  %w = onnx.Parameter {name = "w"} : () -> tensor<4x8xf32>
  %0 = onnx.Scatter %w : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = onnx.DropoutTraining %0 : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}
