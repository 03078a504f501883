// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --split-input-file --gpucost-flatten-loops --verify-diagnostics | FileCheck %s

// A constant condition chooses; without a branch for it nothing runs.
// CHECK-LABEL: func.func @constant
// CHECK-NOT: linalg.abs
// CHECK: linalg.exp
// CHECK-NOT: linalg.abs
// CHECK: return
func.func @constant(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %false = arith.constant false
  %e = tensor.empty() : tensor<8x8xf32>
  %r = scf.if %false -> tensor<8x8xf32> {
    %0 = linalg.abs ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = linalg.abs ins(%0 : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %1 : tensor<8x8xf32>
  } else {
    %0 = linalg.exp ins(%a : tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) -> tensor<8x8xf32>
    scf.yield %0 : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @never
// CHECK-NOT: linalg.abs
// CHECK: return
func.func @never(%a: memref<8x8xf32>) {
  %false = arith.constant false
  scf.if %false {
    linalg.abs ins(%a : memref<8x8xf32>) outs(%a : memref<8x8xf32>)
  }
  return
}

// -----

// One matmul is more work than two small ops.
// CHECK-LABEL: func.func @dearest
// CHECK-NOT: linalg.abs
// CHECK: linalg.matmul
func.func @dearest(%p: i1, %a: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %e = tensor.empty() : tensor<64x64xf32>
  // expected-warning @+1 {{only the most expensive branch of 'scf.if' is counted}}
  %r = scf.if %p -> tensor<64x64xf32> {
    %0 = linalg.abs ins(%a : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    %1 = linalg.abs ins(%0 : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %1 : tensor<64x64xf32>
  } else {
    %0 = linalg.matmul ins(%a, %a : tensor<64x64xf32>, tensor<64x64xf32>) outs(%a : tensor<64x64xf32>) -> tensor<64x64xf32>
    scf.yield %0 : tensor<64x64xf32>
  }
  return %r : tensor<64x64xf32>
}
