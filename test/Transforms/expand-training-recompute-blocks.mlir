// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=every-2" | FileCheck %s --check-prefix=EVERY
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=every-2:MatMul" | FileCheck %s --check-prefix=PRODUCTS
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=Softmax,Gelu" | FileCheck %s --check-prefix=OPS
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=selective" > %t.selective
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=attention" | diff - %t.selective
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=Conv" | FileCheck %s --check-prefix=NONE

// (B9) Of two blocks the second, whole: matmuls, softmax, sum; not the first.
// EVERY: func.func @
// EVERY: onnx.Gelu
// EVERY-NEXT: %[[B:.*]] = onnx.Add
// EVERY: origin = "gradient of MatMul"
// EVERY: %[[Q2:.*]] = onnx.MatMul %[[B]], %{{.*}} {{.*}}origin = "recompute"
// EVERY: onnx.Softmax {{.*}}origin = "recompute"
// EVERY: onnx.MatMul {{.*}}origin = "recompute"
// EVERY: onnx.Add {{.*}}origin = "recompute"
// EVERY: onnx.MatMul {{.*}}origin = "recompute"{{.*}}, gpucost.recomputed}
// EVERY-NOT: recompute
// EVERY: return

// Two matmuls of a block have weights: the first is kept, the second runs again, and
// the matmuls of two activations and everything else run again as well.
// PRODUCTS: func.func @
// PRODUCTS: %[[H:.*]] = onnx.MatMul %arg0
// PRODUCTS: %[[Q1:.*]] = onnx.MatMul %[[H]]
// PRODUCTS: %[[B:.*]] = onnx.Add
// PRODUCTS: %[[Q2:.*]] = onnx.MatMul %{{.*}}, %{{.*}} : (tensor<1x4x8xf32>, tensor<8x8xf32>)
// PRODUCTS: origin = "gradient of MatMul"
// PRODUCTS: %[[T2:.*]] = onnx.Transpose {{.*}}origin = "recompute"
// PRODUCTS-NEXT: %[[S2:.*]] = onnx.MatMul %{{.*}}, %[[T2]] {{.*}}origin = "recompute"
// PRODUCTS-NEXT: %[[P2:.*]] = onnx.Softmax %[[S2]] {{.*}}origin = "recompute"
// PRODUCTS-NEXT: %[[O2:.*]] = onnx.MatMul %[[P2]], %{{.*}} {{.*}}origin = "recompute"
// PRODUCTS-NEXT: %[[A2:.*]] = onnx.Add %[[O2]], %{{.*}} {{.*}}origin = "recompute"
// PRODUCTS-NEXT: onnx.MatMul %[[A2]], {{.*}}origin = "recompute"
// PRODUCTS-NEXT: onnx.GeluGrad

// Only the softmax of each block, from scores that are kept; the output of GELU has no reader.
// OPS: func.func @
// OPS-COUNT-2: onnx.Softmax {{.*}}origin = "recompute"{{.*}}, gpucost.recomputed}
// OPS-NOT: recompute
// OPS: return

// NONE: gpucost.training_notes = [{{.*}}"no recomputation: 'Conv' matches no part of the graph"
func.func @two_blocks(%x: tensor<1x4x8xf32>) -> tensor<1x4x8xf32> {
  %w0 = onnx.Parameter : () -> tensor<8x8xf32>
  %w1 = onnx.Parameter : () -> tensor<8x8xf32>
  %w2 = onnx.Parameter : () -> tensor<8x8xf32>
  %w3 = onnx.Parameter : () -> tensor<8x8xf32>
  %w4 = onnx.Parameter : () -> tensor<8x8xf32>
  %h = onnx.MatMul %x, %w0 : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  %q = onnx.MatMul %h, %w1 : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  %t = onnx.Transpose %q {perm = array<i64: 0, 2, 1>} : (tensor<1x4x8xf32>) -> tensor<1x8x4xf32>
  %s = onnx.MatMul %q, %t : (tensor<1x4x8xf32>, tensor<1x8x4xf32>) -> tensor<1x4x4xf32>
  %p = onnx.Softmax %s {axis = -1 : i64} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %d = onnx.Dropout %p : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %o = onnx.MatMul %d, %q : (tensor<1x4x4xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %a = onnx.Add %o, %h : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %f = onnx.MatMul %a, %w2 : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  %g = onnx.Gelu %f : (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %b = onnx.Add %g, %a : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %q2 = onnx.MatMul %b, %w3 : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  %t2 = onnx.Transpose %q2 {perm = array<i64: 0, 2, 1>} : (tensor<1x4x8xf32>) -> tensor<1x8x4xf32>
  %s2 = onnx.MatMul %q2, %t2 : (tensor<1x4x8xf32>, tensor<1x8x4xf32>) -> tensor<1x4x4xf32>
  %p2 = onnx.Softmax %s2 {axis = -1 : i64} : (tensor<1x4x4xf32>) -> tensor<1x4x4xf32>
  %o2 = onnx.MatMul %p2, %q2 : (tensor<1x4x4xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %a2 = onnx.Add %o2, %b : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %f2 = onnx.MatMul %a2, %w4 : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  %g2 = onnx.Gelu %f2 : (tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %b2 = onnx.Add %g2, %a2 : (tensor<1x4x8xf32>, tensor<1x4x8xf32>) -> tensor<1x4x8xf32>
  %w5 = onnx.Parameter : () -> tensor<8x8xf32>
  %y = onnx.MatMul %b2, %w5 : (tensor<1x4x8xf32>, tensor<8x8xf32>) -> tensor<1x4x8xf32>
  return %y : tensor<1x4x8xf32>
}
