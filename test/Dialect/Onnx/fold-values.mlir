// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s
// One fold per function; the function returns the folded value.

// CHECK-LABEL: func.func @integers
// CHECK-DAG: dense<[-4, -3, 3]> : tensor<3xi64>
// CHECK-DAG: dense<[1, 2, 1]> : tensor<3xi64>
// CHECK-DAG: dense<[49, 25, 49]> : tensor<3xi64>
// CHECK-DAG: dense<[-7, 0, 2]> : tensor<3xi64>
// CHECK-NOT: onnx.{{(Div|Mod|Pow|Min)}}
func.func @integers() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %a = onnx.Constant {value_ints = array<i64: -8, -7, 7>} : () -> !onnx.unknown
  %two = onnx.Constant {value_int = 2 : i64} : () -> !onnx.unknown
  // Truncates: -7 / 2 = -3.
  %0 = onnx.Div %a, %two : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  // The sign of the divisor: -5 mod 3 = 1, -4 mod 3 = 2, 7 mod 3 = 1.
  %b = onnx.Constant {value_ints = array<i64: -5, -4, 7>} : () -> !onnx.unknown
  %three = onnx.Constant {value_int = 3 : i64} : () -> !onnx.unknown
  %1 = onnx.Mod %b, %three : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %c = onnx.Constant {value_ints = array<i64: -7, 5, 7>} : () -> !onnx.unknown
  %2 = onnx.Pow %c, %two : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %d = onnx.Constant {value_ints = array<i64: 0, 0, 2>} : () -> !onnx.unknown
  %3 = onnx.Min %c, %d : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}

// Undefined results are unknown, not a crash: x / 0, and INT64_MIN / -1.
// CHECK-LABEL: func.func @undefined
// CHECK: onnx.Div
func.func @undefined() -> !onnx.unknown {
  %a = onnx.Constant {value_ints = array<i64: -9223372036854775808, 1>} : () -> !onnx.unknown
  %b = onnx.Constant {value_ints = array<i64: -1, 0>} : () -> !onnx.unknown
  %0 = onnx.Div %a, %b : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// [[1, 2, 3], [4, 5, 6]] moved around.
// CHECK-LABEL: func.func @moved
// CHECK-DAG: dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi64>
// CHECK-DAG: dense<{{\[\[}}6, 5, 4]]> : tensor<1x3xi64>
// CHECK-DAG: dense<[3, 5]> : tensor<2xi64>
// CHECK-DAG: dense<{{\[\[}}1, 2, 3, 9], [4, 5, 6, 9]]> : tensor<2x4xi64>
// CHECK-DAG: dense<{{\[\[}}1, 0, 0], [4, 5, 0]]> : tensor<2x3xi64>
func.func @moved() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown,
                       !onnx.unknown) {
  %x = onnx.Constant {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>}
      : () -> !onnx.unknown
  %none = onnx.None : () -> !onnx.none
  %0 = onnx.Transpose %x : (!onnx.unknown) -> !onnx.unknown
  // The last row, backwards.
  %s = onnx.Constant {value_ints = array<i64: -1, -1>} : () -> !onnx.unknown
  %e = onnx.Constant {value_ints = array<i64: -2, -9>} : () -> !onnx.unknown
  %1 = onnx.Slice %x, %s, %e, %none, %s
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.none, !onnx.unknown)
      -> !onnx.unknown
  // Elements (0, 2) and (1, 1).
  %i = onnx.Constant {value = dense<[[0, 2], [1, -2]]> : tensor<2x2xi64>}
      : () -> !onnx.unknown
  %2 = onnx.GatherND %x, %i : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %p = onnx.Constant {value_ints = array<i64: 0, 0, 0, 1>} : () -> !onnx.unknown
  %nine = onnx.Constant {value_int = 9 : i64} : () -> !onnx.unknown
  %3 = onnx.Pad %x, %p, %nine
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %4 = onnx.Trilu %x {upper = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
  return %0, %1, %2, %3, %4 : !onnx.unknown, !onnx.unknown, !onnx.unknown,
      !onnx.unknown, !onnx.unknown
}

// CHECK-LABEL: func.func @reduced
// CHECK-DAG: dense<[6, 15]> : tensor<2xi64>
// CHECK-DAG: dense<720> : tensor<i64>
// CHECK-DAG: dense<{{\[\[}}1, 3, 6], [4, 9, 15]]> : tensor<2x3xi64>
// CHECK-DAG: dense<2.500000e+00> : tensor<1xf32>
func.func @reduced() -> (!onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown) {
  %x = onnx.Constant {value = dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>}
      : () -> !onnx.unknown
  %0 = onnx.ReduceSum %x {axes = array<i64: 1>, keepdims = 0 : i64}
      : (!onnx.unknown) -> !onnx.unknown
  // 6! = 720.
  %1 = onnx.ReduceProd %x {keepdims = 0 : i64} : (!onnx.unknown) -> !onnx.unknown
  %a = onnx.Constant {value_int = -1 : i64} : () -> !onnx.unknown
  %2 = onnx.CumSum %x, %a : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %f = onnx.Constant {value_floats = array<f32: 1.0, 4.0>} : () -> !onnx.unknown
  %3 = onnx.ReduceMean %f : (!onnx.unknown) -> !onnx.unknown
  return %0, %1, %2, %3 : !onnx.unknown, !onnx.unknown, !onnx.unknown, !onnx.unknown
}
