// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=sgd" | FileCheck %s

// A value of unknown type, and an op that lacks an operand: the rules skip them,
// and the coverage report lists them.
// CHECK-LABEL: func.func @untyped
// CHECK: onnx.UnknownGrad {{.*}}of = "onnx.Cast"
// CHECK: onnx.UnknownGrad {{.*}}of = "onnx.Mul"
// CHECK: gpucost.optimizer_step
func.func @untyped(%x: tensor<4x8xf32>, %u: !onnx.unknown) -> (tensor<4x8xf32>, tensor<?x8xf32>) {
  %w = onnx.Parameter {name = "w"} : () -> tensor<4x8xf32>
  %m = onnx.Mul %w {onnx.values = ["m"]} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %a = onnx.Add %m, %u : (tensor<4x8xf32>, !onnx.unknown) -> tensor<4x8xf32>
  %c = onnx.Cast %m {to = 1 : i64} : (tensor<4x8xf32>) -> tensor<?x8xf32>
  return %m, %c : tensor<4x8xf32>, tensor<?x8xf32>
}
