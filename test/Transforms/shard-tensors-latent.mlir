// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-shard-tensors=gpus=4 | FileCheck %s

// (X6) Latent attention of eight heads on four GPUs: each GPU has two heads, their projections of keys and values, and
// the whole latent cache; the output projection sums.
// CHECK-LABEL: func.func @absorbed
// CHECK-DAG: onnx.Parameter {name = "q"} : () -> tensor<96x32xf16>
// CHECK-DAG: onnx.Parameter {name = "up"} : () -> tensor<2x16x24xf16>
// CHECK-DAG: onnx.Parameter {name = "down"} : () -> tensor<2x24x16xf16>
// CHECK-DAG: onnx.Parameter {name = "o"} : () -> tensor<32x96xf16>
// CHECK: onnx.FusedAttention {{.*}}(tensor<3x2x7x24xf16>, tensor<3x1x7x24xf16>, tensor<3x1x7x24xf16>) -> tensor<3x2x7x24xf16>
// CHECK: gpucost.collective
func.func @absorbed(%x: tensor<3x7x96xf16>, %latent: tensor<3x1x7x24xf16>) -> tensor<3x7x96xf16> {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<96x128xf16>
  %up = onnx.Parameter {name = "up"} : () -> tensor<8x16x24xf16>
  %down = onnx.Parameter {name = "down"} : () -> tensor<8x24x16xf16>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<128x96xf16>
  %heads = onnx.Constant {value = dense<[3, 7, 8, 16]> : tensor<4xi64>} : () -> tensor<4xi64>
  %rows = onnx.Constant {value = dense<[3, 7, 128]> : tensor<3xi64>} : () -> tensor<3xi64>
  %q = onnx.MatMul %x, %wq : (tensor<3x7x96xf16>, tensor<96x128xf16>) -> tensor<3x7x128xf16>
  %r = onnx.Reshape %q, %heads : (tensor<3x7x128xf16>, tensor<4xi64>) -> tensor<3x7x8x16xf16>
  %t = onnx.Transpose %r {perm = array<i64: 0, 2, 1, 3>} : (tensor<3x7x8x16xf16>) -> tensor<3x8x7x16xf16>
  %a = onnx.MatMul %t, %up : (tensor<3x8x7x16xf16>, tensor<8x16x24xf16>) -> tensor<3x8x7x24xf16>
  %s = onnx.FusedAttention %a, %latent, %latent {is_causal = 1 : i64} : (tensor<3x8x7x24xf16>, tensor<3x1x7x24xf16>, tensor<3x1x7x24xf16>) -> tensor<3x8x7x24xf16>
  %v = onnx.MatMul %s, %down : (tensor<3x8x7x24xf16>, tensor<8x24x16xf16>) -> tensor<3x8x7x16xf16>
  %b = onnx.Transpose %v {perm = array<i64: 0, 2, 1, 3>} : (tensor<3x8x7x16xf16>) -> tensor<3x7x8x16xf16>
  %f = onnx.Reshape %b, %rows : (tensor<3x7x8x16xf16>, tensor<3xi64>) -> tensor<3x7x128xf16>
  %y = onnx.MatMul %f, %wo : (tensor<3x7x128xf16>, tensor<128x96xf16>) -> tensor<3x7x96xf16>
  return %y : tensor<3x7x96xf16>
}
