// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: split-file %s %t
// RUN: gpu-cost-opt %t/linear.mlir --gpucost-autocast=format=bf16 | FileCheck %s
// RUN: gpu-cost-opt %models/bert-base.onnx --target=a100-bf16 --mode=training --batch=2 --seq=128 --emit=ir | FileCheck %s --check-prefix=BERT
// RUN: gpu-cost-opt %t/recurrent.mlir --gpucost-autocast=format=fp16 | FileCheck %t/recurrent.mlir --check-prefix=RECURRENT

// PyTorch lowers `linear` as a whole: the bias of a weight matmul does not widen the
// sum to the format of the parameter, and the ops after it stay in 16 bit.
// CHECK-LABEL: func.func @linear
// The bias is cast before the matmul, where the library call will need it.
// CHECK: %[[B:.*]] = onnx.Cast {{.*}} : (tensor<32xf32>) -> tensor<32xbf16>
// CHECK-NEXT: %[[P:.*]] = onnx.MatMul {{.*}} -> tensor<4x8x32xbf16>
// CHECK-NEXT: %[[S:.*]] = onnx.Add %[[B]], %[[P]] : (tensor<32xbf16>, tensor<4x8x32xbf16>) -> tensor<4x8x32xbf16>
// CHECK-NEXT: onnx.Gelu %[[S]] {{.*}} -> tensor<4x8x32xbf16>

// Sums without a bias vector follow the wider operand: a computed vector, a
// constant that is not a row of columns, a matmul with another reader.
// CHECK-LABEL: func.func @others
// CHECK-COUNT-3: onnx.Add {{.*}} -> tensor<4x32xf32>

// BERT-base as exported, in the default mode of training: all its GELUs, 2 x
// 128 tokens with 4 x 768 channels, forward and backward.
// BERT: func.func @main
// BERT-NOT: onnx.Gelu {{.*}}tensor<2x128x3072xf32>
// BERT-COUNT-12: onnx.Gelu {{.*}} -> tensor<2x128x3072xbf16>
// BERT-NOT: onnx.Gelu {{.*}}tensor<2x128x3072xf32>

//--- linear.mlir
func.func @linear(%x: tensor<4x8x16xf32>) -> tensor<4x8x32xf32> {
  %w = onnx.Parameter : () -> tensor<16x32xf32>
  %b = onnx.Parameter : () -> tensor<32xf32>
  %0 = onnx.MatMul %x, %w : (tensor<4x8x16xf32>, tensor<16x32xf32>) -> tensor<4x8x32xf32>
  %1 = onnx.Add %b, %0 : (tensor<32xf32>, tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  %2 = onnx.Gelu %1 : (tensor<4x8x32xf32>) -> tensor<4x8x32xf32>
  return %2 : tensor<4x8x32xf32>
}

func.func @others(%x: tensor<4x16xf32>, %v: tensor<32xf32>) -> (tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>) {
  %w = onnx.Parameter : () -> tensor<16x32xf32>
  %b = onnx.Parameter : () -> tensor<32xf32>
  %m = onnx.Parameter : () -> tensor<4x32xf32>
  %0 = onnx.MatMul %x, %w : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
  %1 = onnx.Add %0, %v : (tensor<4x32xf32>, tensor<32xf32>) -> tensor<4x32xf32>
  %2 = onnx.MatMul %x, %w : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
  %3 = onnx.Add %2, %m : (tensor<4x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  %4 = onnx.MatMul %x, %w : (tensor<4x16xf32>, tensor<16x32xf32>) -> tensor<4x32xf32>
  %5 = onnx.Add %4, %b : (tensor<4x32xf32>, tensor<32xf32>) -> tensor<4x32xf32>
  return %1, %3, %5, %4 : tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>
}

//--- recurrent.mlir
// A recurrent layer runs entirely in 16 bit, including its pointwise kernel, in any
// format of its inputs.
// RECURRENT: onnx.RecurrentProduct {{.*}} -> tensor<4x256xf16>
// RECURRENT: onnx.RecurrentCell {{.*}} -> tensor<10x4x64xf16>
func.func @lstm(%all: tensor<10x4x256xf32>, %r: tensor<256x64xf32>) -> tensor<10x4x64xf32> {
  %0 = onnx.RecurrentProduct %all, %r {gpucost.trip_count = 10 : i64} : (tensor<10x4x256xf32>, tensor<256x64xf32>) -> tensor<4x256xf32>
  %1 = onnx.RecurrentCell %all, %0 {gpucost.trip_count = 10 : i64} : (tensor<10x4x256xf32>, tensor<4x256xf32>) -> tensor<10x4x64xf32>
  return %1 : tensor<10x4x64xf32>
}
