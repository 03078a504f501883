// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes='bind=nonzero_0:5,nms_0:7,unique_0:3,reshape_0:2,reshape_0.1:8' | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-fix-shapes 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not gpu-cost-opt %s --gpucost-fix-shapes='bind=nonzero_7:5' 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// A size that depends on data has a name: the op and its number.
// OPEN-DAG: shape of result 0 of operator 'NonZero' is unknown; ops that depend on it have no predicted cost; set it with --bind=nonzero_0:<n>
// OPEN-DAG: set it with --bind=nms_0:<n>
// UNKNOWN: no symbolic dimension is named 'nonzero_7'

// CHECK: func.func @sizes
// CHECK-SAME: -> (tensor<2x5xi64>, tensor<7x3xi64>, tensor<3xf32>, tensor<3xi64>, tensor<2x8xf32>)
func.func @sizes(%x: tensor<4x4xf32>, %b: tensor<1x10x4xf32>, %s: tensor<1x2x10xf32>, %shape: tensor<2xi64>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.NonZero %x : (tensor<4x4xf32>) -> !onnx.unknown
  %1 = onnx.NonMaxSuppression %b, %s : (tensor<1x10x4xf32>, tensor<1x2x10xf32>) -> !onnx.unknown
  // Values and first positions have one size.
  %2:2 = onnx.Unique %x : (tensor<4x4xf32>) -> (!onnx.unknown, !onnx.unknown)
  // A target shape that is computed at run time has two sizes.
  %3 = onnx.Reshape %x, %shape : (tensor<4x4xf32>, tensor<2xi64>) -> !onnx.unknown
  return %0, %1, %2#0, %2#1, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Known data gives the size, and the positions.
// CHECK-LABEL: func.func @known
// CHECK-DAG: dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>
// CHECK-DAG: dense<[7, 2, 9]> : tensor<3xi64>
func.func @known() -> (!onnx.unknown, !onnx.unknown) {
  %x = onnx.Constant {value = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>} : () -> !onnx.unknown
  %0 = onnx.NonZero %x : (!onnx.unknown) -> !onnx.unknown
  %d = onnx.Constant {value_ints = array<i64: 1, 2, 3>} : () -> !onnx.unknown
  %i = onnx.Constant {value_ints = array<i64: 2, 0>} : () -> !onnx.unknown
  %u = onnx.Constant {value_ints = array<i64: 9, 7>} : () -> !onnx.unknown
  %1 = onnx.ScatterElements %d, %i, %u : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0, %1 : !onnx.unknown, !onnx.unknown
}
