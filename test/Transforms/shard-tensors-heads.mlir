// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: not gpu-cost-opt %s --gpucost-shard-tensors=gpus=4 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: gpu-cost-opt %s --gpucost-shard-tensors='gpus=4 tp-pad-heads' | FileCheck %s

// (X6) Six heads of 16 on four GPUs: no slower answer in silence. With padding to 8
// each GPU has 2 of them: 32 columns.
// ERROR: attention of 1 block has 6 heads, which cannot be split across 4 GPUs; use a number of GPUs that divides 6, or --tp-pad-heads, which pads them to 8
// CHECK: gpucost.parallel_notes = ["tensor parallelism, 1 x attention: heads padded from 6/6 to 8/8 (queries/keys), --tp-pad-heads"]
// CHECK-DAG: onnx.Parameter {name = "q"} : () -> tensor<96x32xf16>
// CHECK-DAG: onnx.Parameter {name = "o"} : () -> tensor<32x96xf16>
// CHECK: onnx.MultiHeadAttention {{.*}}num_heads = 2 : i64
func.func @six(%x: tensor<3x7x96xf16>) -> tensor<3x7x96xf16> {
  %wq = onnx.Parameter {name = "q"} : () -> tensor<96x96xf16>
  %wk = onnx.Parameter {name = "k"} : () -> tensor<96x96xf16>
  %wv = onnx.Parameter {name = "v"} : () -> tensor<96x96xf16>
  %wo = onnx.Parameter {name = "o"} : () -> tensor<96x96xf16>
  %q = onnx.MatMul %x, %wq : (tensor<3x7x96xf16>, tensor<96x96xf16>) -> tensor<3x7x96xf16>
  %k = onnx.MatMul %x, %wk : (tensor<3x7x96xf16>, tensor<96x96xf16>) -> tensor<3x7x96xf16>
  %v = onnx.MatMul %x, %wv : (tensor<3x7x96xf16>, tensor<96x96xf16>) -> tensor<3x7x96xf16>
  %a = onnx.MultiHeadAttention %q, %k, %v {num_heads = 6 : i64} : (tensor<3x7x96xf16>, tensor<3x7x96xf16>, tensor<3x7x96xf16>) -> tensor<3x7x96xf16>
  %y = onnx.MatMul %a, %wo : (tensor<3x7x96xf16>, tensor<96x96xf16>) -> tensor<3x7x96xf16>
  return %y : tensor<3x7x96xf16>
}
