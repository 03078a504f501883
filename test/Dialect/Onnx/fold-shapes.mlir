// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes | FileCheck %s

// How PyTorch exports x.view(batch, seq, 12, -1): Shape, Gather, Unsqueeze,
// Concat, Reshape. All of it but the Reshape goes away.
// CHECK-LABEL: func.func @view
// CHECK-SAME: -> tensor<2x7x12x64xf32>
// CHECK-NEXT: onnx.Constant {value = dense<[2, 7, 12, -1]> : tensor<4xi64>}
// CHECK-NEXT: onnx.Reshape
// CHECK-NEXT: return
func.func @view(%x: tensor<2x7x768xf32>) -> !onnx.unknown {
  %i0 = onnx.Constant {value_int = 0 : i64} : () -> !onnx.unknown
  %i1 = onnx.Constant {value_int = 1 : i64} : () -> !onnx.unknown
  %zero = onnx.Constant {value_ints = array<i64: 0>} : () -> !onnx.unknown
  %rest = onnx.Constant {value_ints = array<i64: 12, -1>} : () -> !onnx.unknown
  %s = onnx.Shape %x : (tensor<2x7x768xf32>) -> !onnx.unknown
  %b = onnx.Gather %s, %i0 {axis = 0 : i64} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %q = onnx.Gather %s, %i1 {axis = 0 : i64} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %b1 = onnx.Unsqueeze %b, %zero : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %q1 = onnx.Unsqueeze %q, %zero : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %t = onnx.Concat %b1, %q1, %rest {axis = 0 : i64}
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %0 = onnx.Reshape %x, %t : (tensor<2x7x768xf32>, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// Every torch `expand`: a size of -1 keeps the dimension.
// Where([-1, 5, -1] == -1, ones, [-1, 5, -1]) = [1, 5, 1].
// CHECK-LABEL: func.func @expand
// CHECK-SAME: -> tensor<2x5x3xf32>
// CHECK-NEXT: onnx.Constant {value = dense<[1, 5, 1]> : tensor<3xi64>}
// CHECK-NEXT: onnx.Expand
func.func @expand(%x: tensor<2x1x3xf32>) -> !onnx.unknown {
  %size = onnx.Constant {value_ints = array<i64: -1, 5, -1>} : () -> !onnx.unknown
  %rank = onnx.Constant {value_ints = array<i64: 3>} : () -> !onnx.unknown
  %minus = onnx.Constant {value_int = -1 : i64} : () -> !onnx.unknown
  %ones = onnx.ConstantOfShape %rank {value = dense<1> : tensor<1xi64>}
      : (!onnx.unknown) -> !onnx.unknown
  %keep = onnx.Equal %size, %minus : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %to = onnx.Where %keep, %ones, %size
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %0 = onnx.Expand %x, %to : (tensor<2x1x3xf32>, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// Positions 0 ... seq - 1 and a causal mask: Range from Shape.
// CHECK-LABEL: func.func @range
// CHECK-SAME: -> (tensor<4xi64>, tensor<4x4xi1>)
// CHECK-DAG: dense<[0, 1, 2, 3]> : tensor<4xi64>
// CHECK-DAG: [true, false, false, false], [true, true, false, false], [true, true, true, false], [true, true, true, true]
// CHECK-NOT: onnx.{{[^C]}}
func.func @range(%ids: tensor<2x4xi64>) -> (!onnx.unknown, !onnx.unknown) {
  %i0 = onnx.Constant {value_int = 0 : i64} : () -> !onnx.unknown
  %i1 = onnx.Constant {value_int = 1 : i64} : () -> !onnx.unknown
  %a1 = onnx.Constant {value_ints = array<i64: 1>} : () -> !onnx.unknown
  %s = onnx.Shape %ids {start = 1 : i64, end = 2 : i64} : (tensor<2x4xi64>) -> !onnx.unknown
  %n = onnx.Squeeze %s : (!onnx.unknown) -> !onnx.unknown
  %p = onnx.Range %i0, %n, %i1 : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %q = onnx.Unsqueeze %p, %a1 : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %m = onnx.LessOrEqual %p, %q : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %p, %m : !onnx.unknown, !onnx.unknown
}

// Integer division truncates: 7 / 2 = 3; 7 rows are split into 3 and 4.
// CHECK-LABEL: func.func @arithmetic
// CHECK-SAME: -> tensor<2x3xf32>
func.func @arithmetic(%x: tensor<2x7xf32>) -> !onnx.unknown {
  %zero = onnx.Constant {value_ints = array<i64: 0>} : () -> !onnx.unknown
  %one = onnx.Constant {value_ints = array<i64: 1>} : () -> !onnx.unknown
  %two = onnx.Constant {value_ints = array<i64: 2>} : () -> !onnx.unknown
  %s = onnx.Shape %x {start = -1 : i64} : (tensor<2x7xf32>) -> !onnx.unknown
  %h = onnx.Div %s, %two : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %0 = onnx.Slice %x, %zero, %h, %one
      : (tensor<2x7xf32>, !onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// PyTorch's shape[:-2] starts at INT64_MIN.
// CHECK-LABEL: func.func @leading
// CHECK: dense<[2, 7]> : tensor<2xi64>
func.func @leading(%x: tensor<2x7x5x3xf32>) -> !onnx.unknown {
  %first = onnx.Constant {value_ints = array<i64: -9223372036854775808>} : () -> !onnx.unknown
  %end = onnx.Constant {value_ints = array<i64: -2>} : () -> !onnx.unknown
  %s = onnx.Shape %x : (tensor<2x7x5x3xf32>) -> !onnx.unknown
  %0 = onnx.Slice %s, %first, %end
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}

// A shape with one data-dependent entry keeps the others: [?, 3, 2, 2].
// CHECK-LABEL: func.func @partial
// CHECK-SAME: -> tensor<?x3x2x2xi64>
func.func @partial(%x: tensor<3x4xf32>) -> !onnx.unknown {
  %i1 = onnx.Constant {value_ints = array<i64: 1>} : () -> !onnx.unknown
  %rest = onnx.Constant {value_ints = array<i64: 3, 2, 2>} : () -> !onnx.unknown
  %nz = onnx.NonZero %x : (tensor<3x4xf32>) -> !onnx.unknown
  %s = onnx.Shape %nz : (!onnx.unknown) -> !onnx.unknown
  %n = onnx.Gather %s, %i1 : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %t = onnx.Concat %n, %rest {axis = 0 : i64} : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %0 = onnx.Expand %i1, %t : (!onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0 : !onnx.unknown
}
