// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --pass-pipeline='builtin.module(gpucost-expand-training{loss=none optimizer=none},gpucost-form-kernels,gpucost-annotate-work)' | FileCheck %s

// (G14) A linear layer stores its weight along k: the forward matmul reads both
// operands along k, dX and dW do not. 16-bit matmuls carry no mark.
// CHECK-LABEL: func.func @linear
// CHECK: kernel "MatMul" {{.*}}#gpucost.matmul<m = 32, n = 16, k = 8>
// CHECK-DAG: #gpucost.matmul<m = 32, n = 8, k = 16, strided_k = true>
// CHECK-DAG: #gpucost.matmul<m = 8, n = 16, k = 32, trans_a = true, strided_k = true>
func.func @linear(%x: tensor<32x8xf32>) -> tensor<32x16xf32> {
  %e = onnx.Parameter : () -> tensor<8xf32>
  %w = onnx.Parameter : () -> tensor<8x16xf32>
  %0 = onnx.Add %x, %e : (tensor<32x8xf32>, tensor<8xf32>) -> tensor<32x8xf32>
  %1 = onnx.MatMul %0, %w : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
  return %1 : tensor<32x16xf32>
}

// A Gemm without transB has the weight of GPT-2's Conv1D, stored as [k, n]: dX
// reads it along n, its k.
// CHECK-LABEL: func.func @conv1d
// CHECK: kernel "Gemm" {{.*}}#gpucost.matmul<m = 32, n = 16, k = 8, strided_k = true>
// CHECK-DAG: #gpucost.matmul<m = 32, n = 8, k = 16>
// CHECK-DAG: #gpucost.matmul<m = 8, n = 16, k = 32, trans_a = true, strided_k = true>
func.func @conv1d(%x: tensor<32x8xf32>) -> tensor<32x16xf32> {
  %e = onnx.Parameter : () -> tensor<8xf32>
  %w = onnx.Parameter : () -> tensor<8x16xf32>
  %0 = onnx.Add %x, %e : (tensor<32x8xf32>, tensor<8xf32>) -> tensor<32x8xf32>
  %1 = onnx.Gemm %0, %w : (tensor<32x8xf32>, tensor<8x16xf32>) -> tensor<32x16xf32>
  return %1 : tensor<32x16xf32>
}

// Other layers have transB.
// CHECK-LABEL: func.func @layer
// CHECK: kernel "Gemm" {{.*}}#gpucost.matmul<m = 32, n = 16, k = 8>
// CHECK-DAG: #gpucost.matmul<m = 32, n = 8, k = 16, strided_k = true>
func.func @layer(%x: tensor<32x8xf32>) -> tensor<32x16xf32> {
  %e = onnx.Parameter : () -> tensor<8xf32>
  %w = onnx.Parameter : () -> tensor<16x8xf32>
  %0 = onnx.Add %x, %e : (tensor<32x8xf32>, tensor<8xf32>) -> tensor<32x8xf32>
  %1 = onnx.Gemm %0, %w {transB = 1 : i64} : (tensor<32x8xf32>, tensor<16x8xf32>) -> tensor<32x16xf32>
  return %1 : tensor<32x16xf32>
}

// CHECK-LABEL: func.func @narrow
// CHECK-NOT: strided_k
// CHECK: return
func.func @narrow(%x: tensor<32x8xf16>) -> tensor<32x16xf16> {
  %w = onnx.Parameter : () -> tensor<8x16xf16>
  %0 = onnx.MatMul %x, %w : (tensor<32x8xf16>, tensor<8x16xf16>) -> tensor<32x16xf16>
  return %0 : tensor<32x16xf16>
}

// Scores read Q and K along k; the values are not.
// CHECK-LABEL: func.func @attention
// CHECK: #gpucost.matmul<batch = 4, m = 8, n = 8, k = 16, linear = false>
// CHECK: #gpucost.matmul<batch = 4, m = 8, n = 16, k = 8, linear = false, strided_k = true>
// CHECK: return
func.func @attention(%q: tensor<4x8x16xf32>, %k: tensor<4x8x16xf32>, %v: tensor<4x8x16xf32>) -> tensor<4x8x16xf32> {
  %s = onnx.Parameter : () -> tensor<16xf32>
  %kt = onnx.Transpose %k {perm = array<i64: 0, 2, 1>} : (tensor<4x8x16xf32>) -> tensor<4x16x8xf32>
  %0 = onnx.MatMul %q, %kt : (tensor<4x8x16xf32>, tensor<4x16x8xf32>) -> tensor<4x8x8xf32>
  %1 = onnx.MatMul %0, %v : (tensor<4x8x8xf32>, tensor<4x8x16xf32>) -> tensor<4x8x16xf32>
  %2 = onnx.Mul %1, %s : (tensor<4x8x16xf32>, tensor<16xf32>) -> tensor<4x8x16xf32>
  return %2 : tensor<4x8x16xf32>
}
