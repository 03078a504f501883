// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-fix-shapes --split-input-file --verify-diagnostics | FileCheck %s

// Results of more than 1024 elements stay the ops that make them, marked as
// constant: they launch nothing, and later passes recognise masks by them.
// CHECK-LABEL: func.func @buffers
// CHECK-DAG: onnx.Range {{.*}}onnx.constant{{.*}} -> tensor<2000xi64>
// CHECK-DAG: onnx.Range {{.*}} {onnx.constant} : {{.*}} -> tensor<70000xi64>
func.func @buffers() -> (!onnx.unknown, !onnx.unknown) {
  %zero = onnx.Constant {value_int = 0 : i64} : () -> !onnx.unknown
  %one = onnx.Constant {value_int = 1 : i64} : () -> !onnx.unknown
  %n = onnx.Constant {value_int = 2000 : i64} : () -> !onnx.unknown
  %m = onnx.Constant {value_int = 70000 : i64} : () -> !onnx.unknown
  %0 = onnx.Range %zero, %n, %one
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  %1 = onnx.Range %zero, %m, %one
      : (!onnx.unknown, !onnx.unknown, !onnx.unknown) -> !onnx.unknown
  return %0, %1 : !onnx.unknown, !onnx.unknown
}

// -----

// The declared shape is used if inference fails.
// CHECK-LABEL: func.func @declared
// CHECK-SAME: -> tensor<2x5xf32>
func.func @declared(%x: tensor<2x3xf32>) -> !onnx.unknown {
  %0 = onnx.Custom %x {domain = "my.domain", op_type = "Mine",
      onnx.declared = [tensor<2x5xf32>]} : (tensor<2x3xf32>) -> !onnx.unknown
  %1 = onnx.Relu %0 : (!onnx.unknown) -> !onnx.unknown
  return %1 : !onnx.unknown
}

// -----

// The remark is on the op that loses the shape, once.
// CHECK-LABEL: func.func @lost
// CHECK-SAME: -> !onnx.unknown
func.func @lost(%x: tensor<2x3xf32>) -> !onnx.unknown {
  // expected-remark @+1 {{shape of result 0 of operator 'Mine' is unknown; ops that depend on it have no predicted cost}}
  %0 = onnx.Custom %x {domain = "my.domain", op_type = "Mine"}
      : (tensor<2x3xf32>) -> !onnx.unknown
  %1 = onnx.Relu %0 : (!onnx.unknown) -> !onnx.unknown
  return %1 : !onnx.unknown
}

// -----

// Other dialects come with their shapes.
// CHECK-LABEL: func.func @other(%{{.*}}: tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @other(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}

// -----

// PyTorch multiplies parameters in each pass; it reads a transposed one.
// CHECK-LABEL: func.func @products
// CHECK: onnx.Transpose {{.*}}onnx.constant
// CHECK: onnx.MatMul
// CHECK-NOT: onnx.constant
// CHECK: return
func.func @products() -> !onnx.unknown {
  %w = onnx.Parameter {name = "w"} : () -> tensor<64x32xf32>
  %p = onnx.Parameter {name = "positions"} : () -> tensor<512x32xf32>
  %0 = onnx.Transpose %w {perm = array<i64: 1, 0>} : (tensor<64x32xf32>) -> !onnx.unknown
  %1 = onnx.MatMul %p, %0 : (tensor<512x32xf32>, !onnx.unknown) -> !onnx.unknown
  %2 = onnx.Relu %1 : (!onnx.unknown) -> !onnx.unknown
  return %2 : !onnx.unknown
}

// -----

// An int8 weight is widened in each pass; a small table is a constant.
// CHECK-LABEL: func.func @dequantized
// CHECK: onnx.Cast {{.*}} {to = 16 : i64} : (tensor<64x32xi8>)
// CHECK: onnx.Mul {{.*}}: (tensor<64x32xbf16>, tensor<64x1xbf16>)
// CHECK: onnx.Cast {{.*}}onnx.constant{{.*}} : (tensor<8xi8>)
func.func @dequantized() -> (!onnx.unknown, !onnx.unknown) {
  %w = onnx.Parameter {name = "w"} : () -> tensor<64x32xi8>
  %s = onnx.Parameter {name = "scale"} : () -> tensor<64x1xbf16>
  %t = onnx.Parameter {name = "table"} : () -> tensor<8xi8>
  %0 = onnx.Cast %w {to = 16 : i64} : (tensor<64x32xi8>) -> !onnx.unknown
  %1 = onnx.Mul %0, %s : (!onnx.unknown, tensor<64x1xbf16>) -> !onnx.unknown
  %2 = onnx.Cast %t {to = 16 : i64} : (tensor<8xi8>) -> !onnx.unknown
  return %1, %2 : !onnx.unknown, !onnx.unknown
}
