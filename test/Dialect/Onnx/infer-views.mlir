// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s

// CHECK: func.func @reshape
// CHECK-SAME: -> (tensor<2x12xf32>, tensor<2x3x4x1xf32>, tensor<6x4xf32>, tensor<0x3xf32>, tensor<0x15xf32>)
func.func @reshape(%x: tensor<2x3x4xf32>, %e: tensor<0x5xf32>, %f: tensor<0x3x5xf32>)
    -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  // 0 copies dimension 0; -1 is 24 / 2.
  %s0 = onnx.Constant {value_ints = array<i64: 0, -1>} : () -> !onnx.unknown
  %0 = onnx.Reshape %x, %s0 : (tensor<2x3x4xf32>, !onnx.unknown) -> !onnx.unknown
  %s1 = onnx.Constant {value = dense<[0, 0, 4, 1]> : tensor<4xi64>} : () -> !onnx.unknown
  %1 = onnx.Reshape %x, %s1 : (tensor<2x3x4xf32>, !onnx.unknown) -> !onnx.unknown
  // Opset 1: an attribute.
  %2 = onnx.Reshape %x {shape = array<i64: 6, 4>} : (tensor<2x3x4xf32>) -> !onnx.unknown
  // allowzero: 0 is a size.
  %s3 = onnx.Constant {value_ints = array<i64: 0, 3>} : () -> !onnx.unknown
  %3 = onnx.Reshape %e, %s3 {allowzero = 1 : i64}
      : (tensor<0x5xf32>, !onnx.unknown) -> !onnx.unknown
  // Without elements -1 has the value that it has with any other size: 3 * 5.
  %4 = onnx.Reshape %f, %s0 : (tensor<0x3x5xf32>, !onnx.unknown) -> !onnx.unknown
  return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Axes come as an operand or, in older opsets, as an attribute.
// CHECK: func.func @axes
// CHECK-SAME: -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<1x2x1x3x1xf32>, tensor<6x1xf32>, tensor<3x1x2x1xf32>)
func.func @axes(%x: tensor<2x1x3x1xf32>) -> (!onnx.unknown, !onnx.unknown,
    !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %0 = onnx.Squeeze %x : (tensor<2x1x3x1xf32>) -> !onnx.unknown
  %1 = onnx.Squeeze %x {axes = array<i64: 1, -1>} : (tensor<2x1x3x1xf32>) -> !onnx.unknown
  %a = onnx.Constant {value_ints = array<i64: 0, 2, -1>} : () -> !onnx.unknown
  %2 = onnx.Unsqueeze %1, %a : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %3 = onnx.Flatten %x {axis = 3 : i64} : (tensor<2x1x3x1xf32>) -> !onnx.unknown
  %4 = onnx.Transpose %x {perm = array<i64: 2, 1, 0, 3>}
      : (tensor<2x1x3x1xf32>) -> !onnx.unknown
  return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown,
      !onnx.unknown, !onnx.unknown
}

// CHECK: func.func @slice
// CHECK-SAME: -> (tensor<10x3xf32>, tensor<4x8xf32>, tensor<10x8xf32>, tensor<2x8xf32>)
func.func @slice(%x: tensor<10x8xf32>) -> (!onnx.unknown, !onnx.unknown,
    !onnx.unknown, !onnx.unknown) {
  // Axis 1 from 8 - 3 = 5 to the end.
  %s0 = onnx.Constant {value_ints = array<i64: -3>} : () -> !onnx.unknown
  %e0 = onnx.Constant {value_ints = array<i64: 9223372036854775807>} : () -> !onnx.unknown
  %a0 = onnx.Constant {value_ints = array<i64: 1>} : () -> !onnx.unknown
  %0 = onnx.Slice %x, %s0, %e0, %a0 : (tensor<10x8xf32>, !onnx.unknown,
      !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  // 9, 7, 5, 3: from 20, clamped to 9, down to 2, in steps of -2.
  %s1 = onnx.Constant {value_ints = array<i64: 20>} : () -> !onnx.unknown
  %e1 = onnx.Constant {value_ints = array<i64: 2>} : () -> !onnx.unknown
  %a1 = onnx.Constant {value_ints = array<i64: 0>} : () -> !onnx.unknown
  %t1 = onnx.Constant {value_ints = array<i64: -2>} : () -> !onnx.unknown
  %1 = onnx.Slice %x, %s1, %e1, %a1, %t1 : (tensor<10x8xf32>, !onnx.unknown,
      !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  // Reversal: from -1 to INT64_MIN in steps of -1.
  %s2 = onnx.Constant {value_ints = array<i64: -1>} : () -> !onnx.unknown
  %e2 = onnx.Constant {value_ints = array<i64: -9223372036854775808>} : () -> !onnx.unknown
  %2 = onnx.Slice %x, %s2, %e2, %a1, %s2 : (tensor<10x8xf32>, !onnx.unknown,
      !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  // Opset 1.
  %3 = onnx.Slice %x {starts = array<i64: 1>, ends = array<i64: 3>}
      : (tensor<10x8xf32>) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Sizes from an operand, an attribute, or equal; 7 in 3 parts: 3, 3, 1.
// CHECK: func.func @split
// CHECK-SAME: -> (tensor<2x1xf32>, tensor<2x6xf32>, tensor<2x4xf32>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x1xf32>)
func.func @split(%x: tensor<2x7xf32>) -> (!onnx.unknown, !onnx.unknown,
    !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %s = onnx.Constant {value_ints = array<i64: 1, 6>} : () -> !onnx.unknown
  %0:2 = onnx.Split %x, %s {axis = 1 : i64}
      : (tensor<2x7xf32>, !onnx.unknown) -> (!onnx.unknown, !onnx.unknown)
  %1:2 = onnx.Split %x {axis = -1 : i64, split = array<i64: 4, 3>}
      : (tensor<2x7xf32>) -> (!onnx.unknown, !onnx.unknown)
  %2:3 = onnx.Split %x {axis = 1 : i64, num_outputs = 3 : i64}
      : (tensor<2x7xf32>) -> (!onnx.unknown, !onnx.unknown, !onnx.unknown)
  return %0#0, %0#1, %1#0, %2#0, %2#1, %2#2 : !onnx.unknown, !onnx.unknown,
      !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}
