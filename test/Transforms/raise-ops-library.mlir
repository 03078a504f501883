// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops | FileCheck %s

// The logarithm of the softmax along the classes, then one element per label.
// CHECK-LABEL: func.func @loss
// CHECK: %[[L:.*]] = onnx.LogSoftmax %{{.*}} {axis = 1 : i64} : (tensor<8x10x4xf32>)
// CHECK: onnx.NllLoss %[[L]], %{{.*}} : (tensor<8x10x4xf32>, tensor<8x4xi64>) -> tensor<f32>
// CHECK: onnx.NllLoss %arg0, %{{.*}} : (tensor<8x10x4xf32>, tensor<8x4xi64>) -> tensor<8x4xf32>
func.func @loss(%x: tensor<8x10x4xf32>, %y: tensor<8x4xi64>) -> (tensor<f32>, tensor<8x10x4xf32>, tensor<8x4xf32>) {
  %0:2 = onnx.SoftmaxCrossEntropyLoss %x, %y : (tensor<8x10x4xf32>, tensor<8x4xi64>) -> (tensor<f32>, tensor<8x10x4xf32>)
  %1 = onnx.NegativeLogLikelihoodLoss %x, %y {reduction = "none"} : (tensor<8x10x4xf32>, tensor<8x4xi64>) -> tensor<8x4xf32>
  return %0#0, %0#1, %1 : tensor<f32>, tensor<8x10x4xf32>, tensor<8x4xf32>
}

// Range of all elements, the zero point from it, the quantisation.
// CHECK-LABEL: func.func @dynamic
// CHECK: %[[S:.*]] = onnx.ReduceMax
// CHECK: %[[Z:.*]] = onnx.Cast %[[S]]
// CHECK: onnx.QuantizeLinear %{{.*}}, %[[S]], %[[Z]] : {{.*}} -> tensor<4x8xui8>
func.func @dynamic(%x: tensor<4x8xf32>) -> (tensor<4x8xui8>, tensor<f32>, tensor<ui8>) {
  %0:3 = onnx.DynamicQuantizeLinear %x : (tensor<4x8xf32>) -> (tensor<4x8xui8>, tensor<f32>, tensor<ui8>)
  return %0#0, %0#1, %0#2 : tensor<4x8xui8>, tensor<f32>, tensor<ui8>
}

// The attention of com.microsoft: a matmul for Q, K and V, then the attention over
// past and new keys.
// CHECK-LABEL: func.func @attention
// CHECK: %[[P:.*]] = onnx.MatMul %{{.*}} : (tensor<2x8x48xf16>, tensor<48x192xf16>) -> tensor<2x8x192xf16>
// CHECK: onnx.Add %[[P]], %{{.*}} -> tensor<2x8x192xf16>
// CHECK: onnx.Concat {{.*}} -> tensor<2x4x13x16xf16>
// CHECK: onnx.FusedAttention %{{.*}} {is_causal = 1 : i64} : (tensor<2x4x8x16xf16>, tensor<2x4x13x16xf16>, tensor<2x4x13x16xf16>) -> tensor<2x4x8x16xf16>
// CHECK: onnx.Reshape %{{.*}} : (tensor<2x8x4x16xf16>) -> tensor<2x8x64xf16>
func.func @attention(%x: tensor<2x8x48xf16>, %past: tensor<2x2x4x5x16xf16>) -> (tensor<2x8x64xf16>, tensor<2x2x4x13x16xf16>) {
  %none = onnx.None : () -> !onnx.none
  %w = onnx.Parameter : () -> tensor<48x192xf16>
  %b = onnx.Parameter : () -> tensor<192xf16>
  %0:2 = onnx.ContribAttention %x, %w, %b, %none, %past {num_heads = 4 : i64, unidirectional = 1 : i64} : (tensor<2x8x48xf16>, tensor<48x192xf16>, tensor<192xf16>, !onnx.none, tensor<2x2x4x5x16xf16>) -> (tensor<2x8x64xf16>, tensor<2x2x4x13x16xf16>)
  return %0#0, %0#1 : tensor<2x8x64xf16>, tensor<2x2x4x13x16xf16>
}
