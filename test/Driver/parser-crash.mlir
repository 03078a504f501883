// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MLIR 22's parser crashes when it casts the element types of a matmul.
// RUN: not gpu-cost-opt %s --target=a100-bf16 2>&1 | FileCheck %s
// CHECK: error: MLIR's parser crashed on this input
func.func @main(%a: tensor<8xcomplex<f64>>, %b: memref<8x32xf64>, %c: memref<16x8xf64>) {
  linalg.batch_matmul ins(%a, %b : tensor<8xcomplex<f64>>, memref<8x32xf64>) outs(%c : memref<16x8xf64>)
  return
}
