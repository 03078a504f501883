// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-expand-training=optimizer=sgd | FileCheck %s
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{optimizer=sgd},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s --check-prefix=WORK

// Two linear layers: loss, backward pass and update. More: expand-training-*.mlir.

// CHECK: gpucost.training_notes = ["loss: cross-entropy"]
// The targets of the loss are a new argument, the results are gradients and the outputs.
// CHECK-LABEL: func.func @linear(
// CHECK-SAME: %[[X:.*]]: tensor<8x32xf32>, %[[T:.*]]: tensor<8xi64>) -> (tensor<16x32xf32>, tensor<16xf32>, tensor<4x16xf32>, tensor<8x4xf32>)
// CHECK: %[[H:.*]] = onnx.Relu
// CHECK-NEXT: %[[L:.*]] = onnx.Gemm %[[H]], %[[W1:.*]] {transB
// CHECK-NEXT: %[[P:.*]] = onnx.LogSoftmax %[[L]] {axis = 1 : i64, gpucost.origin = "cross-entropy loss", gpucost.phase = #gpucost<phase forward>}
// CHECK-NEXT: onnx.NllLoss %[[P]], %[[T]]
// CHECK-NEXT: %[[ONE:.*]] = onnx.Fill {{.*}}origin = "gradient of the loss"{{.*}}} : () -> tensor<f32>
// CHECK-NEXT: %[[ZEROS:.*]] = onnx.Fill {{.*}}origin = "gradient of NllLoss"
// CHECK-NEXT: %[[ROWS:.*]] = onnx.Expand %[[ONE]]{{.*}} -> tensor<8xf32>
// CHECK-NEXT: %[[DP:.*]] = onnx.Insert %[[ROWS]], %[[ZEROS]], %[[T]]
// CHECK-NEXT: %[[DL:.*]] = onnx.LogSoftmaxGrad %[[DP]], %[[P]] {gpucost.origin = "gradient of LogSoftmax", gpucost.phase = #gpucost<phase backward>}

// (B1) dH = dL W1, then dW1 = (H^T dL)^T.
// CHECK-NEXT: %[[DH:.*]] = onnx.MatMul %[[DL]], %[[W1]] {{.*}}origin = "gradient of Gemm"
// CHECK-NEXT: %[[HT:.*]] = onnx.Transpose %[[H]]
// CHECK-NEXT: %[[DW1T:.*]] = onnx.MatMul %[[HT]], %[[DL]]
// CHECK-NEXT: %[[DW1:.*]] = onnx.Transpose %[[DW1T]]
// CHECK-NEXT: %[[DZ:.*]] = onnx.ReluGrad %[[DH]], %[[H]]
// CHECK-NEXT: %[[DB:.*]] = onnx.ReduceSum %[[DZ]] {{.*}}origin = "gradient of Add"{{.*}} -> tensor<16xf32>
// CHECK-NEXT: %[[XT:.*]] = onnx.Transpose %[[X]]
// CHECK-NEXT: %[[DW0T:.*]] = onnx.MatMul %[[XT]], %[[DZ]]
// The input is data and gets no gradient.
// CHECK-NEXT: %[[DW0:.*]] = onnx.Transpose %[[DW0T]]
// CHECK-NEXT: gpucost.optimizer_step "param += -lr grad"(%[[DW0]], %[[DB]], %[[DW1]]) {elements = 592 : i64, gpucost.origin = {{.*}}gpucost.phase = #gpucost<phase optimizer>,
// CHECK-NEXT: return {gpucost.gradients = array<i64: 0, 1, 2>} %[[DW0]], %[[DB]], %[[DW1]]

// Forward 2 * 8 * 16 * 32 and 2 * 8 * 4 * 16 FLOPs; the first layer costs that once
// more (dW0), the second one twice (dH and dW1).
// WORK: kernel "MatMul+Add" {{.*}}m = 8, n = 16, k = 32>, tensor_flops = 8192,
// WORK: kernel "Gemm" {{.*}}m = 8, n = 4, k = 16>, tensor_flops = 1024,
// WORK: kernel "LogSoftmax" {{.*}}rows = 8, cols = 4, pass = forward>
// dH: 4 * (8 * 4 + 4 * 16) bytes in, 4 * 8 * 16 out.
// WORK: kernel "MatMul" {{.*}}phase backward{{.*}}m = 8, n = 16, k = 4, strided_k = true>, tensor_flops = 1024, bytes_read = 384, bytes_written = 512>
// dW1: 4 * (16 * 8 + 8 * 4) in, 4 * 16 * 4 out.
// WORK: kernel "MatMul" {{.*}}phase backward{{.*}}m = 16, n = 4, k = 8, trans_a = true, strided_k = true>, tensor_flops = 1024, bytes_read = 640, bytes_written = 256>
// WORK: kernel "ReluGrad" {{.*}}count = 128>, fp32_flops = 128, bytes_read = 1024, bytes_written = 512>
// WORK: kernel "ReduceSum" {{.*}}rows = 16, cols = 8, run = 1>, fp32_flops = 128, bytes_read = 512, bytes_written = 64>
// dW0: 4 * (32 * 8 + 8 * 16) in, 4 * 32 * 16 out.
// WORK: kernel "MatMul" {{.*}}phase backward{{.*}}m = 32, n = 16, k = 8, trans_a = true, strided_k = true>, tensor_flops = 8192, bytes_read = 1536, bytes_written = 2048>
// WORK-NOT: matmul
// Parameter and gradient in, parameter out, 592 elements of 4 bytes.
// WORK: kernel "param += -lr grad" {{.*}}family = optimizer, {{.*}}count = 592>, fp32_flops = 2368, bytes_read = 4736, bytes_written = 2368>
func.func @linear(%x: tensor<8x32xf32>) -> tensor<8x4xf32> {
  %w0 = onnx.Parameter : () -> tensor<16x32xf32>
  %b0 = onnx.Parameter : () -> tensor<16xf32>
  %w1 = onnx.Parameter : () -> tensor<4x16xf32>
  %t0 = onnx.Transpose %w0 {onnx.constant, perm = array<i64: 1, 0>} : (tensor<16x32xf32>) -> tensor<32x16xf32>
  %0 = onnx.MatMul %x, %t0 : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %1 = onnx.Add %0, %b0 : (tensor<8x16xf32>, tensor<16xf32>) -> tensor<8x16xf32>
  %2 = onnx.Relu %1 : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %3 = onnx.Gemm %2, %w1 {transB = 1 : i64} : (tensor<8x16xf32>, tensor<4x16xf32>) -> tensor<8x4xf32>
  return %3 : tensor<8x4xf32>
}
