// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: gpu-cost-opt %s --gpucost-autocast=format=bf16 | FileCheck %s -DH=bf16
// RUN: gpu-cost-opt %s --gpucost-autocast=format=fp16 | FileCheck %s -DH=f16
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-fp16 --gpucost-autocast | FileCheck %s -DH=f16
// RUN: gpu-cost-opt %s --gpucost-set-target=target=h100-fp8 --gpucost-autocast | FileCheck %s -DH=bf16
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-tf32 --gpucost-autocast | FileCheck %s --check-prefix=SINGLE
// RUN: gpu-cost-opt %s --gpucost-set-target=target=a100-fp32 --gpucost-autocast | FileCheck %s --check-prefix=SINGLE

// fp32 and tf32 have nothing lower.
// SINGLE-NOT: {{gpucost.autocast|onnx.Cast}}
// SINGLE: return

// Parameters stay fp32; matmuls compute in 16 bit.
// CHECK: gpucost.autocast = [[H]]
// CHECK-LABEL: func.func @amp(
// CHECK-SAME: %[[X:.*]]: tensor<8x32xf32>, %[[IDS:.*]]: tensor<8xi64>)
// CHECK: %[[W:.*]] = onnx.Parameter : () -> tensor<32x32xf32>
// CHECK-NEXT: %[[BIAS:.*]] = onnx.Parameter : () -> tensor<32xf32>
// A lookup has the format of its table.
// CHECK: %[[E:.*]] = onnx.Gather {{.*}} -> tensor<8x32xf32>
// CHECK-NEXT: %[[E16:.*]] = onnx.Cast %[[E]] : (tensor<8x32xf32>) -> tensor<8x32x[[H]]>
// CHECK-NEXT: %[[W16:.*]] = onnx.Cast %[[W]] : (tensor<32x32xf32>) -> tensor<32x32x[[H]]>
// CHECK-NEXT: %[[B16:.*]] = onnx.Cast %[[BIAS]]
// CHECK-NEXT: %[[P:.*]] = onnx.Gemm %[[E16]], %[[W16]], %[[B16]] {{.*}} -> tensor<8x32x[[H]]>
// CHECK-NEXT: %[[G:.*]] = onnx.Gelu %[[P]] {{.*}} -> tensor<8x32x[[H]]>
// A sum of both formats is fp32 without a cast, and norms take fp32.
// CHECK-NEXT: %[[S:.*]] = onnx.Add %[[G]], %[[X]] : (tensor<8x32x[[H]]>, tensor<8x32xf32>) -> tensor<8x32xf32>
// CHECK-NEXT: %[[N:.*]] = onnx.LayerNormalization %[[S]]{{.*}} -> tensor<8x32xf32>
// CHECK-NEXT: %[[N16:.*]] = onnx.Cast %[[N]]
// The weight has been cast already.
// CHECK-NEXT: %[[Q:.*]] = onnx.MatMul %[[N16]], %[[W16]]
// Activations are cast for each reader: norm, concatenation (to its widest operand)
// and exponential.
// CHECK-NEXT: %[[Q0:.*]] = onnx.Cast %[[Q]] : (tensor<8x32x[[H]]>) -> tensor<8x32xf32>
// CHECK-NEXT: %[[M:.*]] = onnx.LayerNormalization %[[Q0]]
// CHECK-NEXT: %[[Q1:.*]] = onnx.Cast %[[Q]]
// CHECK-NEXT: onnx.Concat %[[Q1]], %[[M]] {{.*}} -> tensor<8x64xf32>
// CHECK-NEXT: %[[Q2:.*]] = onnx.Cast %[[Q]]
// CHECK-NEXT: onnx.Exp %[[Q2]] {{.*}} -> tensor<8x32xf32>
// A scalar does not widen.
// CHECK: onnx.Mul %[[Q]], %{{.*}} : (tensor<8x32x[[H]]>, tensor<f32>) -> tensor<8x32x[[H]]>
// CHECK-NEXT: return %{{.*}} : tensor<8x32x[[H]]>
func.func @amp(%x: tensor<8x32xf32>, %ids: tensor<8xi64>) -> tensor<8x32xf32> {
  %e = onnx.Parameter : () -> tensor<50x32xf32>
  %w = onnx.Parameter : () -> tensor<32x32xf32>
  %bias = onnx.Parameter : () -> tensor<32xf32>
  %g = onnx.Parameter : () -> tensor<32xf32>
  %b = onnx.Parameter : () -> tensor<32xf32>
  %0 = onnx.Gather %e, %ids {axis = 0 : i64} : (tensor<50x32xf32>, tensor<8xi64>) -> tensor<8x32xf32>
  %1 = onnx.Gemm %0, %w, %bias : (tensor<8x32xf32>, tensor<32x32xf32>, tensor<32xf32>) -> tensor<8x32xf32>
  %2 = onnx.Gelu %1 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %3 = onnx.Add %2, %x : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xf32>
  %4 = onnx.LayerNormalization %3, %g, %b {axis = -1 : i64} : (tensor<8x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<8x32xf32>
  %5 = onnx.MatMul %4, %w : (tensor<8x32xf32>, tensor<32x32xf32>) -> tensor<8x32xf32>
  %6 = onnx.LayerNormalization %5, %g, %b {axis = -1 : i64} : (tensor<8x32xf32>, tensor<32xf32>, tensor<32xf32>) -> tensor<8x32xf32>
  %7 = onnx.Concat %5, %6 {axis = 1 : i64} : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x64xf32>
  %8 = onnx.Exp %5 : (tensor<8x32xf32>) -> tensor<8x32xf32>
  %half = onnx.Constant {value = dense<0.5> : tensor<f32>} : () -> tensor<f32>
  %9 = onnx.Mul %5, %half : (tensor<8x32xf32>, tensor<f32>) -> tensor<8x32xf32>
  return %9 : tensor<8x32xf32>
}
