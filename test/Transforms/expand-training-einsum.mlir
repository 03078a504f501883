// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none" | FileCheck %s

// Either gradient is dY times the other operands.
// CHECK-LABEL: func.func @three(
// CHECK: onnx.Einsum %[[A:.*]], %[[B:.*]], %[[C:.*]] {equation = "...ab,bc,cd->...ad"}
// CHECK-NEXT: onnx.Einsum %[[DY:.*]], %[[B]], %[[C]] {equation = "0ad,bc,cd->0ab", {{.*}} -> tensor<5x2x3xf32>
// CHECK-NEXT: onnx.Einsum %[[DY]], %[[A]], %[[C]] {equation = "0ad,0ab,cd->bc", {{.*}} -> tensor<3x4xf32>
// CHECK-NEXT: onnx.Einsum %[[DY]], %[[A]], %[[B]] {equation = "0ad,0ab,bc->cd", {{.*}} -> tensor<4x6xf32>
func.func @three() -> tensor<5x2x6xf32> {
  %a = onnx.Parameter : () -> tensor<5x2x3xf32>
  %b = onnx.Parameter : () -> tensor<3x4xf32>
  %c = onnx.Parameter : () -> tensor<4x6xf32>
  %0 = onnx.Einsum %a, %b, %c {equation = "...ab,bc,cd->...ad"} : (tensor<5x2x3xf32>, tensor<3x4xf32>, tensor<4x6xf32>) -> tensor<5x2x6xf32>
  return %0 : tensor<5x2x6xf32>
}

// A letter that is only summed gets the same gradient everywhere; a broadcast stack is summed.
// CHECK-LABEL: func.func @summed(
// CHECK: onnx.Einsum %[[A:.*]], %[[B:.*]] {equation = "...ij,...jk->...k"}
// CHECK-NEXT: %[[DA:.*]] = onnx.Einsum %[[DY:.*]], %[[B]] {equation = "0k,0jk->0j", {{.*}} -> tensor<5x3xf32>
// CHECK-NEXT: onnx.Expand %[[DA]] {{.*}} -> tensor<5x2x3xf32>
// CHECK-NEXT: %[[DB:.*]] = onnx.Einsum %[[DY]], %[[A]] {equation = "0k,0ij->0jk", {{.*}} -> tensor<5x3x4xf32>
// CHECK-NEXT: onnx.ReduceSum %[[DB]] {{.*}} -> tensor<1x3x4xf32>
func.func @summed() -> tensor<5x4xf32> {
  %a = onnx.Parameter : () -> tensor<5x2x3xf32>
  %b = onnx.Parameter : () -> tensor<1x3x4xf32>
  %0 = onnx.Einsum %a, %b {equation = "...ij,...jk->...k"} : (tensor<5x2x3xf32>, tensor<1x3x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}

// One operand: a view of dY; a diagonal is put back into zeros.
// CHECK-LABEL: func.func @one(
// CHECK: %[[S:.*]] = onnx.Einsum %{{.*}} {equation = "ii->i"}
// CHECK: onnx.Einsum %[[S]] {equation = "i->"}
// CHECK: %[[DS:.*]] = onnx.Expand %{{.*}} -> tensor<4xf32>
// CHECK-NEXT: %[[Z:.*]] = onnx.Fill {{.*}} -> tensor<4x4xf32>
// CHECK-NEXT: onnx.Insert %[[DS]], %[[Z]]
func.func @one() -> tensor<f32> {
  %a = onnx.Parameter : () -> tensor<4x4xf32>
  %0 = onnx.Einsum %a {equation = "ii->i"} : (tensor<4x4xf32>) -> tensor<4xf32>
  %1 = onnx.Einsum %0 {equation = "i->"} : (tensor<4xf32>) -> tensor<f32>
  return %1 : tensor<f32>
}

// A row times a stack of matrices: matmuls with one row each, summed for the row.
// CHECK-LABEL: func.func @vector(
// CHECK: onnx.MatMul %[[V:.*]], %[[M:.*]] : (tensor<3xf32>, tensor<5x3x4xf32>) -> tensor<5x4xf32>
// CHECK-NEXT: %[[DY:.*]] = onnx.Reshape %{{.*}} -> tensor<5x1x4xf32>
// CHECK-NEXT: %[[ROW:.*]] = onnx.Reshape %[[V]] {{.*}} -> tensor<1x3xf32>
// CHECK: %[[DV:.*]] = onnx.MatMul %[[DY]], %{{.*}} -> tensor<5x1x3xf32>
// CHECK-NEXT: onnx.ReduceSum %[[DV]] {{.*}} -> tensor<3xf32>
// CHECK: onnx.MatMul %{{.*}}, %[[DY]] {{.*}}(tensor<3x1xf32>, tensor<5x1x4xf32>) -> tensor<5x3x4xf32>
func.func @vector() -> tensor<5x4xf32> {
  %v = onnx.Parameter : () -> tensor<3xf32>
  %m = onnx.Parameter : () -> tensor<5x3x4xf32>
  %0 = onnx.MatMul %v, %m : (tensor<3xf32>, tensor<5x3x4xf32>) -> tensor<5x4xf32>
  return %0 : tensor<5x4xf32>
}
