// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s

// (B6) Fused attention computes the scores again: 2.5 times the matmuls of the forward
// pass, 10 * 2 * 12 * 100 * 100 * 64 FLOPs, 8 fp32 FLOPs and one exponential per score.
// CHECK-LABEL: func.func @flash
// CHECK: %[[O:.*]] = gpucost.kernel "FusedAttention" {{.*}}head_dim = 64>, tensor_flops = 61440000, fp32_flops = 1200000, special_ops = 240000,
// Q, K and V are one tensor here: that, O and dO, 2 * 2 * 12 * 100 * 64 bytes each; out
// come dQ, dK and dV.
// CHECK: %[[D:.*]]:3 = gpucost.kernel "FusedAttentionGrad" {{.*}}heads = 12, kv_heads = 12, query_length = 100, kv_length = 100, head_dim = 64, backward = true>, tensor_flops = 153600000, fp32_flops = 1920000, special_ops = 240000, bytes_read = 921600, bytes_written = 921600>
// CHECK-NEXT: onnx.FusedAttentionGrad %[[Q:.*]], %[[Q]], %[[Q]], %[[O]], %
// Two sums for three readers.
// CHECK: %[[S:.*]] = gpucost.kernel "Add" {{.*}}origin = "gradient sum"
// CHECK-NEXT: onnx.Add %[[D]]#0, %[[D]]#1
// CHECK: gpucost.kernel "Add" {{.*}}origin = "gradient sum"
// CHECK-NEXT: onnx.Add %[[S]], %[[D]]#2
// CHECK: kernel "MatMul" {{.*}}m = 768, n = 768, k = 200, trans_a = true>, tensor_flops = 235929600,
func.func @flash(%x: tensor<2x100x768xbf16>, %s: tensor<4xi64>) -> tensor<2x12x100x64xbf16> {
  %w = onnx.Parameter : () -> tensor<768x768xbf16>
  %0 = onnx.MatMul %x, %w : (tensor<2x100x768xbf16>, tensor<768x768xbf16>) -> tensor<2x100x768xbf16>
  %1 = onnx.Reshape %0, %s : (tensor<2x100x768xbf16>, tensor<4xi64>) -> tensor<2x100x12x64xbf16>
  %2 = onnx.Transpose %1 {perm = array<i64: 0, 2, 1, 3>} : (tensor<2x100x12x64xbf16>) -> tensor<2x12x100x64xbf16>
  %3 = onnx.FusedAttention %2, %2, %2 {is_causal = 0 : i64} : (tensor<2x12x100x64xbf16>, tensor<2x12x100x64xbf16>, tensor<2x12x100x64xbf16>) -> tensor<2x12x100x64xbf16>
  return %3 : tensor<2x12x100x64xbf16>
}

// Causal: 25050 scores a head, 10 * 24 * 25050 * 64. Fewer heads of K and V:
// 2 * (3 * 2 * 12 * 100 * 64 + 2 * 2 * 4 * 300 * 64) in, 2 * (1 and 2 of them) out.
// CHECK-LABEL: func.func @causal
// CHECK: kernel "FusedAttention" {{.*}}causal = true>, tensor_flops = 153907200,
// CHECK: kernel "FusedAttentionGrad" {{.*}}causal = true, backward = true>, tensor_flops = 384768000, fp32_flops = 4809600, special_ops = 601200, bytes_read = 1536000, bytes_written = 921600>
func.func @causal(%q: tensor<2x12x100x64xbf16>) -> tensor<2x12x100x64xbf16> {
  %k = onnx.Parameter : () -> tensor<2x4x300x64xbf16>
  %v = onnx.Parameter : () -> tensor<2x4x300x64xbf16>
  %0 = onnx.FusedAttention %q, %k, %v {is_causal = 1 : i64} : (tensor<2x12x100x64xbf16>, tensor<2x4x300x64xbf16>, tensor<2x4x300x64xbf16>) -> tensor<2x12x100x64xbf16>
  return %0 : tensor<2x12x100x64xbf16>
}

// The window of 10 keys remains: 55 + 90 * 10 = 955 scores a head, 10 * 24 * 955 * 64 in the
// backward pass, which reads all keys.
// CHECK-LABEL: func.func @window
// CHECK: kernel "Attention" {{.*}}window = 10, causal = true>, tensor_flops = 5867520,
// CHECK: kernel "FusedAttentionGrad" {{.*}}window = 10, causal = true, backward = true>, tensor_flops = 14668800, {{.*}}bytes_read = 1536000,
func.func @window(%q: tensor<2x12x100x64xbf16>) -> tensor<2x12x100x64xbf16> {
  %k = onnx.Parameter : () -> tensor<2x12x100x64xbf16>
  %v = onnx.Parameter : () -> tensor<2x12x100x64xbf16>
  %0 = onnx.Attention %q, %k, %v {is_causal = 1 : i64, left_window_size = 9 : i64} : (tensor<2x12x100x64xbf16>, tensor<2x12x100x64xbf16>, tensor<2x12x100x64xbf16>) -> tensor<2x12x100x64xbf16>
  return %0 : tensor<2x12x100x64xbf16>
}

// Separate kernels keep the scores: each matmul has its gradients of
// 2 * 24 * 100 * 100 * 64 FLOPs. The mask and Q, which is data, do not get one.
// CHECK-LABEL: func.func @eager
// CHECK: %[[P:.*]] = gpucost.kernel "Softmax"
// CHECK: kernel "MatMul" {{.*}}n = 64, k = 100,
// dP = dO V^T, dV = P^T dO
// CHECK: kernel "MatMul" {{.*}}phase backward{{.*}}batch = 24, m = 100, n = 100, k = 64, linear = false>, tensor_flops = 30720000,
// CHECK: kernel "MatMul" {{.*}}phase backward{{.*}}batch = 24, m = 100, n = 64, k = 100, linear = false, trans_a = true>, tensor_flops = 30720000,
// (B5) 2 * 24 * 100 * 100 bytes a tensor: dP and P, then their product and P.
// CHECK: kernel "Mul" {{.*}}bytes_read = 960000, bytes_written = 480000>
// CHECK: kernel "SoftmaxGrad" {{.*}}bytes_read = 960000, bytes_written = 480000>
// dK = Q^T dS
// CHECK: kernel "MatMul" {{.*}}batch = 24, m = 64, n = 100, k = 100, linear = false, trans_a = true>, tensor_flops = 30720000,
// CHECK-NOT: gpucost.kernel
// CHECK: return
func.func @eager(%q: tensor<24x100x64xbf16>, %m: tensor<100x100xbf16>) -> tensor<24x100x64xbf16> {
  %k = onnx.Parameter : () -> tensor<24x64x100xbf16>
  %v = onnx.Parameter : () -> tensor<24x100x64xbf16>
  %0 = onnx.MatMul %q, %k : (tensor<24x100x64xbf16>, tensor<24x64x100xbf16>) -> tensor<24x100x100xbf16>
  %1 = onnx.Add %0, %m : (tensor<24x100x100xbf16>, tensor<100x100xbf16>) -> tensor<24x100x100xbf16>
  %2 = onnx.Softmax %1 {axis = -1 : i64} : (tensor<24x100x100xbf16>) -> tensor<24x100x100xbf16>
  %3 = onnx.MatMul %2, %v : (tensor<24x100x100xbf16>, tensor<24x100x64xbf16>) -> tensor<24x100x64xbf16>
  return %3 : tensor<24x100x64xbf16>
}

// A trainable bias, as of relative positions: the gradients of all scores are written,
// 2 * 2 * 4 * 100 * 100 bytes more, and summed over the batch.
// CHECK-LABEL: func.func @bias
// CHECK: kernel "FusedAttentionGrad" {{.*}}bytes_written = 467200>
// CHECK: kernel "ReduceSum" {{.*}}origin = "gradient of FusedAttention"{{.*}}bytes_read = 160000, bytes_written = 80000>
func.func @bias() -> tensor<2x4x100x64xbf16> {
  %q = onnx.Parameter : () -> tensor<2x4x100x64xbf16>
  %b = onnx.Parameter : () -> tensor<1x4x100x100xbf16>
  %0 = onnx.FusedAttention %q, %q, %q, %b : (tensor<2x4x100x64xbf16>, tensor<2x4x100x64xbf16>, tensor<2x4x100x64xbf16>, tensor<1x4x100x100xbf16>) -> tensor<2x4x100x64xbf16>
  return %0 : tensor<2x4x100x64xbf16>
}
