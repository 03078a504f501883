// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-raise-ops=mode=training | FileCheck %s
// RUN: gpu-cost-opt %s --gpucost-raise-ops | FileCheck %s --check-prefix=KEPT

// Inference runs the fused kernel; training runs the ops that it replaces.
// KEPT-COUNT-2: onnx.Skip

// CHECK-LABEL: func.func @norms(
// CHECK-SAME: %[[X:.*]]: tensor<2x8x16xf32>, %[[S:.*]]: tensor<2x8x16xf32>
// CHECK: %[[B:.*]] = onnx.Add %[[X]], %{{.*}} : (tensor<2x8x16xf32>, tensor<16xf32>)
// CHECK: %[[SUM:.*]] = onnx.Add %[[B]], %[[S]]
// CHECK: %[[Y:.*]] = onnx.LayerNormalization %[[SUM]], %{{.*}}, %{{.*}} {axis = -1 : i64, epsilon = 9.99999996E-13 : f32}
// CHECK: %[[R:.*]] = onnx.Add %[[Y]], %[[SUM]]
// CHECK: %[[N:.*]] = onnx.SimplifiedLayerNormalization %[[R]], %{{.*}} {axis = -1 : i64}
// CHECK: return %[[N]]
func.func @norms(%x: tensor<2x8x16xf32>, %skip: tensor<2x8x16xf32>) -> tensor<2x8x16xf32> {
  %w = onnx.Parameter : () -> tensor<16xf32>
  %0:4 = onnx.SkipLayerNormalization %x, %skip, %w, %w, %w {epsilon = 1.0e-12 : f32}
      : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
      -> (tensor<2x8x16xf32>, !onnx.none, !onnx.none, tensor<2x8x16xf32>)
  %1 = onnx.SkipSimplifiedLayerNormalization %0#0, %0#3, %w
      : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<16xf32>) -> tensor<2x8x16xf32>
  return %1 : tensor<2x8x16xf32>
}

// Statistics that are used have no such form.
// CHECK-LABEL: func.func @statistics(
// CHECK: onnx.SkipLayerNormalization
func.func @statistics(%x: tensor<2x8x16xf32>) -> (tensor<2x8x16xf32>, tensor<2x8x1xf32>) {
  %w = onnx.Parameter : () -> tensor<16xf32>
  %0:2 = onnx.SkipLayerNormalization %x, %x, %w
      : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<16xf32>) -> (tensor<2x8x16xf32>, tensor<2x8x1xf32>)
  return %0#0, %0#1 : tensor<2x8x16xf32>, tensor<2x8x1xf32>
}

// Three tables; the positions are a buffer of the model. The lengths come from the mask.
// CHECK-LABEL: func.func @embedding(
// CHECK: %[[W:.*]] = onnx.Gather %{{.*}}, %arg0 : (tensor<100x16xf32>, tensor<2x8xi32>) -> tensor<2x8x16xf32>
// CHECK: %[[S:.*]] = onnx.Gather %{{.*}}, %arg1
// CHECK: %[[WS:.*]] = onnx.Add %[[W]], %[[S]]
// CHECK: %[[I:.*]] = onnx.Parameter : () -> tensor<1x8xi64>
// CHECK: %[[P:.*]] = onnx.Gather %{{.*}}, %[[I]] : (tensor<32x16xf32>, tensor<1x8xi64>) -> tensor<1x8x16xf32>
// CHECK: %[[SUM:.*]] = onnx.Add %[[WS]], %[[P]]
// CHECK: %[[Y:.*]] = onnx.LayerNormalization %[[SUM]]
// CHECK: %[[L:.*]] = onnx.ReduceSum %arg2 : (tensor<2x8xi32>) -> tensor<2xi32>
// CHECK: return %[[Y]], %[[L]]
func.func @embedding(%ids: tensor<2x8xi32>, %segments: tensor<2x8xi32>, %mask: tensor<2x8xi32>) -> (tensor<2x8x16xf32>, tensor<2xi32>) {
  %words = onnx.Parameter : () -> tensor<100x16xf32>
  %positions = onnx.Parameter : () -> tensor<32x16xf32>
  %types = onnx.Parameter : () -> tensor<2x16xf32>
  %w = onnx.Parameter : () -> tensor<16xf32>
  %0:2 = onnx.EmbedLayerNormalization %ids, %segments, %words, %positions, %types, %w, %w, %mask
      : (tensor<2x8xi32>, tensor<2x8xi32>, tensor<100x16xf32>, tensor<32x16xf32>, tensor<2x16xf32>, tensor<16xf32>, tensor<16xf32>, tensor<2x8xi32>)
      -> (tensor<2x8x16xf32>, tensor<2xi32>)
  return %0#0, %0#1 : tensor<2x8x16xf32>, tensor<2xi32>
}

// CHECK-LABEL: func.func @activations(
// CHECK: %[[B:.*]] = onnx.Add %arg0
// CHECK: %[[G:.*]] = onnx.Gelu %[[B]]
// CHECK: %[[F:.*]] = onnx.Add %[[G]]
// CHECK: %[[FG:.*]] = onnx.FastGelu %[[F]] : (tensor<2x8x16xf32>) -> tensor<2x8x16xf32>
// CHECK: %[[P:.*]] = onnx.FusedMatMul %[[FG]], %{{.*}} {transB = 1 : i64}
// CHECK: %[[R:.*]] = onnx.Relu %[[P]]
// CHECK: %[[H:.*]]:2 = onnx.Split %{{.*}} {axis = -1 : i64} : (tensor<2x8x16xf32>) -> (tensor<2x8x8xf32>, tensor<2x8x8xf32>)
// CHECK: %[[GATE:.*]] = onnx.Gelu %[[H]]#1
// CHECK: onnx.Mul %[[H]]#0, %[[GATE]]
func.func @activations(%x: tensor<2x8x16xf32>) -> tensor<2x8x8xf32> {
  %b = onnx.Parameter : () -> tensor<16xf32>
  %w = onnx.Parameter : () -> tensor<16x16xf32>
  %0 = onnx.BiasGelu %x, %b : (tensor<2x8x16xf32>, tensor<16xf32>) -> tensor<2x8x16xf32>
  %1 = onnx.FastGelu %0, %b : (tensor<2x8x16xf32>, tensor<16xf32>) -> tensor<2x8x16xf32>
  %2 = onnx.FusedMatMulActivation %1, %w {activation = "Relu", transB = 1 : i64} : (tensor<2x8x16xf32>, tensor<16x16xf32>) -> tensor<2x8x16xf32>
  %3 = onnx.BiasSplitGelu %2, %b : (tensor<2x8x16xf32>, tensor<16xf32>) -> tensor<2x8x8xf32>
  return %3 : tensor<2x8x8xf32>
}

// CHECK-LABEL: func.func @convolutions(
// CHECK: %[[C:.*]] = onnx.Conv %arg0, %{{.*}}, %{{.*}} {kernel_shape = array<i64: 1, 1>}
// CHECK: %[[Z:.*]] = onnx.Add %[[C]], %arg0
// CHECK: %[[R:.*]] = onnx.Relu %[[Z]]
// CHECK: %[[S:.*]] = onnx.Add %[[R]], %arg0
// CHECK: %[[N:.*]] = onnx.GroupNorm %[[S]], %{{.*}}, %{{.*}} {groups = 2 : i64}
// CHECK: onnx.Silu %[[N]]
// An unknown activation.
// CHECK: onnx.FusedConv
func.func @convolutions(%x: tensor<1x4x6x6xf32>) -> (tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>) {
  %w = onnx.Parameter : () -> tensor<4x4x1x1xf32>
  %b = onnx.Parameter : () -> tensor<4xf32>
  %0 = onnx.FusedConv %x, %w, %b, %x {activation = "Relu", kernel_shape = array<i64: 1, 1>}
      : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>, tensor<4xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %1 = onnx.SkipGroupNorm %0, %b, %b, %x {groups = 2 : i64, activation = 1 : i64}
      : (tensor<1x4x6x6xf32>, tensor<4xf32>, tensor<4xf32>, tensor<1x4x6x6xf32>) -> tensor<1x4x6x6xf32>
  %2 = onnx.FusedConv %x, %w, %b {activation = "Other"}
      : (tensor<1x4x6x6xf32>, tensor<4x4x1x1xf32>, tensor<4xf32>) -> tensor<1x4x6x6xf32>
  return %1, %2 : tensor<1x4x6x6xf32>, tensor<1x4x6x6xf32>
}

// CHECK-LABEL: func.func @dropout(
// CHECK: %[[B:.*]] = onnx.Add %arg0
// CHECK: %[[D:.*]]:2 = onnx.Dropout %[[B]], %{{.*}} : (tensor<4x8xf32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xi1>)
// CHECK: %[[R:.*]] = onnx.Add %[[D]]#0, %arg0
// CHECK: return %[[R]], %[[D]]#1
func.func @dropout(%x: tensor<4x8xf32>, %ratio: tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xi1>) {
  %b = onnx.Parameter : () -> tensor<8xf32>
  %0:2 = onnx.BiasDropout %x, %b, %x, %ratio : (tensor<4x8xf32>, tensor<8xf32>, tensor<4x8xf32>, tensor<f32>) -> (tensor<4x8xf32>, tensor<4x8xi1>)
  return %0#0, %0#1 : tensor<4x8xf32>, tensor<4x8xi1>
}

// Biases of the projections and the rotation are separate ops.
// CHECK-LABEL: func.func @attention(
// CHECK: %[[BQ:.*]] = onnx.Slice %{{.*}} -> tensor<16xf32>
// CHECK: onnx.Add %arg0, %[[BQ]]
// CHECK: onnx.FusedAttention %{{.*}} : (tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>, tensor<2x4x8x4xf32>) -> tensor<2x4x8x4xf32>
// CHECK: onnx.RotaryEmbedding %{{.*}} -> tensor<2x4x8x4xf32>
// CHECK: onnx.RotaryEmbedding %{{.*}} -> tensor<2x2x8x4xf32>
// CHECK: onnx.FusedAttention %{{.*}} {is_causal = 1 : i64} : (tensor<2x4x8x4xf32>, tensor<2x2x8x4xf32>, tensor<2x2x8x4xf32>) -> tensor<2x4x8x4xf32>
func.func @attention(%x: tensor<2x8x16xf32>, %kv: tensor<2x8x8xf32>) -> tensor<2x8x16xf32> {
  %b = onnx.Parameter : () -> tensor<48xf32>
  %0 = onnx.MultiHeadAttention %x, %x, %x, %b {num_heads = 4 : i64}
      : (tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<2x8x16xf32>, tensor<48xf32>) -> tensor<2x8x16xf32>
  %1 = onnx.GroupQueryAttention %0, %kv, %kv {num_heads = 4 : i64, kv_num_heads = 2 : i64, do_rotary = 1 : i64}
      : (tensor<2x8x16xf32>, tensor<2x8x8xf32>, tensor<2x8x8xf32>) -> tensor<2x8x16xf32>
  return %1 : tensor<2x8x16xf32>
}
