// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s

// numpy.matmul: batches broadcast; a 1-D operand gives no dimension.
// CHECK: func.func @matmul
// CHECK-SAME: -> (tensor<5x8x2x4xf32>, tensor<2xf32>, tensor<4xf32>, tensor<f32>)
func.func @matmul(%a: tensor<8x2x3xf32>, %b: tensor<5x1x3x4xf32>, %c: tensor<2x3xf32>,
                  %v: tensor<3xf32>, %w: tensor<3x4xf32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.MatMul %a, %b : (tensor<8x2x3xf32>, tensor<5x1x3x4xf32>) -> !onnx.unknown
  %1 = onnx.MatMul %c, %v : (tensor<2x3xf32>, tensor<3xf32>) -> !onnx.unknown
  %2 = onnx.MatMul %v, %w : (tensor<3xf32>, tensor<3x4xf32>) -> !onnx.unknown
  %3 = onnx.MatMul %v, %v : (tensor<3xf32>, tensor<3xf32>) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// A^T [2, 3] by B^T [3, 4]; FusedMatMul transposes the last two dimensions.
// CHECK: func.func @transposed
// CHECK-SAME: -> (tensor<2x4xf32>, tensor<6x2x4xf32>, tensor<2x4xi32>)
func.func @transposed(%a: tensor<3x2xf32>, %b: tensor<4x3xf32>, %c: tensor<4xf32>,
                      %d: tensor<6x2x3xf32>, %q: tensor<2x3xi8>, %r: tensor<3x4xi8>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.Gemm %a, %b, %c {transA = 1 : i64, transB = 1 : i64}
      : (tensor<3x2xf32>, tensor<4x3xf32>, tensor<4xf32>) -> !onnx.unknown
  %1 = onnx.FusedMatMul %d, %b {transB = 1 : i64}
      : (tensor<6x2x3xf32>, tensor<4x3xf32>) -> !onnx.unknown
  %2 = onnx.MatMulInteger %q, %r : (tensor<2x3xi8>, tensor<3x4xi8>) -> !onnx.unknown
  return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Letters take the sizes of the operands; without "->" the letters that occur
// once come sorted: "ij,jk" -> "ik".
// CHECK: func.func @einsum
// CHECK-SAME: -> (tensor<2x4x3x7xf32>, tensor<3x7xf32>, tensor<5x2x4xf32>)
func.func @einsum(%a: tensor<2x3x4x5xf32>, %b: tensor<2x7x4x5xf32>, %c: tensor<3x5xf32>,
                  %d: tensor<5x7xf32>, %e: tensor<5x4x2xf32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.Einsum %a, %b {equation = "bqhd, bkhd -> bhqk"}
      : (tensor<2x3x4x5xf32>, tensor<2x7x4x5xf32>) -> !onnx.unknown
  %1 = onnx.Einsum %c, %d {equation = "ij,jk"}
      : (tensor<3x5xf32>, tensor<5x7xf32>) -> !onnx.unknown
  %2 = onnx.Einsum %e {equation = "...ij->...ji"} : (tensor<5x4x2xf32>) -> !onnx.unknown
  return %0, %1, %2 : !onnx.unknown, !onnx.unknown, !onnx.unknown
}
