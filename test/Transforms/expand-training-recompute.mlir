// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=attention" | FileCheck %s --check-prefix=ATTENTION
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=full" | FileCheck %s --check-prefix=FULL
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=full software=pytorch-1.13" | FileCheck %s --check-prefix=WHOLE
// RUN: gpu-cost-opt %s --gpucost-expand-training="loss=none optimizer=none recompute=full" --gpucost-form-kernels | FileCheck %s --check-prefix=KERNEL

// `attention`: scores, softmax and dropout are computed again from Q and K before the
// gradient of their readers; the matmul with V is not.
// ATTENTION: func.func @
// ATTENTION-NOT: recompute
// ATTENTION: origin = "gradient of Gelu"
// ATTENTION: %[[S2:.*]] = onnx.MatMul {{.*}}origin = "recompute"{{.*}} -> tensor<1x4x4xf32>
// ATTENTION-NEXT: %[[P2:.*]] = onnx.Softmax %[[S2]] {{.*}}origin = "recompute", gpucost.phase = #gpucost<phase backward>, gpucost.recomputed}
// ATTENTION-NOT: recompute
// ATTENTION: onnx.Mul %{{.*}}, %[[P2]] {{.*}}origin = "gradient of Softmax"
// ATTENTION: %[[S1:.*]] = onnx.MatMul {{.*}}origin = "recompute"
// ATTENTION-NEXT: %[[P1:.*]] = onnx.Softmax %[[S1]] {{.*}}origin = "recompute"
// ATTENTION-NEXT: %[[M:.*]]:2 = onnx.DropoutTraining %[[P1]] {{.*}}origin = "recompute"{{.*}}, gpucost.recomputed}
// ATTENTION-NOT: recompute
// ATTENTION: onnx.DropoutGrad %{{.*}}, %[[M]]#1

// `full`: a block lies around one attention, between two places where a single
// activation is handed on: here %h, %b and %b2. It runs again from its input up to the
// last value that a gradient reads, the matmul before GELU; the head does not.
// FULL: func.func @
// FULL-NOT: recompute
// FULL: %[[H:.*]] = onnx.MatMul %arg0
// FULL: onnx.DropoutTraining
// FULL: onnx.Gelu
// FULL-NEXT: %[[B:.*]] = onnx.Add
// FULL: origin = "gradient of MatMul"
// FULL: %[[Q2:.*]] = onnx.MatMul %[[B]], %{{.*}} {{.*}}origin = "recompute"
// FULL: onnx.Softmax {{.*}}origin = "recompute"
// FULL-NEXT: %[[O2:.*]] = onnx.MatMul %{{.*}}, %[[Q2]] {{.*}}origin = "recompute"
// FULL-NEXT: %[[A2:.*]] = onnx.Add %[[O2]], %[[B]] {{.*}}origin = "recompute"
// FULL-NEXT: %[[F2:.*]] = onnx.MatMul %[[A2]]
// FULL-NEXT: onnx.GeluGrad %{{.*}}, %[[F2]]
// FULL-NOT: recompute
// FULL: %[[Q1:.*]] = onnx.MatMul %[[H]], %{{.*}} {{.*}}origin = "recompute"
// FULL: %[[M:.*]]:2 = onnx.DropoutTraining {{.*}}origin = "recompute"
// FULL: %[[A1:.*]] = onnx.Add {{.*}}origin = "recompute"
// FULL-NEXT: %[[F1:.*]] = onnx.MatMul %[[A1]], %{{.*}} {{.*}}origin = "recompute"
// FULL-NEXT: onnx.GeluGrad %{{.*}}, %[[F1]]
// FULL-NOT: recompute
// FULL: onnx.DropoutGrad %{{.*}}, %[[M]]#1
// FULL-NOT: recompute
// FULL: return
// Before PyTorch 2.1 the block runs again to its end, including GELU and the sum.
// WHOLE: origin = "gradient of MatMul"
// WHOLE: onnx.Softmax {{.*}}origin = "recompute"
// WHOLE-NEXT: onnx.MatMul
// WHOLE-NEXT: %[[A2:.*]] = onnx.Add
// WHOLE-NEXT: %[[F2:.*]] = onnx.MatMul %[[A2]]
// WHOLE-NEXT: %[[G2:.*]] = onnx.Gelu %[[F2]] {{.*}}origin = "recompute"
// WHOLE-NEXT: onnx.Add %[[G2]], %[[A2]] {{.*}}origin = "recompute"
// WHOLE-NEXT: onnx.GeluGrad %{{.*}}, %[[F2]]
// Kernels keep the flag of their ops: their FLOPs do not count for MFU.
// KERNEL: gpucost.kernel "Softmax" attributes {library}
// KERNEL: gpucost.kernel "Softmax" attributes {{{.*}}gpucost.origin = "recompute", gpucost.recomputed,
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
