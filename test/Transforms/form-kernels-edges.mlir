// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-form-kernels | FileCheck %s
// RUN: not gpu-cost-opt %s --gpucost-form-kernels=runtime=lazy 2>&1 | FileCheck %s --check-prefix=RUNTIME

// RUNTIME: unknown value 'lazy' of --runtime, expected eager, cudagraph, compiled or as-written

// An operand that is not a bias vector of a weight matmul is a separate add: a full
// tensor, a computed vector, a matmul that is used twice.
// CHECK-LABEL: func.func @no_bias
// CHECK-COUNT-3: gpucost.kernel "MatMul" attributes {library}
// CHECK-COUNT-3: gpucost.kernel "Add" {
func.func @no_bias(%x: tensor<8x8xf32>, %v: tensor<8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %w = onnx.Parameter : () -> tensor<8x8xf32>
  %b = onnx.Parameter : () -> tensor<8xf32>
  %0 = onnx.MatMul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = onnx.MatMul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = onnx.MatMul %x, %w : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %3 = onnx.Add %0, %x : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %4 = onnx.Add %1, %v : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  %5 = onnx.Add %2, %b : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8x8xf32>
  return %2, %3, %4, %5 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}

// An unknown op is a launch, and an op of unknown shape is a launch as well.
// CHECK-LABEL: func.func @unknown
// CHECK: gpucost.kernel "Custom" {
// CHECK: gpucost.kernel "Relu" {
func.func @unknown(%x: tensor<4xf32>, %y: tensor<?xf32>) -> (tensor<4xf32>, tensor<?xf32>) {
  %0 = onnx.Custom %x {domain = "my.domain", op_type = "Foo"} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = onnx.Relu %y : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<4xf32>, tensor<?xf32>
}

// Nothing to do, nothing to read.
// CHECK-LABEL: func.func @empty
// CHECK-NEXT: return
func.func @empty(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// CHECK: func.func private @declared
func.func private @declared(tensor<4xf32>) -> tensor<4xf32>
