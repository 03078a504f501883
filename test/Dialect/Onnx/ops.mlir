// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --emit=imported-ir | gpu-cost-opt - --emit=imported-ir | FileCheck %s
// All ops look alike: operands, ONNX attributes, functional type.

// CHECK-LABEL: func.func @main
func.func @main(%x: tensor<2x3xf32> {onnx.name = "x"}) -> !onnx.unknown {
  // CHECK: %[[W:.*]] = onnx.Parameter {onnx.values = ["w"]} : () -> tensor<3x4xf32>
  %w = onnx.Parameter {onnx.values = ["w"]} : () -> tensor<3x4xf32>
  // CHECK: %[[N:.*]] = onnx.None : () -> !onnx.none
  %none = onnx.None : () -> !onnx.none
  // CHECK: onnx.Gemm %{{.*}}, %[[W]], %[[N]] {transB = 0 : i64} : (tensor<2x3xf32>, tensor<3x4xf32>, !onnx.none) -> !onnx.unknown
  %0 = onnx.Gemm %x, %w, %none {transB = 0 : i64}
      : (tensor<2x3xf32>, tensor<3x4xf32>, !onnx.none) -> !onnx.unknown
  // CHECK: onnx.Custom %{{.*}} {domain = "my.domain", op_type = "Mine"} : (!onnx.unknown) -> !onnx.unknown
  %1 = onnx.Custom %0 {domain = "my.domain", op_type = "Mine"}
      : (!onnx.unknown) -> !onnx.unknown
  return %1 : !onnx.unknown
}

// Types without a counterpart in MLIR.
// CHECK: func.func private @types(tensor<2x!onnx.string>, !onnx.sequence)
func.func private @types(tensor<2x!onnx.string>, !onnx.sequence)
