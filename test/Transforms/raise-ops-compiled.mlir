// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops --split-input-file | FileCheck %s --check-prefixes=CHECK,EAGER
// RUN: gpu-cost-opt %s --gpucost-raise-ops=runtime=compiled --split-input-file | FileCheck %s --check-prefixes=CHECK,FUSED

// Llama's norm: eager execution launches each op, compiled code one kernel. The
// casts around it belong to it.
// CHECK-LABEL: func @rms_norm
// EAGER: onnx.Pow
// EAGER-NOT: onnx.RMSNormalization
// FUSED: onnx.RMSNormalization %{{.*}}, %{{.*}} {axis = -1 : i64, epsilon = 9.99999974E-6 : f32} : (tensor<2x8x64xbf16>, tensor<64xbf16>)
// FUSED-NEXT: return
func.func @rms_norm(%x: tensor<2x8x64xbf16>) -> tensor<2x8x64xbf16> {
  %w = onnx.Parameter : () -> tensor<64xbf16>
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.Cast %x {to = 1 : i64} : (tensor<2x8x64xbf16>) -> tensor<2x8x64xf32>
  %1 = onnx.Pow %0, %two : (tensor<2x8x64xf32>, tensor<f32>) -> tensor<2x8x64xf32>
  %2 = onnx.ReduceMean %1 {axes = array<i64: -1>} : (tensor<2x8x64xf32>) -> tensor<2x8x1xf32>
  %3 = onnx.Add %2, %eps : (tensor<2x8x1xf32>, tensor<f32>) -> tensor<2x8x1xf32>
  %4 = onnx.Sqrt %3 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %5 = onnx.Reciprocal %4 : (tensor<2x8x1xf32>) -> tensor<2x8x1xf32>
  %6 = onnx.Mul %0, %5 : (tensor<2x8x64xf32>, tensor<2x8x1xf32>) -> tensor<2x8x64xf32>
  %7 = onnx.Cast %6 {to = 16 : i64} : (tensor<2x8x64xf32>) -> tensor<2x8x64xbf16>
  %8 = onnx.Mul %w, %7 : (tensor<64xbf16>, tensor<2x8x64xbf16>) -> tensor<2x8x64xbf16>
  return %8 : tensor<2x8x64xbf16>
}

// -----

// x * x and a quotient, without a weight.
// CHECK-LABEL: func @rms_norm_plain
// FUSED: onnx.RMSNormalization %{{[^,]*}} {axis = -1
// FUSED-NEXT: return
func.func @rms_norm_plain(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %1 = onnx.Mul %x, %x : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = onnx.ReduceMean %1 {axes = array<i64: -1>} : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %3 = onnx.Add %eps, %2 : (tensor<f32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %4 = onnx.Sqrt %3 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %5 = onnx.Div %x, %4 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  return %5 : tensor<8x64xf32>
}

// -----

// Another tensor is divided.
// CHECK-LABEL: func @other_numerator
// CHECK: onnx.Sqrt
// CHECK-NOT: onnx.RMSNormalization
func.func @other_numerator(%x: tensor<8x64xf32>, %y: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %1 = onnx.Mul %x, %x : (tensor<8x64xf32>, tensor<8x64xf32>) -> tensor<8x64xf32>
  %2 = onnx.ReduceMean %1 {axes = array<i64: -1>} : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %3 = onnx.Add %eps, %2 : (tensor<f32>, tensor<8x1xf32>) -> tensor<8x1xf32>
  %4 = onnx.Sqrt %3 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %5 = onnx.Div %y, %4 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  return %5 : tensor<8x64xf32>
}

// -----

// LayerNorm written out in a model of opset 17 or later.
// CHECK-LABEL: func @own_layer_norm
// EAGER: onnx.Sqrt
// FUSED: onnx.LayerNormalization
// FUSED-NEXT: return
module attributes {onnx.opsets = {ai.onnx = 20 : i64}} {
func.func @own_layer_norm(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %two = onnx.Constant {value = dense<2.0> : tensor<f32>} : () -> tensor<f32>
  %eps = onnx.Constant {value = dense<1.0e-5> : tensor<f32>} : () -> tensor<f32>
  %0 = onnx.ReduceMean %x {axes = array<i64: -1>} : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %1 = onnx.Sub %x, %0 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  %2 = onnx.Pow %1, %two : (tensor<8x64xf32>, tensor<f32>) -> tensor<8x64xf32>
  %3 = onnx.ReduceMean %2 {axes = array<i64: -1>} : (tensor<8x64xf32>) -> tensor<8x1xf32>
  %4 = onnx.Add %3, %eps : (tensor<8x1xf32>, tensor<f32>) -> tensor<8x1xf32>
  %5 = onnx.Sqrt %4 : (tensor<8x1xf32>) -> tensor<8x1xf32>
  %6 = onnx.Div %1, %5 : (tensor<8x64xf32>, tensor<8x1xf32>) -> tensor<8x64xf32>
  return %6 : tensor<8x64xf32>
}
}

// -----

// (L17) Attention that a model spells out: TorchInductor replaces it with one
// kernel.
// CHECK-LABEL: func @attention
// EAGER: onnx.Softmax
// EAGER-NOT: onnx.FusedAttention
// FUSED: onnx.FusedAttention %arg0, %arg1, %arg2 {is_causal = 0 : i64, scale = 1.250000e-01 : f32}
// FUSED-NEXT: return
func.func @attention(%q: tensor<2x4x16x64xbf16>, %k: tensor<2x4x16x64xbf16>, %v: tensor<2x4x16x64xbf16>) -> tensor<2x4x16x64xbf16> {
  %scale = onnx.Constant {value = dense<8.0> : tensor<bf16>} : () -> tensor<bf16>
  %0 = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x16x64xbf16>) -> tensor<2x4x64x16xbf16>
  %1 = onnx.MatMul %q, %0 : (tensor<2x4x16x64xbf16>, tensor<2x4x64x16xbf16>) -> tensor<2x4x16x16xbf16>
  %2 = onnx.Div %1, %scale : (tensor<2x4x16x16xbf16>, tensor<bf16>) -> tensor<2x4x16x16xbf16>
  %3 = onnx.Softmax %2 {axis = -1 : i64} : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
  %4 = onnx.MatMul %3, %v : (tensor<2x4x16x16xbf16>, tensor<2x4x16x64xbf16>) -> tensor<2x4x16x64xbf16>
  return %4 : tensor<2x4x16x64xbf16>
}

// -----

// The softmax of another dimension is no attention.
// CHECK-LABEL: func @other_softmax
// CHECK: onnx.Softmax
// CHECK-NOT: onnx.FusedAttention
func.func @other_softmax(%q: tensor<2x4x16x64xbf16>, %k: tensor<2x4x16x64xbf16>, %v: tensor<2x4x16x64xbf16>) -> tensor<2x4x16x64xbf16> {
  %0 = onnx.Transpose %k {perm = array<i64: 0, 1, 3, 2>} : (tensor<2x4x16x64xbf16>) -> tensor<2x4x64x16xbf16>
  %1 = onnx.MatMul %q, %0 : (tensor<2x4x16x64xbf16>, tensor<2x4x64x16xbf16>) -> tensor<2x4x16x16xbf16>
  %2 = onnx.Softmax %1 {axis = -2 : i64} : (tensor<2x4x16x16xbf16>) -> tensor<2x4x16x16xbf16>
  %3 = onnx.MatMul %2, %v : (tensor<2x4x16x16xbf16>, tensor<2x4x16x64xbf16>) -> tensor<2x4x16x64xbf16>
  return %3 : tensor<2x4x16x64xbf16>
}
